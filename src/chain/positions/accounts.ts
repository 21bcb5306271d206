import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { ChainRpcError } from '../rpc/errors';
import type { ChainCallOptions, ChainRpc } from '../rpc/types';

/** An account as the RPC has it. */
export interface RawAccount {
  /** The program that the account belongs to. */
  readonly program: Address;
  readonly lamports: bigint;
  readonly data: Buffer;
}

/** Landed operations are seen at once; without a commitment the RPC shows the state of some ten seconds ago. */
export const COMMITMENT = 'confirmed';

const Base58Address = z.string().transform((text, context): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) {
    context.addIssue('is not an address');
    return z.NEVER;
  }
  return parsed;
});

/** `data` of an account in base64. */
const Base64Data = z.tuple([z.string(), z.literal('base64')]).transform(([text]) => Buffer.from(text, 'base64'));

const Lamports = z.number().nonnegative().refine(Number.isInteger).transform(BigInt);
/** An account in base64 encoding. */
const Account = z.object({ owner: Base58Address, lamports: Lamports, data: Base64Data });
const Accounts = z.object({ value: z.array(Account.nullable()) });

/** Accounts of a search: `getProgramAccounts`, and the list in `getTokenAccountsByOwner`. */
const FoundAccounts = z.array(z.object({ pubkey: Base58Address, account: z.object({ data: Base64Data }) }));

/** The answer of `getProgramAccounts` without context. */
export const ProgramAccounts = FoundAccounts;
/** The answer of `getTokenAccountsByOwner`. */
export const TokenAccounts = z.object({ value: FoundAccounts });

/** Reads accounts, all at the same time, in as many requests as the RPC needs. Accounts that do not exist are left out. */
export async function readAccounts(
  rpc: ChainRpc,
  addresses: readonly Address[],
  options?: ChainCallOptions,
): Promise<ReadonlyMap<Address, RawAccount>> {
  if (addresses.length === 0) {
    return new Map();
  }
  const { value } = await rpc.call('getMultipleAccounts', [addresses, { encoding: 'base64', commitment: COMMITMENT }], Accounts, options);
  if (value.length !== addresses.length) {
    const problem = `The RPC answered ${value.length} accounts instead of ${addresses.length}.`;
    throw new ChainRpcError('invalidResponse', 'getMultipleAccounts', problem);
  }
  return new Map(
    addresses.flatMap((address, index): readonly (readonly [Address, RawAccount])[] => {
      const account = value[index];
      return account === undefined || account === null
        ? []
        : [[address, { program: account.owner, lamports: account.lamports, data: account.data }]];
    }),
  );
}
