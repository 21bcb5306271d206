import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { TestClient } from '../support/sandbox/client';
import { startChainService } from '../support/chain/serviceProcess';
import { sandboxExecutable, startSandbox, temporaryFolder } from '../support/sandbox/process';

/** What `dist/` is in the package: the folder of the sandbox to test. */
const BUILT = dirname(sandboxExecutable());

/** Lines of `.vscodeignore` but for comments. */
const LINES = readFileSync('.vscodeignore', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const WANTED = LINES.filter((line) => line.startsWith('!')).map((line) => globOf(line.slice(1)));

/** Globs as the packager reads them, as far as the file has them: `**` is anything, `*` anything without a slash. */
function globOf(glob: string): RegExp {
  const source = glob.split('**').map((part) =>
    part
      .split('*')
      .map((text) => text.replace(/[.\\+?^${}()|[\]]/g, '\\$&'))
      .join('[^/]*'),
  );
  return new RegExp(`^${source.join('.*')}$`);
}

/** Files of a folder that go into the package, by their names in it; `as`: what the folder is called there. */
function packed(folder: string, as: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [as, ...relative(folder, join(entry.parentPath, entry.name)).split(sep)].join('/'))
    .filter((name) => WANTED.some((wanted) => wanted.test(name)));
}

describe('The extension package', function () {
  it('The package excludes everything by default and includes only lines with "!"', () => {
    assert.deepEqual(
      LINES.filter((line) => !line.startsWith('!')),
      ['**'],
    );
  });

  it('The package has no source maps, tests or build reports', () => {
    const files = [...packed(BUILT, 'dist'), ...packed('media', 'media')];
    assert.ok(
      ['extension', 'sandbox', 'service'].every((name) => files.includes(`dist/${name}.js`)),
      files.join('\n'),
    );
    for (const panel of ['pool', 'overview', 'position']) {
      assert.ok(files.includes(`dist/webview/${panel}.js`) && files.includes(`dist/webview/${panel}.css`), files.join('\n'));
    }
    const isMeant =
      /^dist\/(chunks\/)?[\w-]+\.js$|^dist\/webview\/(pool|overview|position)\.(js|css)$|^dist\/webview\/codicon-\w+\.ttf$|^media\/[\w-]+\.(png|svg)$|^media\/l10n\/bundle\.l10n(\.[\w-]+)?\.json$/;
    assert.deepEqual(
      files.filter((name) => !isMeant.test(name)),
      [],
    );
  });

  it('The package has everything that the sandbox and the service over a chain need to run', async () => {
    const folder = temporaryFolder();
    try {
      for (const name of packed(BUILT, 'dist')) {
        cpSync(join(BUILT, name.slice('dist/'.length)), join(folder, name));
      }
      for (const module of readdirSync('node_modules').filter((name) => /^(litesvm|node-sqlite3-wasm)/.test(name))) {
        for (const name of packed(join('node_modules', module), `node_modules/${module}`)) {
          cpSync(name, join(folder, name));
        }
      }
      cpSync('package.json', join(folder, 'package.json'));
      const sandbox = await startSandbox({ executable: join(folder, 'dist', 'sandbox.js') });
      try {
        assert.ok((await new TestClient(sandbox).opening()).length > 0);
      } finally {
        await sandbox.stop();
      }
      // It asks the RPC only when somebody asks it.
      const service = await startChainService({
        rpcUrl: sandbox.url,
        data: join(folder, 'data'),
        executable: join(folder, 'dist', 'service.js'),
      });
      assert.equal((await service.stop()).code, 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
