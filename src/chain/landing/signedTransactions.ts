import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { addressBytes } from '../../base/solana/address';
import { verifyEd25519 } from '../../base/solana/ed25519';
import { isEmptySignature, messageOf, parseTransaction } from '../../base/solana/wireTransaction';
import { readGiven } from '../../engine/landing/given';

/** A well-formed transaction with unchecked signatures. */
export interface GivenTransaction {
  readonly bytes: Uint8Array;
  /** SHA-256 of the message, the part that signatures cover. */
  readonly messageHash: string;
  /** The first signature, base58: it identifies the transaction on the chain. */
  readonly signature: string;
}

/** Reads transactions of a client. @throws EngineError if one is malformed */
export function readTransactions(given: readonly string[]): readonly GivenTransaction[] {
  return readGiven(given, readTransaction);
}

/** SHA-256 of a transaction's message. @throws WireError if the bytes are not a transaction */
export function messageHashOf(bytes: Uint8Array): string {
  return hashed(messageOf(bytes, parseTransaction(bytes)));
}

/** Checks all signatures of a transaction. @returns the problem as a sentence; `undefined`: fully signed */
export function signatureProblem({ bytes }: GivenTransaction, index: number): string | undefined {
  const wire = parseTransaction(bytes);
  const message = messageOf(bytes, wire);
  for (const [slot, signature] of wire.signatures.entries()) {
    const signer = wire.staticKeys[slot];
    if (signer === undefined || isEmptySignature(signature)) {
      return `Signature ${slot + 1} of transaction ${index + 1} is missing${signer === undefined ? '' : `: ${signer} has not signed`}`;
    }
    if (!verifyEd25519(addressBytes(signer), message, signature)) {
      return `Signature ${slot + 1} of transaction ${index + 1} is wrong: ${signer} has not signed this message`;
    }
  }
  return undefined;
}

function readTransaction(bytes: Uint8Array): GivenTransaction {
  const wire = parseTransaction(bytes);
  return { bytes, messageHash: hashed(messageOf(bytes, wire)), signature: bs58.encode(wire.signatures[0] ?? new Uint8Array()) };
}

function hashed(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('hex');
}
