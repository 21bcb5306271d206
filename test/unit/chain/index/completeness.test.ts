import assert from 'node:assert/strict';
import { type Address, addressBytes } from '../../../../src/base/solana/address';
import { encodeInstruction, instructionNamed } from '../../../../src/base/solana/instructionCodec';
import { DLMM_INSTRUCTIONS } from '../../../../src/base/solana/generated/dlmmInstructions';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import type { ChainIndex } from '../../../../src/chain/index/ownerIndex';
import { dlmmCalls, dlmmEvents, indexOver, ScriptedChain } from '../../../support/chain/scriptedChain';
import { keyOf, numberOf } from '../../../support/chain/syntheticHistory';

const WAIT_MS = 10_000;
const [owner, other, pool, position, second] = [
  keyOf('owner', 1),
  keyOf('owner', 2),
  keyOf('pool', 0),
  keyOf('position', 1),
  keyOf('position', 2),
];

describe('A position of the index is complete only if nothing of it can be missing', () => {
  let node: ScriptedChain;
  let index: ChainIndex;
  let stop: () => Promise<void>;
  beforeEach(() => {
    node = new ScriptedChain();
    ({ index, stop } = indexOver(node));
  });
  afterEach(() => stop());

  /** Lands a transaction that all of these list. */
  function land(slot: number, events: readonly Uint8Array[], accounts: readonly Address[] = [owner, position]): void {
    node.transactions.push({ slot, accounts, calls: dlmmCalls(events) });
  }
  function open(slot: number, of = position): void {
    land(slot, [dlmmEvents.create(pool, of, owner), dlmmEvents.deposit(pool, owner, of, 1_000n, 2_000n)], [owner, of]);
  }
  function withdraw(slot: number, by = owner, accounts: readonly Address[] = [by, position]): void {
    land(slot, [dlmmEvents.withdrawal(pool, by, position, 100n, 200n)], accounts);
  }
  function close(slot: number, of = position): void {
    land(slot, [dlmmEvents.withdrawal(pool, owner, of, 900n, 1_800n), dlmmEvents.close(of, owner)], [owner, of]);
  }
  const known = (of = position) => index.positions({ position: of }).map(({ complete, closed }) => ({ complete, closed }));

  it('Where all transactions of its owner are read, it is complete', async () => {
    open(10);
    withdraw(20);
    await index.catchUp(owner, WAIT_MS);
    assert.deepEqual(known(), [{ complete: true, closed: false }]);
  });

  it('Where the node no longer has what happened since the last listing, it is incomplete, and progress names the slots', async () => {
    open(10);
    await index.catchUp(owner, WAIT_MS);
    withdraw(20);
    withdraw(30);
    open(40, second);
    node.retainedFromSlot = 25;
    const progress = await index.catchUp(owner, WAIT_MS);
    assert.deepEqual(known(), [{ complete: false, closed: false }]);
    assert.deepEqual(known(second), [{ complete: true, closed: false }]);
    assert.match(progress.error ?? '', /between the slots 10 and 30/);
    assert.equal(progress.prunedBeforeSlot, 31);
    // Its own list has the same gap.
    await index.completePositions([position], WAIT_MS);
    assert.deepEqual(known(), [{ complete: false, closed: false }]);
    // A node with the whole history has its own list from the creation on.
    node.retainedFromSlot = 0;
    close(50);
    await index.catchUp(owner, WAIT_MS);
    await index.completePositions([position], WAIT_MS);
    assert.deepEqual(known(), [{ complete: true, closed: true }]);
    assert.deepEqual(
      index.positions({ position })[0]?.events.map(({ slot }) => slot),
      [10, 10, 20, 30, 50, 50],
    );
  });

  it('Where the node gives shorter pages than were asked for, nothing new is skipped', async () => {
    open(10);
    await index.catchUp(owner, WAIT_MS);
    node.longestPage = 2;
    for (let slot = 20; slot < 30; slot += 1) {
      withdraw(slot);
    }
    await index.catchUp(owner, WAIT_MS);
    const [whole] = index.positions({ owner });
    assert.equal(whole?.complete, true);
    assert.equal(whole.events.filter(({ kind }) => kind === 'withdrawal').length, 10);
  });

  it('Where a transaction of its owner cannot be read, it is incomplete, unless its own list shows that it is of something else', async () => {
    open(10);
    land(20, [], [owner]);
    close(30);
    node.refuses = (method, signature) => method === 'getTransaction' && node.asked.length < 1_000 && isOf(signature, 1);
    await index.catchUp(owner, 300);
    assert.deepEqual(known(), [{ complete: false, closed: true }]);
    await index.completePositions([position], WAIT_MS);
    assert.deepEqual(known(), [{ complete: true, closed: true }]);
  });

  it('A transaction that is refused in any words while others are read holds up none of them; if all are refused, progress says why', async () => {
    open(10);
    land(20, [], [owner]);
    close(30);
    node.refuses = (method, signature) => method === 'getTransaction' && isOf(signature, 1);
    const { state, transactions, left, error } = await index.catchUp(owner, 300);
    assert.deepEqual([state, transactions, left, error], ['indexing', 2, 1, undefined]);
    await stop();
    ({ index, stop } = indexOver(node));
    node.refuses = (method) => method === 'getTransaction';
    const none = await index.catchUp(owner, 300);
    assert.deepEqual([none.state, none.transactions], ['failed', 0]);
    assert.match(none.error ?? '', /refused by the test/);
  });

  it('Progress names the transactions that cannot be read, and their times', async () => {
    open(10);
    const cut = dlmmEvents.close(second, owner).subarray(0, -1);
    land(20, [cut], [owner]);
    land(25, [cut], [owner]);
    close(30);
    const { state, unreadable, error } = await index.catchUp(owner, WAIT_MS);
    assert.deepEqual([state, unreadable?.count], ['current', 2]);
    assert.equal((unreadable?.toTimeS ?? 0) - (unreadable?.fromTimeS ?? 0), 5);
    assert.match(error ?? '', /2 transactions cannot be read/);
    assert.deepEqual(known(), [{ complete: false, closed: true }]);
  });

  it('Where an operator may act for its owner, only its own list makes it complete, and only after its end', async () => {
    const instruction = instructionNamed(DLMM_INSTRUCTIONS, 'update_position_operator');
    open(10);
    node.transactions.push({
      slot: 20,
      accounts: [owner, position],
      calls: dlmmCalls([], encodeInstruction(instruction, { operator: addressBytes(other) }), [
        position,
        owner,
        PROGRAMS.dlmm,
        PROGRAMS.dlmm,
      ]),
    });
    // The list of the owner does not have it.
    withdraw(30, other);
    await index.catchUp(owner, WAIT_MS);
    assert.deepEqual(known(), [{ complete: false, closed: false }]);
    close(40);
    await index.catchUp(owner, WAIT_MS);
    // A listing in the background that began before the closing does not have it; the next one does.
    await index.completePositions([position], WAIT_MS);
    await index.completePositions([position], WAIT_MS);
    assert.deepEqual(known(), [{ complete: true, closed: true }]);
    const [whole] = index.positions({ position });
    assert.equal(whole?.events.filter(({ kind }) => kind === 'withdrawal').length, 2);
  });

  it('Where another owner held it before, the list of its present owner is not enough', async () => {
    open(10);
    await index.catchUp(owner, WAIT_MS);
    // Of the former owner's transactions this one is not known; the new owner does not list it.
    withdraw(20);
    land(30, [dlmmEvents.withdrawal(pool, other, position, 1n, 1n), dlmmEvents.close(position, other)], [other, position]);
    await index.catchUp(other, WAIT_MS);
    assert.equal(index.positions({ position })[0]?.owner, other);
    assert.deepEqual(known(), [{ complete: false, closed: true }]);
    // As above, one that is under way may have begun before the end.
    await index.completePositions([position], WAIT_MS);
    await index.completePositions([position], WAIT_MS);
    assert.deepEqual(known(), [{ complete: true, closed: true }]);
  });

  it('A position that was created again at the address of a closed one is another position', async () => {
    open(10);
    withdraw(15);
    close(20);
    open(30);
    await index.catchUp(owner, WAIT_MS);
    assert.deepEqual(known(), [
      { complete: true, closed: true },
      { complete: true, closed: false },
    ]);
    assert.deepEqual(
      index.positions({ owner }).map(({ events }) => events.map(({ kind, slot }) => `${kind} ${slot}`)),
      [
        ['create 10', 'deposit 10', 'withdrawal 15', 'withdrawal 20', 'close 20'],
        ['create 30', 'deposit 30'],
      ],
    );
    // Somebody else may use it again.
    close(40);
    land(50, [dlmmEvents.create(pool, position, other)], [other, position]);
    await Promise.all([owner, other].map((of) => index.catchUp(of, WAIT_MS)));
    assert.deepEqual(
      index.positions({ owner: other }).map(({ closed, events }) => [closed, events.length]),
      [[false, 1]],
    );
    assert.deepEqual(
      index.positions({ owner }).map(({ closed, complete }) => [closed, complete]),
      [
        [true, true],
        [true, true],
      ],
    );
  });
});

/** Whether the signature is that of the transaction with this number. */
function isOf(signature: unknown, number: number): boolean {
  return typeof signature === 'string' && numberOf(signature) === number;
}
