import assert from 'node:assert/strict';
import { dlmmCalls, dlmmEvents, indexOver, ScriptedChain } from '../../../support/chain/scriptedChain';
import { keyOf } from '../../../support/chain/syntheticHistory';

const WAIT_MS = 10_000;
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
    const { index, stop } = indexOver(node, 20);
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
