import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  amountsAt,
  amountX,
  amountY,
  liquidityFrom,
  MAX_SQRT_PRICE,
  MIN_SQRT_PRICE,
  priceOfSqrt,
  ProductFees,
  sqrtPriceAfterX,
  sqrtPriceAfterY,
  sqrtPriceOf,
} from '../../../../src/sandbox/market/pools/productMath';
import { deposited, NOON, openPool, SPEC } from '../../../support/sandbox/market/product/pools';
import { call, constant, dynamicFee, ROUNDING, swapResult } from '../../../support/sandbox/market/product/sdk';

const SQRT_PRICE = fc.bigInt(MIN_SQRT_PRICE, MAX_SQRT_PRICE);
/** Up to amounts that a token account holds. */
const LIQUIDITY = fc.oneof(fc.bigInt(1n, 2n ** 128n - 1n), fc.bigInt(1n, 2n ** 70n));
const AMOUNT = fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 1_000n));

describe('Product pools: arithmetic', function () {
  it('The price bounds match the program', () => {
    assert.equal(MIN_SQRT_PRICE, constant('MIN_SQRT_PRICE'));
    assert.equal(MAX_SQRT_PRICE, constant('MAX_SQRT_PRICE'));
  });

  it('Amounts between two prices match the SDK', () => {
    fc.assert(
      fc.property(SQRT_PRICE, SQRT_PRICE, LIQUIDITY, fc.constantFrom('up' as const, 'down' as const), (one, other, liquidity, rounding) => {
        const [lower, upper] = one < other ? [one, other] : [other, one];
        assert.equal(
          amountX(liquidity, lower, upper, rounding),
          call('getAmountAFromLiquidityDeltaForConcentratedLiquidity', lower, upper, liquidity, ROUNDING[rounding]),
        );
        assert.equal(
          amountY(liquidity, lower, upper, rounding),
          call('getAmountBFromLiquidityDeltaForConcentratedLiquidity', lower, upper, liquidity, ROUNDING[rounding]),
        );
      }),
    );
  });

  it('The next price matches the SDK', () => {
    fc.assert(
      fc.property(SQRT_PRICE, LIQUIDITY, AMOUNT, (from, liquidity, sold) => {
        assert.equal(sqrtPriceAfterX(from, liquidity, sold), call('getNextSqrtPriceFromInput', from, liquidity, sold, true));
        assert.equal(sqrtPriceAfterY(from, liquidity, sold), call('getNextSqrtPriceFromInput', from, liquidity, sold, false));
      }),
    );
  });

  it('Liquidity from amounts matches the SDK, as the lesser of both tokens', () => {
    fc.assert(
      fc.property(fc.bigInt(MIN_SQRT_PRICE + 1n, MAX_SQRT_PRICE - 1n), AMOUNT, AMOUNT, (at, x, y) => {
        const ofX = call('getLiquidityDeltaFromAmountAForConcentratedLiquidity', x, at, MAX_SQRT_PRICE);
        const ofY = call('getLiquidityDeltaFromAmountBForConcentratedLiquidity', y, MIN_SQRT_PRICE, at);
        const liquidity = liquidityFrom({ x, y }, at);
        assert.equal(liquidity, ofX < ofY ? ofX : ofY);
        const cost = amountsAt(liquidity, at, 'up');
        assert.ok(cost.x <= x && cost.y <= y, 'it never costs more than there is');
      }),
    );
  });

  it('Liquidity of one token is possible at the ends of the range', () => {
    assert.equal(liquidityFrom({ x: 0n, y: 1n }, MAX_SQRT_PRICE), (1n << 128n) / (MAX_SQRT_PRICE - MIN_SQRT_PRICE));
    assert.equal(liquidityFrom({ x: 1n, y: 0n }, MIN_SQRT_PRICE), (MIN_SQRT_PRICE * MAX_SQRT_PRICE) / (MAX_SQRT_PRICE - MIN_SQRT_PRICE));
  });

  it('Prices convert to square roots and back', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-15, max: 1e15, noNaN: true }), (price) => {
        assert.ok(Math.abs(priceOfSqrt(sqrtPriceOf(price)) / price - 1) < 1e-9);
      }),
    );
    assert.equal(sqrtPriceOf(4), 2n ** 65n);
    assert.equal(sqrtPriceOf(1e-300), MIN_SQRT_PRICE);
    assert.equal(sqrtPriceOf(1e300), MAX_SQRT_PRICE);
    for (const wrong of [0, -1, Number.NaN, Infinity]) {
      assert.throws(() => sqrtPriceOf(wrong), RangeError);
    }
  });
});

describe('Product pools: fees', function () {
  it('Fee parameters of a pool match the SDK', () => {
    for (const baseFeeBps of [1, 4, 25, 100, 200, 600, 5_000]) {
      const fees = new ProductFees({ ...SPEC, baseFeeBps });
      const { maxVolatility, control } = dynamicFee(baseFeeBps);
      assert.equal(fees.rates(0n).base, BigInt(baseFeeBps) * 100_000n);
      for (const volatility of [0n, 1n, 10_000n, 2_500_000n, maxVolatility]) {
        assert.equal(
          fees.rates(volatility).variable,
          call('getDynamicFeeNumerator', volatility, 1n, control),
          `${baseFeeBps} at ${volatility}`,
        );
      }
      assert.equal(fees.highest, fees.rates(maxVolatility).total);
    }
    assert.equal(new ProductFees({ ...SPEC, dynamicFee: false }).highest, 2_500_000n);
    assert.equal(new ProductFees({ ...SPEC, baseFeeBps: 9_900 }).rates(14_460_000n).total, 990_000_000n);
  });

  it('Fees within an amount match the SDK', () => {
    fc.assert(
      fc.property(AMOUNT, fc.bigInt(1n, 990_000_000n), (amount, numerator) => {
        const { fee, protocolFee } = new ProductFees(SPEC).within(amount, numerator);
        assert.equal(fee, call('mulDiv', amount, numerator, 1_000_000_000n, ROUNDING.up));
        assert.equal(protocolFee, (fee * 20n) / 100n);
      }),
    );
  });
});

describe('Product pools: trades', function () {
  const trades = fc.record({
    price: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    x: fc.bigInt(1_000n, 2n ** 62n),
    y: fc.bigInt(1_000n, 2n ** 62n),
    moved: fc.double({ min: 0.8, max: 1.25, noNaN: true }),
    sells: fc.constantFrom('x' as const, 'y' as const),
    amountIn: AMOUNT,
    baseFeeBps: fc.integer({ min: 1, max: 1_000 }),
    dynamic: fc.boolean(),
  });

  it('Trades match the quotes of the SDK to the last unit, also at the ends of the range', () => {
    fc.assert(
      fc.property(trades, ({ price, x, y, moved, sells, amountIn, baseFeeBps, dynamic }) => {
        const { pool } = openPool({ baseFeeBps, dynamicFee: dynamic }, undefined, price);
        deposited(pool, { x, y });
        fc.pre(pool.totalLiquidity > 0n);
        // Some volatility behind it, which the fee of the next trade depends on.
        pool.swapTo(price * moved, NOON);
        const { variable } = pool.feeRates(NOON);
        const volatilityAccumulator = dynamic ? volatilityFor(variable, baseFeeBps) : undefined;
        const wanted = swapResult(
          { sqrtPriceQ64: pool.sqrtPriceQ64, liquidity: pool.totalLiquidity, baseFeeBps, protocolFeePercent: 20, volatilityAccumulator },
          sells,
          amountIn,
        );

        const trade = pool.swap(sells, amountIn, NOON + 1_000);
        assert.equal(trade.amountIn, wanted.amountIn);
        assert.equal(trade.amountOut, wanted.amountOut);
        assert.equal(pool.sqrtPriceQ64, wanted.nextSqrtPrice);
        const [fee, protocolFee] = sells === 'x' ? [trade.fees.y, trade.protocolFees.y] : [trade.fees.x, trade.protocolFees.x];
        assert.equal(fee, wanted.claimingFee + wanted.protocolFee);
        assert.equal(protocolFee, wanted.protocolFee);
      }),
      { numRuns: 300 },
    );
  });

  it('A trade to the end of the range takes only what fits', () => {
    const { pool } = openPool({}, undefined, 1);
    deposited(pool, { x: 1_000n, y: 1_000n });
    const trade = pool.swap('x', 2n ** 63n, NOON);
    assert.equal(pool.sqrtPriceQ64, MIN_SQRT_PRICE);
    assert.ok(trade.amountIn < 2n ** 63n && trade.amountIn > 1_000_000_000_000n);
    assert.deepEqual(pool.swap('x', 5n, NOON), {
      sells: 'x',
      amountIn: 0n,
      amountOut: 0n,
      fees: { x: 0n, y: 0n },
      protocolFees: { x: 0n, y: 0n },
    });
  });
});

/** A volatility at which the variable fee is that: the SDK's formula turned round. */
function volatilityFor(variable: bigint, baseFeeBps: number): bigint {
  const fees = new ProductFees({ ...SPEC, baseFeeBps });
  let [least, most] = [0n, 14_460_000n];
  while (least < most) {
    const middle = (least + most) / 2n;
    if (fees.rates(middle).variable < variable) {
      least = middle + 1n;
    } else {
      most = middle;
    }
  }
  assert.equal(fees.rates(least).variable, variable);
  return least;
}
