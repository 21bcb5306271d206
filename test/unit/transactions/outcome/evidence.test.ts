import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Address } from '../../../../src/base/solana/address';
import { dammPosition } from '../../../../src/base/solana/pda';
import { emptySnapshot, withParts } from '../../../../src/portfolio/snapshot';
import type { PortfolioSnapshot } from '../../../../src/portfolio/types';
import { NO_SPENDS } from '../../../../src/review/spends';
import type { OpenPosition } from '../../../../src/service/positions';
import { recordOf } from '../../../../src/transactions/journal/states';
import type { JournalPlan } from '../../../../src/transactions/journal/plans';
import type { JournalEvent, OperationRecord } from '../../../../src/transactions/journal/types';
import { entered, missedBps, snapshotBefore, withdrawn } from '../../../../src/transactions/outcome/evidence';
import { evidenceOf } from '../../../../src/transactions/outcome/outcomes';
import { addressOf, OWNER, POOL, POSITION } from '../../../support/review/bundles';
import { thePosition } from '../../../support/transactions/harness';
import { zapInCreated, zapOutCreated } from '../../../support/transactions/records';

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

describe('outcome: evidence of a listing', () => {
  it('A listing shows the effect of a full zap-out exactly when the position is gone', () => {
    assert.equal(evidenceOf(zapOutOf(), [other]), 'shows');
    assert.equal(evidenceOf(zapOutOf(), [other, thePosition()]), 'doesNotShow');
    assert.equal(evidenceOf(zapOutOf(), [thePosition({ address: undefined, key: 'service-id' })]), 'doesNotShow');
  });

  it('A listing shows the effect of a zap-in when it contains the new position', () => {
    assert.equal(evidenceOf(zapInOf(POSITION), [other, thePosition()]), 'shows');
    assert.equal(evidenceOf(zapInOf(POSITION), [other]), 'doesNotShow');
  });

  it('A zap-in without a named position shows by a new position in the pool if earlier ones are known', () => {
    assert.equal(evidenceOf(zapInOf(undefined), [thePosition()]), 'shows');
    assert.equal(evidenceOf(zapInOf(undefined, [POSITION]), [thePosition()]), 'doesNotShow');
    assert.equal(evidenceOf(zapInOf(undefined), [thePosition({ pool: addressOf('another pool') })]), 'doesNotShow');
    const created = zapInCreated(0);
    const notRead = recordOf('zap-in', [{ ...created, plan: { ...created.plan, openBefore: undefined } as JournalPlan }]);
    assert.equal(evidenceOf(notRead, [thePosition()]), 'unclear');
    assert.equal(evidenceOf(notRead, [{ ...other, pool: addressOf('another pool') }]), 'doesNotShow');
    assert.equal(POOL, thePosition().pool);
  });

  it('The effect of a partial zap-out shows by the reported output and stays unclear without amounts', () => {
    const before = { amount0: undefined, amount1: undefined, price0Usd: undefined, price1Usd: undefined, outputUsd: '5' };
    const record = zapOutOf({ shareBps: 1_000, before });
    assert.equal(evidenceOf(record, [thePosition({ output: { usd: 6, native: undefined } })]), 'shows');
    assert.equal(evidenceOf(record, [thePosition({ output: { usd: 5, native: undefined } })]), 'unclear');
    assert.equal(evidenceOf(record, [thePosition()]), 'unclear');
  });

  it('The effect of a partial zap-out never shows by a price change alone and always shows by the missing share', () => {
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

  it('The effect of a partial zap-out shows also if most of the liquidity is locked', () => {
    const locked = (withdrawable: number) => {
      const all = 900 + withdrawable;
      const figures = { amount0: all, amount1: all, price0Usd: 1, price1Usd: 1, output: { usd: undefined, native: undefined } };
      return thePosition({ ...figures, withdrawableShare: withdrawable / all });
    };
    const record = zapOutOf({ shareBps: 5_000, before: snapshotBefore(locked(100)) });
    assert.equal(evidenceOf(record, [locked(100)]), 'doesNotShow');
    assert.equal(evidenceOf(record, [locked(50)]), 'shows');
    const effect = withdrawn(locked(100), 5_000);
    assert.deepEqual([effect(showing(locked(100))), effect(showing(locked(50)))], [false, true]);
    const wholeEffect = withdrawn(locked(100), 10_000);
    assert.deepEqual([wholeEffect(showing(locked(100))), wholeEffect(showing(locked(0)))], [false, true]);
  });
});

describe('outcome: outdated listing', () => {
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

  it('The journal reveals an outdated listing of the same wallet for ten minutes', () => {
    const earlier = settledAt(60_000);
    assert.equal(missedBps(listed(1), owner, [earlier], 90_000), 4_000);
    assert.equal(missedBps(listed(1), owner, [earlier, settledAt(70_000)], 90_000), 6_400);
    assert.equal(missedBps(listed(0.6), owner, [earlier], 90_000), undefined);
    assert.equal(missedBps(listed(1), owner, [earlier], 661_000), undefined);
    assert.equal(missedBps(listed(1), addressOf('another wallet'), [earlier], 90_000), undefined);
  });

  it('An outdated listing does not make the effect of one zap-out count for the next', () => {
    const next = zapOutOf({ shareBps: 4_000, before: snapshotBefore(listed(1), 4_000) });
    assert.equal(evidenceOf(next, [listed(1)]), 'doesNotShow');
    assert.equal(evidenceOf(next, [listed(0.6)]), 'unclear');
    assert.equal(evidenceOf(next, [listed(0.36)]), 'shows');
    assert.equal(evidenceOf(next, [thePosition({ ...listed(0.6), output: { usd: 99, native: undefined } })]), 'unclear');
  });
});

const showing = (...positions: OpenPosition[]): PortfolioSnapshot => withParts(emptySnapshot(OWNER), { positions });
const UNREPORTED = { usd: undefined, native: undefined };

describe('outcome: effect of a zap-out', () => {
  it('The effect of a full zap-out is that the position is gone', () => {
    const effect = withdrawn(thePosition(), 10_000);
    assert.ok(effect(showing()));
    assert.ok(effect(showing(thePosition({ key: addressOf('number 9') }))));
    assert.ok(!effect(showing(thePosition())));
    assert.ok(!effect(showing(thePosition({ amount0: 0, amount1: 0 }))));
  });

  it('The effect of a partial zap-out shows by a gone or smaller position or by more output', () => {
    const before = thePosition({ output: { usd: 5, native: undefined } });
    const effect = withdrawn(before, 5_000);
    assert.ok(effect(showing()));
    assert.ok(!effect(showing(before)));
    assert.ok(effect(showing(thePosition({ ...before, amount0: 0.0025, amount1: 0 }))));
    assert.ok(effect(showing(thePosition({ ...before, output: { usd: 55, native: undefined } }))));
    assert.ok(!effect(showing(thePosition({ ...before, value: { usd: 50, native: 0.3 } }))), 'only the price fell');
  });

  it('The effect of a partial zap-out shows by any change if amounts or prices are missing', () => {
    const before = thePosition({ output: UNREPORTED, price0Usd: undefined });
    const effect = withdrawn(before, 5_000);
    assert.ok(!effect(showing(before)));
    assert.ok(effect(showing(thePosition({ ...before, amount1: 0.4 }))));
    assert.ok(effect(showing(thePosition({ ...before, value: { usd: 99, native: 0.7 } }))));
  });

  it('The effect of any share shows when exactly that share is missing, and never without a change', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999 }),
        fc.double({ min: 0.001, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (shareBps, amount0, amount1) => {
          const before = thePosition({ amount0, amount1 });
          const left = 1 - shareBps / 10_000;
          assert.ok(withdrawn(before, shareBps)(showing(thePosition({ ...before, amount0: amount0 * left, amount1: amount1 * left }))));
          assert.ok(!withdrawn(before, shareBps)(showing(before)));
        },
      ),
    );
  });
});

describe('outcome: effect of a zap-in', () => {
  it('The effect of a zap-in is that the new position is listed', () => {
    const effect = entered(POSITION, POOL, []);
    assert.ok(effect(showing(thePosition())));
    assert.ok(!effect(showing()));
    assert.ok(!effect(showing(thePosition({ address: addressOf('number 3') }))));
  });

  it('The extension finds a new DAMM v2 position by its account and by its NFT mint', () => {
    const mint = addressOf('number 77');
    const account = dammPosition(mint);
    for (const [named, listed] of [
      [mint, account],
      [account, mint],
      [mint, mint],
    ] as const) {
      assert.ok(entered(named, POOL, [])(showing(thePosition({ poolType: 'dammV2', address: listed }))));
      assert.equal(entered(named, POOL, [])(showing(thePosition({ poolType: 'dlmm', address: listed }))), named === listed);
    }
    assert.ok(!entered(mint, POOL, [])(showing(thePosition({ poolType: 'dammV2', address: addressOf('number 78') }))));
  });

  it("The effect does not show if neither the position's address nor the earlier positions are known", () => {
    assert.ok(!entered(undefined, POOL, undefined)(showing(thePosition())));
    assert.ok(entered(POSITION, POOL, undefined)(showing(thePosition())));
  });

  it('The effect of a zap-in without an address is a new position in the pool', () => {
    const old = thePosition({ key: 'old' });
    const effect = entered(undefined, POOL, [old]);
    assert.ok(!effect(showing(old)));
    assert.ok(!effect(showing(old, thePosition({ key: 'new', pool: addressOf('number 3') }))));
    assert.ok(effect(showing(old, thePosition({ key: 'new' }))));
  });
});
