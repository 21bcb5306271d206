import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { binArraysOf, MAX_BINS_PER_POSITION } from '../../../../../src/base/dlmm/bins';
import { depositTransactions, entryCost } from '../../../../../src/base/dlmm/entryCost';
import { shareOf, walletOf } from '../../../../../webview/pool/plan/cost';
import { FIGURES } from './samples';

const POSITION = 57_406_080n;
const BIN_ARRAY = 71_437_440n;
const FEES = (transactions: bigint): bigint => transactions * 1_000_000n + 10_000_000n;

describe('Cost of a plan', () => {
  it('The cost of a plan consists of rent, missing bin arrays and fees', () => {
    // −384 … −316 lies in the arrays −6 and −5, of which −5 is missing.
    const cost = entryCost({ fromBinId: -384, toBinId: -316 }, 1, FIGURES);
    assert.deepEqual(cost, {
      rentLamports: POSITION,
      widerLamports: 0n,
      binArrays: { missing: 1, unknown: 0 },
      binArrayLamports: BIN_ARRAY,
      transactions: 3,
      feesLamports: FEES(3n),
      totalLamports: POSITION + BIN_ARRAY + FEES(3n),
    });
  });

  it('The cost of a plan grows with each bin above seventy', () => {
    const narrow = entryCost({ fromBinId: 0, toBinId: 69 }, 0, FIGURES);
    const wide = entryCost({ fromBinId: 0, toBinId: MAX_BINS_PER_POSITION - 1 }, 0, FIGURES);
    assert.equal(narrow.rentLamports, POSITION);
    assert.equal(wide.widerLamports, 1_330n * 779_520n);
    assert.equal(wide.rentLamports, POSITION + wide.widerLamports);
    // As many as the sandbox builds.
    assert.deepEqual([1, 70, 71, 140, 141, 400, 700, 1_000, 1_400].map(depositTransactions), [2, 2, 4, 4, 5, 8, 12, 17, 22]);
  });

  it('The cost counts the bin arrays whose existence is unknown', () => {
    const blind = { ...FIGURES, binArrays: undefined };
    assert.deepEqual(entryCost({ fromBinId: -384, toBinId: -316 }, 0, blind).binArrays, { missing: 0, unknown: 2 });
    assert.deepEqual(entryCost({ fromBinId: -10, toBinId: 75 }, 0, FIGURES).binArrays, { missing: 0, unknown: 1 });
    fc.assert(
      fc.property(fc.integer({ min: -2_000, max: 2_000 }), fc.integer({ min: 1, max: MAX_BINS_PER_POSITION }), (from, width) => {
        const { missing, unknown } = entryCost({ fromBinId: from, toBinId: from + width - 1 }, 0, FIGURES).binArrays;
        const needed = binArraysOf(from, from + width - 1);
        assert.equal(unknown, needed.filter((index) => index < -10 || index > 0).length);
        assert.equal(missing, needed.includes(-5) ? 1 : 0);
      }),
    );
  });

  it('The cost contains the rent of the position in a pool without bins, and none of bin arrays', () => {
    assert.deepEqual(entryCost(undefined, 1, { ...FIGURES, positionLamports: '9897120' }), {
      rentLamports: 9_897_120n,
      widerLamports: 0n,
      binArrays: { missing: 0, unknown: 0 },
      binArrayLamports: 0n,
      transactions: 3,
      feesLamports: FEES(3n),
      totalLamports: 9_897_120n + FEES(3n),
    });
  });

  it('The wallet keeps the cost of the plan, and at least the reserve of the palette', () => {
    const narrow = walletOf(FIGURES, entryCost({ fromBinId: -100, toBinId: -50 }, 1, FIGURES));
    assert.equal(narrow.availableLamports, 9_900_000_000n);
    const wide = entryCost({ fromBinId: -700, toBinId: 699 }, 1, FIGURES);
    assert.equal(walletOf(FIGURES, wide).availableLamports, 10_000_000_000n - wide.totalLamports);
    const poor = walletOf({ ...FIGURES, balanceLamports: '99999999' }, wide);
    assert.equal(poor.availableLamports, 0n);
    assert.match(poor.tooMuch('en-US'), /holds 0\.099999999 SOL, .+ Nothing is left to deposit\./);
    assert.match(narrow.tooMuch('en-US'), /^At most 9\.9 SOL: the wallet holds 10 SOL, of which 0\.1 SOL is kept for rent and fees\.$/);
    assert.deepEqual(
      [25, 50, 75, 100].map((share) => shareOf(narrow, share)),
      [2_475_000_000n, 4_950_000_000n, 7_425_000_000n, 9_900_000_000n],
    );
  });
});
