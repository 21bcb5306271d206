import type { OpenPosition } from '../../service/positions';
import type { OperationResult } from '../../transactions/types';
import type { RebalanceResult, ReentryTerms } from '../../transactions/rebalance/types';
import type { Address } from '../../base/solana/address';
import type { Signer } from '../../wallet/signer';

/** Who says yes to the parts of a rebalance, and to what. */
export type RebalanceApproval =
  /** The user, asked for the zap-out in full. The zap-in goes under the same yes where its review is clean (legApprovals.ts); else it is asked in full. */
  | { readonly kind: 'ask' }
  /** The user has confirmed a summary: what is clean is signed under that yes, all else is asked in full. */
  | { readonly kind: 'summary'; /** When it was confirmed, milliseconds since 1970. */ readonly atMs: number }
  /** The user's rules, in automatic mode: what is clean is signed; all else is not signed and is left to the user. */
  | {
      readonly kind: 'rules';
      /**
       * Asked right before each signature; must not ask the user anything. What it throws ends the operation with nothing signed: a
       * `SigningError` `locked` as declined, all else as an OperationError `notSigned`.
       */
      readonly signer: () => Promise<Signer>;
      /** Told, in sentences, what was found that keeps a part from being signed; the run then ends as declined or blocked. */
      readonly heldBack: (words: string) => void;
    };

/** What every run has. */
export interface RunRequest {
  readonly owner: Address;
  readonly consent: RebalanceApproval;
  /** Ends it from outside, where that is still possible; as the button of its progress does. */
  readonly cancelled?: AbortSignal | undefined;
  /** Told when the user presses the button of its progress, at whatever step. */
  readonly onCancel?: (() => void) | undefined;
  /** The progress says whose doing it is: "Auto-rebalance". */
  readonly lead?: string | undefined;
  /** Which of several it is: "1 of 3". */
  readonly place?: string | undefined;
  /** Whether the end is told here, in a notification (the default); otherwise the caller tells it. */
  readonly isTold?: boolean | undefined;
}

/** A position that is to be re-centred. */
export interface RebalanceRequest extends RunRequest {
  readonly position: OpenPosition;
  readonly terms: ReentryTerms;
  /** Its zap-out was tried just before, and is proven not to have landed: the question says so. */
  readonly isAgain?: boolean | undefined;
}

/** A rebalance whose zap-out has landed, and of which nothing was put back. */
export interface ReentryRequest extends RunRequest {
  /** Its id in the journal. */
  readonly rebalance: string;
}

/** A position that is to be left as a whole, for SOL. */
export interface CloseRequest extends RunRequest {
  readonly position: OpenPosition;
  /** 0 to 10000. */
  readonly slippageBps: number;
}

/**
 * Runs rebalances with progress, approvals and results. What fails in a way that leaves nothing to tell but the error is thrown:
 * `OperationError` from the operation, `Refusal` where the position is busy in this window; nothing has been told of it then.
 */
export interface RebalanceRuns {
  rebalance(request: RebalanceRequest): Promise<RebalanceResult>;
  reenter(request: ReentryRequest): Promise<RebalanceResult>;
  close(request: CloseRequest): Promise<OperationResult>;
}
