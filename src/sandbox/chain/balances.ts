import type { Address } from '../../base/solana/address';
import { isTokenAccount, readHolding, readMint } from '../../base/solana/tokenAccount';
import type { BalanceChange, ChainAccount, TokenBalanceChange } from './types';

/** Balances of accounts at one moment, in the order of the requested keys. */
export interface BalanceSnapshot {
  readonly lamports: readonly bigint[];
  readonly tokens: ReadonlyMap<Address, Tokens>;
}

interface Tokens {
  readonly mint: Address;
  readonly holder: Address;
  readonly program: Address;
  readonly amountRaw: bigint;
}

/** Lookup of accounts. */
export interface AccountSource {
  /** An account of the table; `undefined` for other accounts. */
  kept(of: Address): Readonly<ChainAccount> | undefined;
  /** Lamports of an account outside of the table. */
  otherLamports(of: Address): bigint;
  /** Any account; `undefined` if it does not exist. */
  account(of: Address): Readonly<ChainAccount> | undefined;
}

/** Records the balances of these accounts. */
export function balancesOf(keys: readonly Address[], source: AccountSource): BalanceSnapshot {
  const tokens = new Map<Address, Tokens>();
  const lamports = keys.map((key) => {
    const account = source.kept(key);
    if (account === undefined) {
      return source.otherLamports(key);
    }
    if (isTokenAccount(account)) {
      const { mint, owner, amountRaw } = readHolding(account.data);
      tokens.set(key, { mint, holder: owner, program: account.program, amountRaw });
    }
    return account.lamports;
  });
  return { lamports, tokens };
}

/** Lamports of each account before and after. */
export function lamportChanges(keys: readonly Address[], before: BalanceSnapshot, after: BalanceSnapshot): readonly BalanceChange[] {
  return keys.map((address, place) => ({ address, before: before.lamports[place] ?? 0n, after: after.lamports[place] ?? 0n }));
}

/** Token balances before and after. An account that changed its mint or holder has two entries. */
export function tokenChanges(
  keys: readonly Address[],
  before: BalanceSnapshot,
  after: BalanceSnapshot,
  source: AccountSource,
): readonly TokenBalanceChange[] {
  const decimalsOf = (mint: Address): number => {
    const account = source.account(mint);
    return (account === undefined ? undefined : readMint(account)?.decimals) ?? 0;
  };
  return keys.flatMap((address): readonly TokenBalanceChange[] => {
    const was = before.tokens.get(address);
    const is = after.tokens.get(address);
    const change = (of: Tokens, from: Tokens | undefined, to: Tokens | undefined): TokenBalanceChange => ({
      address,
      mint: of.mint,
      holder: of.holder,
      decimals: decimalsOf(of.mint),
      program: of.program,
      before: from?.amountRaw,
      after: to?.amountRaw,
    });
    if (was === undefined || is === undefined || (was.mint === is.mint && was.holder === is.holder)) {
      const of = was ?? is;
      return of === undefined ? [] : [change(of, was, is)];
    }
    return [change(was, was, undefined), change(is, undefined, is)];
  });
}
