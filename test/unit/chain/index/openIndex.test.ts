import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndexStore } from '../../../../src/chain/index/openIndex';
import { SubjectStore } from '../../../../src/chain/index/subjectStore';
import { SqliteStore } from '../../../../src/engine/store/sqliteStore';
import { keyOf } from '../../../support/chain/syntheticHistory';

describe('The store of the index', () => {
  let folder: string;
  let file: string;
  const lines: string[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-index-'));
    file = join(folder, 'index.sqlite');
    lines.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function addressesIn(store: SqliteStore): readonly string[] {
    const subjects = new SubjectStore(store, () => undefined);
    subjects.follow(keyOf('owner', 1), 'owner');
    return subjects.subjects('owner').map(({ address }) => address);
  }

  it('is emptied if the first version wrote it, because its deposits may lack transfer fees', () => {
    new SqliteStore(file, [
      (database) => database.exec('CREATE TABLE subject (id INTEGER) STRICT; INSERT INTO subject VALUES (1)'),
    ]).close();
    const store = openIndexStore(file, (line) => lines.push(line));
    assert.deepEqual(addressesIn(store), [keyOf('owner', 1)]);
    store.close();
    assert.deepEqual([lines, readdirSync(folder)], [[], ['index.sqlite']]);
  });

  it('is set aside and built again if it is damaged, and the log names the old file', () => {
    writeFileSync(file, 'not a database, but long enough to be read as one'.repeat(100));
    const store = openIndexStore(file, (line) => lines.push(line));
    assert.deepEqual(addressesIn(store), [keyOf('owner', 1)]);
    store.close();
    assert.equal(readdirSync(folder).length, 2);
    assert.match(lines.join(), /is built again. The old file is now .*index\.sqlite\.\d/);
  });
});
