import type { OpenPosition } from '../../service/positions';
import type { OperationResult } from '../../transactions/types';
import type { RebalanceResult, ReentryTerms } from '../../transactions/rebalance/types';
import type { Address } from '../../base/solana/address';
import type { Signer } from '../../wallet/signer';

/** Who approves the legs of a rebalance. */
export type RebalanceApproval =
  /** The user, asked for the zap-out in full. This approval also covers a zap-in whose review is clean (legRun.ts); any other is asked in full. */
  | { readonly kind: 'ask' }
  /** The user confirmed a summary: clean legs are signed, any other is asked in full. */
  | { readonly kind: 'summary'; /** When it was confirmed, milliseconds since 1970. */ readonly atMs: number }
  /** The rules of automatic mode: clean legs are signed, any other is left to the user. */
  | {
      readonly kind: 'rules';
      /**
       * Called right before each signature; must not ask the user anything. Any error ends the operation with nothing signed: a
       * `SigningError` of kind `locked` as declined, any other as an `OperationError` of kind `notSigned`.
       */
      readonly signer: () => Promise<Signer>;
      /** Called with the reason, in sentences, why a leg is not signed; the run then ends as declined or blocked. */
      readonly heldBack: (words: string) => void;
    };

export interface RunRequest {
  readonly owner: Address;
  readonly consent: RebalanceApproval;
  /** Cancels the run, as Cancel on the progress does. */
  readonly cancelled?: AbortSignal | undefined;
  /** Called when the user presses Cancel on the progress, at any step. */
  readonly onCancel?: (() => void) | undefined;
  /** Prefix of the progress title: "Auto-rebalance". */
  readonly lead?: string | undefined;
  /** Position in a list of several: "1 of 3". */
  readonly place?: string | undefined;
  /** Whether to show a notification about the result. Default: true. */
  readonly showsResult?: boolean | undefined;
}

export interface RebalanceRequest extends RunRequest {
  readonly position: OpenPosition;
  readonly terms: ReentryTerms;
  /** A re-entry that deposits more is asked about in full, lamports. Default: no such limit. */
  readonly mostReentryLamports?: bigint | undefined;
  /** A first attempt at its zap-out is proven not to have landed: the question says so. */
  readonly isAgain?: boolean | undefined;
}

/** A rebalance whose zap-out has landed and that was not re-entered. */
export interface ReentryRequest extends RunRequest {
  /** Its id in the journal. */
  readonly rebalance: string;
}

/** A position to close for SOL, without re-entering. */
export interface CloseRequest extends RunRequest {
  readonly position: OpenPosition;
  /** Slippage tolerance, 0 to 10000. */
  readonly slippageBps: number;
}

/**
 * Runs rebalances with progress, approvals and a notification about the result. Failures are thrown (`OperationError`, or `UserError` if
 * the position is busy in this window); the user has not been notified of them.
 */
export interface RebalanceRuns {
  rebalance(request: RebalanceRequest): Promise<RebalanceResult>;
  reenter(request: ReentryRequest): Promise<RebalanceResult>;
  close(request: CloseRequest): Promise<OperationResult>;
}
