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
  const { address, id, pool, poolType } = position;
  if (address === undefined || id === undefined || pool === undefined) {
    throw invalid('position', 'The service did not report the address of this position or of its pool.', 'Refresh the positions; if it stays so, withdraw at the pool\'s own site.');
  }
  if (poolType === 'other') {
    throw invalid('position', `Binsight withdraws from Meteora DLMM and DAMM v2, not from "${position.protocol ?? 'unknown'}".`, 'Withdraw at the pool\'s own site.');
  }
  return { position: address, positionId: id, pool, poolType };
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

/** What a zap-in needs to know besides its plan. */
export interface ZapInAmount {
  /** SOL, exact to the lamport. */
  readonly inputSol: number;
}

/**
 * Checks a zap-in plan.
 * @param listedOwner whose positions the portfolio shows: the effect is looked for there
 * @throws OperationError (`invalidPlan`) that names the field.
 */
export function checkZapIn(plan: ZapInPlan, listedOwner: Address | undefined): ZapInAmount {
  const { owner, inputLamports, percentX, fromBinId, toBinId, slippageBps } = plan;
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
  checkWhole('fromBinId', 'The lower end of the range', fromBinId, MIN_BIN_ID, MAX_BIN_ID);
  checkWhole('toBinId', 'The upper end of the range', toBinId, MIN_BIN_ID, MAX_BIN_ID);
  const width = widthOf({ fromBinId, toBinId });
  if (width < 1) {
    throw invalid('toBinId', `The range ends at bin ${toBinId}, before it begins at bin ${fromBinId}.`, 'Choose another range.');
  }
  if (width > MAX_BINS_PER_POSITION) {
    throw invalid('toBinId', `The range has ${width} bins; a position holds at most ${MAX_BINS_PER_POSITION}.`, 'Choose a narrower range.');
  }
  return { inputSol };
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
