import * as l10n from '@vscode/l10n';
import type { OperationContext } from '../context';
import type { PlaceNotes } from '../notes';

/** Roles in which a stranger's account could cost the owner money: the destination of a transfer, or any other. */
export type SensitiveRole = 'transferDestination' | 'other';

/**
 * Notes that an account in a sensitive role comes from an unresolved lookup table (ALT-2). An unknown destination of a transfer is
 * blocked. Recipients of a program, receivers of rent, pools, positions and authorities are a question, or blocked if the user chose
 * to be strict without an RPC. Accounts in other roles need no finding.
 * @param what a whole sentence: "The swap would pay out to an unknown account."
 */
export function noteUnresolved(rule: string, what: string, role: SensitiveRole, context: OperationContext, notes: PlaceNotes): void {
  const reason = l10n.t('Its address is in a lookup table that was not read, so Binsight cannot tell whose it is.');
  const message = `${what} ${reason}`;
  if (role === 'transferDestination' || context.policy.isStrictWithoutRpc) {
    notes.block(rule, message);
  } else {
    notes.confirm(rule, message);
  }
}
