import assert from 'node:assert/strict';
import fc from 'fast-check';
import { evidenceOf, standing } from '../../../src/operations/evidence';
import { recordOf } from '../../../src/operations/journal/states';
import type { JournalPlan, OperationRecord } from '../../../src/operations/journal/types';
import type { Address } from '../../../src/solana/address';
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
    const at = (liquidity: number, price0: number) => thePosition({ amount0: liquidity / Math.sqrt(price0), amount1: liquidity * Math.sqrt(price0), price0Usd: price0, price1Usd: 1, output: { usd: undefined, native: undefined } });
    fc.assert(
      fc.property(price, price, fc.integer({ min: 10, max: 9_999 }), (priceBefore, priceNow, shareBps) => {
        const before = at(1_000, priceBefore);
        const record = zapOutOf({ shareBps, before: standing(before) });
        assert.notEqual(evidenceOf(record, [at(1_000, priceNow)]), 'shows');
        assert.notEqual(evidenceOf(record, [at(1_000 * (1 - shareBps / 10_000), priceNow)]), 'doesNotShow');
        assert.equal(evidenceOf(record, [before]), 'doesNotShow');
        assert.equal(evidenceOf(record, [at(1_000 * (1 - shareBps / 10_000), priceBefore)]), 'shows');
      }),
    );
  });
});
