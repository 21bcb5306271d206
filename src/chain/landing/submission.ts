import type { TransactionStatus } from './network';
import type { LandingTransaction } from './store';

/** What is known of the outcome of one transaction of a landing. */
export type SubmissionState =
  | 'pending'
  /** In a confirmed block. */
  | 'landed'
  /** In a confirmed block, without effect. */
  | 'failed'
  /** Its blockhash expired, and no finalized block has it. */
  | 'expired'
  /** It was never sent, and will not be. */
  | 'notSent';

/** One transaction of a landing, and how far its submission is. */
export interface Submission {
  readonly transaction: LandingTransaction;
  state: SubmissionState;
  /** As the node reported it last. */
  status: TransactionStatus['kind'];
  /** A simulation in the present state of the chain succeeded, so it is sent without another one. */
  isSimulated: boolean;
  /** A node, or an earlier process, may have received it. */
  mayHaveBeenSent: boolean;
  failedSimulations: number;
  /** When it was sent last. */
  sentAtMs: number;
}

/** The submissions whose outcome is not known. */
export function pendingOf(submissions: readonly Submission[]): readonly Submission[] {
  return submissions.filter(({ state }) => state === 'pending');
}

/** Number of a transaction in messages, from 1. */
export function numberOf({ transaction }: Submission): number {
  return transaction.place + 1;
}

/** Transactions that are submitted at the same time: a stage, a bundle, or a single transaction. In the order of submission. */
export function groupsOf(transactions: readonly LandingTransaction[], isOneByOne: boolean): readonly (readonly LandingTransaction[])[] {
  const groups = new Map<number, LandingTransaction[]>();
  for (const transaction of transactions) {
    const key = isOneByOne ? transaction.place : transaction.groupNumber;
    groups.set(key, [...(groups.get(key) ?? []), transaction]);
  }
  return [...groups.entries()].sort(([one], [other]) => one - other).map(([, group]) => group);
}
