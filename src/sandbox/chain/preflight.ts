import bs58 from 'bs58';
import { addressBytes } from '../../solana/address';
import { verifyEd25519 } from '../../solana/ed25519';
import { isEmptySignature, parseTransaction, WireError, type WireTransaction } from '../../solana/wire';
import { messageHash } from './landedBundles';

/** A transaction that may be shown to the VM: its bytes are well formed and everybody who must has signed. */
export interface SignedTransaction {
  readonly bytes: Uint8Array;
  readonly wire: WireTransaction;
  readonly messageHash: string;
  /** The transaction's name on the chain: its first signature, base58. */
  readonly signature: string;
}

/** Why a bundle does not land; `transaction` counts from 0. */
export class LandingError extends Error {
  override readonly name = 'LandingError';
  constructor(
    readonly transaction: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Reads one transaction of a bundle and checks its signatures. The VM must not see anything that this refuses: malformed
 * bytes abort its whole process.
 * @throws LandingError
 */
export function readSigned(bytes: Uint8Array, index: number): SignedTransaction {
  const wire = readWire(bytes, index);
  if (wire.tableLookups.length > 0) {
    throw new LandingError(index, `${nth(index)} takes accounts from a lookup table; the sandbox has none`);
  }
  const message = bytes.subarray(wire.messageOffset);
  wire.signatures.forEach((signature, slot) => checkSignature(wire, signature, slot, message, index));
  return { bytes: bytes.slice(), wire, messageHash: messageHash(message), signature: bs58.encode(wire.signatures[0] ?? new Uint8Array()) };
}

/** "Transaction 1" for index 0. */
export function nth(index: number): string {
  return `Transaction ${index + 1}`;
}

function readWire(bytes: Uint8Array, index: number): WireTransaction {
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (error instanceof WireError) {
      throw new LandingError(index, `${nth(index)} is malformed: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function checkSignature(wire: WireTransaction, signature: Uint8Array, slot: number, message: Uint8Array, index: number): void {
  const signer = wire.staticKeys[slot];
  if (signer === undefined || isEmptySignature(signature)) {
    throw new LandingError(index, `Signature ${slot + 1} of transaction ${index + 1} is missing: ${signer ?? 'nobody'} has not signed`);
  }
  if (!verifyEd25519(addressBytes(signer), message, signature)) {
    throw new LandingError(index, `Signature ${slot + 1} of transaction ${index + 1} is wrong: ${signer} has not signed this message`);
  }
}
