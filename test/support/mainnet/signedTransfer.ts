import { SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { Mainnet } from './mainnet';

/** A signed v0 transaction that moves lamports from one wallet to another. */
export function signedTransfer(mainnet: Mainnet, from: number, to: number, lamports: bigint): Uint8Array {
  const { keypair } = mainnet.wallet(from);
  const toPubkey = mainnet.wallet(to).keypair.publicKey;
  const message = new TransactionMessage({
    payerKey: keypair.publicKey,
    recentBlockhash: mainnet.chain.latestBlockhash().blockhash,
    instructions: [SystemProgram.transfer({ fromPubkey: keypair.publicKey, toPubkey, lamports })],
  }).compileToV0Message();
  const transaction = new VersionedTransaction(message);
  transaction.sign([keypair]);
  return transaction.serialize();
}
