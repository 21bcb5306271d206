import assert from 'node:assert/strict';
import { priceQ64OfBin } from '../../../../src/base/dlmm/bins';
import { emptyBinArray } from '../../../../src/sandbox/market/pools/binArrays';
import { BinFees } from '../../../../src/sandbox/market/pools/binFees';
import { BinPositions } from '../../../../src/sandbox/market/pools/binPositions';
import { BinPoolRows } from '../../../../src/sandbox/market/pools/poolStates';
import { BinTrading } from '../../../../src/sandbox/market/pools/binTrading';
import { Database } from '../../../../src/sandbox/store/database';
import { UnitOfWork } from '../../../../src/sandbox/store/unitOfWork';
import { ALL_BINS, NOON, optionsFor } from '../../../support/sandbox/market/bins/common';

const MILLION = 1_000_000n;

/** The parts of a pool, so that its rows can be looked at. */
function parts(): { rows: BinPoolRows; positions: BinPositions; trading: BinTrading } {
  const database = Database.inMemory();
  const options = optionsFor(database, new UnitOfWork(database), { variableFeeControl: 0 });
  const rows = new BinPoolRows(options);
  const fees = new BinFees(options.spec);
  [-3, -1, 0, 2].forEach((index) => rows.addArray(index, emptyBinArray()));
  return { rows, positions: new BinPositions(rows, fees, 20), trading: new BinTrading(rows, fees, 20) };
}

describe('The rows of a bin pool', () => {
  it('The pool counts bins with shares, so that trades skip empty bin arrays', () => {
    const { rows, positions } = parts();
    const [first, second] = [0, 1].map(() => positions.newHolding({ fromBinId: 140, toBinId: 149 }));
    assert.ok(first && second);
    assert.equal(rows.nextStocked(-3, 1), undefined);
    positions.deposit(
      first,
      [
        { binId: 141, amountX: MILLION, amountY: 0n },
        { binId: 145, amountX: MILLION, amountY: 0n },
      ],
      NOON,
    );
    positions.deposit(second, [{ binId: 141, amountX: MILLION, amountY: 0n }], NOON);
    assert.equal(rows.array(2)?.stocked, 2);
    assert.deepEqual([rows.nextStocked(-3, 1), rows.nextStocked(2, 1), rows.nextStocked(3, 1)], [2, 2, undefined]);
    assert.deepEqual([rows.nextStocked(9, -1), rows.nextStocked(2, -1), rows.nextStocked(1, -1)], [2, 2, undefined]);
    positions.withdraw(first, ALL_BINS, 10_000);
    assert.equal(rows.array(2)?.stocked, 1);
    positions.withdraw(second, ALL_BINS, 9_999);
    assert.equal(rows.array(2)?.stocked, 1);
    positions.withdraw(second, ALL_BINS, 10_000);
    assert.equal(rows.array(2)?.stocked, 0);
    assert.equal(rows.nextStocked(-3, 1), undefined);
  });

  it('Counted fees are for whole shares, rounded down, without the protocol share', () => {
    const { rows, positions, trading } = parts();
    const holding = positions.newHolding({ fromBinId: -1, toBinId: -1 });
    positions.deposit(holding, [{ binId: -1, amountX: 0n, amountY: 3n * MILLION + 1n }], NOON);
    trading.swap('x', 700_000n, NOON);
    const fee = 1_400n - 70n;
    assert.deepEqual(rows.array(-1)?.bins[69], {
      x: 698_600n,
      y: 3n * MILLION + 1n - ((698_600n * priceQ64OfBin(-1, 20)) >> 64n),
      shares: (3n * MILLION + 1n) << 64n,
      feeX: (fee << 64n) / (3n * MILLION + 1n),
      feeY: 0n,
    });
  });
});
