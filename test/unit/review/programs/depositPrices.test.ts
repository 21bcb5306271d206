import assert from 'node:assert/strict';
import { ComputeBudgetProgram, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../../src/base/solana/address';
import { priceOfBin } from '../../../../src/base/dlmm/bins';
import { associatedTokenAddress, dlmmBinArray, dlmmOracle } from '../../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { NO_FACTS, type ChainFacts } from '../../../../src/review/facts/facts';
import { tokenAccountState } from '../../../../src/review/facts/accounts';
import type { Review, ZapInIntent } from '../../../../src/review/types';
import { poolFact } from '../../../../src/transactions/inspect/chainFacts';
import {
  dlmm,
  FROM_BIN,
  keyOf,
  MINT,
  NO_SLICES,
  objections,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  OWNER_KEY,
  POSITION_KEY,
  reviewDrafts,
  THIEF,
  TO_BIN,
} from '../../../support/review/bundles';
import { byLiquidity, byLiquidityAt, exactAmounts, SHOWN_BIN, SHOWN_PRICE } from '../../../support/review/deposits';
import { createDamm, damm, DAMM_POSITION, NFT_ACCOUNT, NFT_KEY, thresholds } from '../../../support/review/meteoraDrafts';
import { DAMM_POOL, IN_DAMM_POOL, makeDammPool } from '../../../support/review/programs/dammPool';
import { DLMM_POOL, IN_POOL, makeDlmmPool } from '../../../support/review/programs/dlmmPool';
import { ProgramVm } from '../../../support/review/programs/programVm';
import { describeOnPrograms } from '../../../support/programs';

// The service trades right before and after a deposit that it lands, on Meteora's own programs: what the user loses, and what the review says.

const THIEF_KEY = keyOf('thief');
const THEIR_POSITION = keyOf("a thief's position");
const LIMIT = ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 });
const BIN_STEP_BPS = 25;
const AMOUNT = 500_000_000n;

function world(makePool: (vm: ProgramVm) => void): ProgramVm {
  const vm = new ProgramVm();
  makePool(vm);
  for (const wallet of [OWNER, THIEF]) {
    vm.fund(wallet);
    vm.putTokens(wallet, MINT, 10n ** 12n);
    vm.putTokens(wallet, WRAPPED_SOL_MINT, 10n ** 12n);
  }
  return vm;
}

function landed(vm: ProgramVm, instructions: readonly TransactionInstruction[], signers: Parameters<ProgramVm['send']>[1]): void {
  const { error, logs } = vm.send([LIMIT, ...instructions], signers);
  assert.equal(error, undefined, logs.join('\n'));
}

const balance = (vm: ProgramVm, at: Address): bigint => {
  const account = vm.account(at);
  return (account && tokenAccountState(account)?.amountRaw) ?? 0n;
};

/** What the user holds of both tokens, in SOL at the price of 1. */
const worth = (vm: ProgramVm): bigint => balance(vm, OWN_TOKEN) + balance(vm, OWN_SOL);

/** Writes the accounts of the bins after those of the layout. */
function withBins(instruction: TransactionInstruction, pool: Address): TransactionInstruction {
  const arrays = [-1, 0].map((index) => ({ pubkey: new PublicKey(dlmmBinArray(pool, index)), isSigner: false, isWritable: true }));
  instruction.keys.splice(-1, 1, ...arrays);
  return instruction;
}

/** SOL and no tokens, into the bins of the range by weight. */
const byWeights = (slippageBins: number, weight: (binId: number) => number): TransactionInstruction =>
  withBins(
    dlmm(
      'add_liquidity_by_weight2',
      {
        liquidity_parameter: {
          amount_x: 0n,
          amount_y: AMOUNT,
          active_id: 0,
          max_active_bin_slippage: slippageBins,
          bin_liquidity_dist: Array.from({ length: TO_BIN - FROM_BIN + 1 }, (_, place) => place + FROM_BIN)
            .filter((binId) => weight(binId) > 0)
            .map((binId) => ({ bin_id: binId, weight: weight(binId) })),
        },
        ...NO_SLICES,
      },
      IN_POOL,
    ),
    DLMM_POOL,
  );
const byStrategy = (
  slippageBins: number,
  from = FROM_BIN,
  to = TO_BIN,
  amounts = { x: 0n, y: AMOUNT },
  accounts = {},
): TransactionInstruction =>
  withBins(
    dlmm(
      'add_liquidity_by_strategy2',
      {
        liquidity_parameter: {
          amount_x: amounts.x,
          amount_y: amounts.y,
          active_id: 0,
          max_active_bin_slippage: slippageBins,
          strategy_parameters: {
            min_bin_id: from,
            max_bin_id: to,
            strategy_type: { kind: 'SpotImBalanced' },
            parameteres: new Uint8Array(64),
          },
        },
        ...NO_SLICES,
      },
      { ...IN_POOL, ...accounts },
    ),
    DLMM_POOL,
  );

/** What a thief uses in place of the user's accounts. */
const THEIRS = {
  sender: THIEF,
  owner: THIEF,
  payer: THIEF,
  user: THIEF,
  user_token_x: associatedTokenAddress(THIEF, MINT),
  user_token_y: associatedTokenAddress(THIEF, WRAPPED_SOL_MINT),
};
const THEIR_PLACE = { ...THEIRS, position: keyAddress(THEIR_POSITION) };

function keyAddress(key: typeof THEIR_POSITION): Address {
  return key.publicKey.toBase58() as Address;
}

/** The thief trades in the pool, in either direction. */
function trade(vm: ProgramVm, sells: 'sol' | 'token', amount: bigint): void {
  const [given, taken] = sells === 'sol' ? [THEIRS.user_token_y, THEIRS.user_token_x] : [THEIRS.user_token_x, THEIRS.user_token_y];
  const swap = dlmm(
    'swap2',
    { amount_in: amount, min_amount_out: 0n, ...NO_SLICES },
    { ...IN_POOL, oracle: dlmmOracle(DLMM_POOL), user: THIEF, user_token_in: given, user_token_out: taken },
  );
  landed(vm, [withBins(swap, DLMM_POOL)], [THIEF_KEY]);
}

/** SOL that buys the little X of 20 bins. */
const TO_THE_TOP = 21_000n;

/** A little of both tokens in the pool, so that its price can be moved for next to nothing. */
function dlmmWorld(): ProgramVm {
  const vm = world(makeDlmmPool);
  const little = { x: 40_000n, y: 20_000n };
  landed(
    vm,
    [openPosition({ width: 60 }, { ...IN_POOL, ...THEIR_PLACE }), byStrategy(3, FROM_BIN, FROM_BIN + 59, little, THEIR_PLACE)],
    [THIEF_KEY, THEIR_POSITION],
  );
  return vm;
}

const factsOf = (vm: ProgramVm, pool: Address): ChainFacts => ({ ...NO_FACTS, pools: new Map([[pool, poolFact(vm.account(pool))]]) });
const DLMM_INTENT: ZapInIntent = { ...SHOWN_BIN, pool: DLMM_POOL, binStepBps: BIN_STEP_BPS };
const DAMM_INTENT: ZapInIntent = { ...SHOWN_PRICE, pool: DAMM_POOL };

const reviewed = (intent: ZapInIntent, instructions: readonly TransactionInstruction[], facts: ChainFacts | undefined): Review =>
  reviewDrafts(
    intent,
    [{ group: 'add', instructions, signers: [intent.pool === DLMM_POOL ? POSITION_KEY : NFT_KEY] }],
    undefined,
    facts && { facts },
  );

describeOnPrograms("review: the price of deposits on Meteora's own programs", function () {
  this.timeout(60_000);

  /** The share of the deposit that is lost where the thief trades right before and after it. */
  function lostInBins(vm: ProgramVm, deposit: TransactionInstruction): number {
    const before = worth(vm);
    trade(vm, 'sol', TO_THE_TOP);
    landed(vm, [openPosition({}, IN_POOL), deposit], [OWNER_KEY, POSITION_KEY]);
    trade(vm, 'token', 470_000_000n);
    landed(
      vm,
      [
        withBins(
          dlmm('remove_liquidity_by_range2', { from_bin_id: FROM_BIN, to_bin_id: TO_BIN, bps_to_remove: 10_000, ...NO_SLICES }, IN_POOL),
          DLMM_POOL,
        ),
      ],
      [OWNER_KEY],
    );
    return Number(before - worth(vm)) / Number(AMOUNT);
  }

  it('DLMM: A deposit with a bound of 100 bins loses what a thief takes who moves the price, and the review does not allow it', () => {
    const top = TO_BIN - 1;
    const heavy = byWeights(100, (binId) => (binId === top ? 65_535 : binId === FROM_BIN ? 1 : 0));
    const vm = dlmmWorld();
    assert.notEqual(reviewed(DLMM_INTENT, [openPosition({}, IN_POOL), heavy], undefined).verdict, 'allow');
    assert.notEqual(
      reviewed({ ...DLMM_INTENT, activeBinId: undefined, references: [] }, [openPosition({}, IN_POOL), heavy], factsOf(vm, DLMM_POOL))
        .verdict,
      'allow',
    );
    const lost = lostInBins(vm, heavy);
    const most = 1 - 1 / priceOfBin(top, BIN_STEP_BPS);
    assert.ok(lost > 0.9 * most && lost <= most, `${lost} of at most ${most} was lost`);
  });

  it('DLMM: A deposit at the tolerance does not land after the price was moved, and is no question', () => {
    const honest = byStrategy(4);
    const vm = dlmmWorld();
    assert.deepEqual(objections(reviewed(DLMM_INTENT, [openPosition({}, IN_POOL), honest], factsOf(vm, DLMM_POOL))), []);
    trade(vm, 'sol', TO_THE_TOP);
    assert.notEqual(vm.send([LIMIT, openPosition({}, IN_POOL), honest], [OWNER_KEY, POSITION_KEY]).error, undefined);
    const still = dlmmWorld();
    landed(still, [openPosition({}, IN_POOL), honest], [OWNER_KEY, POSITION_KEY]);
  });

  it('DLMM: Exact amounts land only while the price is beyond their bins', () => {
    const fill = (lastBinId: number): TransactionInstruction => {
      const built = exactAmounts(lastBinId);
      const accounts = { lb_pair: DLMM_POOL, reserve: IN_POOL['reserve_y'] ?? DLMM_POOL };
      const named = dlmm(
        'add_liquidity_one_side_precise2',
        {
          liquidity_parameter: {
            bins: Array.from({ length: lastBinId - FROM_BIN + 1 }, (_, place) => ({ bin_id: FROM_BIN + place, amount: 1_000 })),
            decompress_multiplier: 1_000n,
            max_amount: AMOUNT,
          },
          ...NO_SLICES,
        },
        { user_token: OWN_SOL, token_mint: WRAPPED_SOL_MINT, ...accounts },
      );
      assert.deepEqual([...named.data], [...built.data]);
      return withBins(named, DLMM_POOL);
    };
    const lands = (vm: ProgramVm, lastBinId: number): boolean =>
      vm.send([LIMIT, openPosition({}, IN_POOL), fill(lastBinId)], [OWNER_KEY, POSITION_KEY]).error === undefined;
    assert.ok(lands(dlmmWorld(), 0));
    assert.ok(!lands(dlmmWorld(), 1));
    const moved = dlmmWorld();
    trade(moved, 'sol', TO_THE_TOP);
    assert.ok(lands(moved, 10));
    assert.notEqual(reviewed(DLMM_INTENT, [openPosition({}, IN_POOL), fill(19)], factsOf(dlmmWorld(), DLMM_POOL)).verdict, 'allow');
  });

  it('DAMM v2: Liquidity for 50 times the price loses what a thief takes who moves the price, and the review blocks it', () => {
    const named = (instruction: TransactionInstruction): TransactionInstruction =>
      damm('add_liquidity', dammArguments(instruction), IN_DAMM_POOL);
    const hostile = named(byLiquidityAt(50));
    const vm = world(makeDammPool);
    const open = createDamm(IN_DAMM_POOL);
    for (const facts of [undefined, factsOf(vm, DAMM_POOL)]) {
      assert.deepEqual(objections(reviewed(DAMM_INTENT, [open, hostile], facts)), ['block DAMM-7']);
      assert.deepEqual(objections(reviewed(DAMM_INTENT, [open, named(byLiquidity())], facts)), []);
    }
    const swap = (sells: 'sol' | 'token', amount: bigint): void => {
      const [given, taken] = sells === 'sol' ? [THEIRS.user_token_y, THEIRS.user_token_x] : [THEIRS.user_token_x, THEIRS.user_token_y];
      landed(
        vm,
        [
          damm(
            'swap',
            { _params: { amount_in: amount, minimum_amount_out: 0n } },
            { ...IN_DAMM_POOL, payer: THIEF, input_token_account: given, output_token_account: taken },
          ),
        ],
        [THIEF_KEY],
      );
    };
    const before = worth(vm);
    // The pool has a liquidity of 10⁹: to seven times the square root of the price takes six times as much SOL.
    swap('sol', 6_060_000_000n);
    landed(vm, [open, hostile], [OWNER_KEY, NFT_KEY]);
    const paid = before - worth(vm);
    swap('token', 920_000_000n);
    landed(
      vm,
      [damm('remove_all_liquidity', thresholds(0n, 0n), { ...IN_DAMM_POOL, position: DAMM_POSITION, position_nft_account: NFT_ACCOUNT })],
      [OWNER_KEY],
    );
    const lost = Number(before - worth(vm)) / Number(paid);
    assert.ok(lost > 0.6, `${lost} was lost`);
  });
});

/** The arguments of `add_liquidity`: liquidity of 16 bytes and two thresholds of eight, after the discriminator. */
function dammArguments({ data }: TransactionInstruction): Parameters<typeof damm>[1] {
  const liquidity = (data.readBigUInt64LE(16) << 64n) | data.readBigUInt64LE(8);
  return { params: { liquidity_delta: liquidity, ...thresholds(data.readBigUInt64LE(24), data.readBigUInt64LE(32)) } };
}
