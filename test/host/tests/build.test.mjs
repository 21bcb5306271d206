import assert from 'node:assert/strict';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt } from '../build.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

describe('The build check', () => {
  const root = useTemporaryFolder();
  const at = (path, seconds) => utimesSync(join(root(), path), seconds, seconds);

  beforeEach(() => {
    for (const path of ['src/room/a.ts', 'src/room/b.ts', 'esbuild.mjs', 'dist/ThirdPartyNotices.txt']) write(join(root(), path));
    for (const path of ['src/room/a.ts', 'src/room/b.ts', 'src/room', 'src', 'esbuild.mjs']) at(path, 1_000);
    at('dist/ThirdPartyNotices.txt', 2_000);
  });

  it('A build stays valid while nothing changes', () => assert.equal(isBuilt(root()), true));

  it('A build counts as missing when its last file is missing', () => {
    rmSync(join(root(), 'dist/ThirdPartyNotices.txt'));
    assert.equal(isBuilt(root()), false);
  });

  it('A build is outdated when a source at any depth is newer', () => {
    at('src/room/b.ts', 3_000);
    assert.equal(isBuilt(root()), false);
  });

  it('A build is outdated when its build script is newer', () => {
    at('esbuild.mjs', 3_000);
    assert.equal(isBuilt(root()), false);
  });

  it('A build is outdated when a source was removed', () => {
    rmSync(join(root(), 'src/room/b.ts'));
    assert.equal(isBuilt(root()), false);
  });
});
