import { type AccountInfo, PublicKey } from '@solana/web3.js';
import { type Address, address } from '../../base/solana/address';
import type { ChainRpc } from '../rpc/types';

/** An account as the chain has it. */
export type ChainAccountInfo = AccountInfo<Buffer>;

/** Reads accounts, all at the same time; one that does not exist is absent. */
export async function readAccounts(
  { connection }: ChainRpc,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, ChainAccountInfo>> {
  const wanted = [...new Set(addresses)];
  const accounts = wanted.length === 0 ? [] : await connection.getMultipleAccountsInfo(wanted.map((one) => new PublicKey(one)));
  return new Map(
    wanted.flatMap((one, index): readonly (readonly [Address, ChainAccountInfo])[] => {
      const account = accounts[index];
      return account === null || account === undefined ? [] : [[one, account]];
    }),
  );
}

export function addressOf(key: PublicKey): Address {
  return address(key.toBase58());
}
