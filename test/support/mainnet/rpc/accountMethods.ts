import { Buffer } from 'node:buffer';
import bs58 from 'bs58';
import * as z from 'zod';
import type { Address } from '../../../../src/base/solana/address';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { readMint, readTokenAccount } from '../../../../src/base/solana/tokenAccount';
import type { ChainAccount } from '../../../../src/sandbox/chain/types';
import { accountStyle, accountView, tokenAmountView } from '../../../../src/sandbox/rpc/accountView';
import {
  AccountConfig,
  ContextConfig,
  invalidParams,
  method,
  type Method,
  readAddress,
  withConfig,
} from '../../../../src/sandbox/rpc/method';
import type { Node } from './node';

const MAX_ACCOUNTS = 100;
const MAX_FILTERS = 4;
const LARGEST_ACCOUNTS = 20;
const MAX_COMPARED_BYTES = 128;

const Filter = z.union([
  z.object({ dataSize: z.int().nonnegative() }),
  z.object({ memcmp: z.object({ offset: z.int().nonnegative(), bytes: z.string(), encoding: z.enum(['base58', 'base64']).nullish() }) }),
]);
const ProgramConfig = AccountConfig.extend({
  filters: z.array(Filter).max(MAX_FILTERS).nullish(),
  withContext: z.boolean().nullish(),
  sortResults: z.boolean().nullish(),
});
const TokenFilter = z.union([z.object({ mint: z.string() }), z.object({ programId: z.string() })]);

/** Methods that read accounts. */
export const accountMethods: Readonly<Record<string, Method<Node>>> = {
  getBalance: method(withConfig(z.string(), ContextConfig), (node, [of, config]) => {
    const slot = node.slot(config);
    return node.inContext(slot, node.chain.account(readAddress(of), slot)?.lamports ?? 0n);
  }),

  getAccountInfo: method(withConfig(z.string(), AccountConfig), (node, [of, config]) => {
    const slot = node.slot(config);
    const account = node.chain.account(readAddress(of), slot);
    return node.inContext(slot, account === undefined ? null : accountView(node.chain, account, accountStyle(config, 'binary')));
  }),

  getMultipleAccounts: method(withConfig(z.array(z.string()), AccountConfig), (node, [addresses, config]) => {
    if (addresses.length > MAX_ACCOUNTS) {
      throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`);
    }
    const slot = node.slot(config);
    const style = accountStyle(config, 'base64');
    return node.inContext(
      slot,
      addresses.map((of) => {
        const account = node.chain.account(readAddress(of), slot);
        return account === undefined ? null : accountView(node.chain, account, style);
      }),
    );
  }),

  getProgramAccounts: method(withConfig(z.string(), ProgramConfig), (node, [program, config]) => {
    const slot = node.slot(config);
    const style = accountStyle(config, 'binary');
    const matches = (config?.filters ?? []).map(matcher);
    const found = node.chain
      .programAccounts(readAddress(program), slot)
      .filter(([, account]) => matches.every((match) => match(account)))
      .map(([pubkey, account]) => ({ pubkey, account: accountView(node.chain, account, style) }));
    return config?.withContext === true ? node.inContext(slot, found) : found;
  }),

  getTokenAccountBalance: method(withConfig(z.string(), ContextConfig), (node, [at, config]) => {
    const slot = node.slot(config);
    const account = node.chain.account(readAddress(at), slot);
    if (account === undefined) {
      throw invalidParams('Invalid param: could not find account');
    }
    const token = readTokenAccount(account);
    if (token === undefined) {
      throw invalidParams('Invalid param: not a Token account');
    }
    return node.inContext(slot, tokenAmountView(token.amountRaw, mintAt(node, token.mint).decimals));
  }),

  getTokenSupply: method(withConfig(z.string(), ContextConfig), (node, [mint, config]) => {
    const { supplyRaw, decimals } = mintAt(node, readAddress(mint));
    return node.inContext(node.slot(config), tokenAmountView(supplyRaw, decimals));
  }),

  getTokenLargestAccounts: method(withConfig(z.string(), ContextConfig), (node, [of, config]) => {
    const slot = node.slot(config);
    const mint = readAddress(of);
    const { program, decimals } = mintAt(node, mint);
    const held = node.chain.programAccounts(program, slot).flatMap(([account, contents]) => {
      const token = readTokenAccount(contents);
      return token?.mint === mint ? [{ address: account, amountRaw: token.amountRaw }] : [];
    });
    held.sort((one, other) => (one.amountRaw < other.amountRaw ? 1 : -1));
    const largest = held.slice(0, LARGEST_ACCOUNTS);
    return node.inContext(
      slot,
      largest.map(({ address, amountRaw }) => ({ address, ...tokenAmountView(amountRaw, decimals) })),
    );
  }),

  getTokenAccountsByOwner: method(z.tuple([z.string(), TokenFilter, AccountConfig.nullish()]), (node, [of, filter, config]) => {
    const slot = node.slot(config);
    const owner = readAddress(of);
    const style = accountStyle(config, 'binary');
    const mint = 'mint' in filter ? readAddress(filter.mint) : undefined;
    const program = 'mint' in filter ? mintAt(node, readAddress(filter.mint)).program : tokenProgram(filter.programId);
    const found = node.chain.programAccounts(program, slot).flatMap(([pubkey, account]) => {
      const token = readTokenAccount(account);
      return token?.owner === owner && (mint === undefined || token.mint === mint)
        ? [{ pubkey, account: accountView(node.chain, account, style) }]
        : [];
    });
    return node.inContext(slot, found);
  }),
};

/** Whether an account passes a filter of `getProgramAccounts`. */
function matcher(filter: z.output<typeof Filter>): (account: Readonly<ChainAccount>) => boolean {
  if ('dataSize' in filter) {
    return ({ data }) => data.length === filter.dataSize;
  }
  const { offset, bytes, encoding } = filter.memcmp;
  const wanted = encoding === 'base64' ? Buffer.from(bytes, 'base64') : bs58.decodeUnsafe(bytes);
  if (wanted === undefined || wanted.length > MAX_COMPARED_BYTES) {
    throw invalidParams('Invalid param: Invalid memcmp bytes');
  }
  return ({ data }) => Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
}

function tokenProgram(text: string): Address {
  const program = readAddress(text);
  if (program !== PROGRAMS.token && program !== PROGRAMS.token2022) {
    throw invalidParams('Invalid param: unrecognized Token program id');
  }
  return program;
}

function mintAt({ chain }: Node, mint: Address): { readonly decimals: number; readonly supplyRaw: bigint; readonly program: Address } {
  const account = chain.account(mint);
  const read = account === undefined ? undefined : readMint(account);
  if (account === undefined || read === undefined) {
    throw invalidParams(`Invalid param: ${account === undefined ? 'could not find mint' : 'not a Token mint'}`);
  }
  return { decimals: read.decimals, supplyRaw: read.supplyRaw, program: account.program };
}
