import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INDEX_MIGRATIONS } from '../../../../src/chain/index/indexSchema';
import { SqliteStore } from '../../../../src/engine/store/sqliteStore';
import { dlmmCalls, dlmmEvents, indexOver, ScriptedChain } from '../../../support/chain/scriptedChain';
import { keyOf } from '../../../support/chain/syntheticHistory';

const WAIT_MS = 10_000;
const [owner, pool] = [keyOf('owner', 1), keyOf('pool', 0)];
const POSITIONS = 6;
/** Transactions of all positions: each is opened and closed. */
const TRANSACTIONS = 2 * POSITIONS;
const SHORT = 3;

describe('The end of a list of signatures', () => {
  let folder: string;
  let file: string;
  let node: ScriptedChain;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-index-'));
    file = join(folder, 'index.sqlite');
    node = new ScriptedChain();
    for (let number = 0; number < POSITIONS; number += 1) {
      const position = keyOf('position', number);
      const accounts = [owner, position];
      node.transactions.push(
        { slot: 10 + 2 * number, accounts, calls: dlmmCalls([dlmmEvents.create(pool, position, owner)]) },
        { slot: 11 + 2 * number, accounts, calls: dlmmCalls([dlmmEvents.close(position, owner)]) },
      );
    }
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const listings = (): number => node.asked.filter(([method, first]) => method === 'getSignaturesForAddress' && first === owner).length;

  /** What an index in the folder knows once the owner was asked for, and everything that follows from it is done. */
  async function known(until: (complete: readonly boolean[]) => boolean = () => true): Promise<readonly boolean[]> {
    const { index, stop } = indexOver(node, { file });
    try {
      await index.catchUp(owner, WAIT_MS);
      const complete = (): readonly boolean[] => index.positions({ owner }).map((position) => position.complete && position.closed);
      const end = Date.now() + WAIT_MS;
      while (!until(complete())) {
        assert.ok(Date.now() < end, JSON.stringify(complete()));
        await new Promise((resolve) => setImmediate(resolve));
      }
      return complete();
    } finally {
      await stop();
    }
  }

  const whole = Array<boolean>(POSITIONS).fill(true);

  it('A short first page is not the end: only an empty page is', async () => {
    node.refuses = () => {
      node.longestPage = listings() === 1 ? SHORT : Infinity;
      return false;
    };
    assert.deepEqual(await known(), whole);
    assert.equal(listings(), 3);
    assert.deepEqual(await known(), whole);
    // What is known needs one request again.
    assert.equal(listings(), 4);
  });

  it('A folder in which an earlier version took a short page for the end gets the older transactions by itself', async () => {
    node.retainedFromSlot = 16 + 2;
    assert.equal((await known()).length, 2);
    const store = new SqliteStore(file, INDEX_MIGRATIONS);
    [
      'DROP INDEX fact_closing',
      'ALTER TABLE subject DROP COLUMN is_to_end',
      'UPDATE subject SET pruned_before_slot = 0',
      'PRAGMA user_version = 2',
    ].forEach((sql) => store.run(sql));
    store.close();
    node.retainedFromSlot = 0;
    const before = node.asked.filter(([method]) => method === 'getTransaction').length;
    assert.deepEqual(await known(), whole);
    assert.equal(node.asked.filter(([method]) => method === 'getTransaction').length - before, TRANSACTIONS - 4);
  });

  it('If the creation of a position is missing, its owner is listed again below, at the next start', async () => {
    // Only the closing of the position is there.
    node.retainedFromSlot = 15;
    assert.deepEqual(await known(() => listings() > 3), [true, true, true]);
    node.retainedFromSlot = 0;
    assert.deepEqual(await known((complete) => complete.length === POSITIONS && complete.every(Boolean)), whole);
  });

  it('What is older than a position without its creation is not known', async () => {
    node.retainedFromSlot = 15;
    node.refuses = (method) => method === 'getFirstAvailableBlock';
    const { index, stop } = indexOver(node);
    assert.equal((await index.catchUp(owner, WAIT_MS)).prunedBeforeSlot, 15);
    await stop();
  });

  it('Transactions of one slot stay in their order where a list was continued between them', async () => {
    const position = keyOf('reused', 1);
    const accounts = [owner, position];
    node.transactions.splice(0);
    node.transactions.push(
      { slot: 20, accounts, calls: dlmmCalls([dlmmEvents.create(pool, position, owner)]) },
      { slot: 20, accounts, calls: dlmmCalls([dlmmEvents.deposit(pool, owner, position, 1n, 2n)]) },
      { slot: 20, accounts, calls: dlmmCalls([dlmmEvents.close(position, owner)]) },
    );
    node.longestPage = 1;
    // The second page is empty, once.
    node.refuses = (method, first) => {
      node.retainedFromSlot = method === 'getSignaturesForAddress' && first === owner && listings() === 2 ? 21 : 0;
      return false;
    };
    await known((complete) => complete[0] === true);
    const { index, stop } = indexOver(node, { file });
    assert.deepEqual(
      index.positions({ owner })[0]?.events.map(({ kind }) => kind),
      ['create', 'deposit', 'close'],
    );
    await stop();
  });
});
