import { createPrivateKey, sign as signEd25519 } from 'node:crypto';
import { Buffer } from 'node:buffer';
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction, type TransactionInstruction } from '@solana/web3.js';
import { address, type Address } from '../../../src/solana/address';
import { parseTransaction } from '../../../src/solana/wire';
import { createChain } from '../../../src/sandbox/chain/chain';
import type { Chain, ChainState } from '../../../src/sandbox/chain/types';

/** 2026-11-20T12:00:00Z. */
export const NOON = 1_795_176_000_000;

/** Gives bytes that look random and are the same in every run: of a counter, by a 32-bit mix. */
export function deterministicBytes(seed: number): (byteCount: number) => Uint8Array {
  let state = seed;
  return (byteCount) =>
    Uint8Array.from({ length: byteCount }, () => {
      state = (state + 0x9e3779b9) | 0;
      const mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
      return (mixed ^ (mixed >>> 13)) & 0xff;
    });
}

/** A key of the tests' own. */
export interface TestKey {
  readonly address: Address;
  readonly seed: Uint8Array;
}

/** The key whose seed is 32 times this byte. */
export function testKey(byte: number): TestKey {
  const seed = new Uint8Array(32).fill(byte);
  return { address: address(Keypair.fromSeed(seed).publicKey.toBase58()), seed };
}

/** A chain at noon, or one that goes on from what was saved. */
export function newChain(state?: ChainState, now = NOON): Chain {
  return createChain({ now, random: deterministicBytes(1), ...(state === undefined ? {} : { state }) });
}

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Fills the signature slots of these keys, and changes nothing else. */
export function signed(bytes: Uint8Array, ...keys: readonly TestKey[]): Uint8Array {
  const { staticKeys, signaturesOffset, messageOffset, requiredSignatures } = parseTransaction(bytes);
  const copy = bytes.slice();
  for (const { address: of, seed } of keys) {
    const slot = staticKeys.slice(0, requiredSignatures).indexOf(of);
    const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
    copy.set(signEd25519(null, bytes.subarray(messageOffset), key), signaturesOffset + 64 * slot);
  }
  return copy;
}

/** An unsigned transaction of these instructions. */
export function unsigned(payer: Address, blockhash: string, instructions: TransactionInstruction[], version: 'legacy' | 0 = 0): Uint8Array {
  const message = new TransactionMessage({ payerKey: new PublicKey(payer), recentBlockhash: blockhash, instructions });
  return new VersionedTransaction(version === 0 ? message.compileToV0Message() : message.compileToLegacyMessage()).serialize();
}

/** A System transfer. */
export function transfer(from: Address, to: Address, lamports: bigint): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports });
}

/** Effects that do nothing. */
export function noEffects(): void {
  // Nothing to apply: the transactions call no program that the sandbox stands in for.
}
