import type { TransactionInstruction } from '@solana/web3.js';
import type { Arguments } from '../../../src/base/solana/instructionCodec';
import { dlmmReserve } from '../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { ZapInIntent } from '../../../src/review/types';
import { addByStrategy, dlmm, FROM_BIN, MINT, NO_SLICES, OWN_SOL, POOL, TO_BIN, ZAP_IN } from './bundles';
import { damm, DAMM_IN, thresholds, zap } from './meteoraDrafts';
import { rebalance } from './rebalanceInstruction';

// Deposits in every form, with the prices at which they land. The price that the user was shown is 1: bin 0.

const ONE_TO_ONE: NonNullable<ZapInIntent['references']> = [
  { inMint: MINT, inAmountRaw: 1_000_000n, outMint: WRAPPED_SOL_MINT, outAmountRaw: 1_000_000n },
];

/** A zap-in at a tolerance of 1% into bins that are 1% apart, active at bin 0. */
export const SHOWN_BIN: ZapInIntent = { ...ZAP_IN, slippageBps: 100, activeBinId: 0, binStepBps: 100, references: ONE_TO_ONE };

/** The same into a pool of DAMM v2. */
export const SHOWN_PRICE: ZapInIntent = { ...DAMM_IN, slippageBps: 100, references: ONE_TO_ONE };

/** What bounds the active bin. */
export interface Bound {
  readonly activeBinId?: number;
  readonly slippageBins?: number;
}

const AMOUNT = 500_000_000n;
const bound = ({ activeBinId = 0, slippageBins = 1 }: Bound): Arguments => ({
  active_id: activeBinId,
  max_active_bin_slippage: slippageBins,
});
const SOL_ALONE = { user_token: OWN_SOL, token_mint: WRAPPED_SOL_MINT, reserve: dlmmReserve(POOL, WRAPPED_SOL_MINT) };
const strategy_parameters = {
  min_bin_id: FROM_BIN,
  max_bin_id: TO_BIN,
  strategy_type: { kind: 'SpotImBalanced' },
  parameteres: new Uint8Array(64),
};
const bins = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, place) => from + place);

/** SOL into the whole range by a strategy. */
export const byStrategy = ({ activeBinId = 0, slippageBins = 1 }: Bound = {}): TransactionInstruction => {
  const built = addByStrategy({ amountX: 0n, amountY: AMOUNT, slippageBins });
  return activeBinId === 0
    ? built
    : dlmm('add_liquidity_by_strategy2', {
        liquidity_parameter: { amount_x: 0n, amount_y: AMOUNT, ...bound({ activeBinId, slippageBins }), strategy_parameters },
        ...NO_SLICES,
      });
};

/** SOL by strategy, in the older form for one token. */
export const byStrategyOneSide = (of: Bound = {}): TransactionInstruction =>
  dlmm('add_liquidity_by_strategy_one_side', { liquidity_parameter: { amount: AMOUNT, ...bound(of), strategy_parameters } }, SOL_ALONE);

/** SOL with a weight for each bin, by default the same. */
export const byWeight = (of: Bound = {}, weight: (binId: number) => number = () => 100): TransactionInstruction =>
  dlmm('add_liquidity_by_weight2', {
    liquidity_parameter: {
      amount_x: 0n,
      amount_y: AMOUNT,
      ...bound(of),
      bin_liquidity_dist: bins(FROM_BIN, TO_BIN).flatMap((binId) =>
        weight(binId) === 0 ? [] : [{ bin_id: binId, weight: weight(binId) }],
      ),
    },
    ...NO_SLICES,
  });

/** The same in the older form for one token. */
export const byWeightOneSide = (of: Bound = {}): TransactionInstruction =>
  dlmm(
    'add_liquidity_one_side',
    {
      liquidity_parameter: {
        amount: AMOUNT,
        ...bound(of),
        bin_liquidity_dist: bins(FROM_BIN, TO_BIN).map((binId) => ({ bin_id: binId, weight: 100 })),
      },
    },
    SOL_ALONE,
  );

/** SOL with a share of the amount for each bin, without any bound. */
export const byDistribution = (): TransactionInstruction =>
  dlmm('add_liquidity2', {
    liquidity_parameter: {
      amount_x: 0n,
      amount_y: AMOUNT,
      bin_liquidity_dist: bins(FROM_BIN, TO_BIN).map((binId) => ({ bin_id: binId, distribution_x: 0, distribution_y: 250 })),
    },
    ...NO_SLICES,
  });

/** An exact amount of SOL for each bin up to one of them. */
export const exactAmounts = (lastBinId = 0): TransactionInstruction =>
  dlmm(
    'add_liquidity_one_side_precise2',
    {
      liquidity_parameter: {
        bins: bins(FROM_BIN, lastBinId).map((binId) => ({ bin_id: binId, amount: 1_000 })),
        decompress_multiplier: 1_000n,
        max_amount: AMOUNT,
      },
      ...NO_SLICES,
    },
    SOL_ALONE,
  );

/** SOL by a rebalance that withdraws nothing. */
export const byRebalance = ({ activeBinId = 0, slippageBins = 1 }: Bound = {}): TransactionInstruction =>
  rebalance({ adds: 1, mostYRaw: AMOUNT, activeBinId, slippageBins });

/** What Meteora Zap may take: this much SOL. */
export const ledger = (): TransactionInstruction[] => [
  zap('initialize_ledger_account'),
  zap('set_ledger_balance', { amount: 1n, is_token_a: true }),
  zap('set_ledger_balance', { amount: AMOUNT, is_token_a: false }),
];

/** SOL through Meteora Zap. */
export const byZap = (of: Bound = {}): TransactionInstruction =>
  zap('zap_in_dlmm_for_initialized_position', {
    ...bound(of),
    min_delta_id: FROM_BIN,
    max_delta_id: TO_BIN,
    favor_x_in_active_id: false,
    strategy: { kind: 'Spot' },
    ...NO_SLICES,
  });

const ONE_Q64 = 2n ** 64n;

/** Liquidity of DAMM v2 that costs the same of both tokens at the shown price, and a little less than the thresholds. */
export const byLiquidity = ({ liquidity = 500_000_000n, mostX = 502_000_000n, mostY = 502_000_000n } = {}): TransactionInstruction =>
  damm('add_liquidity', { params: { liquidity_delta: liquidity * ONE_Q64, ...thresholds(mostX, mostY) } });

/** The same at this many times the shown price, and the thresholds are all that goes in there. */
export function byLiquidityAt(timesPrice: number): TransactionInstruction {
  return byLiquidity({ liquidity: BigInt(Math.floor(500_000_000 / Math.sqrt(timesPrice))), mostX: 500_000_000n, mostY: 500_000_000n });
}

/** Through Meteora Zap into DAMM v2. */
export const byZapIntoDamm = (changeBps: number): TransactionInstruction =>
  zap('zap_in_damm_v2', { pre_sqrt_price: ONE_Q64, max_sqrt_price_change_bps: changeBps });
