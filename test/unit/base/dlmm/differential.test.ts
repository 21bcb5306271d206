import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { binArrayIndex, maxBinIdOf, priceOfBin, priceQ64OfBin } from '../../../../src/base/dlmm/bins';
import { feeNumerators, feeOnExcluded, feeOnIncluded } from '../../../../src/base/dlmm/fees';
import { spreadOverBins, STRATEGIES } from '../../../../src/base/dlmm/strategy';

/** bn.js, as far as it is used here. */
interface BigNumber {
  toString(): string;
}

/** What is used of npm @meteora-ag/dlmm; its declarations would pull half of Anchor into the type check. */
interface Sdk {
  getPriceOfBinByBinId(binId: number, binStep: number): { toNumber(): number };
  getQPriceFromId(binId: BigNumber, binStep: BigNumber): BigNumber;
  binIdToBinArrayIndex(binId: BigNumber): BigNumber;
  toAmountsBothSideByStrategy(
    activeId: number,
    binStep: number,
    minBinId: number,
    maxBinId: number,
    amountX: BigNumber,
    amountY: BigNumber,
    amountXInActiveBin: BigNumber,
    amountYInActiveBin: BigNumber,
    strategy: number,
    mintX: unknown,
    mintY: unknown,
    clock: unknown,
  ): { binId: number; amountX: BigNumber; amountY: BigNumber }[];
  getTotalFee(binStep: number, parameters: object, state: object): BigNumber;
  computeFee(binStep: number, parameters: object, state: object, amount: BigNumber): BigNumber;
  computeFeeFromAmount(binStep: number, parameters: object, state: object, amount: BigNumber): BigNumber;
}

const anyStep = fc.integer({ min: 1, max: 400 });
const stepAndBin = anyStep.chain((step) => fc.tuple(fc.constant(step), fc.integer({ min: -maxBinIdOf(step), max: maxBinIdOf(step) })));

describe('Bin arithmetic compared with the official client', function () {
  let sdk: Sdk;
  let bn: (of: bigint | number) => BigNumber;

  before(() => {
    const require = createRequire(`${process.cwd()}/package.json`);
    sdk = require('@meteora-ag/dlmm') as Sdk;
    const BN = createRequire(require.resolve('@meteora-ag/dlmm'))('bn.js') as new (text: string) => BigNumber;
    bn = (of) => new BN(of.toString());
  });

  it('Prices of bins agree with those of the official client', () => {
    fc.assert(
      fc.property(stepAndBin, ([step, binId]) => {
        const theirs = sdk.getPriceOfBinByBinId(binId, step).toNumber();
        assert.ok(Math.abs(priceOfBin(binId, step) / theirs - 1) < 1e-13);
      }),
    );
  });

  it('Q64.64 prices agree with those of the official client bit for bit', () => {
    fc.assert(
      fc.property(stepAndBin, ([step, binId]) => {
        const theirs = sdk.getQPriceFromId(bn(binId), bn(step)).toString();
        if (theirs === '0') {
          assert.throws(() => priceQ64OfBin(binId, step), RangeError); // the program's checked division fails there too
        } else {
          assert.equal(priceQ64OfBin(binId, step).toString(), theirs);
        }
      }),
    );
  });

  it('Bin array indexes agree with those of the official client', () => {
    fc.assert(
      fc.property(fc.integer({ min: -443_636, max: 443_636 }), (binId) => {
        assert.equal(String(binArrayIndex(binId)), sdk.binIdToBinArrayIndex(bn(binId)).toString());
      }),
    );
  });

  it('Deposits spread like those of the official client, within one unit a bin', () => {
    const amount = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n ** 14n }));
    fc.assert(
      fc.property(
        fc.integer({ min: -800, max: 800 }),
        fc.integer({ min: -40, max: 70 }),
        fc.integer({ min: -40, max: 70 }),
        anyStep,
        fc.constantFrom(0, 1, 2),
        amount,
        amount,
        (activeBinId, below, above, binStepBps, kind, amountX, amountY) => {
          fc.pre(-below <= above);
          const strategy = STRATEGIES[kind];
          assert.ok(strategy);
          const fromBinId = activeBinId - below;
          const toBinId = activeBinId + above;
          const noFee = { tlvData: Buffer.alloc(0) };
          const clock = { epoch: { toNumber: () => 0 } };
          const theirs = sdk.toAmountsBothSideByStrategy(
            activeBinId,
            binStepBps,
            fromBinId,
            toBinId,
            bn(amountX),
            bn(amountY),
            bn(0),
            bn(0),
            kind,
            noFee,
            noFee,
            clock,
          );
          const ours = spreadOverBins({ activeBinId, fromBinId, toBinId, binStepBps, strategy, amountX, amountY });
          assert.deepEqual(
            ours.map((bin) => bin.binId),
            theirs.map((bin) => bin.binId),
          );
          ours.forEach((bin, index) => {
            const other = theirs[index];
            assert.ok(other);
            for (const [a, b] of [
              [bin.amountX, other.amountX],
              [bin.amountY, other.amountY],
            ] as const) {
              const difference = a - BigInt(b.toString());
              assert.ok(difference >= -1n && difference <= 1n, `bin ${bin.binId}: ${a} here, ${b.toString()} there`);
            }
          });
        },
      ),
    );
  });

  it('Fees agree with those of the official client', () => {
    fc.assert(
      fc.property(
        anyStep,
        fc.nat(65_535),
        fc.nat(2),
        fc.nat(1_000_000),
        fc.nat(1_000_000),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        (binStepBps, baseFactor, power, variableFeeControl, volatilityAccumulator, amount) => {
          const parameters = { baseFactor, baseFeePowerFactor: power, variableFeeControl };
          const state = { volatilityAccumulator };
          const { total } = feeNumerators({ binStepBps, baseFactor, power, variableFeeControl, volatilityAccumulator });
          assert.equal(total.toString(), sdk.getTotalFee(binStepBps, parameters, state).toString());
          assert.equal(feeOnExcluded(amount, total).toString(), sdk.computeFee(binStepBps, parameters, state, bn(amount)).toString());
          assert.equal(
            feeOnIncluded(amount, total).toString(),
            sdk.computeFeeFromAmount(binStepBps, parameters, state, bn(amount)).toString(),
          );
        },
      ),
    );
  });
});
