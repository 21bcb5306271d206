import * as l10n from '@vscode/l10n';
import { OperationError, type OperationErrorDetails } from '../errors';
import type { OperationDependencies } from '../types';
import { QUOTE_HOLDS_MS, type Quote } from './quote';

/**
 * Why a quote expired before it was signed. `key`: a prompt was open, or another operation had the wallet. `rpc`: it is young, and the RPC does
 * not know its blockhash.
 */
type Cause = 'key' | 'rpc' | 'connection';

/** A key that takes longer than this is the cause. */
const KEY_IS_LATE_MS = 5_000;

/** So many quotes of an operation may expire by one cause. A late key may be typed late again; the others hardly change. */
const MOST: Readonly<Record<Cause, number>> = { key: 9, rpc: 3, connection: 3 };

/** Counts the quotes of an operation that expired before they were signed, and ends it with the reason when there were enough. */
export class ExpiredQuotes {
  readonly #dependencies: Pick<OperationDependencies, 'rpc' | 'isSimulating' | 'nowMs'>;
  readonly #counts = new Map<Cause, number>();

  constructor(dependencies: Pick<OperationDependencies, 'rpc' | 'isSimulating' | 'nowMs'>) {
    this.#dependencies = dependencies;
  }

  /**
   * Counts a quote that nobody read meanwhile.
   * @param keyTookMs how long the key and the lock of the wallet took
   * @throws OperationError if there were too many
   */
  add({ requestedAtMs, reviewer }: Quote, keyTookMs: number): void {
    const tookMs = this.#dependencies.nowMs() - requestedAtMs - keyTookMs;
    const cause = keyTookMs > KEY_IS_LATE_MS ? 'key' : reviewer.hasExpired && tookMs < QUOTE_HOLDS_MS ? 'rpc' : 'connection';
    const count = (this.#counts.get(cause) ?? 0) + 1;
    this.#counts.set(cause, count);
    if (count >= MOST[cause]) {
      throw new OperationError({ kind: 'tooSlow', ...this.#words(cause, tookMs) });
    }
  }

  #words(cause: Cause, tookMs: number): Pick<OperationErrorDetails, 'what' | 'advice'> {
    const { rpc, isSimulating } = this.#dependencies;
    switch (cause) {
      case 'key':
        return {
          what: l10n.t('Every quote expired before the wallet was unlocked.'),
          advice: l10n.t('Unlock the wallet, then try again.'),
        };
      case 'rpc':
        return {
          what: l10n.t`The RPC ${rpc?.name ?? ''} lags behind or belongs to another network.`,
          advice: isSimulating ? otherRpcWords() : l10n.t('Set another RPC.'),
        };
      case 'connection':
        return {
          what: l10n.t`The connection is too slow: checking a quote took ${Math.ceil(tookMs / 1_000)} s, but it holds for about ${QUOTE_HOLDS_MS / 1_000} s.`,
          advice: rpc !== undefined && isSimulating ? otherRpcWords() : l10n.t('Try again with a faster connection.'),
        };
    }
  }
}

const otherRpcWords = (): string => l10n.t('Set another RPC, or turn off binsight.review.simulate.');
