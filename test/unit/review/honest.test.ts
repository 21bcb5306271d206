import assert from 'node:assert/strict';
import { PROGRAMS } from '../../../src/base/solana/programs';
import type { Review } from '../../../src/review/types';
import {
  addByStrategy,
  budget,
  dlmm,
  honestZapIn,
  honestZapOut,
  objections,
  openPosition,
  POSITION_KEY,
  reviewDrafts,
  tip,
  VERSIONS,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
  type Version,
} from '../../support/review/bundles';

describe('review: honest operations', () => {
  for (const version of VERSIONS) {
    it(`The review allows a zap-out (${version})`, () => {
      const review = reviewDrafts(ZAP_OUT, honestZapOut(version));
      assert.deepEqual(objections(review), []);
      assert.equal(review.verdict, 'allow');
      assert.equal(review.reviewed.length, 3);
      assert.deepEqual(
        review.reviewed.map(({ group }) => group),
        ['close', 'swap', 'swap'],
      );
    });

    it(`The review allows a zap-in (${version})`, () => {
      const review = reviewDrafts(ZAP_IN, honestZapIn(version));
      assert.deepEqual(objections(review), []);
      assert.equal(review.verdict, 'allow');
      assert.equal(review.reviewed.length, 3);
    });
  }

  it('The review allows an operation whose transactions have different versions', () => {
    const mixed = ([first, second, third]: readonly [Version, Version, Version]): Review => {
      const [one] = honestZapIn(first);
      const [, two] = honestZapIn(second);
      const [, , three] = honestZapIn(third);
      return reviewDrafts(ZAP_IN, [one, two, three]);
    };
    for (const versions of [
      ['legacy', 0, 1],
      [1, 'legacy', 0],
      [0, 1, 'legacy'],
    ] as const) {
      const review = mixed(versions);
      assert.deepEqual(objections(review), [], versions.join());
      assert.deepEqual(
        review.transactions.map(({ version }) => version),
        versions,
      );
    }
  });

  for (const version of VERSIONS) {
    it(`The review sums the costs of a zap-in (${version})`, () => {
      const { spends } = reviewDrafts(ZAP_IN, honestZapIn(version));
      assert.deepEqual(spends, {
        consumedLamports: 1_000_000_000n,
        wrappedLamports: 1_000_000_000n,
        networkFeeLamports: 4n * 5_000n,
        priorityFeeLamports: 3n * 20_000n,
        tipLamports: 1_000_000n,
        refundableRentLamports: 2n * 2_039_280n + 57_406_080n,
        spentRentLamports: 2n * 71_437_440n,
        otherLamports: 0n,
      });
    });
  }

  it('The review states the guaranteed minimum of a zap-out and its recipients', () => {
    const review = reviewDrafts(ZAP_OUT, honestZapOut());
    assert.deepEqual(
      review.minimumOut.map(({ amountRaw }) => amountRaw),
      [388_000_000n],
    );
    assert.deepEqual(
      review.recipients.map(({ role }) => role),
      ['Jito tip'],
    );
    assert.deepEqual(review.programs, ['Compute Budget', 'Associated Token Account', 'Meteora DLMM', 'System', 'Jupiter v6', 'Token']);
    assert.deepEqual(
      review.tokenSpends.map(({ amountRaw, into }) => [amountRaw, into]),
      [[5_000_000n, 'swap']],
    );
  });

  it('The review allows a wide range whose position grows and receives weighted deposits', () => {
    const [swap, , rest] = honestZapIn();
    const weights = (from: number, to: number): ReturnType<typeof dlmm> =>
      dlmm('add_liquidity_by_weight2', {
        liquidity_parameter: {
          amount_x: 1_000_000n,
          amount_y: 100_000_000n,
          active_id: 0,
          max_active_bin_slippage: 3,
          bin_liquidity_dist: Array.from({ length: to - from + 1 }, (_, offset) => ({ bin_id: from + offset, weight: 1 })),
        },
        remaining_accounts_info: { slices: [] },
      });
    // As Meteora's SDK: each transaction opens and lengthens the position before it fills it.
    const open = [openPosition({ lower_bin_id: -100, width: 70 }), dlmm('increase_position_length2', { minimum_upper_bin_id: 19 })];
    const fill = [
      [-100, -61],
      [-60, -21],
      [-20, 19],
    ].map(([from = 0, to = 0]): Draft => ({
      group: 'add',
      signers: [POSITION_KEY],
      instructions: [...budget(), ...open, weights(from, to)],
    }));
    const review = reviewDrafts({ ...ZAP_IN, fromBinId: -100, toBinId: 19 }, [swap, ...fill, rest]);
    assert.deepEqual(objections(review), []);
    assert.equal(review.spends.refundableRentLamports, 2n * 2_039_280n + 57_406_080n + 50n * 779_520n);
  });

  it('The review allows several strategy deposits that together make up the range', () => {
    const [swap, , rest] = honestZapIn();
    const add: Draft = {
      group: 'add',
      signers: [POSITION_KEY],
      instructions: [
        openPosition(),
        addByStrategy({ to: 0, amountX: 0n, amountY: 250_000_000n }),
        addByStrategy({ from: 1, amountX: 4_000_000n, amountY: 0n }),
        tip(),
      ],
    };
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [swap, add, rest])), []);
  });

  it('The review allows a deposit without a swap', () => {
    const [, add, rest] = honestZapIn();
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [add, rest])), []);
  });

  it('The review needs no announced position and uses the one that the transactions open', () => {
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_IN, position: undefined }, honestZapIn())), []);
  });

  it("The review needs no listed mints and uses those of the pool's instructions", () => {
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_IN, tokenX: undefined, tokenY: undefined }, honestZapIn())), []);
  });

  it('The review accepts each of the other ways to withdraw', () => {
    const withdrawals = [
      dlmm('remove_all_liquidity'),
      dlmm('remove_liquidity2', { bin_liquidity_removal: [{ bin_id: 0, bps_to_remove: 10_000 }], remaining_accounts_info: { slices: [] } }),
      dlmm('close_position_if_empty'),
      dlmm('close_position'),
      dlmm('claim_reward2', { reward_index: 0n, min_bin_id: 0, max_bin_id: 1, remaining_accounts_info: { slices: [] } }),
    ];
    for (const withdrawal of withdrawals) {
      const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [...budget(), withdrawal] }]);
      assert.deepEqual(objections(review), []);
      assert.equal(review.transactions[0]?.instructions[2]?.program, PROGRAMS.dlmm);
    }
  });
});
