import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { TestClient } from './support/client';
import { copyOfNewWorld } from './support/madeWorld';
import { runSandbox, startSandbox, temporaryFolder } from './support/process';

const STORE = 'sandbox.sqlite';

describe('a sandbox whose store is damaged', function () {
  let original: string;
  let data: string;

  before(async () => (original = await copyOfNewWorld()));
  after(() => rmSync(original, { recursive: true, force: true }));
  beforeEach(() => {
    data = temporaryFolder();
    cpSync(original, data, { recursive: true });
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  const damages: Readonly<Record<string, (file: string) => void>> = {
    'is no database': (file) => writeFileSync(file, 'this is no database, however long it may be. '.repeat(100)),
    'was cut off': (file) => truncateSync(file, 20_000),
    'was cut off within its first page': (file) => truncateSync(file, 700),
    'is of a later version': (file) => {
      const database = new sqlite.Database(file);
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      database.exec('PRAGMA user_version = 999');
      database.close();
    },
    'has another form': (file) => {
      const database = new sqlite.Database(file);
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      database.exec('DROP TABLE meta');
      database.close();
    },
  };

  for (const [name, damage] of Object.entries(damages)) {
    it(`says in one line that it ${name}, and what to do, and changes nothing`, async () => {
      const file = join(data, STORE);
      damage(file);
      const before = readFileSync(file);
      const { code, stdout, stderr } = await runSandbox(['--data', data]);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^The sandbox cannot start or go on: the store [^\n]+sandbox\.sqlite cannot be read \([^\n]+\)\. Only pretend money is in it\. Start with --reset to make a new world; the old file is kept\.\n$/);
      assert.ok(readFileSync(file).equals(before));
    });
  }

  it('makes a new world with --reset, and keeps the old file with a date in its name', async () => {
    const file = join(data, STORE);
    damages['is no database']?.(file);
    const before = readFileSync(file);
    const sandbox = await startSandbox({ data, args: ['--reset'] });
    try {
      assert.ok((await new TestClient(sandbox).opening()).length > 0);
      const aside = readdirSync(data).filter((name) => /^sandbox\.sqlite\.\d{8}T\d{6}Z$/.test(name));
      assert.equal(aside.length, 1);
      assert.ok(readFileSync(join(data, aside[0] ?? '')).equals(before));
    } finally {
      const { stderr } = await sandbox.stop();
      assert.match(stderr, /The old world was set aside as /);
    }
  });
});
