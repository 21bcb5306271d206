import assert from 'node:assert/strict';
import fc from 'fast-check';
import { evidenceOf, missedBps, snapshotBefore } from '../../../src/transactions/outcome/evidence';
import { recordOf } from '../../../src/transactions/journal/states';
import type { JournalEvent, JournalPlan, OperationRecord } from '../../../src/transactions/journal/types';
import { NO_SPENDS } from '../../../src/review/spends';
import type { Address } from '../../../src/base/solana/address';
import { addressOf, POOL, POSITION } from '../review/bundles';
import { thePosition } from './harness';
import { zapInCreated, zapOutCreated } from './records';

const other = thePosition({ key: 'other', address: addressOf('other position'), id: 'other' });

function zapOutOf(plan: Partial<Extract<JournalPlan, { kind: 'zapOut' }>> = {}): OperationRecord {
  const created = zapOutCreated(0);
  return recordOf('zap-out', [{ ...created, plan: { ...created.plan, ...plan } as JournalPlan }]);
}

function zapInOf(position: Address | undefined, openBefore: readonly Address[] | undefined = []): OperationRecord {
  const created = zapInCreated(0);
  return recordOf('zap-in', [
    { ...created, plan: { ...created.plan, openBefore } as JournalPlan },
    { atMs: 0, kind: 'built', position, transactions: 1, messageHashes: [], blockhashes: [], lastValidBlockHeight: 1 },
  ]);
}

describe('what a listing says of an operation, by what the journal knows', () => {
  it('a zap-out of everything shows where the position is gone, and does not where it is there', () => {
    assert.equal(evidenceOf(zapOutOf(), [other]), 'shows');
    assert.equal(evidenceOf(zapOutOf(), [other, thePosition()]), 'doesNotShow');
    assert.equal(evidenceOf(zapOutOf(), [thePosition({ address: undefined, key: 'service-id' })]), 'doesNotShow');
  });

  it('a zap-in shows where its position is listed', () => {
    assert.equal(evidenceOf(zapInOf(POSITION), [other, thePosition()]), 'shows');
    assert.equal(evidenceOf(zapInOf(POSITION), [other]), 'doesNotShow');
  });

  it('a zap-in whose position the service did not name shows by one that is new in the pool, where it is known which are', () => {
    assert.equal(evidenceOf(zapInOf(undefined), [thePosition()]), 'shows');
    assert.equal(evidenceOf(zapInOf(undefined, [POSITION]), [thePosition()]), 'doesNotShow');
    assert.equal(evidenceOf(zapInOf(undefined), [thePosition({ pool: addressOf('another pool') })]), 'doesNotShow');
    const created = zapInCreated(0);
    const notRead = recordOf('zap-in', [{ ...created, plan: { ...created.plan, openBefore: undefined } as JournalPlan }]);
    assert.equal(evidenceOf(notRead, [thePosition()]), 'unclear');
    assert.equal(evidenceOf(notRead, [{ ...other, pool: addressOf('another pool') }]), 'doesNotShow');
    assert.equal(POOL, thePosition().pool);
  });

  it('a share shows by what the service says came out, and says nothing without amounts', () => {
    const before = { amount0: undefined, amount1: undefined, price0Usd: undefined, price1Usd: undefined, outputUsd: '5' };
    const record = zapOutOf({ shareBps: 1_000, before });
    assert.equal(evidenceOf(record, [thePosition({ output: { usd: 6, native: undefined } })]), 'shows');
    assert.equal(evidenceOf(record, [thePosition({ output: { usd: 5, native: undefined } })]), 'unclear');
    assert.equal(evidenceOf(record, [thePosition()]), 'unclear');
  });

  it('a share is never seen where only the price moved, nor missed where it is gone', () => {
    const price = fc.double({ min: 0.01, max: 100, noNaN: true });
    /** A position over all prices: x·y is its liquidity squared, y/x the price. */
    const at = (liquidity: number, price0: number) =>
      thePosition({
        amount0: liquidity / Math.sqrt(price0),
        amount1: liquidity * Math.sqrt(price0),
        price0Usd: price0,
        price1Usd: 1,
        output: { usd: undefined, native: undefined },
      });
    fc.assert(
      fc.property(price, price, fc.integer({ min: 10, max: 9_999 }), (priceBefore, priceNow, shareBps) => {
        const before = at(1_000, priceBefore);
        const record = zapOutOf({ shareBps, before: snapshotBefore(before) });
        assert.notEqual(evidenceOf(record, [at(1_000, priceNow)]), 'shows');
        assert.notEqual(evidenceOf(record, [at(1_000 * (1 - shareBps / 10_000), priceNow)]), 'doesNotShow');
        assert.equal(evidenceOf(record, [before]), 'doesNotShow');
        assert.equal(evidenceOf(record, [at(1_000 * (1 - shareBps / 10_000), priceBefore)]), 'shows');
      }),
    );
  });
});

describe('a list that is older than one that showed an earlier zap-out', () => {
  const listed = (left: number) =>
    thePosition({
      amount0: 1_000 * left,
      amount1: 0.5 * left,
      price0Usd: 0.0005,
      price1Usd: 150,
      output: { usd: undefined, native: undefined },
    });
  const owner = zapOutCreated(0).owner;
  /** A zap-out of 40 % that settled at a time. */
  const settledAt = (atMs: number, before = snapshotBefore(listed(1))): OperationRecord => {
    const created = zapOutCreated(0);
    const events: JournalEvent[] = [
      { ...created, plan: { ...created.plan, positionId: listed(1).id, shareBps: 4_000, before } as JournalPlan },
      { atMs: 1, kind: 'built', position: POSITION, transactions: 1, messageHashes: [], blockhashes: [], lastValidBlockHeight: 1 },
      { atMs: 1, kind: 'reviewed', verdict: 'allow', rules: [] },
      { atMs: 1, kind: 'approved', by: 'user' },
      { atMs: 1, kind: 'signed', signatures: ['a signature'], spends: NO_SPENDS },
      { atMs: 1, kind: 'submitted', lamportsBefore: undefined, balanceFrom: undefined },
      { atMs, kind: 'settled', lamportsBack: undefined, shortfall: undefined },
    ];
    return recordOf('earlier', events);
  };

  it('is known by the journal, for ten minutes and for the same wallet', () => {
    const earlier = settledAt(60_000);
    assert.equal(missedBps(listed(1), owner, [earlier], 90_000), 4_000);
    assert.equal(missedBps(listed(1), owner, [earlier, settledAt(70_000)], 90_000), 6_400);
    assert.equal(missedBps(listed(0.6), owner, [earlier], 90_000), undefined);
    assert.equal(missedBps(listed(1), owner, [earlier], 661_000), undefined);
    assert.equal(missedBps(listed(1), addressOf('another wallet'), [earlier], 90_000), undefined);
  });

  it('does not make the effect of the earlier zap-out the effect of the next one', () => {
    const next = zapOutOf({ shareBps: 4_000, before: snapshotBefore(listed(1), 4_000) });
    assert.equal(evidenceOf(next, [listed(1)]), 'doesNotShow');
    assert.equal(evidenceOf(next, [listed(0.6)]), 'unclear');
    assert.equal(evidenceOf(next, [listed(0.36)]), 'shows');
    assert.equal(evidenceOf(next, [thePosition({ ...listed(0.6), output: { usd: 99, native: undefined } })]), 'unclear');
  });
});
