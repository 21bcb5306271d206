import { wordsOf } from '../support/transactions/words';
import type { OperationRecord } from '../../src/transactions/journal/types';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import type { Change } from './world';

/** An operation, and its real effect. */
export interface AuditedOperation {
  readonly record: OperationRecord;
  /** Its transactions that the chain has. */
  readonly landed: ReadonlySet<string>;
  /** Their changes for the owner. */
  readonly change: Change;
}

/** The journal's claim about an operation. */
export interface Claim {
  /** Number of its transactions that landed. */
  readonly landed: number;
  /** It claims that nothing happened. */
  readonly claimsNothingHappened: boolean;
  /** It claims that the outcome is unclear. */
  readonly isUncertain: boolean;
}

/** Derives the claim from the record. */
export function claimOf({ state, signatures, events, isUnclear, reason }: OperationRecord): Claim {
  const end = events.findLast(({ kind }) => kind !== 'seen');
  const part = end?.kind === 'settled' || end?.kind === 'failed' ? end.landedTransactions : undefined;
  return {
    landed: part ?? (state === 'settled' ? signatures.length : 0),
    claimsNothingHappened:
      /nothing (?:happened|landed|was sent)|only its network fees were paid|did not land/i.test(wordsOf(reason)) || state === 'abandoned',
    isUncertain: isUnclear,
  };
}

/** SOL of a change in lamports, including wrapped SOL, which some services count. */
export function solOf({ lamports, tokens }: Change): bigint {
  return lamports + (tokens.get(WRAPPED_SOL_MINT) ?? 0n);
}

/** The operation, for messages. */
export function nameOf({ created, state, events }: OperationRecord): string {
  return `the ${created.operation} (${events.map(({ kind }) => kind).join(', ')}: ${state})`;
}
