import type { OperationRecord } from '../../src/transactions/journal/types';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import type { Change } from './world';

/** An operation, and what really came of it. */
export interface AuditedOperation {
  readonly record: OperationRecord;
  /** Its transactions that the chain has. */
  readonly landed: ReadonlySet<string>;
  /** What they changed for the owner. */
  readonly change: Change;
}

/** What the journal claims to have come of an operation. */
export interface Claim {
  /** How many of its transactions landed. */
  readonly landed: number;
  /** It is said that nothing happened at all. */
  readonly claimsNothingHappened: boolean;
  /** It is said that it could not be made sure. */
  readonly isUncertain: boolean;
}

/** What the journal claims. */
export function claimOf({ state, signatures, events, reason = '' }: OperationRecord): Claim {
  const end = events.findLast(({ kind }) => kind !== 'seen');
  const part = end?.kind === 'settled' || end?.kind === 'failed' ? end.landedTransactions : undefined;
  return {
    landed: part ?? (state === 'settled' ? signatures.length : 0),
    claimsNothingHappened: /nothing (?:happened|landed|was sent)|did not land/i.test(reason) || state === 'abandoned',
    isUncertain: /can't be determined|could not be|couldn't be|may have/i.test(reason),
  };
}

/** SOL of a change, lamports: also what is wrapped, which some services count in. */
export function solOf({ lamports, tokens }: Change): bigint {
  return lamports + (tokens.get(WRAPPED_SOL_MINT) ?? 0n);
}

/** The operation in words. */
export function nameOf({ created, state, events }: OperationRecord): string {
  return `the ${created.operation} (${events.map(({ kind }) => kind).join(', ')}: ${state})`;
}
