import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { isOwned, notOwnedMessage, type TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { accountIn, addressIn, type DecodedCall } from '../decode/instructions';
import { noteUnresolved } from './unresolved';
import type { AccountRoles } from './meteora';

/** Says whether an account is the position that the operation is about. */
export type IsIntended = (position: Address) => boolean;

/** The pool and the position that were asked for, and no other (DLMM-1, DAMM-1). */
export function reviewPoolAndPosition(
  reading: DecodedCall,
  roles: AccountRoles,
  isIntended: IsIntended,
  context: TransactionContext,
  notes: PlaceNotes,
): void {
  const { intent, position } = context;
  const expected = [
    [roles.pool, 'pool', intent.pool, (address: Address) => address === intent.pool],
    [roles.position, 'position', position, isIntended],
  ] as const;
  for (const [role, word, right, isRight] of expected) {
    const account = accountIn(reading, role);
    if (account === undefined) {
      continue;
    }
    if (account.address === undefined) {
      noteUnresolved(roles.rules.place, l10n.t`This is about a ${word}`, 'other', context, notes);
    } else if (!isRight(account.address)) {
      const asked = right === undefined ? l10n.t`any ${word} that you asked for` : right;
      notes.block(roles.rules.place, l10n.t`This is about the ${word} ${account.address}, not about ${asked}.`, {
        address: account.address,
      });
    }
  }
}

/** Tokens, rent and powers stay with the owner (DLMM-2, -3 and -6, DAMM-2, -3 and -6, ZAP-1 and -2). */
export function reviewRecipients(reading: DecodedCall, roles: AccountRoles, context: TransactionContext, notes: PlaceNotes): void {
  const { owner } = context.intent;
  for (const { name: role } of reading.layout?.accounts ?? []) {
    const kind = kindOfRole(role, roles);
    if (kind === undefined) {
      continue;
    }
    const address = addressIn(reading, role);
    if (address === undefined) {
      noteUnresolved(roles.rules[kind], l10n.t`${foreignRole()[kind]} an account (${role})`, 'other', context, notes);
    } else if (kind === 'ownTokens' ? !isOwned(context, address) : address !== owner) {
      const what = kind === 'ownTokens' ? notOwnedMessage(context, address) : l10n.t`${address}, which is not your wallet`;
      notes.block(roles.rules[kind], `${foreignRole()[kind]} ${what} (${role}).`, { address });
    }
  }
  reviewRewardAccount(reading, roles, context, notes);
}

/** Rewards are taken into the owner's associated account of that very reward (policy §15, notes on the tables). */
function reviewRewardAccount(reading: DecodedCall, roles: AccountRoles, context: TransactionContext, notes: PlaceNotes): void {
  const [account, mint, tokenProgram] = ['user_token_account', 'reward_mint', 'token_program'].map((role) => addressIn(reading, role));
  if (account === undefined || mint === undefined || tokenProgram === undefined || !isOwned(context, account)) {
    return;
  }
  if (!context.owned.isAssociated(account, mint, tokenProgram)) {
    notes.block(
      roles.rules.ownTokens,
      l10n.t`The reward of ${mint} would go to ${account}, which is not the account that belongs to your wallet and that token.`,
      { address: account },
    );
  }
}

const foreignRole = () =>
  ({
    ownTokens: l10n.t('Tokens would move to or from'),
    rent: l10n.t('The rent of what is closed would go to'),
    owner: l10n.t('The position would belong to, be paid for or be used by,'),
  }) as const;

function kindOfRole(role: string, roles: AccountRoles): keyof ReturnType<typeof foreignRole> | undefined {
  if (roles.ownTokens.includes(role)) {
    return 'ownTokens';
  }
  if (role === roles.rent) {
    return 'rent';
  }
  return roles.owner.includes(role) ? 'owner' : undefined;
}
