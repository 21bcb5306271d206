import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';

/** Each `import()` of the sources: the module that contains it, and what it loads. `src/sandbox/sandbox.ts` loads native code. */
const BOUNDARIES = [
  'src/extension.ts -> src/ui/start.ts',
  'src/sandbox/main.ts -> src/sandbox/sandbox.ts',
  'src/ui/lazyLoading.ts -> src/ui/lazyFeatures.ts',
  'src/ui/lazyLoading.ts -> src/ui/lazyOperations.ts',
  'src/ui/lazyLoading.ts -> src/ui/panels/panels.ts',
];

async function build(...entryPoints: readonly string[]): Promise<esbuild.Metafile> {
  const { metafile } = await esbuild.build({
    entryPoints: [...entryPoints],
    outdir: 'nowhere',
    external: ['vscode', 'litesvm', 'litesvm/*', 'node-sqlite3-wasm'],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  return metafile;
}

/** Gives the source files that a module loads with its static imports. */
async function staticClosure(entry: string): Promise<readonly string[]> {
  const { outputs } = await build(entry);
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (!loaded.has(path)) {
      loaded.add(path);
      outputs[path]?.imports
        .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
        .forEach((next) => load(next.path));
    }
  };
  load(Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry) ?? assert.fail(`${entry} was not built`));
  return [...loaded].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
}

describe('Lazy loading', () => {
  it('Only the lazy-loading boundaries use import()', async () => {
    const { inputs } = await build('src/extension.ts', 'src/sandbox/main.ts', 'src/cli/review.ts');
    const found = Object.entries(inputs)
      .filter(([path]) => path.startsWith('src/'))
      .flatMap(([path, { imports }]) =>
        imports.filter(({ kind }) => kind === 'dynamic-import').map((loaded) => `${path} -> ${loaded.path}`),
      );
    assert.deepEqual(found.sort(), BOUNDARIES);
  });

  it('Activation loads the ids of commands and nothing else', async () => {
    assert.deepEqual((await staticClosure('src/extension.ts')).toSorted(), ['src/extension.ts', 'src/settings/generated/commandIds.ts']);
  });

  it('No bundle of the extension has the words of the declarations of settings and commands', async () => {
    const { inputs } = await build('src/extension.ts');
    assert.deepEqual(
      Object.keys(inputs)
        .filter((path) => path.startsWith('src/settings/'))
        .sort(),
      [
        'src/settings/generated/commandIds.ts',
        'src/settings/generated/commandTraits.ts',
        'src/settings/generated/settings.ts',
        'src/settings/settingTypes.ts',
      ],
    );
  });

  it('The start loads no review, RPC, operation, key or protocol code, and none of the large packages', async () => {
    const sources = await staticClosure('src/ui/start.ts');
    assert.ok(sources.includes('src/ui/createServices.ts'));
    const heavy =
      /^src\/(review|rpc|sandbox|cli|transactions|autoRebalance|protocol|wallet)\/|node_modules\/(@solana|zod|node-fetch)\/|^src\/ui\/zap\/(operationRunner|approval|zap)/;
    assert.deepEqual(
      sources.filter((path) => heavy.test(path)),
      [],
    );
  });

  it('The start registers panels, and loads no code of panels and commands', async () => {
    const sources = await staticClosure('src/ui/start.ts');
    assert.ok(sources.includes('src/ui/panels/panelManager.ts'));
    const commands = /^src\/ui\/shell\/commands\/(?!registry)|^src\/ui\/(\w+\/)?\w*[cC]ommands?\.ts$/;
    const others = /^src\/ui\/panels\/(?!panelManager)|^src\/ui\/wallets\/key(Ring|Store)|[tT]ooltips\.ts$/;
    assert.deepEqual(
      sources.filter((path) => commands.test(path) || others.test(path)),
      [],
    );
  });

  it('Only operations load the review, with web3.js', async () => {
    const large = (path: string) => path.includes('node_modules/@solana/web3.js/') || path === 'src/review/review.ts';
    assert.ok((await staticClosure('src/ui/lazyOperations.ts')).some(large));
    for (const entry of ['src/ui/lazyFeatures.ts', 'src/ui/panels/panels.ts']) {
      assert.deepEqual((await staticClosure(entry)).filter(large), [], entry);
    }
  });
});
