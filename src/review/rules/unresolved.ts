import * as l10n from '@vscode/l10n';
import type { OperationContext } from '../context';
import type { PlaceNotes } from '../notes';

/** What an account is to the owner's money: where a transfer goes to, or another role that a stranger could abuse. */
export type SensitiveRole = 'transferDestination' | 'other';

/**
 * Notes that an account in a sensitive role is named by a lookup table that was not resolved (ALT-2). Where a transfer goes to
 * must be known: it is refused. Recipients of a program, receivers of rent, pools, positions and authorities are for the user
 * to decide on, and refused where the user wants to be strict without an RPC. Accounts in other roles need no finding.
 * `what` begins the sentence: "What is withdrawn would go to an account".
 */
export function noteUnresolved(rule: string, what: string, role: SensitiveRole, context: OperationContext, notes: PlaceNotes): void {
  const message = l10n.t`${what} that only a lookup table names, so Binsight cannot say whose it is.`;
  if (role === 'transferDestination' || context.policy.isStrictWithoutRpc) {
    notes.block(rule, message);
  } else {
    notes.confirm(rule, message);
  }
}
