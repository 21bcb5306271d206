// The rules of this project for oxlint (.oxlintrc.json): which module imports which, where text is looked up, how zod is imported.
import { dirname, join, relative, resolve, sep } from 'node:path';

const ROOMS = [
  'assistants',
  'autoRebalance',
  'base',
  'chain',
  'cli',
  'mcp',
  'portfolio',
  'protocol',
  'review',
  'rpc',
  'sandbox',
  'engine',
  'service',
  'settings',
  'transactions',
  'ui',
  'wallet',
];
/** The file beside the rooms. */
const ENTRY = 'extension';
/** The other side of the wire, and the command line: nothing in the extension imports them. */
const OTHER_PROCESSES = ['chain', 'cli', 'mcp', 'sandbox', 'engine'];
const EXTENSION_ROOMS = ROOMS.filter((room) => !OTHER_PROCESSES.includes(room));

/** The rooms that a room may import from. `types`: with `import type` only. CONTRIBUTING.md draws the same arrows. */
const HOUSE = {
  base: { values: [] },
  protocol: { values: ['base'], types: ['service'] },
  service: { values: ['base'] },
  // The declarations of settings and commands, and what is generated from them.
  settings: { values: ['base'] },
  rpc: { values: ['base'] },
  review: { values: ['base'], types: ['service'] },
  wallet: { values: ['base'], types: ['review'] },
  portfolio: { values: ['base'], types: ['service'] },
  transactions: { values: ['base', 'service', 'review', 'wallet'], types: ['portfolio', 'rpc'] },
  autoRebalance: { values: ['base', 'service', 'transactions'], types: ['portfolio', 'review', 'rpc'] },
  // The tools of assistants: what is not imported here cannot be reached by a tool. No wallet, no review, no transactions, no RPC.
  assistants: { values: ['base'], types: ['service', 'portfolio'] },
  cli: { values: ['base', 'review', 'wallet'] },
  mcp: { values: ['base', 'assistants'] },
  engine: { values: ['base'], types: ['service'] },
  sandbox: { values: ['base', 'engine'], types: ['service'] },
  chain: { values: ['base', 'engine'], types: ['service'] },
  ui: { values: EXTENSION_ROOMS, vscode: true },
  [ENTRY]: { values: EXTENSION_ROOMS, vscode: true },
};

/**
 * The layers inside a room, or inside a folder of one, lowest first. A layer is a folder, a file that is named here, or `.` for all other
 * files beside the folders. It imports from itself and from lower layers only.
 */
const LAYERS = {
  base: [
    'time',
    'thrown',
    'basisPoints',
    'text',
    'operationKinds',
    'tokenFacts',
    'processes',
    'async',
    'format',
    'http',
    'dlmm',
    'solana',
    'insight',
    'reasons',
  ],
  service: ['common', 'errors', 'baseUrl', 'parsing', 'budget', '.', 'calls', 'client'],
  review: [
    'policy',
    'terms',
    'facts',
    'types',
    'intents',
    'notes',
    'spends',
    'decode',
    'ownedAccounts',
    'context',
    'rules',
    'describe',
    'approval',
    '.',
    'report',
  ],
  transactions: ['journal', 'locks', '.', 'inspect', 'outcome', 'run', 'rebalance', 'recovery', 'earnings'],
  ui: [
    'shell',
    'connection',
    'wallets',
    'sandbox',
    'positions',
    'pools',
    'statusBar',
    'zap',
    'activity',
    'rebalance',
    'autoRebalance',
    'panels',
    'walletView',
    'walletGroups',
    'notices',
    'assistants',
    'removal',
    '.',
  ],
  engine: ['state', 'wire', 'engine', 'records', 'store', 'counters', 'assembly', '.', 'build', 'landing', 'http', 'process'],
  chain: ['rpc', 'index', 'dataApi', 'landing', 'positions', 'pools', 'prices', 'build', 'records', '.'],
  sandbox: ['heap', 'arguments', 'store', 'chain', 'build', 'rpc', 'market', 'hostile', 'worldHost', 'http', '.'],
  'sandbox/market': [
    'random',
    'catalog',
    'prices',
    'types',
    'units',
    'accounts',
    'marketState',
    'pools',
    '.',
    'records',
    'simulation',
    'engine',
  ],
};

/** What the panels' browser code may import from src: no Node, no VS Code, and nothing that could sign. */
const FOR_PANELS = ['protocol', join('base', 'time'), join('base', 'format'), join('base', 'dlmm'), join('base', 'insight')];

/** The panel that a path is in: the first folder under webview/; `..` outside of it. */
const panelOf = ({ cwd }, path) => relative(join(cwd, 'webview'), path).split(sep)[0];

/** The import rules of the panels: each its own room, `shared` for all; nothing of Node; the toolkit in one file alone. */
const panelRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const from = panelOf(context, context.filename);
    const check = (node, source) => {
      const name = source?.value;
      if (typeof name !== 'string') return;
      if (name === 'vscode' || name.startsWith('node:')) context.report({ node, message: 'A panel runs in a browser.' });
      if (name.startsWith('@vscode/webview-ui-toolkit') && !context.filename.endsWith(join('webview', 'shared', 'toolkit.ts')))
        context.report({ node, message: 'webview/shared/toolkit.ts alone imports the toolkit.' });
      if (!name.startsWith('.')) return;
      const path = resolve(dirname(context.filename), name);
      const to = panelOf(context, path);
      const inSource = relative(join(context.cwd, 'src'), path);
      const isForPanels = FOR_PANELS.some((place) => inSource === place || inSource.startsWith(place + sep));
      if (to === from || to === 'shared' || (to === '..' && isForPanels)) return;
      context.report({
        node,
        message: `webview/${from} does not import ${to === '..' ? `src/${roomOf(context, path)}` : `webview/${to}`} (oxlint.rules.mjs).`,
      });
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

/** The room that a path is in: the first folder under src/, or the name of a file beside them; `..` outside of src/. */
const roomOf = ({ cwd }, path) => relative(join(cwd, 'src'), path).split(sep)[0].replace(/\.ts$/, '');

/**
 * The layer of a folder with layers that a path is in: the next folder; `.` for a file beside the folders, unless the layers name that
 * file; `undefined` outside of that folder.
 */
function layerOf({ cwd }, folder, path) {
  const [first = '', ...more] = relative(join(cwd, 'src', folder), path).split(sep);
  if (first === '..') return undefined;
  const name = first.replace(/\.ts$/, '');
  return more.length > 0 || LAYERS[folder].includes(name) ? name : '.';
}

/**
 * The import rules, for every form of an import: a declaration, a re-export, `import()`, `import('…').Type`. An import of types is one that
 * is written `import type`: the other form still loads the module (`verbatimModuleSyntax`).
 */
const importRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const from = roomOf(context, context.filename);
    const { values, types = [], vscode = false } = HOUSE[from] ?? { values: [] };
    const checkLayers = (node, path) => {
      for (const [folder, layers] of Object.entries(LAYERS)) {
        const [own, other] = [layerOf(context, folder, context.filename), layerOf(context, folder, path)];
        if (own === undefined || other === undefined || own === other || layers.indexOf(other) < layers.indexOf(own)) continue;
        const name = (layer) => `${folder}/${layer === '.' ? '*' : layer}`;
        context.report({ node, message: `${name(own)} does not import ${name(other)} (oxlint.rules.mjs, LAYERS).` });
      }
    };
    const check = (node, source, isType) => {
      const name = source?.value;
      if (name === 'vscode' && !vscode) context.report({ node, message: 'Only ui/ and extension.ts import vscode.' });
      if (typeof name !== 'string' || !name.startsWith('.')) return;
      const path = resolve(dirname(context.filename), name);
      const to = roomOf(context, path);
      if (to === from) return checkLayers(node, path);
      if (values.includes(to) || (types.includes(to) && isType)) return;
      const rule = types.includes(to) ? `${from} imports only types of ${to}` : `${from} does not import ${to}`;
      context.report({ node, message: `${rule} (oxlint.rules.mjs, HOUSE).` });
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

/**
 * Text is looked up when it is shown. A constant that is made while a module loads can be made before the translations are there
 * (extension.ts, webview/shared/localization.ts), and then stays English.
 */
const localizationRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node, callee) => {
      if (callee.type !== 'MemberExpression' || callee.object.name !== 'l10n' || callee.property.name !== 't') return;
      const isLater = ({ type }) => /Function/.test(type) || type === 'PropertyDefinition';
      if (!context.sourceCode.getAncestors(node).some(isLater))
        context.report({ node, message: 'Call l10n.t in a function: while modules load, there are no translations yet.' });
    };
    return { CallExpression: (node) => check(node, node.callee), TaggedTemplateExpression: (node) => check(node, node.tag) };
  },
};

/** `import { z } from 'zod'` brings every locale along: 443 kB instead of 83. */
const zodRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node) => {
      if (node.source.value !== 'zod' || node.specifiers.every(({ type }) => type === 'ImportNamespaceSpecifier')) return;
      context.report({ node, message: "Write `import * as z from 'zod'`: it tree-shakes." });
    };
    return { ImportDeclaration: check };
  },
};

/** A reader looks for the meaning of an object that is spread where it is written; it only keeps the formatter from breaking a line. */
const spreadRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node) => {
      if (node.argument.type === 'ObjectExpression' && node.parent.type === 'ObjectExpression')
        context.report({ node, message: 'Write the properties without `...{ }`.' });
    };
    return { SpreadElement: check };
  },
};

/** Where VS Code's secret storage is given to what limits and words its calls (src/ui/shell/secrets.ts). */
const SECRETS_FILE = join('src', 'ui', 'createServices.ts');

/** VS Code's secret storage may never answer: one class uses it, and everything else that class. */
const secretsRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    if (context.filename.endsWith(SECRETS_FILE)) return {};
    const isContext = (node) => /context$/i.test(node?.property?.name ?? node?.name ?? '');
    const report = (node) => context.report({ node, message: 'Use Services.secrets: the secret storage may never answer.' });
    const checkPattern = (pattern, from) => {
      if (pattern?.type !== 'ObjectPattern' || !isContext(from)) return;
      pattern.properties.filter(({ key }) => key?.name === 'secrets').forEach(report);
    };
    return {
      MemberExpression: (node) => {
        if ((node.property.name ?? node.property.value) === 'secrets' && isContext(node.object)) report(node);
      },
      VariableDeclarator: (node) => checkPattern(node.id, node.init),
    };
  },
};

export default {
  meta: { name: 'house' },
  rules: { imports: importRule, panels: panelRule, localization: localizationRule, secrets: secretsRule, spread: spreadRule, zod: zodRule },
};
