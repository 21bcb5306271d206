import { Buffer } from 'node:buffer';
import { PublicKey, SystemProgram, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';

/** What a grant is made of. */
export interface GrantPlan {
  readonly from: Address;
  readonly to: Address;
  readonly lamports: bigint;
  readonly blockhash: string;
  /** Makes the transaction unlike any other one; printable. */
  readonly memo: string;
  /** 64 bytes in the place of a signature. */
  readonly signature: Uint8Array;
}

/** A transaction that moves lamports and that nobody has signed: what stands for its signature only names it. */
export function grantTransaction({ from, to, lamports, blockhash, memo, signature }: GrantPlan): Uint8Array {
  const fromPubkey = new PublicKey(from);
  const instructions = [
    SystemProgram.transfer({ fromPubkey, toPubkey: new PublicKey(to), lamports }),
    new TransactionInstruction({ programId: new PublicKey(PROGRAMS.memo), keys: [], data: Buffer.from(memo, 'utf8') }),
  ];
  const message = new TransactionMessage({ payerKey: fromPubkey, recentBlockhash: blockhash, instructions }).compileToV0Message();
  return new VersionedTransaction(message, [signature]).serialize();
}
