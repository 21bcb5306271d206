import { type AccountInfo, PublicKey } from '@solana/web3.js';
import { type Address, address } from '../../base/solana/address';
import type { ChainRpc } from '../rpc/types';

/** Most accounts of one request. */
const MOST_ACCOUNTS = 100;

/** An account as the chain has it. */
export type ChainAccountInfo = AccountInfo<Buffer>;

/** Reads accounts, a hundred a request; one that does not exist is absent. */
export async function readAccounts(
  { connection }: ChainRpc,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, ChainAccountInfo>> {
  const wanted = [...new Set(addresses)];
  const found = new Map<Address, ChainAccountInfo>();
  for (let first = 0; first < wanted.length; first += MOST_ACCOUNTS) {
    const page = wanted.slice(first, first + MOST_ACCOUNTS);
    const accounts = await connection.getMultipleAccountsInfo(page.map((one) => new PublicKey(one)));
    page.forEach((one, index) => {
      const account = accounts[index];
      if (account !== null && account !== undefined) {
        found.set(one, account);
      }
    });
  }
  return found;
}

/** The address of a key. */
export function addressOf(key: PublicKey): Address {
  return address(key.toBase58());
}
