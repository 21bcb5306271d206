import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OpenPosition } from '../../../src/service/positions';
import { entered, withdrawn } from '../../../src/transactions/effects';
import { emptySnapshot, withParts } from '../../../src/portfolio/snapshot';
import { dammPosition } from '../../../src/base/solana/pda';
import type { PortfolioSnapshot } from '../../../src/portfolio/types';
import { addressOf } from '../portfolio/fixtures';
import { OWNER, POOL, POSITION } from '../review/bundles';
import { thePosition } from './harness';

const showing = (...positions: OpenPosition[]): PortfolioSnapshot => withParts(emptySnapshot(OWNER), { positions });
const UNREPORTED = { usd: undefined, native: undefined };

describe('the effect of a withdrawal', () => {
  it('is that the position is gone', () => {
    const effect = withdrawn(thePosition(), 10_000);
    assert.ok(effect(showing()));
    assert.ok(effect(showing(thePosition({ key: addressOf(9) }))));
    assert.ok(!effect(showing(thePosition())));
    assert.ok(!effect(showing(thePosition({ amount0: 0, amount1: 0 }))));
  });

  it('of a share is also that it is smaller, or that more was taken out', () => {
    const before = thePosition({ output: { usd: 5, native: undefined } });
    const effect = withdrawn(before, 5_000);
    assert.ok(effect(showing()));
    assert.ok(!effect(showing(before)));
    assert.ok(effect(showing(thePosition({ ...before, amount0: 0.0025, amount1: 0 }))));
    assert.ok(effect(showing(thePosition({ ...before, output: { usd: 55, native: undefined } }))));
    assert.ok(!effect(showing(thePosition({ ...before, value: { usd: 50, native: 0.3 } }))), 'only the price fell');
  });

  it('of a share shows in any change where amounts or prices are not reported', () => {
    const before = thePosition({ output: UNREPORTED, price0Usd: undefined });
    const effect = withdrawn(before, 5_000);
    assert.ok(!effect(showing(before)));
    assert.ok(effect(showing(thePosition({ ...before, amount1: 0.4 }))));
    assert.ok(effect(showing(thePosition({ ...before, value: { usd: 99, native: 0.7 } }))));
  });

  it('of any share shows when exactly that share is missing, and not when nothing is', () => {
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

describe('the effect of an entry', () => {
  it('is that the new position is listed', () => {
    const effect = entered(POSITION, POOL, []);
    assert.ok(effect(showing(thePosition())));
    assert.ok(!effect(showing()));
    assert.ok(!effect(showing(thePosition({ address: addressOf(3) }))));
  });

  it('is found without bins by the account of the position as well as by the mint of its NFT', () => {
    const mint = addressOf(77);
    const account = dammPosition(mint);
    for (const [named, listed] of [
      [mint, account],
      [account, mint],
      [mint, mint],
    ] as const) {
      assert.ok(entered(named, POOL, [])(showing(thePosition({ poolType: 'dammV2', address: listed }))));
      assert.equal(entered(named, POOL, [])(showing(thePosition({ poolType: 'dlmm', address: listed }))), named === listed);
    }
    assert.ok(!entered(mint, POOL, [])(showing(thePosition({ poolType: 'dammV2', address: addressOf(78) }))));
  });

  it('is none of which the address is not known where the positions of before are not known either', () => {
    assert.ok(!entered(undefined, POOL, undefined)(showing(thePosition())));
    assert.ok(entered(POSITION, POOL, undefined)(showing(thePosition())));
  });

  it('is a position that was not in the pool before, where its address is not known', () => {
    const old = thePosition({ key: 'old' });
    const effect = entered(undefined, POOL, [old]);
    assert.ok(!effect(showing(old)));
    assert.ok(!effect(showing(old, thePosition({ key: 'new', pool: addressOf(3) }))));
    assert.ok(effect(showing(old, thePosition({ key: 'new' }))));
  });
});
