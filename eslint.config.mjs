import tseslint from 'typescript-eslint';

const ROOMS = ['api', 'dlmm', 'editor', 'format', 'operations', 'portfolio', 'protocol', 'review', 'sandbox', 'solana', 'wallet'];

/**
 * Which rooms a room may import from. `types` may be imported as types only. DESIGN.md draws the same arrows.
 */
const HOUSE = {
  solana: { values: [] },
  dlmm: { values: [] },
  format: { values: [] },
  protocol: { values: [], types: ['api'] },
  api: { values: ['solana'] },
  review: { values: ['solana', 'dlmm'], types: ['api'] },
  wallet: { values: ['solana'], types: ['review'] },
  portfolio: { values: ['solana'], types: ['api'] },
  operations: { values: ['api', 'dlmm', 'review', 'wallet', 'solana'], types: ['portfolio'] },
  sandbox: { values: ['api', 'dlmm', 'solana'] },
  editor: { values: ROOMS.filter((room) => room !== 'sandbox') },
};

const importOf = (room) => `^(\\.\\./)+${room}(/|$)`;

/** The import rules of one room: every other room that is not named is out of bounds, and `vscode` is editor's alone. */
function roomRules(room, { values, types = [] }) {
  const others = ROOMS.filter((other) => other !== room && !values.includes(other));
  const patterns = others.map((other) => ({
    regex: importOf(other),
    allowTypeImports: types.includes(other),
    message: types.includes(other)
      ? `${room} knows ${other} by its types only (eslint.config.mjs, HOUSE).`
      : `${room} does not import ${other} (eslint.config.mjs, HOUSE).`,
  }));
  const paths = room === 'editor' ? [] : [{ name: 'vscode', message: 'Only editor/ and extension.ts import vscode.' }];
  return {
    files: [`src/${room}/**/*.ts`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { paths, patterns }] },
  };
}

/** `import { z } from 'zod'` brings every locale along: 443 kB instead of 83. (`no-restricted-imports` would refuse the namespace, too.) */
const ZOD = { selector: "ImportDeclaration[source.value='zod'] > :not(ImportNamespaceSpecifier, Literal)", message: "Write `import * as z from 'zod'`: it tree-shakes." };

export default tseslint.config(
  { ignores: ['dist/', '.build/', 'node_modules/', 'media/', 'src/solana/generated/', '.sandbox/', '.vscode-test/'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports: one name for one thing.' },
        ZOD,
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  ...Object.entries(HOUSE).map(([room, allowed]) => roomRules(room, allowed)),
  {
    files: ['test/**/*.ts'],
    rules: {
      // mocha's `describe` and `it` return what need not be awaited; chai-like assertions are expressions.
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['**/*.mjs'],
    extends: [...tseslint.configs.recommended],
  },
);
