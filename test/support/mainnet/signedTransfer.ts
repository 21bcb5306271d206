import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import type { Mainnet } from './mainnet';

/** A signed v0 transaction that moves lamports from one wallet to another, or to any address. */
export function signedTransfer(mainnet: Mainnet, from: number, to: number | Address, lamports: bigint): Uint8Array {
  const { keypair } = mainnet.wallet(from);
  const toPubkey = typeof to === 'number' ? mainnet.wallet(to).keypair.publicKey : new PublicKey(to);
  const message = new TransactionMessage({
    payerKey: keypair.publicKey,
    recentBlockhash: mainnet.chain.latestBlockhash().blockhash,
    instructions: [SystemProgram.transfer({ fromPubkey: keypair.publicKey, toPubkey, lamports })],
  }).compileToV0Message();
  const transaction = new VersionedTransaction(message);
  transaction.sign([keypair]);
  return transaction.serialize();
}
