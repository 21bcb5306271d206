import assert from 'node:assert/strict';
import { feeOnExcluded, feeOnIncluded } from '../../../../src/base/dlmm/fees';
import { spreadOverBins, type Strategy } from '../../../../src/base/dlmm/strategy';
import { BinFees } from '../../../../src/sandbox/market/pools/binFees';
import { fillBin } from '../../../../src/sandbox/market/pools/binTrading';
import { binWorld, holdingOver, NOON } from '../../../support/sandbox/market/bins/common';

/** Figures of npm @meteora-ag/dlmm 1.9.14 (guides/dlmm.md, vectors 1 to 10), met by the pool as a whole. */
describe('The bin pool compared with the published vectors', () => {
  it('The bin prices match the published vectors', () => {
    const { pool } = binWorld({ binStepBps: 100 });
    const near = (a: number, b: number) => assert.ok(Math.abs(a / b - 1) < 1e-13, `${a}, not ${b}`);
    near(pool.priceOf(-402), 0.018315034428162583464);
    near(pool.priceOf(-333), 0.03639003978350194689);
    near(binWorld({ binStepBps: 25 }).pool.priceOf(1_000), 12.144546224313512057);
    near(binWorld({ binStepBps: 10 }).pool.uiPriceOf(-1_973), 139.1762508741624352);
    near(binWorld({ binStepBps: 20 }, 0.0001242754624644377836 * 1.000_1).pool.price, 0.0001242754624644377836);
    assert.equal(binWorld({ binStepBps: 100 }, 0.0223).pool.activeBinId, -383);
  });

  it('The pool accepts the amounts of the published strategy vectors', () => {
    const spread = (strategy: Strategy) => {
      const { pool } = binWorld({ binStepBps: 100 }, 0.022571300816453571347);
      assert.equal(pool.activeBinId, -381);
      const holding = holdingOver(pool, -386, -376);
      pool.deposit(
        holding,
        spreadOverBins({
          activeBinId: -381,
          fromBinId: -386,
          toBinId: -376,
          binStepBps: 100,
          strategy,
          amountX: 10n ** 9n,
          amountY: 10n ** 9n,
        }),
        NOON,
      );
      return Array.from({ length: 11 }, (_, place) => pool.amountsInBin(holding, place - 386)).map(({ x, y }) => Number(x + y));
    };
    assert.deepEqual(spread('Spot'), [
      ...Array.from({ length: 6 }, () => 166_666_666),
      203_999_801,
      201_980_001,
      199_980_199,
      198_000_197,
      196_039_799,
    ]);
    assert.deepEqual(
      spread('Curve'),
      [
        47_619_047, 95_238_095, 142_857_142, 190_476_190, 238_095_238, 285_714_285, 337_759_221, 267_532_056, 198_662_418, 131_130_309,
        64_915_994,
      ],
    );
    assert.deepEqual(spread('BidAsk').slice(6), [68_454_007, 135_552_490, 201_315_580, 265_763_141, 328_914_779]);
  });

  it('The fee rates match the published vectors', () => {
    const rates = (binStepBps: number, baseFactor: number, power: number, variableFeeControl: number, accumulator: number) => {
      const { base, variable, total } = new BinFees({ ...binWorld().pool.spec, binStepBps, baseFactor, power, variableFeeControl }).ratesAt(
        accumulator,
      );
      return [base, variable, total].map(Number);
    };
    assert.deepEqual(rates(100, 10_000, 0, 7_500, 0), [1e7, 0, 1e7]);
    assert.deepEqual(rates(100, 10_000, 0, 7_500, 100_000), [1e7, 7_500_000, 17_500_000]);
    assert.deepEqual(rates(20, 10_000, 0, 40_000, 50_000), [2e6, 400_000, 2_400_000]);
    assert.deepEqual(rates(10, 10_000, 0, 40_000, 350_000), [1e6, 4_900_000, 5_900_000]);
    assert.deepEqual(rates(250, 20_000, 0, 7_500, 150_000), [5e7, 105_468_750, 1e8]);
    assert.deepEqual(rates(1, 10_000, 1, 0, 0), [1e6, 0, 1e6]);
  });

  it('The fees match the published vectors', () => {
    const rate = 17_500_000n;
    const billion = 10n ** 9n;
    const fees = new BinFees(binWorld().pool.spec);
    assert.deepEqual(
      [feeOnIncluded(billion, rate), feeOnExcluded(billion, rate), fees.protocolPart(17_500_000n)],
      [17_500_000n, 17_811_705n, 875_000n],
    );
    const fill = { amountIn: 0n, amountOut: 0n, fee: 0n };
    fillBin(fill, 'y', 5n * billion, 1n << 64n, rate, billion);
    assert.deepEqual(fill, { amountIn: billion, amountOut: 982_500_000n, fee: 17_500_000n });
    fillBin(fill, 'y', billion, 1n << 64n, rate, 5n * billion);
    assert.deepEqual(fill, { amountIn: 1_017_811_705n, amountOut: billion, fee: 17_811_705n });
  });

  it('The bin arrays match the published vectors', () => {
    const { pool } = binWorld();
    holdingOver(pool, -71, -70);
    holdingOver(pool, -1, -1);
    holdingOver(pool, 0, 1_399);
    assert.deepEqual(pool.binArrayIndexes, [-2, -1, ...Array.from({ length: 20 }, (_, index) => index)]);
  });
});
