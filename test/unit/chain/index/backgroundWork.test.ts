import assert from 'node:assert/strict';
import { HurriedClock } from '../../../support/chain/hurriedClock';
import { dlmmCalls, dlmmEvents, indexOver, ScriptedChain } from '../../../support/chain/scriptedChain';
import { keyOf, signatureOf } from '../../../support/chain/syntheticHistory';

const WAIT_MS = 10_000;
/** Longer than everything that is tried again takes. */
const LONG_MS = 400_000;
const [pool, troubled, other] = [keyOf('pool', 0), keyOf('owner', 1), keyOf('owner', 2)];
/** More than are read at the request of a client. */
const MANY = 60;

describe('The work of the index in the background', () => {
  it('reads the other owners while the list of one cannot be read', async () => {
    const node = new ScriptedChain();
    for (let number = 0; number < MANY; number += 1) {
      for (const owner of [troubled, other]) {
        const position = keyOf(owner === other ? 'other' : 'troubled', number);
        node.transactions.push({ slot: 10 + number, accounts: [owner], calls: dlmmCalls([dlmmEvents.create(pool, position, owner)]) });
      }
    }
    let pages = 0;
    node.refuses = (method, first) => method === 'getSignaturesForAddress' && first === troubled && (pages += 1) > 1;
    const { index, stop } = indexOver(node, { pageSize: 20 });
    try {
      assert.equal((await index.catchUp(troubled, WAIT_MS)).state, 'failed');
      assert.equal((await index.catchUp(other, WAIT_MS)).state, 'current');
      assert.equal(index.positions({ owner: other }).length, MANY);
      // The next attempt succeeds, and the rest is read without being asked for.
      node.refuses = () => false;
      assert.equal((await index.catchUp(troubled, WAIT_MS)).state, 'current');
      assert.equal(index.positions({ owner: troubled }).length, MANY);
    } finally {
      await stop();
    }
  });

  for (const refusal of [{ code: -32_019 }, { status: 500 }]) {
    it(`gives up a transaction that is answered with ${JSON.stringify(refusal)} for ever, and reads the others at once`, async () => {
      const node = new ScriptedChain();
      for (let number = 0; number < MANY; number += 1) {
        const position = keyOf('position', number);
        node.transactions.push({ slot: 10 + number, accounts: [other], calls: dlmmCalls([dlmmEvents.create(pool, position, other)]) });
      }
      const lost = [signatureOf(0), signatureOf(MANY - 1)];
      node.refuses = (method, first) => method === 'getTransaction' && lost.includes(String(first)) && refusal;
      const clock = new HurriedClock(50, LONG_MS - 1);
      const { index, stop } = indexOver(node, { clock });
      try {
        const progress = await index.catchUp(other, LONG_MS);
        assert.deepEqual([progress.state, progress.transactions, progress.unreadable?.count], ['current', MANY - 2, 2]);
        assert.match(progress.error ?? '', /^2 transactions cannot be read/);
        assert.equal(node.asked.filter(([method, first]) => method === 'getTransaction' && !lost.includes(String(first))).length, MANY - 2);
      } finally {
        await stop();
      }
    });
  }

  it('asks again for the past of an open position that failed once before it reads the rest of the history', async () => {
    const node = new ScriptedChain();
    const open = keyOf('position', 0);
    for (let number = 0; number < 10 * MANY; number += 1) {
      const accounts = number === 0 ? [other, open] : [other];
      const calls = dlmmCalls([dlmmEvents.create(pool, keyOf('position', number), other)]);
      node.transactions.push({ slot: 10 + number, accounts, calls });
    }
    let failures = 0;
    node.refuses = (method, first) => method === 'getTransaction' && first === signatureOf(0) && (failures += 1) === 1 && { status: 500 };
    const { index, stop } = indexOver(node, { clock: new HurriedClock(10, LONG_MS - 1) });
    try {
      await Promise.all([index.catchUp(other, LONG_MS), index.completePositions([open], LONG_MS)]);
      const read = node.asked.filter(([method]) => method === 'getTransaction').map(([, first]) => first);
      assert.ok(read.lastIndexOf(signatureOf(0)) < read.length / 2, `${read.lastIndexOf(signatureOf(0))} of ${read.length}`);
    } finally {
      await stop();
    }
  });

  it('gives up no transaction while the RPC answers nothing', async () => {
    const node = new ScriptedChain();
    node.transactions.push({ slot: 10, accounts: [other], calls: dlmmCalls([dlmmEvents.create(pool, keyOf('position', 0), other)]) });
    node.refuses = (method) => ['getTransaction', 'getSlot'].includes(method) && { status: 503 };
    const { index, stop } = indexOver(node, { clock: new HurriedClock(50, LONG_MS - 1) });
    try {
      for (let count = 0; count < 10; count += 1) {
        const { state, unreadable } = await index.catchUp(other, LONG_MS);
        assert.deepEqual([state, unreadable], ['failed', undefined]);
      }
      node.refuses = () => false;
      assert.equal((await index.catchUp(other, LONG_MS)).state, 'current');
    } finally {
      await stop();
    }
  });

  it('lists the own signatures of a position that stays incomplete once, however often its owner is asked for', async () => {
    const node = new ScriptedChain();
    const position = keyOf('position', 0);
    // The node has no history of its creation.
    node.transactions.push({
      slot: 10,
      accounts: [other, position],
      calls: dlmmCalls([dlmmEvents.withdrawal(pool, other, position, 1n, 1n), dlmmEvents.close(position, other)]),
    });
    const { index, stop } = indexOver(node);
    try {
      const listings = (): number =>
        node.asked.filter(([method, first]) => method === 'getSignaturesForAddress' && first === position).length;
      await index.catchUp(other, WAIT_MS);
      while (listings() === 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (let count = 0; count < 20; count += 1) {
        await index.catchUp(other, WAIT_MS);
      }
      // A page, and the empty page that ends it.
      assert.equal(listings(), 2);
      assert.equal(index.positions({ position })[0]?.complete, false);
    } finally {
      await stop();
    }
  });

  it('has positions whose history is complete also while the parameters of their pools cannot be read', async () => {
    const node = new ScriptedChain();
    const position = keyOf('position', 0);
    node.transactions.push({ slot: 10, accounts: [other, position], calls: dlmmCalls([dlmmEvents.create(pool, position, other)]) });
    node.refuses = (method) => method === 'getMultipleAccounts';
    const { index, stop } = indexOver(node);
    try {
      await index.catchUp(other, WAIT_MS);
      assert.equal(index.positions({ position })[0]?.complete, true);
      const asked = node.asked.length;
      await index.completePositions([position], WAIT_MS);
      assert.deepEqual(
        node.asked.slice(asked).map(([method]) => method),
        ['getMultipleAccounts'],
      );
    } finally {
      await stop();
    }
  });

  it('lists each pool once, those with most positions first', async () => {
    const node = new ScriptedChain();
    [1, 2, 2].forEach((number, place) => {
      const [of, position] = [keyOf('pool', number), keyOf('position', place)];
      node.transactions.push({ slot: 10 + place, accounts: [other], calls: dlmmCalls([dlmmEvents.create(of, position, other)]) });
    });
    const { index, stop } = indexOver(node);
    try {
      await index.catchUp(other, WAIT_MS);
      assert.deepEqual(index.pools(undefined, 10), [keyOf('pool', 2), keyOf('pool', 1)]);
      assert.deepEqual(index.pools('dlmm', 1), [keyOf('pool', 2)]);
      assert.deepEqual(index.pools('damm', 10), []);
    } finally {
      await stop();
    }
  });
});
