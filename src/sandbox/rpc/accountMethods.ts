import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { readMint, readTokenAccount } from '../../base/solana/tokenAccount';
import type { Chain } from '../chain/types';
import { accountStyle, accountView, tokenAmountView } from './accountView';
import { AccountConfig, ContextConfig, inContext, invalidParams, method, type Method, readAddress, withConfig } from './method';

const MAX_ACCOUNTS = 100;

/** Methods that read accounts and their lamports. */
export const accountMethods: Readonly<Record<string, Method>> = {
  getBalance: method(withConfig(z.string(), ContextConfig), (node, [of, config]) =>
    inContext(node, config, node.account(readAddress(of))?.lamports ?? 0n),
  ),

  getAccountInfo: method(withConfig(z.string(), AccountConfig), (node, [of, config]) => {
    const account = node.account(readAddress(of));
    return inContext(node, config, account === undefined ? null : accountView(node.chain, account, accountStyle(config, 'binary')));
  }),

  getMultipleAccounts: method(withConfig(z.array(z.string()), AccountConfig), (node, [addresses, config]) => {
    if (addresses.length > MAX_ACCOUNTS) {
      throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`);
    }
    const style = accountStyle(config, 'base64');
    const accounts = addresses.map(readAddress).map((of) => node.account(of));
    return inContext(
      node,
      config,
      accounts.map((account) => (account === undefined ? null : accountView(node.chain, account, style))),
    );
  }),
};

const TokenFilter = z.union([z.object({ mint: z.string() }), z.object({ programId: z.string() })]);

/** Methods that read token accounts. */
export const tokenMethods: Readonly<Record<string, Method>> = {
  getTokenAccountBalance: method(withConfig(z.string(), ContextConfig), (node, [at, config]) => {
    const account = node.chain.account(readAddress(at));
    if (account === undefined) {
      throw invalidParams('Invalid param: could not find account');
    }
    const token = readTokenAccount(account);
    if (token === undefined) {
      throw invalidParams('Invalid param: not a Token account');
    }
    return inContext(node, config, tokenAmountView(token.amountRaw, mintAt(node.chain, token.mint).decimals));
  }),

  getTokenAccountsByOwner: method(z.tuple([z.string(), TokenFilter, AccountConfig.nullish()]), (node, [of, filter, config]) => {
    const { chain } = node;
    const { program, mint } = wanted(chain, filter);
    const style = accountStyle(config, 'binary');
    const value = chain.tokenAccountsOf(readAddress(of), mint).flatMap((pubkey) => {
      const account = chain.account(pubkey);
      return account?.program === program ? [{ pubkey, account: accountView(chain, account, style) }] : [];
    });
    return inContext(node, config, value);
  }),
};

/** The token program and the mint that a filter names; `mint` is `undefined` for all mints. */
function wanted(chain: Chain, filter: z.output<typeof TokenFilter>): { readonly program: Address; readonly mint: Address | undefined } {
  if ('mint' in filter) {
    const mint = readAddress(filter.mint);
    return { program: mintAt(chain, mint).program, mint };
  }
  const program = readAddress(filter.programId);
  if (program !== PROGRAMS.token && program !== PROGRAMS.token2022) {
    throw invalidParams('Invalid param: unrecognized Token program id');
  }
  return { program, mint: undefined };
}

function mintAt(chain: Chain, mint: Address): { readonly decimals: number; readonly program: Address } {
  const account = chain.account(mint);
  if (account === undefined) {
    throw invalidParams('Invalid param: could not find mint');
  }
  const read = readMint(account);
  if (read === undefined) {
    throw invalidParams('Invalid param: not a Token mint');
  }
  return { decimals: read.decimals, program: account.program };
}
