import { binArrayIndex, BINS_PER_ARRAY, MAX_BINS_PER_POSITION, widthOf, type BinRange } from '../../dlmm/bins';
import { MAX_HOPS, MAX_SWAP_BIN_ARRAYS } from './jupiterRoute';
import { PlanError, type AddPlan, type DecreasePlan, type SwapPlan } from './types';

const BASIS_POINTS = 10_000;
const SEED_BYTES = 32;

/** The bins of the 1,024 bin arrays that a pool's own bitmap covers; beyond them the program wants an account more, which is not written here. */
const LEAST_BIN = -512 * BINS_PER_ARRAY;
const GREATEST_BIN = 512 * BINS_PER_ARRAY - 1;

/**
 * Checks the bounds of a withdrawal.
 * @throws PlanError where they are not kept.
 */
export function checkDecreasePlan(plan: DecreasePlan): void {
  checkRange(plan);
  checkWhole('shareBps', plan.shareBps, 1, BASIS_POINTS);
  plan.swaps.forEach(checkSwap);
}

/**
 * Checks the bounds of a deposit.
 * @throws PlanError where they are not kept.
 */
export function checkAddPlan(plan: AddPlan): void {
  checkRange(plan);
  checkWhole('maxActiveBinSlippage', plan.maxActiveBinSlippage, 0, MAX_BINS_PER_POSITION);
  if (plan.amountX < 0n || plan.amountY < 0n || plan.amountX + plan.amountY === 0n) {
    throw new PlanError('A deposit is of one token at least');
  }
  if (plan.wrapLamports < 0n) {
    throw new PlanError('SOL to wrap is not negative');
  }
  if (plan.positionSeed.length !== SEED_BYTES) {
    throw new PlanError(`A key's seed has ${SEED_BYTES} bytes, not ${plan.positionSeed.length}`);
  }
  for (const index of plan.missingBinArrayIndexes) {
    checkWhole('missingBinArrayIndexes', index, binArrayIndex(plan.fromBinId), binArrayIndex(plan.toBinId));
  }
  plan.swaps.forEach(checkSwap);
}

function checkSwap(swap: SwapPlan): void {
  checkWhole('slippageBps', swap.slippageBps, 0, BASIS_POINTS);
  if (swap.inAmount <= 0n || swap.quotedOut <= 0n) {
    throw new PlanError('A swap sells something for something');
  }
  checkWhole('hops.length', swap.hops.length, 1, MAX_HOPS);
  for (const { binArrays } of swap.hops) {
    checkWhole('binArrays.length', binArrays.length, 0, MAX_SWAP_BIN_ARRAYS);
  }
}

function checkRange(range: BinRange): void {
  checkWhole('fromBinId', range.fromBinId, LEAST_BIN, GREATEST_BIN);
  checkWhole('toBinId', range.toBinId, range.fromBinId, GREATEST_BIN);
  checkWhole('The width of the range', widthOf(range), 1, MAX_BINS_PER_POSITION);
}

function checkWhole(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new PlanError(`${what} is ${value}; it has to be a whole number from ${least} to ${most}`);
  }
}
