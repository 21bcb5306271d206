import { reasonWords } from '../../../../src/base/reasons/reasonWords';
import { insufficientProceeds } from '../../../../src/transactions/rebalance/costs';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binStepOf, MAX_BINS_PER_POSITION, maxBinIdOf, widthOf } from '../../../../src/base/dlmm/bins';
import { RentRate } from '../../../../src/base/solana/rent';
import { NO_SPENDS } from '../../../../src/review/spends';
import {
  costOverrun,
  LEAST_REENTRY_LAMPORTS,
  reentryCosts,
  reentryLamports,
  withExtraCost,
} from '../../../../src/transactions/rebalance/costs';
import { reentryRange } from '../../../../src/transactions/rebalance/rebalancePlan';

const NOTHING_MISSING = { tokenAccountLamports: [], binArrays: 0, wrappedSolLamports: 0n, rent: RentRate.highest };
const lamports = fc.bigInt({ min: 0n, max: 10n ** 15n });

const insufficientProceedsText = (...of: Parameters<typeof insufficientProceeds>) => reasonWords(insufficientProceeds(...of));

describe('rebalance: re-entry amount', () => {
  it('The re-entry amount is the proceeds minus the costs and leaves the reserve in the wallet', () => {
    const costs = reentryCosts({ fromBinId: -10, toBinId: 10 }, NOTHING_MISSING);
    const funds = { lamportsBack: 2_000_000_000n, balanceLamports: 9_000_000_000n, reserveLamports: 50_000_000n, costs };
    assert.equal(reentryLamports(funds), 2_000_000_000n - costs.spentLamports);
    assert.equal(reentryLamports({ ...funds, balanceLamports: 2_000_000_000n }), 1_950_000_000n - costs.spentLamports);
    const lent = { ...costs, lentLamports: 2_039_280n };
    assert.equal(
      reentryLamports({ ...funds, costs: lent }),
      2_000_000_000n - costs.spentLamports,
      'what comes back with the zap-in is no cost',
    );
    assert.equal(
      reentryLamports({ ...funds, balanceLamports: 2_000_000_000n, costs: lent }),
      1_950_000_000n - costs.spentLamports - 2_039_280n,
      'and has to be there',
    );
  });

  it('The re-entry amount never exceeds the proceeds and never reduces the wallet below the reserve', () => {
    fc.assert(
      fc.property(
        lamports,
        lamports,
        lamports,
        fc.integer({ min: 1, max: MAX_BINS_PER_POSITION }),
        fc.nat(20),
        (lamportsBack, balanceLamports, reserveLamports, bins, binArrays) => {
          const costs = reentryCosts(
            { fromBinId: 0, toBinId: bins - 1 },
            { tokenAccountLamports: [2_039_280n], binArrays, wrappedSolLamports: 2_039_280n, rent: RentRate.highest },
          );
          const input = reentryLamports({ lamportsBack, balanceLamports, reserveLamports, costs });
          assert.ok(input + costs.spentLamports <= lamportsBack);
          assert.ok(balanceLamports - input - costs.spentLamports - costs.lentLamports >= reserveLamports);
          assert.ok(
            input + costs.spentLamports === lamportsBack ||
              balanceLamports - input - costs.spentLamports - costs.lentLamports === reserveLamports,
            'and all of it',
          );
        },
      ),
    );
  });

  it("The costs contain the rent of the program's accounts", () => {
    const rentOf = (bins: number, binArrays = 0) =>
      reentryCosts({ fromBinId: 0, toBinId: bins - 1 }, { ...NOTHING_MISSING, binArrays }).parts.map(({ lamports: each }) => each);
    assert.deepEqual(rentOf(1)[0], 57_406_080n);
    assert.deepEqual(rentOf(70)[0], 57_406_080n);
    assert.deepEqual(rentOf(71)[0], 57_406_080n + 779_520n);
    assert.deepEqual(rentOf(1_400)[0], 57_406_080n + 1_330n * 779_520n);
    assert.deepEqual(rentOf(41, 2)[1], 2n * 71_437_440n);
    for (const rate of [5_080n, 2_575n, 696n]) {
      const rent = RentRate.ofLamportsPerByte(rate);
      const missing = { tokenAccountLamports: [rent.tokenAccount], binArrays: 2, wrappedSolLamports: rent.tokenAccount, rent };
      const { parts, refundableLamports, lentLamports } = reentryCosts({ fromBinId: 0, toBinId: 70 }, missing);
      assert.deepEqual(
        parts.slice(0, 3).map(({ lamports: each }) => each),
        [8_360n * rate, 2n * 10_264n * rate, 293n * rate],
      );
      assert.deepEqual([refundableLamports, lentLamports], [(8_360n + 293n) * rate, 293n * rate]);
      assert.ok(parts.slice(0, 3).every(({ isMost }) => !isMost));
    }
  });

  it('The costs contain fees of each transaction, of which each 70 bins need one more, and one tip', () => {
    assert.deepEqual(
      reentryCosts({ fromBinId: 0, toBinId: 0 }, NOTHING_MISSING).parts.map(({ kind }) => kind),
      ['position', 'fees'],
      'what costs nothing is no part',
    );
    const feesOf = (bins: number) => reentryCosts({ fromBinId: 0, toBinId: bins - 1 }, NOTHING_MISSING).parts.at(-1);
    assert.deepEqual(feesOf(1), { kind: 'fees', lamports: 4n * 120_000n + 1_000_000n, isMost: true, count: undefined });
    assert.deepEqual(
      [70, 71, 141].map((bins) => feesOf(bins)?.lamports),
      [1_480_000n, 1_600_000n, 1_720_000n],
    );
  });

  it('Higher transaction costs reduce the re-entry amount, so the proceeds cover them', () => {
    const rents = {
      bins: fc.integer({ min: 1, max: MAX_BINS_PER_POSITION }),
      arrays: fc.bigInt({ min: 0n, max: 20n }),
      fees: fc.bigInt({ min: 0n, max: 50_000_000n }),
      opened: fc.bigInt({ min: 0n, max: 9n }),
    };
    fc.assert(
      fc.property(lamports, fc.record(rents), (further, { bins, arrays, fees, opened }) => {
        const costs = reentryCosts({ fromBinId: 0, toBinId: bins - 1 }, NOTHING_MISSING);
        const lamportsBack = costs.spentLamports + further;
        // Accounts for wrapped SOL are opened and closed again: they are no cost, however many there are.
        const spends = {
          ...NO_SPENDS,
          consumedLamports: further,
          refundableRentLamports: costs.refundableLamports + opened * 2_039_280n,
          spentRentLamports: arrays * 71_437_440n,
          networkFeeLamports: fees,
        };
        const taken = (input: bigint) => input + costs.refundableLamports + spends.spentRentLamports + fees;
        const beyond = costOverrun(spends, costs, further, lamportsBack);
        assert.equal(beyond > 0n, taken(further) > lamportsBack);
        if (beyond > 0n) {
          const withLess = reentryLamports({
            lamportsBack,
            balanceLamports: lamportsBack * 2n,
            reserveLamports: 0n,
            costs: withExtraCost(costs, beyond),
          });
          assert.equal(taken(withLess), lamportsBack);
          assert.ok(costOverrun({ ...spends, consumedLamports: withLess }, withExtraCost(costs, beyond), withLess, lamportsBack) <= 0n);
        }
      }),
    );
  });

  it('The message states all figures if the proceeds are insufficient', () => {
    const costs = reentryCosts({ fromBinId: -10, toBinId: 10 }, { ...NOTHING_MISSING, binArrays: 1, tokenAccountLamports: [2_039_280n] });
    const words = insufficientProceedsText(
      { lamportsBack: 60_000_000n, balanceLamports: 5_000_000_000n, reserveLamports: 50_000_000n, costs },
      1n,
    );
    for (const figure of [
      'returned 0.06 SOL',
      'Refundable rent: at most 0.05740608 SOL',
      'Non-refundable rent: at most 0.07143744 SOL',
      'Refundable rent: at most 0.00203928 SOL',
      '0.05 SOL of the 5 SOL in your wallet must stay',
      'leaves 0.000000001 SOL',
      'the minimum of 0.01 SOL',
    ]) {
      assert.ok(words.includes(figure), `${figure}: ${words}`);
    }
    assert.match(
      insufficientProceedsText({ lamportsBack: LEAST_REENTRY_LAMPORTS, balanceLamports: 5n, reserveLamports: 50_000_000n, costs }, -5n),
      /leaves 0 SOL\. That is below the minimum of .+ for a re-entry, so it stays in your wallet\.$/,
    );
  });
});

describe('rebalance: re-entry range', () => {
  const before = { fromBinId: -386, toBinId: -376 };

  it('The range lies around the active bin with the earlier or the chosen width', () => {
    assert.deepEqual(reentryRange(before, undefined, 100, 25), { fromBinId: 95, toBinId: 105 });
    assert.deepEqual(reentryRange({ fromBinId: 0, toBinId: 9 }, undefined, 100, 25), { fromBinId: 96, toBinId: 105 });
    assert.deepEqual(reentryRange(before, 34, 100, 25), { fromBinId: 66, toBinId: 134 });
    assert.deepEqual(reentryRange(before, 0, 100, 25), { fromBinId: 100, toBinId: 100 });
  });

  it('The range contains the active bin, only valid bins, and no more than a position can hold', () => {
    const steps = fc.constantFrom(1, 4, 25, 80, 100, 400, undefined);
    const active = (step: number | undefined) =>
      fc.integer({ min: -Math.min(maxBinIdOf(step ?? 1), 443_636), max: Math.min(maxBinIdOf(step ?? 1), 443_636) });
    const halves = fc.option(fc.nat(2_000), { nil: undefined });
    fc.assert(
      fc.property(
        steps.chain((step) => fc.tuple(fc.constant(step), active(step))),
        halves,
        fc.integer({ min: 1, max: 3_000 }),
        ([step, activeBinId], half, width) => {
          const range = reentryRange({ fromBinId: 7, toBinId: 6 + width }, half, activeBinId, step);
          const most = Math.min(443_636, maxBinIdOf(step ?? 1));
          assert.ok(range.fromBinId <= activeBinId && activeBinId <= range.toBinId);
          assert.ok(range.fromBinId >= -most && range.toBinId <= most);
          assert.ok(widthOf(range) <= MAX_BINS_PER_POSITION);
          const isClipped = range.fromBinId === -most || range.toBinId === most;
          assert.ok(
            isClipped || widthOf(range) === (half === undefined ? Math.min(width, MAX_BINS_PER_POSITION) : 2 * Math.min(half, 699) + 1),
          );
        },
      ),
    );
  });

  it('The extension computes no range if the reported active bin is impossible', () => {
    for (const activeBinId of [Number.NaN, 0.5, 443_637, 20_000]) {
      assert.throws(() => reentryRange(before, 34, activeBinId, 100), RangeError);
    }
  });

  it('The extension derives the bin step from the prices of neighboring bins', () => {
    assert.equal(
      binStepOf([
        { binId: 3, price: 1 },
        { binId: 5, price: 2 },
        { binId: 6, price: 2.005 },
      ]),
      25,
    );
    assert.equal(
      binStepOf([
        { binId: 3, price: 1 },
        { binId: 4, price: undefined },
      ]),
      undefined,
    );
    assert.equal(
      binStepOf([
        { binId: 3, price: 2 },
        { binId: 4, price: 1 },
      ]),
      undefined,
    );
  });
});
