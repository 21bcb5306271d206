import assert from 'node:assert/strict';
import { join } from 'node:path';
import { areInstalled } from '../install.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

describe('The check of installed packages', () => {
  const root = useTemporaryFolder();
  const lock = (packages) => write(join(root(), 'package-lock.json'), { packages: { '': {}, ...packages } });
  const installed = (packages) => write(join(root(), 'node_modules', '.package-lock.json'), { packages });

  it('The installed packages match the lock file', () => {
    lock({ 'node_modules/a': { version: '1.0.0' } });
    installed({ 'node_modules/a': { version: '1.0.0' } });
    assert.equal(areInstalled(root()), true);
  });

  it('Optional packages for other systems may be missing', () => {
    lock({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/a-darwin': { version: '1.0.0', optional: true } });
    installed({ 'node_modules/a': { version: '1.0.0' } });
    assert.equal(areInstalled(root()), true);
  });

  for (const [what, packages] of Object.entries({
    'another version': { 'node_modules/a': { version: '1.0.1' } },
    'nothing of a package': {},
  })) {
    it(`The installation is incomplete with ${what}`, () => {
      lock({ 'node_modules/a': { version: '1.0.0' } });
      installed(packages);
      assert.equal(areInstalled(root()), false);
    });
  }

  it('The installation is incomplete if npm did not finish', () => {
    lock({ 'node_modules/a': { version: '1.0.0' } });
    write(join(root(), 'node_modules', 'a', 'package.json'), { version: '1.0.0' });
    assert.equal(areInstalled(root()), false);
  });

  it('The installation cannot be checked without a lock file', () => {
    assert.throws(() => areInstalled(root()), /package-lock\.json is missing/);
  });
});
