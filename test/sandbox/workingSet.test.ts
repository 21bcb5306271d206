import assert from 'node:assert/strict';
import { WorkingSet, type Backing } from '../../src/sandbox/store/workingSet';

interface Row {
  value: number;
}

/** A table in memory, which counts how often it is read. */
class Table implements Backing<number, Row> {
  readonly rows = new Map<number, Row>();
  reads = 0;

  load(key: number): Row | undefined {
    this.reads += 1;
    const row = this.rows.get(key);
    return row === undefined ? undefined : { ...row };
  }

  save(key: number, row: Row): void {
    this.rows.set(key, { ...row });
  }

  remove(key: number): void {
    this.rows.delete(key);
  }

  copy(row: Row): Row {
    return { ...row };
  }
}

describe('The working set of rows', () => {
  it('Rows stay in memory up to a limit, and none is lost', () => {
    const table = new Table();
    const set = new WorkingSet(table, 100);
    for (let key = 0; key < 10_000; key += 1) {
      set.put(key, { value: key });
      if (key % 50 === 49) {
        set.flush();
        assert.ok(set.size <= 100, String(set.size));
      }
    }
    for (let key = 0; key < 10_000; key += 1) {
      assert.equal(set.get(key)?.value, key);
    }
    set.flush();
    assert.ok(set.size <= 100, String(set.size));
  });

  it('Rows stay in memory while they have unwritten changes or may be reverted', () => {
    const table = new Table();
    const set = new WorkingSet(table, 10);
    for (let key = 0; key < 100; key += 1) {
      set.put(key, { value: key });
    }
    assert.equal(set.size, 100);
    set.flush();
    set.begin();
    for (let key = 0; key < 100; key += 1) {
      const row = set.edit(key);
      assert.ok(row !== undefined);
      row.value = -1;
    }
    set.rollBack();
    set.flush();
    assert.deepEqual(
      [...table.rows.values()].map(({ value }) => value),
      Array.from({ length: 100 }, (_, key) => key),
    );
  });

  it('Deleted rows leave the memory once the deletion is written', () => {
    const table = new Table();
    const set = new WorkingSet(table);
    for (let key = 0; key < 1_000; key += 1) {
      set.put(key, { value: key });
      set.flush();
      set.delete(key);
      set.flush();
    }
    assert.equal(set.size, 0);
    assert.equal(table.rows.size, 0);
    assert.equal(set.get(5), undefined);
  });
});
