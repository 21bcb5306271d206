import { type Clock, startTimer } from '../../base/async/clock';
import { EngineError } from '../../engine/engine';
import { ChainRpcError } from '../rpc/errors';
import { notLanded } from './answer';
import type { FoundOperation } from './issued';
import type { LandingNetwork } from './network';
import type { LandingTransaction } from './store';

/** Dependencies of {@link checkBeforeSending}. */
export interface CheckOptions {
  readonly network: LandingNetwork;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Result of {@link checkBeforeSending}. */
export interface CheckedLanding {
  /** No transaction of the operation was sent before this slot. */
  readonly beganSlot: number;
  /** The blockhash has expired. Nothing may be sent; the client may have sent the transactions itself. */
  readonly isExpired: boolean;
}

/** Shorter than the client's patience, so that it learns that nothing was sent. */
const CHECK_TIMEOUT_MS = 15_000;
/** Number of blocks for which a blockhash is valid. */
const BLOCKHASH_BLOCKS = 150;
/** More slots for each block than Solana has ever had over such a time: some slots have no block. */
const MOST_SLOTS_PER_BLOCK = 2;

/**
 * Checks that the RPC answers, and simulates what is sent first.
 * @throws EngineError if a transaction would fail, or the RPC does not answer: nothing was sent, and the operation may be landed again
 */
export async function checkBeforeSending(
  { operation, variant }: FoundOperation,
  transactions: readonly LandingTransaction[],
  options: CheckOptions,
): Promise<CheckedLanding> {
  const { network } = options;
  return withinLimit(options, async (signal) => {
    const { slot, blockHeight } = await network.finalized(signal);
    // Without statuses the outcome would never be known.
    await network.statuses(
      transactions.map(({ signature }) => signature),
      false,
      signal,
    );
    if (blockHeight > operation.lastValidBlockHeight) {
      const blocks = blockHeight - operation.lastValidBlockHeight + BLOCKHASH_BLOCKS;
      return { beganSlot: Math.max(0, slot - MOST_SLOTS_PER_BLOCK * blocks), isExpired: true };
    }
    // In a bundle, each transaction but the first needs the ones before it.
    const independent = transactions.filter(({ groupNumber, place }) => (variant === 'plain' ? groupNumber === 0 : place === 0));
    for (const { bytes, place } of independent) {
      const failure = await network.simulate(bytes, undefined, signal);
      if (failure !== undefined && !failure.isTransient) {
        throw notLanded(`Transaction ${place + 1} would fail: ${failure.text}.`);
      }
    }
    return { beganSlot: slot, isExpired: false };
  });
}

/** @throws EngineError `unavailable` if the RPC fails or does not answer in time */
async function withinLimit<Result>({ clock, signal }: CheckOptions, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const limit = new AbortController();
  const abort = (): void => limit.abort();
  const timer = startTimer(CHECK_TIMEOUT_MS, abort, clock);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) {
    abort();
  }
  try {
    return await run(limit.signal);
  } catch (error) {
    if (error instanceof ChainRpcError) {
      const reason =
        limit.signal.aborted && !signal.aborted ? `The RPC did not answer within ${CHECK_TIMEOUT_MS / 1_000} s.` : error.message;
      throw new EngineError('unavailable', `Nothing was sent, because the RPC could not be reached or refused. ${reason}`, {
        cause: error,
      });
    }
    throw error;
  } finally {
    timer.dispose();
    signal.removeEventListener('abort', abort);
  }
}
