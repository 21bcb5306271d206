import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { OperationContext, OperationRule } from '../context';
import type { TokenAccountFact, TokenAccountLimit } from '../facts/facts';
import type { Notes } from '../notes';

/**
 * OWN-1: the RPC's answers about the owner's associated token accounts that the transactions name. An account that belongs to another wallet,
 * or that another wallet can act on, is blocked. A frozen account, or one that Token-2022 restricts, is a question: transfers may fail.
 */
export const reviewOwnAccounts: OperationRule = (context, notes) => {
  const { transactions, owned, facts } = context;
  const named = new Set(transactions.flatMap(({ view }) => view.accounts.flatMap(({ address }) => address ?? [])));
  for (const account of named) {
    const fact = facts.tokenAccounts.get(account);
    if (fact !== undefined && owned.isAssociatedByAddress(account)) {
      reviewFact(account, fact, context, notes);
    }
  }
};

function reviewFact(
  account: Address,
  { owner: holder, state, delegate, closeAuthority, limits = [] }: TokenAccountFact,
  { intent: { owner } }: OperationContext,
  notes: Notes,
): void {
  const refuse = (words: string): void =>
    notes.operation('OWN-1', 'block', `${words} ${l10n.t('Tokens that go there could be taken from you.')}`, { address: account });
  if (holder !== owner) {
    refuse(l10n.t`Your RPC says that your associated token account ${account} now belongs to ${holder}.`);
  } else if (state === 'uninitialized') {
    refuse(l10n.t`Your RPC says that your associated token account ${account} exists but is not initialized.`);
  } else if (delegate && delegate !== owner) {
    refuse(l10n.t`Your RPC says that ${delegate} can spend from your token account ${account}. Revoke that in your wallet app first.`);
  } else if (closeAuthority && closeAuthority !== owner) {
    refuse(l10n.t`Your RPC says that ${closeAuthority} can close your token account ${account}.`);
  } else if (state === 'frozen') {
    const words = l10n.t`Your RPC says that your token account ${account} is frozen. The transaction would fail until the token's issuer thaws the account.`;
    notes.operation('OWN-1', 'confirm', words, { address: account });
  }
  for (const limit of limits) {
    notes.operation('OWN-1', 'confirm', limitText(account, limit), { address: account });
  }
}

/** Each transaction lands by itself: one that fails does not undo the others. */
function limitText(account: Address, limit: TokenAccountLimit): string {
  switch (limit) {
    case 'memoRequired':
      return l10n.t`Your RPC says that your token account ${account} requires a memo with incoming tokens. A swap would fail after the withdrawal has landed: turn that off in your wallet app first.`;
    case 'cpiGuard':
      return l10n.t`Your RPC says that your token account ${account} has a CPI guard. A swap or a deposit would fail after other transactions have landed: turn the guard off in your wallet app first.`;
  }
}
