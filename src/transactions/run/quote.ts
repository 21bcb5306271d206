import { runWithin } from '../../base/http';
import { REVIEW_LIFETIME_MS } from '../../review/review';
import type { Review } from '../../review/types';
import type { Reviewer } from '../inspect/reviewer';
import type { OperationDependencies } from '../types';
import type { BuiltOperation } from './steps';

/** Built transactions and their review: what the user is shown, and what is signed while it can still land. */
export interface Quote {
  readonly built: BuiltOperation;
  readonly reviewer: Reviewer;
  readonly review: Review;
  /** When it was requested, milliseconds since 1970: the blockhashes are hardly older. */
  readonly requestedAtMs: number;
}

/**
 * How long a quote is signed if no RPC tells the block height. A blockhash is valid for 150 blocks, which take 30 s at 200 ms a slot; signing
 * and landing need the rest.
 */
export const QUOTE_HOLDS_MS = 20_000;

/** Blocks that must be left for signing and landing where an RPC tells the height: 8 s at 200 ms a slot. */
const LEAST_BLOCKS_LEFT = 40;
/** A blockhash has 150 blocks; more than this is a wrong figure of the service, or another network. */
const MOST_BLOCKS_LEFT = 200;
/** Until this age no RPC is asked. */
const YOUNG_MS = 5_000;
const HEIGHT_BUDGET_MS = 2_000;

/** How long a quote still holds by the clock alone, milliseconds; 0: no longer, or the clock was set back. */
export function leftByClockMs({ requestedAtMs }: Pick<Quote, 'requestedAtMs'>, nowMs: number): number {
  const ageMs = nowMs - requestedAtMs;
  return ageMs < 0 ? 0 : Math.max(0, QUOTE_HOLDS_MS - ageMs);
}

/**
 * Whether a quote can be signed: by the block height where an RPC tells it, else by the clock. It only avoids transactions that come too late;
 * whether they land, the chain decides.
 */
export async function isHolding(
  { requestedAtMs, built: { lastValidBlockHeight } }: Pick<Quote, 'requestedAtMs' | 'built'>,
  { rpc, nowMs }: Pick<OperationDependencies, 'rpc' | 'nowMs'>,
  signal: AbortSignal,
): Promise<boolean> {
  const ageMs = nowMs() - requestedAtMs;
  // Negated, so NaN is too old as well.
  if (!(ageMs >= 0 && ageMs < REVIEW_LIFETIME_MS)) {
    return false;
  }
  const byClock = ageMs < QUOTE_HOLDS_MS;
  if (rpc === undefined || lastValidBlockHeight === undefined || ageMs < YOUNG_MS) {
    return byClock;
  }
  try {
    const height = await runWithin(signal, HEIGHT_BUDGET_MS, (limited) => rpc.blockHeight({ signal: limited }));
    const left = lastValidBlockHeight - Number(height);
    return left <= MOST_BLOCKS_LEFT ? left >= LEAST_BLOCKS_LEFT : byClock;
  } catch {
    return byClock;
  }
}
