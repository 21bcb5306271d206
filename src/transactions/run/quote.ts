import { runWithin } from '../../base/http';
import { REVIEW_LIFETIME_MS } from '../../review/review';
import type { Review } from '../../review/types';
import type { Reviewer } from '../inspect/reviewer';
import type { OperationDependencies } from '../types';
import type { BuiltOperation } from './steps';

/** Built transactions and their review: what the user is shown, and what is signed while it can still land. */
export interface Quote {
  readonly built: BuiltOperation;
  /** The slippage tolerance that it was built with: the user's, or a tighter one (coverage.ts). */
  readonly slippageBps: number;
  readonly reviewer: Reviewer;
  readonly review: Review;
  /** When it was requested, milliseconds since 1970: the blockhashes are hardly older. */
  readonly requestedAtMs: number;
  /** Until when it holds as far as is known, milliseconds since 1970. */
  readonly holdsUntilMs: number;
}

/**
 * How long a quote is signed if no RPC tells the block height. A blockhash is valid for 150 blocks, which take 30 s at 200 ms a slot; signing
 * and landing need the rest.
 */
export const QUOTE_HOLDS_MS = 20_000;

/** The shortest slot that Solana plans: blocks that are left hold at least for this long each. */
const SHORTEST_SLOT_MS = 200;
/** Blocks that must be left for signing and landing where an RPC tells the height: 8 s at 200 ms a slot. */
const LEAST_BLOCKS_LEFT = 40;
/** A blockhash has 150 blocks; more than this is a wrong figure of the service, or another network. */
const MOST_BLOCKS_LEFT = 200;
/** Until this age no RPC is asked. */
const YOUNG_MS = 5_000;
const HEIGHT_BUDGET_MS = 2_000;

/** Until when a quote that was requested then holds by the clock alone, milliseconds since 1970. */
export function holdsUntilByClockMs(requestedAtMs: number): number {
  return requestedAtMs + QUOTE_HOLDS_MS;
}

/** How long a quote still holds as far as is known, milliseconds; 0: no longer, or the clock was set back. */
export function leftMs({ requestedAtMs, holdsUntilMs }: Pick<Quote, 'requestedAtMs' | 'holdsUntilMs'>, nowMs: number): number {
  return nowMs < requestedAtMs ? 0 : Math.max(0, holdsUntilMs - nowMs);
}

/**
 * Until when a quote can be signed, milliseconds since 1970: by the block height where an RPC tells it, else by the clock. It only avoids
 * transactions that come too late; whether they land, the chain decides.
 * @returns `undefined` if it has expired
 */
export async function stillHoldsUntilMs(
  { requestedAtMs, built: { lastValidBlockHeight }, reviewer }: Quote,
  nowMs: () => number,
  heights: BlockHeights,
  signal: AbortSignal,
): Promise<number | undefined> {
  const ageMs = nowMs() - requestedAtMs;
  // Negated, so NaN is too old as well.
  if (reviewer.hasExpired || !(ageMs >= 0 && ageMs < REVIEW_LIFETIME_MS)) {
    return undefined;
  }
  const height = lastValidBlockHeight === undefined || ageMs < YOUNG_MS ? undefined : await heights.read(signal);
  const blocksLeft = height === undefined ? undefined : (lastValidBlockHeight ?? 0) - Number(height);
  const untilMs =
    blocksLeft === undefined || blocksLeft > MOST_BLOCKS_LEFT
      ? holdsUntilByClockMs(requestedAtMs)
      : nowMs() + (blocksLeft - LEAST_BLOCKS_LEFT + 1) * SHORTEST_SLOT_MS;
  return untilMs > nowMs() ? Math.min(untilMs, requestedAtMs + REVIEW_LIFETIME_MS) : undefined;
}

/** The block height by an RPC, for one operation. An RPC that is too slow for it once is not asked again: the quotes expire meanwhile. */
export class BlockHeights {
  readonly #rpc: OperationDependencies['rpc'];
  #isSlow = false;

  constructor(rpc: OperationDependencies['rpc']) {
    this.#rpc = rpc;
  }

  /** @returns `undefined`: there is no RPC, or it does not answer in time. Never rejects */
  async read(signal: AbortSignal): Promise<bigint | undefined> {
    const rpc = this.#isSlow ? undefined : this.#rpc;
    try {
      return await runWithin(signal, HEIGHT_BUDGET_MS, async (limited) => rpc?.blockHeight({ signal: limited }));
    } catch {
      this.#isSlow = true;
      return undefined;
    }
  }
}
