import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  FEE_PRECISION,
  feeNumerators,
  feeOnExcluded,
  feeOnIncluded,
  MAX_FEE_NUMERATOR,
  type FeeParameters,
} from '../../../../src/base/dlmm/fees';

const pool = { binStepBps: 100, baseFactor: 10_000, power: 0, variableFeeControl: 0, volatilityAccumulator: 0 };
const amount = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const numerator = fc.bigInt({ min: 0n, max: MAX_FEE_NUMERATOR });

describe('Fee rates', () => {
  for (const [what, parameters, expected] of [
    ['1%', {}, [10_000_000n, 0n, 10_000_000n]],
    ['1.75%', { variableFeeControl: 7500, volatilityAccumulator: 100_000 }, [10_000_000n, 7_500_000n, 17_500_000n]],
    ['0.24%', { binStepBps: 20, variableFeeControl: 40_000, volatilityAccumulator: 50_000 }, [2_000_000n, 400_000n, 2_400_000n]],
    ['0.59%', { binStepBps: 10, variableFeeControl: 40_000, volatilityAccumulator: 350_000 }, [1_000_000n, 4_900_000n, 5_900_000n]],
    [
      '10% at most',
      { binStepBps: 250, baseFactor: 20_000, variableFeeControl: 7500, volatilityAccumulator: 150_000 },
      [50_000_000n, 105_468_750n, 100_000_000n],
    ],
    ['0.1%', { binStepBps: 1, power: 1 }, [1_000_000n, 0n, 1_000_000n]],
  ] as const satisfies readonly (readonly [string, Partial<FeeParameters>, readonly bigint[]])[]) {
    it(`The total fee rate is ${what}`, () => {
      const { base, variable, total } = feeNumerators({ ...pool, ...parameters });
      assert.deepEqual([base, variable, total], expected);
    });
  }

  it('The variable part of the fee rate is rounded up', () => {
    assert.equal(feeNumerators({ ...pool, variableFeeControl: 1, volatilityAccumulator: 1, binStepBps: 1 }).variable, 1n);
  });
});

describe('Fees on amounts', () => {
  it('A fee can be taken out of an amount or added to it', () => {
    assert.equal(feeOnIncluded(BigInt(1e9), 17_500_000n), 17_500_000n);
    assert.equal(feeOnExcluded(BigInt(1e9), 17_500_000n), 17_811_705n);
  });

  it('An amount with the fee added, less its fee, is the amount within one unit', () => {
    fc.assert(
      fc.property(amount, numerator, (net, rate) => {
        const gross = net + feeOnExcluded(net, rate);
        const left = gross - feeOnIncluded(gross, rate);
        assert.ok(left === net || left === net - 1n || left === net + 1n);
      }),
    );
  });

  it('A fee is never less than the exact share, and less than one unit more', () => {
    fc.assert(
      fc.property(amount, numerator, (gross, rate) => {
        const over = feeOnIncluded(gross, rate) * FEE_PRECISION - gross * rate;
        assert.ok(over >= 0n && over < FEE_PRECISION);
      }),
    );
  });
});
