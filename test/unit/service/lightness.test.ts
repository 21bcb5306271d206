import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';

/** Gives the packages that loading these modules brings along. */
async function packagesOf(...modules: readonly string[]): Promise<readonly string[]> {
  const { metafile } = await esbuild.build({
    stdin: { contents: modules.map((name) => `export * from './src/service/${name}';`).join('\n'), resolveDir: process.cwd() },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  const packages = Object.keys(metafile.inputs).map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  return [...new Set(packages.filter((name) => name !== undefined))].sort();
}

describe('Packages that activation loads', () => {
  it('Activation loads neither zod nor node-fetch', async () => {
    const light = ['errors', 'service', 'baseUrl', 'apiKey', 'calls/requestChecks', 'budget/requestBudget', 'common'];
    // Texts of errors are looked up (3 kB).
    assert.deepEqual(await packagesOf(...light), ['@vscode/l10n']);
  });

  it('The client itself loads zod and node-fetch, so activation does not load it', async () => {
    const packages = await packagesOf('client');
    assert.ok(packages.includes('zod') && packages.includes('node-fetch'), packages.join());
  });
});
