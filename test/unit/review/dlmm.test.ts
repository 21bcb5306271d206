import assert from 'node:assert/strict';
import { AddressLookupTableAccount, TransactionInstruction } from '@solana/web3.js';
import { DLMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dlmmInstructions';
import type { Address } from '../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { NO_FACTS, type ChainFacts } from '../../../src/review/facts/facts';
import { DLMM_STEPS } from '../../../src/review/rules/meteoraRoles';
import type { Review, ZapInIntent, ZapOutIntent } from '../../../src/review/types';
import {
  addByStrategy,
  addressOf,
  budget,
  claim,
  dlmm,
  FROM_BIN,
  honestZapIn,
  key,
  keyOf,
  MINT,
  NO_SLICES,
  objections,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POSITION,
  POSITION_KEY,
  removal,
  reviewDrafts,
  THIEF,
  TO_BIN,
  ZAP_IN,
  ZAP_OUT,
  type AddChoices,
  type Draft,
} from '../../support/review/bundles';
import { rebalance } from '../../support/review/rebalanceInstruction';

const out = (...instructions: readonly TransactionInstruction[]): string[] =>
  objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions }]));
const into = (...instructions: readonly TransactionInstruction[]): string[] => objections(addReview(...instructions));
const addReview = (...instructions: readonly TransactionInstruction[]): Review =>
  reviewDrafts(ZAP_IN, [{ group: 'add', instructions, signers: [POSITION_KEY] }]);
const adding = (choices: AddChoices): string[] => into(openPosition(), addByStrategy(choices));

describe('review: Meteora DLMM (DLMM)', () => {
  it('DLMM-0: The review blocks instructions that it cannot read', () => {
    const { data, keys, programId } = claim();
    const odd = [Buffer.alloc(8), Buffer.alloc(0), data.subarray(0, 8), data.subarray(0, -1), Buffer.concat([data, Buffer.from([0])])];
    for (const spoilt of odd) {
      assert.deepEqual(out(new TransactionInstruction({ keys, programId, data: spoilt })), ['block DLMM-0']);
    }
    assert.deepEqual(out(new TransactionInstruction({ keys: keys.slice(0, 6), programId, data })), ['block DLMM-0']);
  });

  it('DLMM-1: The review blocks another pool or position', () => {
    assert.deepEqual(out(removal(10_000, { lb_pair: THIEF })), ['block DLMM-1']);
    assert.deepEqual(out(removal(10_000, { position: THIEF })), ['block DLMM-1']);
    assert.deepEqual(out(dlmm('close_position2', {}, { position: THIEF })), ['block DLMM-1']);
    assert.deepEqual(out(removal(), removal(10_000, { position: addressOf('second') })), ['block DLMM-1']);
  });

  it('DLMM-1: The review blocks every position if the intent names none', () => {
    const review = reviewDrafts({ ...ZAP_OUT, position: undefined }, [{ group: 'close', instructions: [removal()] }]);
    assert.deepEqual(objections(review), ['block DLMM-1']);
  });

  describe('accounts that only a lookup table names (ALT-2)', () => {
    const tableOf = (...addresses: readonly Address[]): AddressLookupTableAccount =>
      new AddressLookupTableAccount({
        key: key(addressOf('table')),
        state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 1, lastExtendedSlotStartIndex: 0, addresses: addresses.map(key) },
      });
    const hidden = (isStrictWithoutRpc: boolean, more: Parameters<typeof reviewDrafts>[3] = {}): string[] =>
      objections(
        reviewDrafts(
          ZAP_OUT,
          [{ group: 'close', instructions: [removal()], tables: [tableOf(OWN_TOKEN, POSITION, ZAP_OUT.pool)] }],
          { isStrictWithoutRpc },
          more,
        ),
      );

    it('The review asks about accounts that only a lookup table names, and strict mode blocks them', () => {
      assert.deepEqual(hidden(false), ['confirm DLMM-1', 'confirm DLMM-2']);
      assert.deepEqual(hidden(true), ['block DLMM-1', 'block DLMM-2']);
    });

    it('An RPC that says what a table holds answers for the pool, but not for the accounts that receive', () => {
      const facts: ChainFacts = {
        ...NO_FACTS,
        lookupTables: new Map([[addressOf('table'), { addresses: [OWN_TOKEN, POSITION, ZAP_OUT.pool], isDeactivated: false }]]),
      };
      assert.deepEqual(hidden(false, { facts }), ['confirm ALT-2']);
      assert.deepEqual(hidden(true, { facts }), ['block ALT-2']);
      const theirs: ChainFacts = {
        ...NO_FACTS,
        lookupTables: new Map([[addressOf('table'), { addresses: [THIEF, POSITION, ZAP_OUT.pool], isDeactivated: false }]]),
      };
      assert.deepEqual(hidden(false, { facts: theirs }), ['block DLMM-2', 'confirm ALT-2']);
    });

    it('The review counts a deposit from accounts of an unresolved table as SOL if nothing names their token', () => {
      const adding = (...hiddenOnes: readonly Address[]): string[] =>
        objections(
          reviewDrafts(ZAP_IN, [
            {
              group: 'add',
              instructions: [openPosition(), addByStrategy({ amountX: 700_000_000n, amountY: 600_000_000n })],
              signers: [POSITION_KEY],
              tables: [tableOf(...hiddenOnes)],
            },
          ]),
        );
      assert.ok(adding(OWN_TOKEN, OWN_SOL, MINT, WRAPPED_SOL_MINT).includes('block LIM-1'));
      assert.ok(!adding(OWN_TOKEN, OWN_SOL).includes('block LIM-1'));
    });
  });

  it('DLMM-2: The review blocks withdrawals and deposits that use foreign token accounts', () => {
    for (const role of ['user_token_x', 'user_token_y']) {
      const theirs = { [role]: addressOf('their account') };
      assert.deepEqual(out(removal(10_000, theirs)), ['block DLMM-2'], role);
      assert.deepEqual(out(claim(theirs)), ['block DLMM-2'], role);
    }
    const reward = dlmm('claim_reward2', { reward_index: 0n, min_bin_id: 0, max_bin_id: 1, ...NO_SLICES }, { user_token_account: THIEF });
    assert.deepEqual(out(reward), ['block DLMM-2']);
    assert.deepEqual(adding({ accounts: { user_token_x: addressOf('their account') } }), ['block DLMM-2']);
  });

  it('DLMM-3: The review blocks rent refunds to foreign accounts', () => {
    for (const name of ['close_position', 'close_position2', 'close_position_if_empty']) {
      assert.deepEqual(out(dlmm(name, {}, { rent_receiver: THIEF })), ['block DLMM-3'], name);
    }
  });

  it('DLMM-4: The review asks about a withdrawal of more than the user requested', () => {
    const half = { ...ZAP_OUT, shareBps: 5_000 };
    const ofHalf = (...instructions: readonly TransactionInstruction[]): string[] =>
      objections(reviewDrafts(half, [{ group: 'close', instructions }]));
    assert.deepEqual(ofHalf(removal(5_000)), []);
    assert.deepEqual(ofHalf(removal(5_001)), ['confirm DLMM-4']);
    assert.deepEqual(ofHalf(dlmm('remove_all_liquidity')), ['confirm DLMM-4']);
    assert.deepEqual(ofHalf(dlmm('close_position2')), ['confirm DLMM-4']);
    const ofBins = (...shares: readonly (readonly [number, number])[]): TransactionInstruction =>
      dlmm('remove_liquidity2', {
        bin_liquidity_removal: shares.map(([bin_id, bps_to_remove]) => ({ bin_id, bps_to_remove })),
        ...NO_SLICES,
      });
    assert.deepEqual(ofHalf(ofBins([0, 5_000], [1, 5_000])), []);
    assert.deepEqual(ofHalf(ofBins([0, 5_000], [1, 10_000])), ['confirm DLMM-4']);
    assert.deepEqual(ofHalf(ofBins([0, 5_000], [0, 1])), ['confirm DLMM-4']);
    assert.deepEqual(ofHalf(removal(2_500), removal(2_500)), []);
    assert.deepEqual(ofHalf(removal(2_500), removal(2_501)), ['confirm DLMM-4']);
  });

  it('DLMM-4: A zap-out of everything that leaves the account of the position open says so, with the rent that stays in it', () => {
    const notesOf = (intent: ZapOutIntent, ...instructions: readonly TransactionInstruction[]): (string | undefined)[] => {
      const review = reviewDrafts(intent, [{ group: 'close', instructions }]);
      assert.deepEqual(objections(review), []);
      return review.findings.filter(({ rule }) => rule === 'DLMM-4').map(({ message }) => /about (.+) SOL/.exec(message)?.[1]);
    };
    assert.deepEqual(notesOf(ZAP_OUT, removal(), claim()), ['0.05740608']);
    assert.deepEqual(notesOf({ ...ZAP_OUT, fromBinId: FROM_BIN, toBinId: FROM_BIN + 99 }, removal()), ['0.08079168']);
    for (const closing of ['close_position', 'close_position2', 'close_position_if_empty']) {
      assert.deepEqual(notesOf(ZAP_OUT, removal(), dlmm(closing)), []);
    }
    assert.deepEqual(notesOf({ ...ZAP_OUT, shareBps: 5_000 }, removal(5_000)), []);
    assert.deepEqual(notesOf(ZAP_OUT, claim()), [], 'only fees are claimed');
  });

  it('DLMM-4: Two withdrawals of the chosen share are a question from one common bin on, and none where their bins only meet', () => {
    const middle = 0;
    const range = (from_bin_id: number, to_bin_id: number): TransactionInstruction =>
      dlmm('remove_liquidity_by_range2', { from_bin_id, to_bin_id, bps_to_remove: 5_000, ...NO_SLICES });
    const ofHalf = (...instructions: readonly TransactionInstruction[]): string[] =>
      objections(reviewDrafts({ ...ZAP_OUT, shareBps: 5_000 }, [{ group: 'close', instructions }]));
    for (const [lower, upper, isShared] of [
      [range(FROM_BIN, middle), range(middle, TO_BIN), true],
      [range(FROM_BIN, middle - 1), range(middle, TO_BIN), false],
      [range(FROM_BIN, middle), range(middle, middle), true],
      [range(FROM_BIN, middle), range(middle + 1, middle + 1), false],
      [range(middle, middle), range(middle, TO_BIN), true],
      [range(middle - 1, middle - 1), range(middle, TO_BIN), false],
    ] as const) {
      const expected = isShared ? ['confirm DLMM-4'] : [];
      assert.deepEqual(ofHalf(lower, upper), expected);
      assert.deepEqual(ofHalf(upper, lower), expected);
    }
  });

  it("DLMM-4: The review asks about a withdrawal of liquidity outside the position's range", () => {
    const ranged = (fromBinId: number, toBinId: number) => ({ ...ZAP_OUT, fromBinId, toBinId });
    const within = (intent: ZapOutIntent): string[] => objections(reviewDrafts(intent, [{ group: 'close', instructions: [removal()] }]));
    assert.deepEqual(within(ranged(FROM_BIN, TO_BIN)), []);
    assert.deepEqual(within(ranged(FROM_BIN + 1, TO_BIN)), ['confirm DLMM-4']);
    assert.deepEqual(within(ranged(FROM_BIN, TO_BIN - 1)), ['confirm DLMM-4']);
    assert.deepEqual(within({ ...ZAP_OUT, toBinId: TO_BIN }), []);
    const lowest = dlmm('remove_liquidity_by_range2', { from_bin_id: -(2 ** 31), to_bin_id: TO_BIN, bps_to_remove: 10_000, ...NO_SLICES });
    assert.deepEqual(objections(reviewDrafts(ranged(FROM_BIN, TO_BIN), [{ group: 'close', instructions: [lowest] }])), ['confirm DLMM-4']);
  });

  it('DLMM-5: The review blocks every instruction that belongs to no flow', () => {
    const strangers = DLMM_INSTRUCTIONS.filter(({ name }) => !DLMM_STEPS.has(name));
    assert.ok(strangers.length > 30);
    const { keys, programId } = claim();
    for (const layout of strangers.filter(({ args }) => args.length === 0)) {
      const all = [...keys, ...keys, ...keys];
      assert.deepEqual(
        out(new TransactionInstruction({ programId, keys: all, data: Buffer.from(layout.discriminator, 'hex') })),
        ['block DLMM-5'],
        layout.name,
      );
    }
    const operator = dlmm('update_position_operator', { operator: key(THIEF).toBytes() });
    assert.deepEqual(out(operator), ['block DLMM-5']);
    for (const layout of strangers) {
      const data = Buffer.concat([Buffer.from(layout.discriminator, 'hex'), Buffer.alloc(3)]);
      assert.equal(
        reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [new TransactionInstruction({ programId, keys, data })] }]).verdict,
        'block',
        layout.name,
      );
    }
  });

  it('DLMM-6: The review blocks new positions that another account owns or pays for', () => {
    const thief = keyOf('thief');
    const opening = (accounts: Readonly<Record<string, Address>>): string[] =>
      objections(reviewDrafts(ZAP_IN, [{ group: 'add', instructions: [openPosition({}, accounts)], signers: [POSITION_KEY, thief] }]));
    assert.deepEqual(opening({ owner: THIEF }), ['block DLMM-6', 'confirm SIG-4']);
    assert.deepEqual(opening({ payer: THIEF }), ['block DLMM-6', 'confirm SIG-4']);
  });

  describe('DLMM-7: requested range and shape', () => {
    it('The review asks about positions with another bin range', () => {
      assert.deepEqual(into(openPosition({ lower_bin_id: FROM_BIN - 1 })), ['confirm DLMM-7']);
      assert.deepEqual(into(openPosition({ lower_bin_id: FROM_BIN + 1 })), ['confirm DLMM-7']);
      assert.deepEqual(into(openPosition({ width: TO_BIN - FROM_BIN + 2 })), ['confirm DLMM-7']);
      assert.deepEqual(into(openPosition({ width: 0 })), ['confirm DLMM-7']);
    });

    it('The review asks about positions that grow beyond the range', () => {
      assert.deepEqual(into(openPosition(), dlmm('increase_position_length2', { minimum_upper_bin_id: TO_BIN })), []);
      assert.deepEqual(into(openPosition(), dlmm('increase_position_length2', { minimum_upper_bin_id: TO_BIN + 1 })), ['confirm DLMM-7']);
      assert.deepEqual(into(openPosition({ width: 30 }), dlmm('increase_position_length', { length_to_add: 10, side: 1 })), []);
      assert.deepEqual(into(openPosition({ width: 30 }), dlmm('increase_position_length', { length_to_add: 11, side: 1 })), [
        'confirm DLMM-7',
      ]);
      assert.deepEqual(into(openPosition(), dlmm('increase_position_length', { length_to_add: 1, side: 0 })), ['confirm DLMM-7']);
    });

    it('The review asks about deposits into other bins or only into a part of the range', () => {
      assert.deepEqual(adding({ from: FROM_BIN - 1 }), ['confirm DLMM-7']);
      assert.deepEqual(adding({ to: TO_BIN + 1 }), ['confirm DLMM-7']);
      assert.deepEqual(adding({ to: TO_BIN - 1 }), ['confirm DLMM-7']);
    });

    it('The review asks about another strategy shape and about too much bin slippage', () => {
      assert.deepEqual(adding({ shape: 'SpotBalanced' }), []);
      assert.deepEqual(adding({ shape: 'CurveImBalanced' }), ['confirm DLMM-7']);
      assert.deepEqual(adding({ shape: 'BidAskOneSide' }), ['confirm DLMM-7']);
      assert.deepEqual(adding({ slippageBins: 5 }), []);
      assert.deepEqual(adding({ slippageBins: 6 }), ['confirm DLMM-7']);
      assert.deepEqual(adding({ slippageBins: -6 }), ['confirm DLMM-7']);
    });

    it('The review asks if the requested range or shape is not known', () => {
      const unknown: ZapInIntent = { ...ZAP_IN, fromBinId: undefined, toBinId: undefined, strategy: undefined };
      const review = reviewDrafts(unknown, [
        {
          group: 'add',
          instructions: [openPosition(), dlmm('initialize_bin_array', { index: 0n }), addByStrategy()],
          signers: [POSITION_KEY],
        },
      ]);
      assert.deepEqual(objections(review), ['confirm DLMM-7', 'confirm RNT-1']);
    });

    it('The review follows weighted deposits that need several instructions for their bins', () => {
      const wide: ZapInIntent = { ...ZAP_IN, fromBinId: -60, toBinId: 79 };
      const weighted = (from: number, to: number): TransactionInstruction =>
        dlmm('add_liquidity_by_weight2', {
          liquidity_parameter: {
            amount_x: 1_000_000n,
            amount_y: 100_000_000n,
            active_id: 0,
            max_active_bin_slippage: 3,
            bin_liquidity_dist: Array.from({ length: to - from + 1 }, (_, place) => ({ bin_id: from + place, weight: 100 })),
          },
          ...NO_SLICES,
        });
      const opening = [openPosition({ lower_bin_id: -60, width: 70 }), dlmm('increase_position_length2', { minimum_upper_bin_id: 79 })];
      const review = (lastBin: number): Review =>
        reviewDrafts(
          wide,
          [weighted(-60, 9), weighted(10, lastBin)].map((deposit): Draft => ({
            group: 'add',
            signers: [POSITION_KEY],
            instructions: [...opening, deposit],
          })),
        );
      const allowed = review(79);
      assert.deepEqual(objections(allowed), []);
      assert.equal(allowed.spends.consumedLamports, 200_000_000n);
      assert.equal(allowed.spends.refundableRentLamports, 57_406_080n + 70n * 779_520n);
      assert.deepEqual(objections(review(80)), ['confirm DLMM-7']);
    });

    it('The review checks every bin of the weighted and the precise deposit instructions', () => {
      const weighted = (bin: number): TransactionInstruction =>
        dlmm('add_liquidity_one_side', {
          liquidity_parameter: {
            amount: 5n,
            active_id: 0,
            max_active_bin_slippage: 3,
            bin_liquidity_dist: Array.from({ length: bin }, (_, place) => ({ bin_id: place + 1, weight: 1 })),
          },
        });
      const precise = (bin: number): TransactionInstruction =>
        dlmm('add_liquidity_one_side_precise', { parameter: { bins: [{ bin_id: bin, amount: 3 }], decompress_multiplier: 7n } });
      const beyond = `Liquidity goes into the bins 1 to ${TO_BIN + 1}.`;
      assert.deepEqual(into(openPosition(), weighted(TO_BIN)), []);
      assert.ok(addReview(openPosition(), weighted(TO_BIN + 1)).findings.some(({ message }) => message.startsWith(beyond)));
      const elsewhere = `Liquidity goes into the bins ${TO_BIN + 1} to ${TO_BIN + 1}.`;
      assert.ok(addReview(openPosition(), precise(TO_BIN + 1)).findings.some(({ message }) => message.startsWith(elsewhere)));
      assert.deepEqual(
        addReview(openPosition(), precise(0)).tokenSpends.map(({ amountRaw }) => amountRaw),
        [21n],
      );
    });
  });

  it('DLMM-8: The review blocks deposits in a zap-out and withdrawals in a zap-in', () => {
    assert.deepEqual(out(addByStrategy()), ['block DLMM-8']);
    assert.deepEqual(into(openPosition(), addByStrategy(), removal()), ['block DLMM-8']);
    assert.deepEqual(into(openPosition(), addByStrategy(), dlmm('close_position2')), ['block DLMM-8']);
  });

  it('DLMM-9: The review asks about a rebalance instruction and allows it in one direction only', () => {
    const rebalancing = (removes: number, adds: number): TransactionInstruction => rebalance({ removes, adds, addsInto: [0, 1] });
    assert.deepEqual(out(rebalancing(1, 0)), ['confirm DLMM-9']);
    assert.deepEqual(out(rebalancing(1, 1)), ['block DLMM-8']);
    assert.deepEqual(into(openPosition(), rebalancing(0, 1)), ['confirm DLMM-9']);
    assert.deepEqual(into(rebalancing(0, 1), openPosition()), ['block DLMM-10', 'confirm DLMM-9']);
    const half = reviewDrafts({ ...ZAP_OUT, shareBps: 5_000 }, [{ group: 'close', instructions: [rebalancing(1, 0)] }]);
    assert.deepEqual(objections(half).sort(), ['confirm DLMM-4', 'confirm DLMM-9']);
    assert.deepEqual(into(openPosition(), rebalancing(1, 1)), ['block DLMM-8']);
  });

  it('DLMM-10: The review allows a deposit only into a position that the same transaction opened before', () => {
    const foreign = objections(reviewDrafts(ZAP_IN, [{ group: 'add', instructions: [addByStrategy()] }]));
    assert.deepEqual(foreign, ['block DLMM-10']);
    assert.deepEqual(into(addByStrategy(), openPosition()), ['block DLMM-10']);
    const [, add] = honestZapIn();
    const reversed = reviewDrafts(ZAP_IN, [
      { group: 'add', instructions: [addByStrategy()] },
      { ...add, instructions: [...budget(), openPosition()] },
    ]);
    assert.deepEqual(objections(reversed), ['block DLMM-10']);
    assert.deepEqual(into(dlmm('increase_position_length2', { minimum_upper_bin_id: TO_BIN }), openPosition()), ['block DLMM-10']);
  });

  it('BND-5: The review allows an operation to open a position only once', () => {
    assert.ok(into(openPosition(), openPosition()).includes('block BND-5'));
  });

  it('RNT-1: The review asks about each bin array outside the range, with the rent that is lost', () => {
    const array = (index: bigint): TransactionInstruction => dlmm('initialize_bin_array', { index });
    assert.deepEqual(into(openPosition(), array(-1n), array(0n)), []);
    for (const index of [-3n, -2n, 1n, 2n]) {
      assert.deepEqual(into(openPosition(), array(index)), ['confirm RNT-1'], String(index));
    }
    const [finding] = addReview(openPosition(), array(1n)).findings.filter(({ rule }) => rule === 'RNT-1');
    assert.match(finding?.message ?? '', /0\.07143744 SOL of non-refundable rent .+\(BinArray 1\)/);
    assert.equal(finding?.amountRaw, 71_437_440n);
  });

  it('RNT-1: The review accepts the bin array above a one-array range for first-version deposits, as the official SDK does', () => {
    const upper = addressOf('the array above');
    const inOne: ZapInIntent = { ...ZAP_IN, fromBinId: 0, toBinId: 9 };
    const drafts = (instruction: string, bin_array: Address): Draft[] => [
      {
        group: 'add',
        signers: [POSITION_KEY],
        instructions: [
          dlmm('initialize_position', { lower_bin_id: 0, width: 10 }),
          dlmm('initialize_bin_array', { index: 0n }),
          dlmm('initialize_bin_array', { index: 1n }, { bin_array }),
          dlmm(
            instruction,
            {
              liquidity_parameter: {
                amount_x: 1n,
                amount_y: 1n,
                bin_liquidity_dist: [0, 9].map((bin_id) => ({ bin_id, distribution_x: 1, distribution_y: 1 })),
              },
              ...NO_SLICES,
            },
            { bin_array_upper: upper },
          ),
        ],
      },
    ];
    const rents = (instruction: string, at: Address): string[] =>
      objections(reviewDrafts(inOne, drafts(instruction, at))).filter((text) => text.endsWith('RNT-1'));
    assert.deepEqual(rents('add_liquidity', upper), []);
    assert.deepEqual(rents('add_liquidity', addressOf('another array')), ['confirm RNT-1']);
    assert.deepEqual(rents('add_liquidity2', upper), ['confirm RNT-1']);
  });

  it('RNT-1: The review asks about a bitmap extension that the range does not need, and counts its rent', () => {
    const extension = dlmm('initialize_bin_array_bitmap_extension');
    assert.deepEqual(into(openPosition(), extension), ['confirm RNT-1']);
    const far: ZapInIntent = { ...ZAP_IN, fromBinId: 35_840, toBinId: 35_841 };
    const opening = openPosition({ lower_bin_id: 35_840, width: 2 });
    assert.deepEqual(objections(reviewDrafts(far, [{ group: 'add', signers: [POSITION_KEY], instructions: [opening, extension] }])), []);
    assert.equal(addReview(openPosition(), dlmm('initialize_bin_array_bitmap_extension')).spends.spentRentLamports, 11_804_160n);
  });

  it('SWP-8: The review asks about swaps in the pool itself', () => {
    const swap = (
      args: { amount_in: bigint; min_amount_out: bigint },
      accounts: Readonly<Record<string, Address>> = {},
    ): TransactionInstruction => dlmm('swap2', { ...args, ...NO_SLICES }, accounts);
    assert.deepEqual(out(swap({ amount_in: 50n, min_amount_out: 4_000n })), ['confirm SWP-8']);
    assert.deepEqual(out(swap({ amount_in: 0n, min_amount_out: 0n })), ['block SWP-3', 'confirm SWP-8']);
    assert.deepEqual(out(swap({ amount_in: 50n, min_amount_out: 4_000n }, { user_token_out: THIEF })), ['block DLMM-2', 'confirm SWP-8']);
    const hosted = reviewDrafts(ZAP_OUT, [
      { group: 'swap', instructions: [swap({ amount_in: 50n, min_amount_out: 4_000n }, { host_fee_in: THIEF })] },
    ]);
    assert.deepEqual(objections(hosted).sort(), ['confirm SWP-4', 'confirm SWP-8']);
    assert.deepEqual(hosted.recipients, [{ address: THIEF, role: 'host fee' }]);
    const buying = reviewDrafts(ZAP_IN, [
      {
        group: 'swap',
        instructions: [swap({ amount_in: 700n, min_amount_out: 4_000n }, { user_token_in: OWN_SOL, user_token_out: OWN_TOKEN })],
      },
    ]);
    assert.equal(buying.spends.consumedLamports, 700n);
    assert.deepEqual(
      buying.minimumOut.map(({ amountRaw }) => amountRaw),
      [4_000n],
    );
  });

  it('The decoded instructions name their accounts', () => {
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [removal()] }]);
    const decoded = review.transactions[0]?.instructions[0];
    assert.equal(decoded?.name, 'remove_liquidity_by_range2');
    assert.deepEqual(
      decoded.accounts.slice(0, 5).map(({ role, address, knownAs }) => [role, address, knownAs]),
      [
        ['position', POSITION, 'the position'],
        ['lb_pair', ZAP_OUT.pool, 'the pool'],
        ['bin_array_bitmap_extension', PROGRAMS.dlmm, 'none'],
        ['user_token_x', OWN_TOKEN, `your token account for ${ZAP_OUT.tokenX ?? ''}`],
        ['user_token_y', OWN_SOL, 'your token account for SOL'],
      ],
    );
    assert.deepEqual(
      decoded.args.slice(0, 3).map(({ name, value }) => `${name} ${value}`),
      ['from_bin_id -20', 'to_bin_id 19', 'bps_to_remove 10000'],
    );
    assert.equal(decoded.accounts.find(({ role }) => role === 'sender')?.address, OWNER);
  });
});
