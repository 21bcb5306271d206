import type * as z from 'zod';
import type { Address } from '../solana/address';
import type { RpcError } from './errors';
import type { TransactionAnswer } from './schemas';
import type { LandedTransaction, TokenChange } from './types';

type Answer = NonNullable<z.output<typeof TransactionAnswer>>;

/**
 * Gives a transaction as a node answers it, with the balances beside the accounts that they belong to.
 * @throws RpcError where it is another one than was asked for, or balances are not beside accounts.
 */
export function landedTransaction(signature: string, { slot, transaction, meta }: Answer, malformed: (problem: string) => RpcError): LandedTransaction {
  if (transaction.signatures[0] !== signature) {
    throw malformed('it is another transaction');
  }
  const { writable = [], readonly: readOnly = [] } = meta.loadedAddresses ?? {};
  const accounts = [...transaction.message.accountKeys, ...writable, ...readOnly];
  if (meta.preBalances.length !== accounts.length || meta.postBalances.length !== accounts.length) {
    throw malformed(`${meta.preBalances.length} and ${meta.postBalances.length} balances of ${accounts.length} accounts`);
  }
  return {
    slot,
    error: meta.err,
    feeLamports: meta.fee,
    lamports: accounts.map((address, index) => ({ address, before: meta.preBalances[index] ?? 0n, after: meta.postBalances[index] ?? 0n })),
    tokens: tokenChanges(accounts, meta, malformed),
  };
}

/** Account by account: an account that is closed within it, and made again for another token, counts as two. */
function tokenChanges(accounts: readonly Address[], { preTokenBalances, postTokenBalances }: Answer['meta'], malformed: (problem: string) => RpcError): readonly TokenChange[] {
  const changes = new Map<string, TokenChange>();
  const note = (balances: Answer['meta']['preTokenBalances'], side: 'beforeRaw' | 'afterRaw'): void => {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances ?? []) {
      const account = accounts[accountIndex];
      if (account === undefined) {
        throw malformed(`a token balance of account ${accountIndex} of ${accounts.length}`);
      }
      const key = `${account} ${mint} ${owner ?? ''}`;
      const known = changes.get(key) ?? { account, mint, owner: owner ?? undefined, beforeRaw: 0n, afterRaw: 0n };
      changes.set(key, { ...known, [side]: uiTokenAmount.amount });
    }
  };
  note(preTokenBalances, 'beforeRaw');
  note(postTokenBalances, 'afterRaw');
  return [...changes.values()];
}
