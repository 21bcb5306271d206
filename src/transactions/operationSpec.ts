import type { Landed } from '../service/transactions';
import type { Intent, TransactionGroup } from '../review/types';
import type { Address } from '../base/solana/address';
import type { Base64Transaction } from '../base/solana/wireTransaction';
import type { Effect } from './effects';
import type { JournalWatermark } from './journalWatermark';
import type { OperationDescriptor } from './target';

/** What is particular to one kind of operation. */
export interface OperationSpec {
  /** "Zap-out of ADDRESS": in the log. */
  readonly name: string;
  /** "zap-out": in sentences. */
  readonly noun: string;
  readonly subject: OperationDescriptor;
  /** What the list that it begins from is younger than (journalWatermark.ts): what was done to the same position since would be taken for its effect. */
  readonly listedAfter?: JournalWatermark | undefined;
  /** Asks the service to build it. */
  build(signal: AbortSignal): Promise<BuiltOperation>;
}

/** Gives the signed transactions of one group, in the order in which they were built. */
export type SignedGroups = (group: TransactionGroup) => readonly Base64Transaction[];

/** What the service built, and how it goes on from there. */
export interface BuiltOperation {
  readonly intent: Intent;
  /** In the order in which they land. */
  readonly transactions: readonly { readonly group: TransactionGroup; readonly base64: Base64Transaction }[];
  /** Block height after which they cannot land. */
  readonly lastValidBlockHeight: number | undefined;
  /** The position that is left, or made. */
  readonly position: Address | undefined;
  /** Hands them back to be landed. */
  land(signed: SignedGroups): Promise<Landed>;
  readonly effect: Effect;
}
