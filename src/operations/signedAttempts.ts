import { addSpends } from '../review/spends';
import type { Spends } from '../review/types';
import type { SolanaRpc } from '../rpc/types';

/** What was signed for one attempt at an operation. */
export interface SignedAttempt {
  readonly spends: Spends;
  /** By which its transactions can land. */
  readonly blockhashes: readonly string[];
  /** Milliseconds since 1970. */
  readonly signedAtMs: number;
}

/**
 * How long a signed transaction counts as one that may still land: a blockhash is good for 150 blocks, which take a minute
 * and, on a bad day, near two (docs of the Solana runtime, "Transaction confirmation and expiration"). What the service
 * says of the last block is not gone by: it may be wrong on purpose.
 */
const MAY_LAND_MS = 120_000;

/** Younger than that, a blockhash may just not have come to the RPC yet. */
const KNOWN_EVERYWHERE_MS = 20_000;

/** How long the RPC may take to say whether an attempt can still land. */
const RPC_BUDGET_MS = 5_000;

/**
 * Remembers what was signed for operations that did not come to a clear end: whoever holds those signatures may still land
 * them, so that the limits of another attempt at the same operation count them in (policy BND-2).
 */
export class SignedAttempts {
  readonly #attempts = new Map<string, readonly SignedAttempt[]>();

  /**
   * Remembers an attempt, before it is handed out.
   * @param operation names what is attempted: the same text for the same operation
   */
  signed(operation: string, attempt: SignedAttempt): void {
    this.#attempts.set(operation, [...this.#remembered(operation, attempt.signedAtMs), attempt]);
  }

  /** Forgets an attempt that has landed: what it spent is spent. Others at the same operation may still land as well. */
  landed(operation: string, attempt: SignedAttempt): void {
    this.#keep(operation, (this.#attempts.get(operation) ?? []).filter((other) => other !== attempt));
  }

  /**
   * What earlier attempts at an operation may still spend, all together; `undefined` where there are none. An RPC may know
   * earlier than the clock that one of them cannot land any more. Never rejects.
   */
  async prior(operation: string, nowMs: number, rpc: SolanaRpc | undefined, signal: AbortSignal): Promise<Spends | undefined> {
    const remembered = this.#remembered(operation, nowMs);
    const over = await Promise.all(remembered.map((attempt) => isOver(attempt, nowMs, rpc, signal)));
    // Meanwhile another one may have been signed, or have landed.
    const open = this.#remembered(operation, nowMs).filter((attempt) => over[remembered.indexOf(attempt)] !== true);
    this.#keep(operation, open);
    return open.length === 0 ? undefined : open.map(({ spends }) => spends).reduce(addSpends);
  }

  #keep(operation: string, attempts: readonly SignedAttempt[]): void {
    if (attempts.length === 0) {
      this.#attempts.delete(operation);
    } else {
      this.#attempts.set(operation, attempts);
    }
  }

  #remembered(operation: string, nowMs: number): readonly SignedAttempt[] {
    return (this.#attempts.get(operation) ?? []).filter(({ signedAtMs }) => nowMs - signedAtMs < MAY_LAND_MS);
  }
}

/** Whether the RPC says that none of an attempt's transactions can land any more. */
async function isOver({ blockhashes, signedAtMs }: SignedAttempt, nowMs: number, rpc: SolanaRpc | undefined, signal: AbortSignal): Promise<boolean> {
  if (rpc === undefined || nowMs - signedAtMs < KNOWN_EVERYWHERE_MS) {
    return false;
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(RPC_BUDGET_MS)]);
  try {
    const valid = await Promise.all(blockhashes.map((blockhash) => rpc.isBlockhashValid(blockhash, { signal: limit })));
    return valid.every((one) => !one);
  } catch {
    return false;
  }
}
