import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';

/** Gives the files that end up in a bundle. */
async function bundled(entry: string): Promise<readonly string[]> {
  const { metafile } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    loader: { '.html': 'text' },
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}

const FOREIGN = /^src\/(wallet|transactions|review|rpc|autoRebalance|ui|service|chain|sandbox)\/|node_modules\/@solana\//;

describe('Tools of assistants: reach', () => {
  for (const entry of ['src/assistants/runTool.ts', 'src/mcp/main.ts']) {
    it(`${entry} contains no code that signs, reviews, sends, unlocks or reads a key`, async () => {
      const files = await bundled(entry);
      assert.ok(files.includes('src/assistants/definitions.ts'));
      assert.deepEqual(
        files.filter((file) => FOREIGN.test(file)),
        [],
      );
    });
  }

  it('What listens for assistants imports no wallet, review or operation itself', async () => {
    const files = await bundled('src/ui/assistants/toolServer.ts');
    assert.deepEqual(
      files.filter((file) => /^src\/(wallet|transactions|review|rpc|autoRebalance|service)\//.test(file)),
      [],
    );
  });
});
