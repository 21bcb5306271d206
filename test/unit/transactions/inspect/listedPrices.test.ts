import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  decimalsOfPlan,
  decimalsOfPosition,
  holdingsOfShare,
  referencesOfPlan,
  referencesOfPosition,
  shown,
  worthOfShare,
} from '../../../../src/transactions/inspect/listedPrices';
import type { PriceReference } from '../../../../src/review/types';
import { USDC_MINT, USDT_MINT, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { addressOf } from '../../../support/portfolio/fixtures';
import { MINT } from '../../../support/review/bundles';
import { NO_PRICES, thePosition, zapInPlan } from '../../../support/transactions/harness';

const OTHER = addressOf(44);
const token = (address: typeof MINT | undefined, decimals: number | undefined) => ({ address, decimals, symbol: 'T', name: undefined });

/** How many raw units of one are worth so many of the other. */
function valueOf(amountRaw: bigint, references: readonly PriceReference[], inMint: string, outMint: string): bigint {
  const reference = references.find((one) => one.inMint === inMint && one.outMint === outMint);
  assert.ok(reference !== undefined, `${inMint} to ${outMint}`);
  return (amountRaw * reference.outAmountRaw) / reference.inAmountRaw;
}

describe('inspection: impossible figures', () => {
  it('The extension treats wrong decimals of a well-known token, which would inflate all amounts, as not shown', () => {
    for (const [mint, right] of [
      [USDC_MINT, 6],
      [USDT_MINT, 6],
      [WRAPPED_SOL_MINT, 9],
    ] as const) {
      for (const decimals of [0, 6, 9, 12, 18]) {
        const position = thePosition({
          token0: token(mint, decimals),
          token1: token(MINT, 6),
          price0Usd: 1,
          price1Usd: 1,
          value: { usd: 10, native: undefined },
        });
        const isRight = decimals === right;
        assert.equal(
          holdingsOfShare(position, 10_000).some((one) => one.mint === mint),
          isRight,
        );
        assert.equal(
          worthOfShare(position, 10_000)?.some((one) => one.mint === mint),
          isRight,
        );
        assert.equal(referencesOfPosition(position).length, isRight ? 2 : 0);
      }
    }
  });

  it('The review gets the decimals of both tokens as they are listed, right or wrong, to compare them with the mints', () => {
    const position = thePosition({ token0: token(USDC_MINT, 9), token1: token(MINT, undefined) });
    assert.deepEqual(decimalsOfPosition(position), [{ mint: USDC_MINT, decimals: 9 }]);
    assert.deepEqual(decimalsOfPlan(zapInPlan({ tokenX: MINT, tokenY: OTHER, prices: { ...NO_PRICES, decimalsX: 0, decimalsY: 0.5 } })), [
      { mint: MINT, decimals: 0 },
    ]);
  });

  it('A price near zero leaves out the worth and does not fail the operation', () => {
    const position = thePosition({ price0Usd: 5e-324, price1Usd: 1, value: { usd: 1e300, native: 1 } });
    assert.deepEqual(
      worthOfShare(position, 10_000)?.map(({ mint }) => mint),
      [WRAPPED_SOL_MINT],
    );
  });
});

describe('inspection: reference prices', () => {
  it('The reference prices of a position apply in both directions', () => {
    const references = referencesOfPosition(
      thePosition({ token0: token(MINT, 5), token1: token(WRAPPED_SOL_MINT, 9), price0Usd: 0.00002, price1Usd: 150 }),
    );
    assert.equal(references.length, 2);
    assert.equal(valueOf(750_000_000_000n, references, MINT, WRAPPED_SOL_MINT), 1_000_000_000n);
    assert.equal(valueOf(1_000_000_000n, references, WRAPPED_SOL_MINT, MINT), 750_000_000_000n);
  });

  it('The reference prices of a position without SOL also contain the price of SOL', () => {
    const position = thePosition({
      token0: token(MINT, 6),
      token1: token(OTHER, 6),
      price0Usd: 2,
      price1Usd: 1,
      value: { usd: 300, native: 2 },
    });
    const references = referencesOfPosition(position);
    assert.equal(references.length, 6);
    assert.equal(valueOf(75_000_000n, references, MINT, WRAPPED_SOL_MINT), 1_000_000_000n);
    assert.equal(valueOf(1_000_000_000n, references, WRAPPED_SOL_MINT, OTHER), 150_000_000n);
  });

  it('The reference prices of a pool come from the plan', () => {
    const plan = zapInPlan({ tokenY: OTHER, prices: { decimalsX: 0, decimalsY: 18, priceXUsd: 1e-12, priceYUsd: 3_000, solUsd: 150 } });
    const references = referencesOfPlan(plan);
    assert.equal(valueOf(1_000_000_000n, references, WRAPPED_SOL_MINT, MINT), 150_000_000_000_000n);
    assert.equal(valueOf(1_000_000_000n, references, WRAPPED_SOL_MINT, OTHER), 50_000_000_000_000_000n);
  });

  it('The reference prices are exact, so a conversion and its inverse match', () => {
    const price = fc.double({ min: 1e-18, max: 1e9, noNaN: true });
    const decimals = fc.integer({ min: 0, max: 18 });
    fc.assert(
      fc.property(price, price, decimals, decimals, (priceXUsd, priceYUsd, decimalsX, decimalsY) => {
        const [there, back] = referencesOfPlan(
          zapInPlan({ tokenY: OTHER, prices: { ...NO_PRICES, decimalsX, decimalsY, priceXUsd, priceYUsd } }),
        );
        assert.ok(there !== undefined && back !== undefined);
        assert.ok(there.inAmountRaw > 0n && there.outAmountRaw > 0n);
        assert.equal(there.inAmountRaw * back.inAmountRaw, there.outAmountRaw * back.outAmountRaw);
        const ratio = (Number(there.outAmountRaw) / Number(there.inAmountRaw)) * 10 ** (decimalsX - decimalsY);
        assert.ok(Math.abs(ratio / (priceXUsd / priceYUsd) - 1) < 1e-9);
      }),
    );
  });

  it('The extension uses no reference price if the price was not shown or is invalid', () => {
    for (const price0Usd of [undefined, 0, -1, Number.NaN, Infinity]) {
      assert.deepEqual(referencesOfPosition(thePosition({ price0Usd })), []);
    }
    assert.deepEqual(referencesOfPosition(thePosition({ token0: token(undefined, 9) })), []);
    assert.deepEqual(referencesOfPosition(thePosition({ token0: token(MINT, undefined) })), []);
    assert.deepEqual(referencesOfPlan(zapInPlan({ prices: NO_PRICES })), []);
    assert.deepEqual(shown([]), {});
  });
});

describe('inspection: worth of a share', () => {
  const position = thePosition({
    token0: token(MINT, 6),
    token1: token(WRAPPED_SOL_MINT, 9),
    price0Usd: 0.5,
    price1Usd: 150,
    value: { usd: 300, native: 2 },
    uncollectedFee: { usd: 15, native: 0.1 },
  });

  it('The worth of a share is its part of the value plus all fees, in each token', () => {
    assert.deepEqual(worthOfShare(position, 10_000), [
      { mint: MINT, amountRaw: 630_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 2_100_000_000n },
    ]);
    assert.deepEqual(worthOfShare(position, 5_000)?.[1], { mint: WRAPPED_SOL_MINT, amountRaw: 1_100_000_000n });
  });

  it('Of a position with locked liquidity, only what can be withdrawn counts, and all fees', () => {
    const locked = { ...position, amount0: 400, amount1: 1, uncollectedFee0: 30, uncollectedFee1: 0, withdrawableShare: 0.25 };
    assert.deepEqual(worthOfShare(locked, 10_000)?.[1], { mint: WRAPPED_SOL_MINT, amountRaw: 600_000_000n });
    assert.deepEqual(holdingsOfShare(locked, 5_000), [
      { mint: MINT, amountRaw: 80_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 125_000_000n },
    ]);
  });

  it('The worth is unknown if the value was not shown, and zero if the value is zero', () => {
    assert.equal(worthOfShare(thePosition({ value: { usd: undefined, native: 1 } }), 10_000), undefined);
    assert.equal(worthOfShare(thePosition({ value: { usd: Number.NaN, native: 1 } }), 10_000), undefined);
    const empty = { ...position, value: { usd: 0, native: 0 }, uncollectedFee: { usd: undefined, native: undefined } };
    assert.deepEqual(
      worthOfShare(empty, 10_000)?.map(({ amountRaw }) => amountRaw),
      [0n, 0n],
    );
  });
});
