import { dirname, join, relative, resolve, sep } from 'node:path';
import tseslint from 'typescript-eslint';

const ROOMS = ['api', 'cli', 'dlmm', 'editor', 'format', 'net', 'operations', 'portfolio', 'protocol', 'review', 'rpc', 'sandbox', 'solana', 'system', 'wallet'];
/** What stands beside the rooms. */
const FRONT_DOOR = 'extension';

/**
 * Which rooms a room may import from. `types` may be imported as types only. DESIGN.md draws the same arrows.
 */
const HOUSE = {
  solana: { values: [] },
  dlmm: { values: [] },
  format: { values: [] },
  net: { values: [] },
  system: { values: [] },
  protocol: { values: [], types: ['api'] },
  api: { values: ['solana', 'net'] },
  rpc: { values: ['solana', 'net'] },
  review: { values: ['solana', 'dlmm'], types: ['api'] },
  wallet: { values: ['solana'], types: ['review'] },
  portfolio: { values: ['solana'], types: ['api'] },
  operations: { values: ['api', 'dlmm', 'review', 'wallet', 'solana', 'system'], types: ['portfolio', 'rpc'] },
  cli: { values: ['review', 'wallet', 'solana'] },
  sandbox: { values: ['dlmm', 'solana', 'system'], types: ['api'] },
  editor: { values: ROOMS.filter((room) => room !== 'sandbox' && room !== 'cli'), vscode: true },
  [FRONT_DOOR]: { values: ROOMS.filter((room) => room !== 'sandbox' && room !== 'cli'), vscode: true },
};

/** What the panels' browser code may import from src: it has no Node, no VS Code, and nothing that could sign. */
const FOR_PANELS = ['protocol', 'format', 'dlmm'];

/** The panel that a path is in: the first folder under webview/; `..` outside of it. */
const panelOf = (path) => relative(join(import.meta.dirname, 'webview'), path).split(sep)[0];

/** The import rules of the panels: each its own room, `shared` for all; nothing of Node; the toolkit in one file alone. */
const panelRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const from = panelOf(context.filename);
    const check = (node, source) => {
      const name = source?.value;
      if (typeof name !== 'string') return;
      if (name === 'vscode' || name.startsWith('node:')) context.report({ node, message: 'A panel runs in a browser.' });
      if (name.startsWith('@vscode/webview-ui-toolkit') && !context.filename.endsWith(join('webview', 'shared', 'ui.ts'))) context.report({ node, message: 'webview/shared/ui.ts alone imports the toolkit.' });
      if (!name.startsWith('.')) return;
      const path = resolve(dirname(context.filename), name);
      const to = panelOf(path);
      if (to === from || to === 'shared' || (to === '..' && FOR_PANELS.includes(roomOf(path)))) return;
      context.report({ node, message: `webview/${from} does not import ${to === '..' ? `src/${roomOf(path)}` : `webview/${to}`} (eslint.config.mjs).` });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source),
      ExportNamedDeclaration: (node) => check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      ImportExpression: (node) => check(node, node.source),
      TSImportType: (node) => check(node, node.source),
    };
  },
};

/** The room that a path is in: the first folder under src/, or the name of a file that stands there; `..` outside of it. */
const roomOf = (path) => relative(join(import.meta.dirname, 'src'), path).split(sep)[0].replace(/\.ts$/, '');

/**
 * The import rules, for whatever form an import has: a declaration, a re-export, `import()`, `import('…').Type`. An import
 * of types alone is one that is written `import type`: the other form still loads the module (`verbatimModuleSyntax`).
 */
const importRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const from = roomOf(context.filename);
    const { values, types = [], vscode = false } = HOUSE[from] ?? { values: [] };
    const check = (node, source, isType) => {
      const name = source?.value;
      if (name === 'vscode' && !vscode) context.report({ node, message: 'Only editor/ and extension.ts import vscode.' });
      if (typeof name !== 'string' || !name.startsWith('.')) return;
      const to = roomOf(resolve(dirname(context.filename), name));
      if (to === from || values.includes(to) || (types.includes(to) && isType)) return;
      const rule = types.includes(to) ? `${from} knows ${to} by its types only` : `${from} does not import ${to}`;
      context.report({ node, message: `${rule} (eslint.config.mjs, HOUSE).` });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source, node.importKind === 'type'),
      ExportNamedDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (node) => check(node, node.source, true),
    };
  },
};

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
  {
    files: ['src/**/*.ts'],
    plugins: { house: { rules: { imports: importRule } } },
    rules: { 'house/imports': 'error' },
  },
  {
    files: ['webview/**/*.ts'],
    plugins: { house: { rules: { panels: panelRule } } },
    rules: { 'house/panels': 'error' },
  },
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
