import { BASIS_POINTS, shareOf, WHOLE_BPS } from '../basisPoints';
import { binArraysOf, BINS_PER_DEFAULT_POSITION, widthOf } from '../dlmm/bins';
import type { Address } from '../solana/address';
import { dammPositionNftAccount } from '../solana/pda';
import { binChunksOf, depositsOf } from './binDeposits';
import { depositChunks } from './depositChunks';
import {
  addProductLiquidity,
  claimProductFee,
  closeProductPosition,
  createProductPosition,
  removeProductLiquidity,
  type Thresholds,
} from './dammInstructions';
import {
  addLiquidity,
  claimFee,
  closePosition,
  type BinDepositAmounts,
  increasePositionLength,
  initializeBinArray,
  initializeBitmapExtension,
  initializePosition,
  removeLiquidity,
  spreadRange,
} from './dlmmInstructions';
import { type BuildStep, together } from './transactions';
import type { BinAddPlan, BinDecreasePlan, ProductAddPlan, ProductDecreasePlan } from './types';

/** Maximum extension of a position per instruction, bins (program constant MAX_RESIZE_LENGTH). */
const MAX_RESIZE_BINS = 91;

/** Maximum extensions in one transaction, as in the program's own client. */
const MAX_LENGTHENINGS = 5;

/** Removes liquidity and fees from a position in a bin pool, at most 70 bins per step, and closes it if all is removed. */
export function withdrawBins(plan: BinDecreasePlan): readonly BuildStep[] {
  const { shareBps } = plan;
  return [
    ...binChunksOf(plan).map(({ fromBinId, toBinId }) =>
      together(removeLiquidity(plan, fromBinId, toBinId, shareBps), claimFee(plan, fromBinId, toBinId)),
    ),
    ...(shareBps === WHOLE_BPS ? [closePosition(plan, { onlyIfEmpty: true })] : []),
  ];
}

/**
 * Deposits into a new position in a bin pool, in steps that each fit into a transaction. Like the program's own client, each transaction
 * opens the position, extends it to the range, and creates the bin arrays of its deposit. These instructions do nothing if already done, so
 * the transactions can land alone and in any order. A position that needs more than {@link MAX_LENGTHENINGS} extensions is extended by
 * separate steps, and deposits that land before them fail.
 * @param before steps that may share a v1 transaction with the first deposit
 */
export function depositBins(plan: BinAddPlan, position: Address, before: readonly BuildStep[]): readonly BuildStep[] {
  const { owner, pool, missingBinArrayIndexes, bitmapExtension } = plan;
  const roles = { owner, pool, position, hasBitmapExtension: bitmapExtension !== undefined };
  const lengthenings = lengtheningsOf(plan, position);
  const isShort = lengthenings.length <= MAX_LENGTHENINGS;
  const opening = together(
    initializePosition(roles, plan.fromBinId, Math.min(widthOf(plan), BINS_PER_DEFAULT_POSITION)),
    ...(isShort ? lengthenings : []),
  );
  const depositStep = (deposit: BinDepositAmounts): BuildStep => {
    const { fromBinId, toBinId } = spreadRange(deposit.spread);
    const missing = binArraysOf(fromBinId, toBinId).filter((index) => missingBinArrayIndexes.includes(index));
    return { ...together(...missing.map((index) => initializeBinArray(roles, index)), addLiquidity(roles, deposit)), opening };
  };
  const first = [
    ...(bitmapExtension === 'missing' ? [initializeBitmapExtension(roles)] : []),
    ...(isShort ? [] : lengthenings.map((of) => ({ ...of, opening }))),
  ];
  const deposits = depositsOf(plan, depositChunks(plan, depositStep, [...before, ...first])).map(depositStep);
  if (deposits.length === 0) {
    // The amounts are too small for any bin.
    return [opening, ...(isShort ? [] : lengthenings)];
  }
  return [...first, ...deposits];
}

const MAX_U64 = 2n ** 64n - 1n;

/** Inputs of the slippage thresholds. */
interface Bounded {
  readonly amountX: bigint;
  readonly amountY: bigint;
  readonly slippageBps: number;
}

/** Removes liquidity and fees from a position in a constant-product pool, and closes it if all is removed. */
export function withdrawProduct(plan: ProductDecreasePlan): readonly BuildStep[] {
  const { owner, pool, position, nftMint, liquidity } = plan;
  const roles = { owner, pool, position, nftAccount: dammPositionNftAccount(nftMint) };
  const whole = plan.shareBps === WHOLE_BPS;
  return [
    together(
      // The program refuses to remove from an empty position.
      ...(liquidity > 0n ? [removeProductLiquidity(roles, whole ? 'all' : liquidity, leastOf(plan))] : []),
      claimProductFee(roles),
    ),
    ...(whole ? [closeProductPosition({ owner, pool, nftMint })] : []),
  ];
}

/** Deposits into a new position in a constant-product pool; the same transaction opens it. */
export function depositProduct(plan: ProductAddPlan, position: Address, nftMint: Address): readonly BuildStep[] {
  const { owner, pool, liquidity } = plan;
  const filled = addProductLiquidity({ owner, pool, position, nftAccount: dammPositionNftAccount(nftMint) }, liquidity, mostOf(plan));
  return [{ ...filled, opening: createProductPosition({ owner, pool, nftMint }) }];
}

/** Extends a new position to the range. */
function lengtheningsOf({ owner, pool, fromBinId, toBinId }: BinAddPlan, position: Address): readonly BuildStep[] {
  const steps: BuildStep[] = [];
  for (let last = fromBinId + BINS_PER_DEFAULT_POSITION - 1; last < toBinId;) {
    last = Math.min(last + MAX_RESIZE_BINS, toBinId);
    steps.push(increasePositionLength({ owner, pool, position }, last));
  }
  return steps;
}

/** Minimum amounts of a withdrawal: present amounts less the slippage, rounded down. */
function leastOf({ amountX, amountY, slippageBps }: Bounded): Thresholds {
  const keptBps = WHOLE_BPS - slippageBps;
  return { x: shareOf(amountX, keptBps), y: shareOf(amountY, keptBps) };
}

/** Maximum amounts of a deposit: present cost plus the slippage, rounded up, and at most a u64. */
function mostOf({ amountX, amountY, slippageBps }: Bounded): Thresholds {
  const grown = BASIS_POINTS + BigInt(slippageBps);
  const most = (amount: bigint): bigint => {
    const bound = (amount * grown + BASIS_POINTS - 1n) / BASIS_POINTS;
    return bound < MAX_U64 ? bound : MAX_U64;
  };
  return { x: most(amountX), y: most(amountY) };
}
