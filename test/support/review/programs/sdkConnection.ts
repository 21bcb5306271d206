import { SYSVAR_CLOCK_PUBKEY, type PublicKey } from '@solana/web3.js';
import { address } from '../../../../src/base/solana/address';
import { key } from '../bundles';
import type { ProgramVm } from './programVm';

/** As much of a Connection as the SDK asks, answered from the VM. */
export function connectionTo(vm: ProgramVm): unknown {
  const info = (at: PublicKey): unknown => {
    const account = vm.account(address(at.toBase58()));
    return account === undefined
      ? null
      : {
          data: Buffer.from(account.data),
          executable: false,
          lamports: Number(account.lamports),
          owner: key(account.program),
          rentEpoch: 0,
        };
  };
  return {
    commitment: 'confirmed',
    rpcEndpoint: 'http://127.0.0.1:1',
    getAccountInfo: async (at: PublicKey) => info(at),
    getAccountInfoAndContext: async (at: PublicKey) => ({ context: { slot: 1 }, value: info(at) }),
    getMultipleAccountsInfo: async (all: readonly PublicKey[]) => all.map(info),
    getLatestBlockhash: async () => ({ blockhash: SYSVAR_CLOCK_PUBKEY.toBase58(), lastValidBlockHeight: 1 }),
    // What compute units it would take: the SDK asks for the network's maximum where it cannot be told.
    simulateTransaction: async () => ({ context: { slot: 1 }, value: { err: null, logs: [], unitsConsumed: 1_200_000 } }),
  };
}
