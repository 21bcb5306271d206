import assert from 'node:assert/strict';
import fc from 'fast-check';
import { priceOfBin } from '../../../../src/base/dlmm/bins';
import { spreadOverBins, STRATEGIES } from '../../../../src/base/dlmm/strategy';
import type { PositionBin } from '../../../../src/engine/build/ports';
import { shapeOf } from '../../../../src/engine/build/shape';

const BIN_STEP_BPS = 20;

/** The bins of a deposit at one active bin, after trades moved it to another one. */
function traded(deposit: Omit<Parameters<typeof spreadOverBins>[0], 'binStepBps'>, activeNow: number): readonly PositionBin[] {
  return spreadOverBins({ ...deposit, binStepBps: BIN_STEP_BPS }).map(({ binId, amountX, amountY }) => {
    const price = priceOfBin(binId, BIN_STEP_BPS);
    const value = Number(amountX) * price + Number(amountY);
    const liquidity = binId > activeNow ? { x: BigInt(Math.floor(value / price)), y: 0n } : { x: 0n, y: BigInt(Math.floor(value)) };
    return { binId, liquidity, fees: { x: 0n, y: 0n } };
  });
}

describe('The shape of a position', () => {
  it('The strategy of a deposit is known by its bins, at whatever price within them it was made, and wherever trades moved the price since', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STRATEGIES),
        fc.integer({ min: -500, max: 500 }),
        fc.integer({ min: 10, max: 120 }),
        fc.double({ min: 0.25, max: 0.75, noNaN: true }),
        fc.double({ min: -0.3, max: 1.3, noNaN: true }),
        fc.boolean(),
        (strategy, fromBinId, width, then, now, isOneSided) => {
          const toBinId = fromBinId + width - 1;
          const at = (part: number): number => Math.round(fromBinId + part * (width - 1));
          const activeBinId = isOneSided ? fromBinId - 1 : at(then);
          const amounts = { amountX: 10n ** 13n, amountY: isOneSided ? 0n : 10n ** 12n };
          // A rising shape above the price looks like a falling one below it: the nearer price decides.
          const activeNow = isOneSided ? at(Math.min(now, 0.3)) : at(now);
          const bins = traded({ strategy, fromBinId, toBinId, activeBinId, ...amounts }, activeNow);
          assert.equal(shapeOf(bins, { activeBinId: activeNow, binStepBps: BIN_STEP_BPS }), strategy);
        },
      ),
    );
  });

  it('A position without liquidity, or with a single bin, is of the even shape', () => {
    const single = traded({ strategy: 'BidAsk', fromBinId: 3, toBinId: 3, activeBinId: 3, amountX: 0n, amountY: 5n }, 3);
    assert.equal(shapeOf(single, { activeBinId: 3, binStepBps: BIN_STEP_BPS }), 'Spot');
    assert.equal(
      shapeOf([{ binId: 3, liquidity: { x: 0n, y: 0n }, fees: { x: 1n, y: 0n } }], { activeBinId: 3, binStepBps: BIN_STEP_BPS }),
      'Spot',
    );
    assert.equal(shapeOf([], { activeBinId: 3, binStepBps: BIN_STEP_BPS }), 'Spot');
  });
});
