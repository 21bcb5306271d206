import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import type { Arguments } from '../../../src/base/solana/instructionCodec';
import { ZAP_INSTRUCTIONS } from '../../../src/base/solana/zapInstructions';
import type { Review } from '../../../src/review/types';
import {
  addressOf,
  budget,
  dlmm,
  FROM_BIN,
  key,
  keyOf,
  NO_SLICES,
  objections,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  POSITION_KEY,
  removal,
  reviewDrafts,
  route,
  THIEF,
  TO_BIN,
  ZAP_IN,
  ZAP_OUT,
} from '../../support/review/bundles';
import { createDamm, damm, DAMM_IN, DAMM_OUT, NFT_KEY, zap, zapOut } from '../../support/review/meteoraDrafts';

const out = (instruction: TransactionInstruction): Review =>
  reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [...budget(), instruction] }]);
const addReview = (...instructions: readonly TransactionInstruction[]): Review =>
  reviewDrafts(ZAP_IN, [{ group: 'add', instructions, signers: [POSITION_KEY] }]);
const into = (...instructions: readonly TransactionInstruction[]): string[] => objections(addReview(...instructions));

/** Where the amount is in swaps of the pools: right behind the discriminator. */
const POOL_OFFSET = 8;
const poolSwap = (accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
  dlmm('swap2', { amount_in: 5n, min_amount_out: 400_000_000n, ...NO_SLICES }, accounts);
const dammSwap = (mode?: number): TransactionInstruction =>
  mode === undefined
    ? damm('swap', { _params: { amount_in: 5n, minimum_amount_out: 400_000_000n } })
    : damm('swap2', { _params: { amount_0: 5n, amount_1: 400_000_000n, swap_mode: mode } });
/** Jupiter's amount stands 19 bytes before the end. */
const routeOffset = (carried: TransactionInstruction): number => carried.data.length - 19;

describe('review: Meteora Zap (ZAP)', () => {
  it('The instruction discriminators are the ones that Anchor derives', () => {
    for (const { name, discriminator } of ZAP_INSTRUCTIONS) {
      assert.equal(discriminator, createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16), name);
    }
  });

  describe('ZAP-1: a zap-out', () => {
    it('The review asks about a zap-out instruction, whatever swap it calls', () => {
      assert.deepEqual(objections(out(zapOut(route(), routeOffset(route())))), ['confirm ZAP-1']);
      assert.deepEqual(objections(out(zapOut(poolSwap(), POOL_OFFSET))).sort(), ['confirm SWP-8', 'confirm ZAP-1']);
      for (const mode of [undefined, 0, 1]) {
        const review = reviewDrafts(DAMM_OUT, [{ group: 'swap', instructions: [zapOut(dammSwap(mode), POOL_OFFSET)] }]);
        assert.deepEqual(objections(review).sort(), ['confirm SWP-8', 'confirm ZAP-1']);
      }
    });

    it('The review counts the maximum of the swap, not the placeholder amount in the swap data', () => {
      const review = out(zapOut(route({ in_amount: 5n }), routeOffset(route()), {}, 7_000_000n));
      assert.deepEqual(
        review.tokenSpends.map(({ amountRaw }) => amountRaw),
        [7_000_000n],
      );
      assert.deepEqual(
        review.minimumOut.map(({ amountRaw }) => amountRaw),
        [388_000_000n],
      );
    });

    it('The review applies the rules of the swap that the zap-out instruction calls', () => {
      const carrying = (carried: TransactionInstruction): string[] => objections(out(zapOut(carried, routeOffset(carried))));
      assert.ok(carrying(route({}, { user_destination_token_account: THIEF })).includes('block SWP-1'));
      assert.ok(carrying(route({}, { destination_token_account: THIEF })).includes('block SWP-1'));
      assert.ok(carrying(route({ quoted_out_amount: 0n })).includes('block SWP-3'));
      assert.ok(carrying(route({ slippage_bps: 9_000 })).includes('block SWP-2'));
      assert.ok(objections(out(zapOut(poolSwap({ user_token_out: THIEF }), POOL_OFFSET))).includes('block DLMM-2'));
      assert.ok(objections(out(zapOut(poolSwap({ lb_pair: THIEF }), POOL_OFFSET))).includes('block DLMM-1'));
    });

    it('The review blocks a call of anything but a swap', () => {
      for (const [carried, offset] of [
        [removal(), 8],
        [dlmm('close_position2'), 8],
        [dlmm('update_position_operator', { operator: key(THIEF).toBytes() }), 8],
        [damm('permanent_lock_position', { permanent_lock_liquidity: 5n }), 8],
      ] as const) {
        assert.deepEqual(objections(out(zapOut(carried, offset))), ['block ZAP-1']);
      }
    });

    it('The review blocks a call of another program', () => {
      const carried = route();
      for (const amm_program of [THIEF, addressOf('program')]) {
        assert.deepEqual(objections(out(zapOut(carried, routeOffset(carried), { amm_program }))), ['block ZAP-1']);
      }
    });

    it('The review blocks a write of the amount to any other offset', () => {
      const carried = route();
      for (let offset = 0; offset < 64; offset += 1) {
        if (offset !== routeOffset(carried)) {
          assert.deepEqual(objections(out(zapOut(carried, offset))), ['block ZAP-1'], `offset ${offset}`);
        }
        if (offset !== POOL_OFFSET) {
          assert.deepEqual(objections(out(zapOut(poolSwap(), offset))), ['block ZAP-1'], `offset ${offset}`);
        }
      }
      assert.deepEqual(objections(out(zapOut(carried, 65_535))), ['block ZAP-1']);
    });

    it('The review blocks swaps that fix the result instead of the input', () => {
      assert.deepEqual(objections(reviewDrafts(DAMM_OUT, [{ group: 'swap', instructions: [zapOut(dammSwap(2), POOL_OFFSET)] }])), [
        'block ZAP-1',
      ]);
      const exact = dlmm('swap_exact_out2', { max_in_amount: 5n, out_amount: 400_000_000n, ...NO_SLICES });
      assert.deepEqual(objections(out(zapOut(exact, POOL_OFFSET))), ['block ZAP-1']);
    });

    it('The review blocks a zap-out that measures one account and sells from another', () => {
      const carried = route();
      assert.ok(objections(out(zapOut(carried, routeOffset(carried), { user_token_in_account: OWN_SOL }))).includes('block ZAP-1'));
    });

    it('The review blocks a zap-out instruction whose swap it cannot read', () => {
      const carried = route();
      for (const data of [Buffer.alloc(0), carried.data.subarray(0, -1), Buffer.concat([carried.data, Buffer.from([0])])]) {
        assert.deepEqual(objections(out(zapOut(Object.assign(route(), { data }), routeOffset(carried)))), ['block ZAP-1']);
      }
      assert.deepEqual(objections(out(zapOut(Object.assign(route(), { keys: carried.keys.slice(0, 5) }), routeOffset(carried)))), [
        'block ZAP-1',
      ]);
    });
  });

  describe('ZAP-1: a zap-in', () => {
    const range: Arguments = {
      active_id: 0,
      min_delta_id: FROM_BIN,
      max_delta_id: TO_BIN,
      max_active_bin_slippage: 3,
      favor_x_in_active_id: false,
      strategy: { kind: 'Spot' },
      ...NO_SLICES,
    };
    const fill = (args: Arguments = {}, accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
      zap('zap_in_dlmm_for_initialized_position', { ...range, ...args }, accounts);
    const openAndFill = (args: Arguments = {}, accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
      zap('zap_in_dlmm_for_uninitialized_position', { ...range, ...args }, accounts);
    const ledger = (a: bigint, b: bigint): TransactionInstruction[] => [
      zap('initialize_ledger_account'),
      zap('set_ledger_balance', { amount: b, is_token_a: false }),
      zap('update_ledger_balance_after_swap', { pre_source_token_balance: 0n, max_transfer_amount: a, is_token_a: true }),
    ];
    const close = zap('close_ledger_account');

    it('The review asks about a zap-in instruction and counts the maximum of the ledger', () => {
      const review = addReview(...ledger(4_000_000n, 600_000_000n), openPosition(), fill(), close);
      assert.deepEqual(objections(review), ['confirm ZAP-1']);
      assert.equal(review.spends.consumedLamports, 600_000_000n);
      assert.deepEqual(
        review.tokenSpends.map(({ amountRaw }) => amountRaw),
        [4_000_000n],
      );
      assert.equal(review.spends.refundableRentLamports, 57_406_080n + 1_280_640n);
      assert.deepEqual(into(...ledger(1n, 600_000_000n), openAndFill(), close), ['confirm ZAP-1']);
    });

    it('The review blocks zap-in steps that together exceed the input', () => {
      assert.deepEqual(into(...ledger(1n, 1_010_000_001n), openAndFill()), ['block LIM-1', 'confirm ZAP-1']);
      const twice = [zap('set_ledger_balance', { amount: 600_000_000n, is_token_a: false }), fill()];
      assert.deepEqual(into(...ledger(1n, 600_000_000n), openAndFill(), fill()), ['confirm ZAP-1']);
      assert.deepEqual(into(...ledger(1n, 600_000_000n), openAndFill(), ...twice), ['block LIM-1', 'confirm ZAP-1']);
    });

    it('The review blocks a zap-in whose ledger was filled before', () => {
      assert.deepEqual(into(openAndFill()), ['block ZAP-1', 'confirm ZAP-1']);
      assert.deepEqual(into(zap('set_ledger_balance', { amount: 1n, is_token_a: true }), openAndFill()), ['block ZAP-1', 'confirm ZAP-1']);
      assert.deepEqual(into(openAndFill(), zap('initialize_ledger_account')), ['block ZAP-1', 'confirm ZAP-1']);
    });

    it('DLMM-10: The review allows filling only a position that the transaction opened', () => {
      assert.deepEqual(into(...ledger(1n, 1n), fill(), openPosition()), ['block DLMM-10', 'confirm ZAP-1']);
      assert.deepEqual(into(...ledger(1n, 1n), openAndFill(), openPosition()), ['block BND-5', 'confirm ZAP-1']);
    });

    it('DLMM-7: The review asks about other bins, another shape and too much bin slippage', () => {
      const elsewhere = [{ min_delta_id: FROM_BIN - 1 }, { max_delta_id: TO_BIN + 1 }, { active_id: 1 }];
      for (const args of [...elsewhere, { max_delta_id: TO_BIN - 1 }, { strategy: { kind: 'Curve' } }, { max_active_bin_slippage: 101 }]) {
        // What it opens and fills at once has to have the bins that were asked for.
        assert.deepEqual(
          into(...ledger(1n, 1n), openAndFill(args)).sort(),
          [...(elsewhere.includes(args as (typeof elsewhere)[number]) ? ['block DLMM-10'] : []), 'confirm DLMM-7', 'confirm ZAP-1'],
          Object.keys(args).join(),
        );
        assert.deepEqual(
          into(...ledger(1n, 1n), openPosition(), fill(args)).sort(),
          ['confirm DLMM-7', 'confirm ZAP-1'],
          Object.keys(args).join(),
        );
      }
    });

    it('The review applies the same rules to a zap-in into DAMM v2', () => {
      // The square root of the price that the user was shown, as Q64.64.
      const price = { pre_sqrt_price: BigInt(Math.round(Math.sqrt(500 / 4.1) * 2 ** 64)), max_sqrt_price_change_bps: 100 };
      const filling = (accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction => zap('zap_in_damm_v2', price, accounts);
      const review = (...instructions: readonly TransactionInstruction[]): Review =>
        reviewDrafts(DAMM_IN, [{ group: 'add', instructions, signers: [NFT_KEY] }]);
      const allowed = review(...ledger(4n, 600_000_000n), createDamm(), filling(), close);
      assert.deepEqual(objections(allowed), ['confirm ZAP-1']);
      assert.equal(allowed.spends.consumedLamports, 600_000_000n);
      assert.deepEqual(objections(reviewDrafts(DAMM_IN, [{ group: 'add', instructions: [...ledger(4n, 5n), filling()] }])), [
        'block DLMM-10',
        'confirm ZAP-1',
      ]);
      assert.ok(objections(review(...ledger(4n, 5n), createDamm(), filling({ pool: THIEF }))).includes('block ZAP-1'));
      assert.ok(objections(review(...ledger(4n, 5n), createDamm(), filling({ position_nft_account: THIEF }))).includes('block ZAP-1'));
      assert.ok(objections(review(...ledger(4n, 5n), createDamm(), filling({ token_a_account: THIEF }))).includes('block ZAP-1'));
    });

    it('The review blocks a zap-in with foreign accounts', () => {
      assert.ok(into(...ledger(1n, 1n), openAndFill({}, { user_token_x: THIEF })).includes('block ZAP-1'));
      assert.ok(into(...ledger(1n, 1n), openAndFill({}, { lb_pair: THIEF })).includes('block ZAP-1'));
      assert.deepEqual(into(...ledger(1n, 1n), openPosition(), fill({}, { user_token_x: OWN_TOKEN })), ['confirm ZAP-1']);
    });
  });

  it("ZAP-2: The review requires that the ledger's rent returns to the owner", () => {
    const theirs = reviewDrafts(ZAP_IN, [
      { group: 'add', instructions: [zap('close_ledger_account', {}, { rent_receiver: THIEF })], signers: [keyOf('thief')] },
    ]);
    assert.deepEqual(objections(theirs), ['block ZAP-2', 'confirm SIG-4']);
  });
});
