import { WHOLE_BPS } from '../../base/basisPoints';
import { MOST_CLAIMED_POSITIONS } from '../common';
import { ServiceError } from '../errors';
import type { AddRequest, AddToRequest, ClaimRequest, DecreaseRequest, SwapRequest } from '../transactions';
import type { Bounds, DiscoverQuery, HistoricalQuery, RevenueQuery } from '../service';

/** Maximum page size of most lists, and of pools/{id}/positions, by the published contract. */
const LARGEST_PAGE = 100;
export const LARGEST_POSITIONS_PAGE = 20;

/** The ranges of revenue, by the published contract. */
const REVENUE_RANGES = ['7D', '1M'];

/*
 * Each of these throws a ServiceError 'invalidRequest' that names the parameter, before anything is sent.
 */

export function checkPaging(
  endpoint: string,
  { page, pageSize }: { readonly page?: number; readonly pageSize?: number },
  largest = LARGEST_PAGE,
): void {
  checkWhole(endpoint, 'page', page, 1, Number.MAX_SAFE_INTEGER);
  checkWhole(endpoint, 'pageSize', pageSize, 1, largest);
}

export function checkDiscover(endpoint: string, query: DiscoverQuery): void {
  checkPaging(endpoint, query);
  const { marketCapUsd, binStepBps, organicScore, baseFeePercent, ageHours, liquidityUsd, fees24hUsd, volume24hUsd, volume1hUsd } = query;
  const bounds = { marketCapUsd, binStepBps, organicScore, baseFeePercent, ageHours, liquidityUsd, fees24hUsd, volume24hUsd, volume1hUsd };
  for (const [name, bound] of Object.entries(bounds)) {
    checkBounds(endpoint, name, bound);
  }
}

export function checkHistorical(endpoint: string, query: HistoricalQuery): void {
  checkPaging(endpoint, query);
  const from = query.from?.getTime() ?? Number.NEGATIVE_INFINITY;
  const to = query.to?.getTime() ?? Number.POSITIVE_INFINITY;
  if (Number.isNaN(from) || Number.isNaN(to)) {
    throw invalid(endpoint, Number.isNaN(from) ? 'from' : 'to', 'must be a date');
  }
  if (from > to) {
    throw invalid(endpoint, 'from', 'must not be after to');
  }
}

export function checkRevenue(endpoint: string, { range }: RevenueQuery): void {
  if (range !== undefined && !REVENUE_RANGES.includes(range)) {
    throw invalid(endpoint, 'range', `must be ${REVENUE_RANGES.join(' or ')}`);
  }
}

export function checkShare(endpoint: string, { positionId, bps }: { readonly positionId: string; readonly bps: number }): void {
  if (positionId.trim() === '') {
    throw invalid(endpoint, 'positionId', 'must not be empty');
  }
  checkWhole(endpoint, 'bps', bps, 1, WHOLE_BPS);
}

export function checkDecrease(endpoint: string, request: DecreaseRequest): void {
  checkShare(endpoint, request);
  checkWhole(endpoint, 'slippageBps', request.slippageBps, 0, WHOLE_BPS);
}

export function checkClaim(endpoint: string, { positionIds }: ClaimRequest): void {
  checkWhole(endpoint, 'positionIds.length', positionIds.length, 1, MOST_CLAIMED_POSITIONS);
  if (positionIds.some((id) => id.trim() === '')) {
    throw invalid(endpoint, 'positionIds', 'must not be empty');
  }
}

export function checkAddTo(endpoint: string, request: AddToRequest): void {
  if (request.positionId.trim() === '') {
    throw invalid(endpoint, 'positionId', 'must not be empty');
  }
  checkAdd(endpoint, request);
}

export function checkAdd(endpoint: string, request: AddRequest | AddToRequest): void {
  checkWhole(endpoint, 'slippageBps', request.slippageBps, 0, WHOLE_BPS);
  checkWhole(endpoint, 'fromBinId', request.fromBinId, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  checkWhole(endpoint, 'toBinId', request.toBinId, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const given = [request.strategy, request.fromBinId, request.toBinId].filter((value) => value !== undefined).length;
  if (given !== 0 && given !== 3) {
    const name = request.strategy === undefined ? 'strategy' : request.fromBinId === undefined ? 'fromBinId' : 'toBinId';
    throw invalid(endpoint, name, 'must not be missing: strategy, fromBinId and toBinId belong together');
  }
  if (request.fromBinId !== undefined && request.toBinId !== undefined && request.fromBinId > request.toBinId) {
    throw invalid(endpoint, 'fromBinId', `must not be above toBinId: ${request.fromBinId} is above ${request.toBinId}`);
  }
  switch (request.mode) {
    case 'zap-in':
      checkRange(endpoint, 'percentX', request.percentX, 0, 1);
      checkSol(endpoint, 'inputSol', request.inputSol);
      return;
    case 'normal':
      checkRange(endpoint, 'amountX', request.amountX, 0, Number.MAX_VALUE);
      checkRange(endpoint, 'amountY', request.amountY, 0, Number.MAX_VALUE);
      if (request.amountX === 0 && request.amountY === 0) {
        throw invalid(endpoint, 'amountX', 'and amountY must not both be 0');
      }
      return;
    case 'compound':
  }
}

export function checkSwap(endpoint: string, request: SwapRequest): void {
  if (request.kind === 'unwrap') {
    return;
  }
  checkWhole(endpoint, 'slippageBps', request.slippageBps, 0, WHOLE_BPS);
  if (request.amountRaw <= 0n) {
    throw invalid(endpoint, 'amountRaw', `must be above 0, not ${String(request.amountRaw)}`);
  }
  if (request.inputMint === request.outputMint) {
    throw invalid(endpoint, 'outputMint', 'must be another token than inputMint');
  }
}

export function checkLanding(endpoint: string, name: string, transactions: readonly unknown[]): void {
  if (transactions.length === 0) {
    throw invalid(endpoint, name, 'must hold at least one signed transaction');
  }
}

function checkBounds(endpoint: string, name: string, { min, max }: Bounds = {}): void {
  checkRange(endpoint, `${name}.min`, min, -Number.MAX_VALUE, Number.MAX_VALUE);
  checkRange(endpoint, `${name}.max`, max, -Number.MAX_VALUE, Number.MAX_VALUE);
  if (min !== undefined && max !== undefined && min > max) {
    throw invalid(endpoint, `${name}.min`, `must not be above ${name}.max`);
  }
}

function checkWhole(endpoint: string, name: string, value: number | undefined, least: number, most: number): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= least && value <= most)) {
    const range = most === Number.MAX_SAFE_INTEGER ? (least === 1 ? ' from 1' : '') : ` from ${least} to ${most}`;
    throw invalid(endpoint, name, `must be a whole number${range}, not ${value}`);
  }
}

function checkRange(endpoint: string, name: string, value: number | undefined, least: number, most: number): void {
  if (value !== undefined && !(Number.isFinite(value) && value >= least && value <= most)) {
    const range = most < Number.MAX_VALUE ? ` from ${least} to ${most}` : least === 0 ? ' from 0' : '';
    throw invalid(endpoint, name, `must be a number${range}, not ${value}`);
  }
}

/** An amount of SOL: above zero, and whole lamports, so at most nine decimal places. */
function checkSol(endpoint: string, name: string, value: number): void {
  if (!Number.isFinite(value) || value <= 0) {
    throw invalid(endpoint, name, `must be above 0, not ${value}`);
  }
  if (Number(value.toFixed(9)) !== value) {
    throw invalid(endpoint, name, `must have at most 9 decimal places, not ${value}`);
  }
}

function invalid(endpoint: string, name: string, problem: string): ServiceError {
  return new ServiceError(`${name} ${problem}.`, { kind: 'invalidRequest', endpoint, field: name });
}
