import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../../src/transactions/journal/files';

describe('journal: its folder', () => {
  let base: string;
  let opened: string[] = [];
  const { open } = fs;

  before(() => {
    base = mkdtempSync(join(tmpdir(), 'binsight-folders-'));
    fs.open = (path, ...more) => {
      opened.push(String(path));
      return open(path, ...more);
    };
    syncBuiltinESMExports();
  });

  after(() => {
    fs.open = open;
    syncBuiltinESMExports();
    rmSync(base, { recursive: true, force: true });
  });

  beforeEach(() => {
    opened = [];
  });

  it('A new folder survives a power cut: the folders that hold it and what was made above it are synced, and no others', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await makeFolder(join(base, 'a', 'b', 'c'));
    assert.deepEqual(opened, [join(base, 'a', 'b'), join(base, 'a'), base]);
  });

  it('A folder that is there is left alone', async () => {
    await makeFolder(base);
    assert.deepEqual(opened, []);
  });
});
