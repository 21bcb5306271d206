import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { OperationContext, OperationRule } from '../context';
import type { TokenAccountFact, TokenAccountLimit } from '../facts/facts';
import type { Notes } from '../notes';

/**
 * OWN-1 (amendment A2): what an RPC says of the owner's associated accounts that the transactions name. One that belongs to somebody
 * else, or over which somebody else has power, is refused; one that is frozen, or that Token-2022 limits, may take or give no tokens.
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
    notes.operation('OWN-1', 'block', l10n.t`${words} What goes there could be taken from you.`, { address: account });
  if (holder !== owner) {
    refuse(l10n.t`Your RPC says that your associated token account ${account} belongs to ${holder} now.`);
  } else if (state === 'uninitialized') {
    refuse(l10n.t`Your RPC says that your associated token account ${account} is not set up, although it exists.`);
  } else if (delegate && delegate !== owner) {
    refuse(l10n.t`Your RPC says that ${delegate} may spend from your token account ${account}: revoke that in your wallet first.`);
  } else if (closeAuthority && closeAuthority !== owner) {
    refuse(l10n.t`Your RPC says that ${closeAuthority} may close your token account ${account}.`);
  } else if (state === 'frozen') {
    const words = l10n.t`Your RPC says that your token account ${account} is frozen: no tokens can go in or out until the issuer of the token thaws it, so that the transaction would fail.`;
    notes.operation('OWN-1', 'confirm', words, { address: account });
  }
  for (const limit of limits) {
    notes.operation('OWN-1', 'confirm', l10n.t`Your RPC says that your token account ${account} ${limitWords()[limit]}`, {
      address: account,
    });
  }
}

/** Each transaction lands by itself: one that fails leaves what the others did. */
const limitWords = (): Readonly<Record<TokenAccountLimit, string>> => ({
  memoRequired: l10n.t(
    'takes tokens only together with a memo. A swap into it would fail, after the withdrawal has landed. Turn "memo required" off in your wallet first.',
  ),
  cpiGuard: l10n.t(
    'lets no program move tokens out of it (CPI guard). A swap or a deposit would fail, after other transactions have landed. Turn the guard off in your wallet first.',
  ),
});
