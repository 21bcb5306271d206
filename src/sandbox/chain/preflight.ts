import { Buffer } from 'node:buffer';
import { PublicKey, SystemProgram, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { type Address, addressBytes } from '../../base/solana/address';
import { verifyEd25519 } from '../../base/solana/ed25519';
import { PROGRAMS } from '../../base/solana/programs';
import { WireError } from '../../base/solana/wireReader';
import { isEmptySignature, messageOf, parseTransaction, type WireTransaction } from '../../base/solana/wireTransaction';
import { messageHash } from './landedTransactions';
import type { LoadedTransaction, TransactionErrorJson } from './types';

/** A well-formed transaction. The VM may execute it after its lookup tables are resolved (lookupTables.ts). */
export interface ParsedTransaction {
  readonly bytes: Uint8Array;
  readonly wire: LoadedTransaction;
  readonly messageHash: string;
  /** The first signature, base58; it identifies the transaction on the chain. */
  readonly signature: string;
}

/** The error of a refused transaction, with its compute units and logs. */
export interface TransactionFailure {
  readonly error: TransactionErrorJson;
  readonly computeUnits: bigint;
  readonly logs: readonly string[];
}

/** A bundle does not land. `transaction` is the index of the failed transaction, from 0. */
export class LandingError extends Error {
  override readonly name = 'LandingError';
  readonly verdict: TransactionFailure;

  constructor(
    readonly transaction: number,
    message: string,
    verdict: TransactionErrorJson | TransactionFailure,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.verdict = isFailure(verdict) ? verdict : { error: verdict, computeUnits: 0n, logs: [] };
  }
}

const BLOCKHASH_BYTES = 32;

/**
 * Parses one transaction of a bundle without verifying signatures. The VM must not get bytes that this refuses: malformed ones abort the
 * process.
 * @throws LandingError if the bytes are malformed
 */
export function parseUnverified(bytes: Uint8Array, index: number): ParsedTransaction {
  const wire = readWire(bytes, index);
  const message = messageOf(bytes, wire);
  return { bytes: bytes.slice(), wire, messageHash: messageHash(message), signature: bs58.encode(wire.signatures[0] ?? new Uint8Array()) };
}

/**
 * Parses one transaction of a bundle and verifies all signatures.
 * @throws LandingError if the bytes are malformed, or a signature is missing or wrong
 */
export function parseVerified(bytes: Uint8Array, index: number): ParsedTransaction {
  const transaction = parseUnverified(bytes, index);
  const { wire } = transaction;
  const message = messageOf(bytes, wire);
  wire.signatures.forEach((signature, slot) => checkSignature(wire, signature, slot, message, index));
  return transaction;
}

/** Replaces the blockhash. The signatures stay, and are no longer valid. */
export function withBlockhash(transaction: ParsedTransaction, blockhash: string): ParsedTransaction {
  const { wire } = transaction;
  const bytes = transaction.bytes.slice();
  bytes.set(bs58.decode(blockhash).subarray(0, BLOCKHASH_BYTES), wire.blockhashOffset);
  return parseUnverified(bytes, 0);
}

/** "Transaction 1" for index 0. */
export function nth(index: number): string {
  return `Transaction ${index + 1}`;
}

interface AirdropPlan {
  readonly from: Address;
  readonly to: Address;
  readonly lamports: bigint;
  readonly blockhash: string;
  /** Printable; makes the transaction unique. */
  readonly memo: string;
  /** 64 bytes in place of a signature. */
  readonly signature: Uint8Array;
}

/** A transfer of lamports without a valid signature: the given one only identifies the transaction. */
export function airdropTransaction({ from, to, lamports, blockhash, memo, signature }: AirdropPlan): Uint8Array {
  const fromPubkey = new PublicKey(from);
  const instructions = [
    SystemProgram.transfer({ fromPubkey, toPubkey: new PublicKey(to), lamports }),
    new TransactionInstruction({ programId: new PublicKey(PROGRAMS.memo), keys: [], data: Buffer.from(memo, 'utf8') }),
  ];
  const message = new TransactionMessage({ payerKey: fromPubkey, recentBlockhash: blockhash, instructions }).compileToV0Message();
  return new VersionedTransaction(message, [signature]).serialize();
}

function readWire(bytes: Uint8Array, index: number): WireTransaction {
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (error instanceof WireError) {
      throw new LandingError(index, `${nth(index)} is malformed: ${error.message}`, 'SanitizeFailure', { cause: error });
    }
    throw error;
  }
}

function checkSignature(wire: WireTransaction, signature: Uint8Array, slot: number, message: Uint8Array, index: number): void {
  const signer = wire.staticKeys[slot];
  if (signer === undefined || isEmptySignature(signature)) {
    throw new LandingError(
      index,
      `Signature ${slot + 1} of transaction ${index + 1} is missing: ${signer ?? 'an unknown signer'} has not signed`,
      'SignatureFailure',
    );
  }
  if (!verifyEd25519(addressBytes(signer), message, signature)) {
    throw new LandingError(
      index,
      `Signature ${slot + 1} of transaction ${index + 1} is wrong: ${signer} has not signed this message`,
      'SignatureFailure',
    );
  }
}

function isFailure(value: TransactionErrorJson | TransactionFailure): value is TransactionFailure {
  return typeof value === 'object' && 'computeUnits' in value;
}
