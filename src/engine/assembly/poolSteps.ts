import { BASIS_POINTS, shareOf, WHOLE_BPS } from '../../base/basisPoints';
import { binArraysOf, type BinRange, BINS_PER_DEFAULT_POSITION, widthOf } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { dammPositionNftAccount } from '../../base/solana/pda';
import { binChunksOf, depositsOf } from './binDeposits';
import { depositChunks } from './depositChunks';
import {
  addProductLiquidity,
  claimProductFee,
  claimProductReward,
  closeProductPosition,
  createProductPosition,
  removeProductLiquidity,
  type Thresholds,
} from './dammInstructions';
import {
  addLiquidity,
  claimFee,
  claimReward,
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
import { addVersions } from './versions';
import { createTokenAccount } from './walletInstructions';
import type { BinAddPlan, BinDecreasePlan, DepositOf, ProductAddPlan, ProductDecreasePlan } from './types';

/** Maximum extension of a position per instruction, bins (program constant MAX_RESIZE_LENGTH). */
const MAX_RESIZE_BINS = 91;

/** Maximum extensions in one transaction, as in the program's own client. */
const MAX_EXTENSIONS = 5;

/** Removes liquidity, fees and rewards from a position in a bin pool, at most 70 bins per step, and closes it if all is removed. */
export function withdrawBins(plan: BinDecreasePlan): readonly BuildStep[] {
  const { owner, shareBps, rewards = [], staysOpen = false } = plan;
  return [
    ...(plan.filledRanges ?? binChunksOf(plan)).flatMap((range) => [
      together(removeLiquidity(plan, range.fromBinId, range.toBinId, shareBps), claimFee(plan, range.fromBinId, range.toBinId)),
      ...rewards.map((reward) => together(createTokenAccount(owner, reward.token), claimReward(plan, reward, range))),
    ]),
    ...(shareBps === WHOLE_BPS && !staysOpen ? [closePosition(plan, { onlyIfEmpty: true })] : []),
  ];
}

/**
 * Deposits into a position in a bin pool, in steps that each fit into a transaction. Like the program's own client, each transaction
 * opens a new position, extends it to the range, and creates the bin arrays of its deposit. These instructions do nothing if already done, so
 * the transactions can land alone and in any order, with two exceptions: a position that needs more than {@link MAX_EXTENSIONS} extensions
 * is extended by separate steps, and in wide ranges in v1 a bin array may be created by the transaction before. Deposits that land before these
 * steps fail.
 * @param before steps that may share a v1 transaction with the first deposit
 */
export function depositBins(plan: BinAddPlan, position: Address, before: readonly BuildStep[]): readonly BuildStep[] {
  const { owner, pool, missingBinArrayIndexes, bitmapExtension } = plan;
  const roles = { owner, pool, position, hasBitmapExtension: bitmapExtension !== undefined };
  const extensions = plan.into === undefined ? extensionsOf(plan, position) : [];
  const isShort = extensions.length <= MAX_EXTENSIONS;
  const opening =
    plan.into === undefined
      ? together(
          initializePosition(roles, plan.fromBinId, Math.min(widthOf(plan), BINS_PER_DEFAULT_POSITION)),
          ...(isShort ? extensions : []),
        )
      : undefined;
  const missingArrays = ({ fromBinId, toBinId }: BinRange): readonly number[] =>
    binArraysOf(fromBinId, toBinId).filter((index) => missingBinArrayIndexes.includes(index));
  const binArrays = (range: BinRange): readonly BuildStep[] => missingArrays(range).map((index) => initializeBinArray(roles, index));
  const deposit = (of: BinDepositAmounts): BuildStep => ({ ...addLiquidity(roles, of), opening });
  const whole = (of: BinDepositAmounts): BuildStep => ({ ...together(...binArrays(spreadRange(of.spread)), deposit(of)), opening });
  const extended = isShort ? [] : extensions.map((of) => ({ ...of, opening }));
  const first = [...(bitmapExtension === 'missing' ? [initializeBitmapExtension(roles)] : []), ...extended];
  const deposits = depositsOf(plan, depositChunks(plan, { binArrays, deposit, whole }, [...before, ...first]));
  if (deposits.length === 0) {
    // The amounts are too small for any bin.
    return isShort && opening !== undefined ? [opening] : extended;
  }
  if (widthOf(plan) <= BINS_PER_DEFAULT_POSITION || addVersions(plan).pool !== 1) {
    return [...first, ...deposits.map(whole)];
  }
  const steps: BuildStep[] = [...first];
  const created = new Set<number>();
  for (const each of deposits) {
    const arrays = missingArrays(spreadRange(each.spread)).filter((index) => !created.has(index));
    arrays.forEach((index) => created.add(index));
    steps.push(...arrays.map((index) => initializeBinArray(roles, index)), deposit(each));
  }
  return steps;
}

const MAX_U64 = 2n ** 64n - 1n;

/** Inputs of the slippage thresholds. */
interface Bounded {
  readonly amountX: bigint;
  readonly amountY: bigint;
  readonly slippageBps: number;
}

/** Removes liquidity, fees and rewards from a position in a constant-product pool, and closes it if all is removed. */
export function withdrawProduct(plan: ProductDecreasePlan): readonly BuildStep[] {
  const { owner, pool, position, nftMint, liquidity, rewards = [] } = plan;
  const roles = { owner, pool, position, nftAccount: dammPositionNftAccount(nftMint) };
  const whole = plan.shareBps === WHOLE_BPS;
  return [
    together(
      // The program refuses to remove from an empty position.
      ...(liquidity > 0n ? [removeProductLiquidity(roles, whole ? 'all' : liquidity, leastOf(plan))] : []),
      claimProductFee(roles),
    ),
    ...rewards.map((reward) => together(createTokenAccount(owner, reward.token), claimProductReward(roles, reward))),
    ...(whole ? [closeProductPosition({ owner, pool, nftMint })] : []),
  ];
}

/** Deposits into a position in a constant-product pool; the same transaction opens a new one. */
export function depositProduct(
  plan: DepositOf<ProductAddPlan> & Pick<ProductAddPlan, 'owner' | 'pool' | 'into'>,
  position: Address,
  nftMint: Address,
): readonly BuildStep[] {
  const { owner, pool, liquidity, into } = plan;
  const filled = addProductLiquidity({ owner, pool, position, nftAccount: dammPositionNftAccount(nftMint) }, liquidity, mostOf(plan));
  return [into === undefined ? { ...filled, opening: createProductPosition({ owner, pool, nftMint }) } : filled];
}

/** Extends a new position to the range. */
function extensionsOf({ owner, pool, fromBinId, toBinId }: BinAddPlan, position: Address): readonly BuildStep[] {
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
