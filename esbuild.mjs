// Builds everything that runs: the extension with its lazily loaded chunks, the panels' browser code, the sandbox, and the tests.
//   node esbuild.mjs            dist/extension.js, dist/chunks/, dist/webview/, dist/sandbox.js, dist/service.js, dist/review.js, dist/insight.js, dist/mcp.js, dist/build.txt
//   node esbuild.mjs --tests    the above, and dist/test/
//   node esbuild.mjs --watch    the above, again whenever a file changes
//   --only unit/api,chain       only the tests under test/unit/api and test/chain, and nothing else; also single files: unit/api/retry.test.ts
//   --mainnet                   only the little mainnet of test/support/mainnet as a process: mainnet.js
//   --program review            only this program, and nothing else
//   --replace PATH=FILE         as if the source PATH were FILE (test/host/mutants.mjs)
//   --out DIR                   into DIR instead of dist
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { collectLicenses, NOTICES_FILE, noticesOf, readReviews } from './test/host/bundles/licenses.mjs';
import { METAFILE_ENDING, readOutputs } from './test/host/bundles/metafiles.mjs';

const { values: options } = parseArgs({
  options: {
    watch: { type: 'boolean' },
    tests: { type: 'boolean' },
    mainnet: { type: 'boolean' },
    only: { type: 'string' },
    program: { type: 'string' },
    replace: { type: 'string' },
    out: { type: 'string', default: 'dist' },
  },
});

/** Tells the running code of a window from files of another build (src/ui/shell/installation.ts): a hash of everything that the build is made of. */
const buildId = (() => {
  const folders = ['src', 'webview'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
  );
  const files = [...folders, 'package.json', 'package-lock.json', 'esbuild.mjs'].filter((path) => statSync(path).isFile());
  const hash = createHash('sha256');
  for (const path of files.sort((a, b) => (a < b ? -1 : 1))) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  return hash.digest('hex').slice(0, 32);
})();

function writeBuildId() {
  mkdirSync(options.out, { recursive: true });
  writeFileSync(join(options.out, 'build.txt'), buildId);
}

/** Bundled CommonJS packages call `require`; an ES module has to bring one. */
const REQUIRE_BANNER = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

/** The version for browsers is an ES module, and has nothing that reads files: VS Code reads the translations. */
const LOCALIZATION = { '@vscode/l10n': '@vscode/l10n/dist/browser.js' };

/** The ES module of Anchor, on which the SDKs of Meteora are built, assigns to `exports` on Node, which an ES module does not have. */
const commonJsAnchor = {
  name: 'Anchor as CommonJS',
  setup(build) {
    const path = resolve('node_modules/@coral-xyz/anchor/dist/cjs/index.js');
    build.onResolve({ filter: /^@coral-xyz\/anchor$/ }, () => ({ path }));
  },
};

/** web3.js and Anchor do not open connections of their own: see there. */
const solanaWithoutNetwork = {
  name: 'Solana without network',
  setup(build) {
    const path = resolve('src/base/solana/solanaWithoutNetwork.mjs');
    build.onResolve({ filter: /^(rpc-websockets|node-fetch|cross-fetch)$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/](@solana[\\/]web3\.js|@coral-xyz[\\/]anchor)[\\/]/.test(importer) ? { path } : undefined,
    );
  },
};

/** Node has the streams that fetch-blob, a part of node-fetch, brings for versions without them. */
const streamsOfNode = {
  name: 'Streams of Node',
  setup(build) {
    build.onResolve({ filter: /^web-streams-polyfill(\/|$)/ }, () => ({ path: 'node:stream/web', external: true }));
  },
};

/** Tests alone: web3.js writes and reads the same keys again and again there. */
const keptBase58 = {
  name: 'Base58 of web3.js, kept',
  setup(build) {
    const path = resolve('test/support/base58OfWeb3.mjs');
    const resolveDir = resolve('node_modules/@solana/web3.js/lib');
    build.onResolve({ filter: /^bs58$/ }, ({ importer }) => {
      if (importer === path) return build.resolve('bs58', { resolveDir, kind: 'import-statement', importer: resolveDir });
      return /[\\/]@solana[\\/]web3\.js[\\/]lib[\\/]/.test(importer) ? { path } : undefined;
    });
  },
};

const replaced = {
  name: 'Another text for a source',
  setup(build) {
    const [path, file] = options.replace?.split('=') ?? [];
    if (path === undefined) return;
    build.onLoad({ filter: /[.]ts$/ }, (args) =>
      args.path === resolve(path) ? { contents: readFileSync(file, 'utf8'), loader: 'ts' } : undefined,
    );
  },
};

const shared = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  logLevel: 'info',
  legalComments: 'none',
  banner: REQUIRE_BANNER,
  metafile: true,
  plugins: [solanaWithoutNetwork, streamsOfNode, replaced],
  // The first of these that a package has: its ES module, which can be tree-shaken.
  mainFields: ['module', 'main'],
};

const extension = {
  ...shared,
  entryPoints: { extension: 'src/extension.ts' },
  outdir: options.out,
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  minify: true,
  keepNames: true,
  external: ['vscode'],
  alias: LOCALIZATION,
  define: { BUILD_ID: JSON.stringify(buildId) },
};

/** The sandbox, and the service over a real chain. What both load is there once: that makes each package 190 kB smaller. */
const processes = {
  ...shared,
  entryPoints: { sandbox: 'src/sandbox/main.ts', service: 'src/chain/main.ts' },
  // The version for Node looks for native code, and says in the log that there is none.
  plugins: [...shared.plugins, commonJsAnchor],
  outdir: options.out,
  chunkNames: 'chunks/[name]-[hash]',
  // What imports native code is a chunk of its own, too: where there is none, the entry of the sandbox can still say so.
  splitting: true,
  minify: true,
  keepNames: true,
  // Native code and WebAssembly stay in their packages.
  external: ['litesvm', 'litesvm/*', 'node-sqlite3-wasm'],
  // Its entry for Node looks for native code with `bindings`, which in a bundle leaves every later `error.stack` throwing.
  alias: { 'bigint-buffer': 'bigint-buffer/dist/browser.js' },
};

/** The MCP server for assistants outside of VS Code. One file: a copy of it runs from the storage of the extension. */
const mcp = {
  ...shared,
  entryPoints: { mcp: 'src/mcp/main.ts' },
  outdir: options.out,
  // Nothing in it looks at the names of functions and classes; the names of its errors are properties. Keeping them would cost 9 kB of each package.
  minify: true,
  loader: { '.html': 'text' },
};

const review = { ...shared, entryPoints: { review: 'src/cli/review.ts' }, outdir: options.out, minify: true, keepNames: true };

const insight = { ...shared, entryPoints: { insight: 'src/cli/insight.ts' }, outdir: options.out, minify: true, keepNames: true };

/** The panels: a script and a style sheet each. A script is whole: one that imports others is run a way there and back later. */
const webview = {
  ...shared,
  entryPoints: ['pool', 'overview', 'position'].flatMap((panel) => [
    { in: `webview/${panel}/main.ts`, out: panel },
    { in: `webview/${panel}/${panel}.css`, out: panel },
  ]),
  outdir: join(options.out, 'webview'),
  assetNames: '[name]-[hash]',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  banner: {},
  alias: LOCALIZATION,
  loader: { '.ttf': 'file' },
};

/** Whether a file of the tests, or one below a folder of them, is asked for. */
function isAsked(path) {
  return options.only === undefined || options.only.split(',').some((only) => path.startsWith(join('test', only)));
}

function testFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter(isAsked);
}

const tests = {
  ...shared,
  entryPoints: [
    ...['unit', 'sandbox', 'chain', 'editor', 'settings', 'browser'].flatMap((kind) => testFiles(join('test', kind))),
    // Sandbox tests start it as a process.
    ...(options.only === undefined || /(?:^|,)sandbox/.test(options.only) ? ['test/support/sandbox/shared/worker.ts'] : []),
    ...(options.only === undefined
      ? [
          'test/editor/index.ts',
          'test/settings/index.ts',
          'test/bench/startupBench.ts',
          'test/bench/sandboxBench.ts',
          'test/bench/firstAnswersBench.ts',
          'test/bench/serviceBench.ts',
          'test/bench/reviewBench.ts',
          'test/bench/insightBench.ts',
          'test/bench/operationsBench.ts',
          'test/bench/panelsBench.ts',
          'test/bench/activationBench.ts',
          'test/bench/editor/index.ts',
          'test/bench/historyHost.ts',
          'test/fuzz/fuzz.ts',
          'test/crash/crash.ts',
          'test/soak/soak.ts',
        ]
      : []),
  ],
  outdir: join(options.out, 'test'),
  outbase: 'test',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  plugins: [...shared.plugins, commonJsAnchor, keptBase58],
  // Also what changes how errors are written when it is loaded from elsewhere (bindings, below @solana/spl-token), and then hides failures.
  external: [
    'vscode',
    'mocha',
    'litesvm',
    'litesvm/*',
    'node-sqlite3-wasm',
    'playwright-core',
    '@vscode/test-electron',
    '@solana/spl-token',
    'esbuild',
    'oxc-parser',
  ],
};

/** The little mainnet as a process, for `npm start -- --chain`. */
const mainnet = {
  ...tests,
  entryPoints: { mainnet: 'test/support/mainnet/process/main.ts' },
  outdir: options.out,
  outbase: undefined,
  splitting: false,
  external: tests.external.filter((name) => name !== '@solana/spl-token'),
  // As in the service: the version for Node says that it finds no native code.
  alias: { 'bigint-buffer': 'bigint-buffer/dist/browser.js' },
};

const programs = { extension, webview, processes, review, insight, mcp };
const product = options.only === undefined && options.program === undefined && !options.mainnet ? programs : {};
const single = options.mainnet ? mainnet : programs[options.program];
if (options.program !== undefined && single === undefined) throw new Error(`No program is called ${options.program}.`);
const configurations = single ? [single] : [...Object.values(product), ...(options.tests || options.only !== undefined ? [tests] : [])];
if (options.watch) {
  // One for all builds: a window keeps running, and its panels load what changed.
  writeBuildId();
  for (const configuration of configurations) {
    const context = await esbuild.context(configuration);
    await context.watch();
  }
} else {
  rmSync(options.out, { recursive: true, force: true });
  if (options.only !== undefined && tests.entryPoints.length === 0) throw new Error(`No tests in test/${options.only}.`);
  const results = await Promise.all(configurations.map((configuration) => esbuild.build(configuration)));
  const names = Object.keys(product);
  if (names.length > 0) {
    writeBuildId();
    // What the files are made of: sizes, licenses and what activation loads are checked against it.
    names.forEach((name, index) => writeFileSync(join(options.out, name + METAFILE_ENDING), JSON.stringify(results[index].metafile)));
    const { packages } = collectLicenses({ root: '.', outputs: readOutputs(options.out), reviews: readReviews() });
    writeFileSync(join(options.out, NOTICES_FILE), noticesOf(packages));
  }
}
