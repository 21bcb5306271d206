import type { OpenPosition } from '../api/records/position';
import { MAX_BIN_ID, MAX_BINS_PER_POSITION, MIN_BIN_ID, widthOf } from '../dlmm/bins';
import type { Address } from '../solana/address';
import { OperationError } from './errors';
import { exactSol } from './sol';
import type { ZapInPlan, ZapOutPlan } from './types';

const WHOLE_BPS = 10_000;

/** What a zap-out needs to know of its position, all of it there. */
export interface ZapOutTarget {
  readonly position: Address;
  /** What the service calls the position. */
  readonly positionId: string;
  readonly pool: Address;
  readonly poolType: 'dlmm' | 'dammV2';
  /** The position's bins; `undefined` where there are none, or they are not listed. Both ends are in it. */
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
}

/**
 * Checks a zap-out plan.
 * @param listedOwner whose positions the portfolio shows: the effect is looked for there
 * @throws OperationError (`invalidPlan`) that names the field.
 */
export function checkZapOut({ position, owner, shareBps, slippageBps }: ZapOutPlan, listedOwner: Address | undefined): ZapOutTarget {
  checkWhole('shareBps', 'The share to withdraw', shareBps, 1, WHOLE_BPS);
  checkWhole('slippageBps', 'The slippage', slippageBps, 0, WHOLE_BPS);
  checkOwner(owner, listedOwner);
  if (position.owner !== undefined && position.owner !== owner) {
    throw invalid('owner', `The position belongs to ${position.owner}, not to ${owner}.`, 'Choose the wallet that it belongs to.');
  }
  const { address, id, pool, poolType, lowerBinId, upperBinId } = position;
  if (address === undefined || id === undefined || pool === undefined) {
    throw invalid('position', 'The service did not report the address of this position or of its pool.', 'Refresh the positions; if it stays so, withdraw at the pool\'s own site.');
  }
  if (poolType === 'other') {
    throw invalid('position', `Binsight withdraws from Meteora DLMM and DAMM v2, not from "${position.protocol ?? 'unknown'}".`, 'Withdraw at the pool\'s own site.');
  }
  const bins = poolType === 'dlmm' && lowerBinId !== undefined && upperBinId !== undefined ? { fromBinId: lowerBinId, toBinId: upperBinId } : { fromBinId: undefined, toBinId: undefined };
  return { position: address, positionId: id, pool, poolType, ...bins };
}

/**
 * Checks that a position is among those that the service in use lists: one that another service listed, or that is gone,
 * is not withdrawn from.
 * @throws OperationError (`invalidPlan`).
 */
export function checkListed({ key }: OpenPosition, listed: readonly OpenPosition[]): void {
  if (!listed.some((position) => position.key === key)) {
    throw invalid('position', 'This position is no longer listed: it may have been closed meanwhile, or another service is in use now.', 'Refresh the positions.');
  }
}

/** How a deposit is spread; all of it `undefined` for pools without bins. */
export type ZapInRange = Pick<ZapInPlan, 'strategy' | 'fromBinId' | 'toBinId'>;

/** What a zap-in needs to know of its plan, all of it in order. */
export interface ZapInTerms {
  /** SOL, exact to the lamport. */
  readonly inputSol: number;
  readonly range: ZapInRange;
}

/**
 * Checks a zap-in plan.
 * @param listedOwner whose positions the portfolio shows: the effect is looked for there
 * @throws OperationError (`invalidPlan`) that names the field.
 */
export function checkZapIn(plan: ZapInPlan, listedOwner: Address | undefined): ZapInTerms {
  const { owner, inputLamports, percentX, slippageBps } = plan;
  checkWhole('slippageBps', 'The slippage', slippageBps, 0, WHOLE_BPS);
  checkOwner(owner, listedOwner);
  if (inputLamports <= 0n) {
    throw invalid('inputLamports', 'The amount has to be more than nothing.', 'Choose another amount.');
  }
  const inputSol = exactSol(inputLamports);
  if (inputSol === undefined) {
    throw invalid('inputLamports', 'The amount is larger than can be written to the last lamport.', 'Choose a smaller amount.');
  }
  if (!(percentX >= 0 && percentX <= 1)) {
    throw invalid('percentX', `The share for the first token lies between 0 and 1, not at ${percentX}.`, 'Choose another share.');
  }
  switch (plan.poolType) {
    case 'dlmm':
      return { inputSol, range: checkBins(plan) };
    case 'dammV2':
      return { inputSol, range: checkNoBins(plan) };
  }
}

function checkBins({ strategy, fromBinId, toBinId }: ZapInPlan): ZapInRange {
  if (strategy === undefined || fromBinId === undefined || toBinId === undefined) {
    const field = strategy === undefined ? 'strategy' : fromBinId === undefined ? 'fromBinId' : 'toBinId';
    throw invalid(field, 'A pool with bins needs a range of bins and a way to spread the deposit over it.', 'Choose them.');
  }
  checkWhole('fromBinId', 'The lower end of the range', fromBinId, MIN_BIN_ID, MAX_BIN_ID);
  checkWhole('toBinId', 'The upper end of the range', toBinId, MIN_BIN_ID, MAX_BIN_ID);
  const width = widthOf({ fromBinId, toBinId });
  if (width < 1) {
    throw invalid('toBinId', `The range ends at bin ${toBinId}, before it begins at bin ${fromBinId}.`, 'Choose another range.');
  }
  if (width > MAX_BINS_PER_POSITION) {
    throw invalid('toBinId', `The range has ${width} bins; a position holds at most ${MAX_BINS_PER_POSITION}.`, 'Choose a narrower range.');
  }
  return { strategy, fromBinId, toBinId };
}

/** A pool without bins takes both of its tokens, in equal value. */
function checkNoBins({ strategy, fromBinId, toBinId, percentX }: ZapInPlan): ZapInRange {
  for (const [field, value] of Object.entries({ strategy, fromBinId, toBinId })) {
    if (value !== undefined) {
      throw invalid(field, 'This pool has no bins: there is no range to choose, and nothing to spread.', 'Start again.');
    }
  }
  if (percentX === 0 || percentX === 1) {
    throw invalid('percentX', 'This pool takes both of its tokens: the share for the first token lies between 0 and 1, and cannot be all or nothing.', 'Choose another share, such as one half.');
  }
  return { strategy: undefined, fromBinId: undefined, toBinId: undefined };
}

function checkWhole(field: string, name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw invalid(field, `${name} has to be a whole number from ${least} to ${most}, not ${value}.`, 'Choose another.');
  }
}

function checkOwner(owner: Address, listedOwner: Address | undefined): void {
  if (owner !== listedOwner) {
    throw invalid('owner', `The positions of ${listedOwner ?? 'no wallet'} are shown, not those of ${owner}.`, 'Choose that wallet first.');
  }
}

function invalid(field: string, what: string, advice: string): OperationError {
  return new OperationError({ kind: 'invalidPlan', field, what, advice });
}
