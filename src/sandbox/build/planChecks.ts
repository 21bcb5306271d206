import { binArrayIndex, BINS_PER_ARRAY, MAX_BINS_PER_POSITION, widthOf, type BinRange } from '../../base/dlmm/bins';
import { dammPosition } from '../../base/solana/pda';
import { WHOLE_BPS } from '../../base/basisPoints';
import { MAX_HOPS } from './jupiterRoute';
import { MAX_SWAP_BIN_ARRAYS } from './routeHops';
import {
  PlanError,
  type AddPlan,
  type BinAddPlan,
  type DecreasePlan,
  type ProductAddPlan,
  type ProductDecreasePlan,
  type SwapPlan,
} from './types';

const SEED_BYTES = 32;

/** The bins of the 1,024 bin arrays that a pool's own bitmap covers; beyond them the program wants an account more, which is not written here. */
const LEAST_BIN = -512 * BINS_PER_ARRAY;
const GREATEST_BIN = 512 * BINS_PER_ARRAY - 1;

/**
 * Checks the bounds of a withdrawal.
 * @throws PlanError where they are not kept.
 */
export function checkDecreasePlan(plan: DecreasePlan): void {
  checkWhole('shareBps', plan.shareBps, 1, WHOLE_BPS);
  plan.swaps.forEach(checkSwap);
  if (plan.type === 'bins') {
    checkRange(plan);
    return;
  }
  checkProduct(plan, plan.shareBps === WHOLE_BPS ? 0n : 1n);
  if (plan.position !== dammPosition(plan.nftMint)) {
    throw new PlanError('The position is not the one of its NFT');
  }
}

/**
 * Checks the bounds of a deposit.
 * @throws PlanError where they are not kept.
 */
export function checkAddPlan(plan: AddPlan): void {
  checkUnsigned('amountX', plan.amountX, 64);
  checkUnsigned('amountY', plan.amountY, 64);
  if (plan.amountX + plan.amountY === 0n) {
    throw new PlanError('A deposit needs an amount of one token at least');
  }
  if (plan.wrapLamports < 0n) {
    throw new PlanError('SOL to wrap must not be negative');
  }
  if (plan.positionSeed.length !== SEED_BYTES) {
    throw new PlanError(`A key's seed has ${SEED_BYTES} bytes, not ${plan.positionSeed.length}`);
  }
  plan.swaps.forEach(checkSwap);
  if (plan.type === 'bins') {
    checkBinDeposit(plan);
  } else {
    checkProduct(plan, 1n);
  }
}

function checkBinDeposit(plan: BinAddPlan): void {
  checkRange(plan);
  checkWhole('maxActiveBinSlippage', plan.maxActiveBinSlippage, 0, MAX_BINS_PER_POSITION);
  for (const index of plan.missingBinArrayIndexes) {
    checkWhole('missingBinArrayIndexes', index, binArrayIndex(plan.fromBinId), binArrayIndex(plan.toBinId));
  }
}

function checkProduct(plan: ProductAddPlan | ProductDecreasePlan, leastLiquidity: bigint): void {
  checkUnsigned('amountX', plan.amountX, 64);
  checkUnsigned('amountY', plan.amountY, 64);
  checkUnsigned('liquidity', plan.liquidity, 128);
  checkWhole('slippageBps', plan.slippageBps, 0, WHOLE_BPS);
  if (plan.liquidity < leastLiquidity) {
    throw new PlanError('There is no liquidity to move');
  }
}

function checkSwap(swap: SwapPlan): void {
  checkWhole('slippageBps', swap.slippageBps, 0, WHOLE_BPS);
  if (swap.inAmount <= 0n || swap.quotedOut <= 0n) {
    throw new PlanError('A swap must sell more than nothing, and be quoted more than nothing');
  }
  checkWhole('hops.length', swap.hops.length, 1, MAX_HOPS);
  for (const hop of swap.hops) {
    checkWhole('binArrays.length', hop.type === 'bins' ? hop.binArrays.length : 0, 0, MAX_SWAP_BIN_ARRAYS);
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

function checkUnsigned(what: string, value: bigint, bits: number): void {
  if (BigInt.asUintN(bits, value) !== value) {
    throw new PlanError(`${what} is ${value}; it has to be a whole number of ${bits} bits`);
  }
}
