import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';

/** The sources that are loaded with the extension itself: not what it loads later, when it is needed. */
async function loadedAtOnce(): Promise<readonly string[]> {
  const { metafile } = await esbuild.build({
    entryPoints: ['src/extension.ts'],
    outdir: 'nowhere',
    external: ['vscode'],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (!loaded.has(path)) {
      loaded.add(path);
      metafile.outputs[path]?.imports
        .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
        .forEach((next) => load(next.path));
    }
  };
  load(
    Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === 'src/extension.ts') ??
      assert.fail('there is no entry'),
  );
  return [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
}

describe('What activation loads', () => {
  it('is neither the review, nor the RPC, nor what an operation runs with, nor anything heavy', async () => {
    const sources = await loadedAtOnce();
    assert.ok(sources.includes('src/ui/shell/commands/registerCommands.ts'));
    // What a retry with a fresh quote is known by is needed before an operation runs.
    const early = sources.filter((path) =>
      /^src\/(review|rpc|sandbox|cli)\/|^src\/(transactions|autoRebalance)\/(?!errors\.ts$)|^src\/ui\/zap\/(operationRunner|approval|zap)|node_modules\/(@solana|zod|node-fetch)\//.test(
        path,
      ),
    );
    assert.deepEqual(early, []);
  });

  it('is neither what a command does, nor the words of failures and tooltips, nor what is done with keys', async () => {
    const commands =
      /^src\/ui\/shell\/commands\/(?!(registerCommands|runCommand|registry|target|freshQuote)\.ts$)|^src\/ui\/(\w+\/)?\w+Commands?\.ts$(?<!registerCommands\.ts)(?<!runCommand\.ts)/;
    const others = /^src\/wallet\/|^src\/ui\/wallets\/(askPassphrase|key(Ring|Store)|unlocking)\.ts$|^src\/ui\/positions\/tooltips\.ts$/;
    assert.deepEqual(
      (await loadedAtOnce()).filter((path) => commands.test(path) || others.test(path)),
      [],
    );
  });

  it('is no panel: only the place where one is brought back', async () => {
    const sources = await loadedAtOnce();
    assert.ok(sources.includes('src/ui/panels/panelManager.ts'));
    assert.deepEqual(
      sources.filter((path) => /^src\/protocol\/|^src\/ui\/panels\/(?!panelManager\.ts$)/.test(path)),
      [],
    );
  });
});
