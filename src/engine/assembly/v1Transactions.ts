import { sign } from 'node:crypto';
import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import { addressFromBytes } from '../../base/solana/address';
import { WireError } from '../../base/solana/wireReader';
import { messageOf, parseTransaction } from '../../base/solana/wireTransaction';
import { writeV1Transaction } from '../../base/solana/writeV1Transaction';
import { ed25519PrivateKey } from '../../base/solana/ed25519PrivateKey';
import type { BuildTerms } from './types';

/** Bytes of the accounts of the largest operation on mainnet, whose programs have up to three megabytes each, with a margin. */
const LOADED_ACCOUNTS_BYTES = 16 * 1_024 * 1_024;

const MICRO_LAMPORTS = 1_000_000n;
const SEED_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Writes a v1 transaction with empty signatures. Fee and limits are in its config; `undefined` if it is beyond the limits of the format. */
export function compileV1(
  instructions: readonly TransactionInstruction[],
  computeUnitLimit: number,
  { owner, blockhash, microLamportsPerComputeUnit, distinguisher = 0n }: BuildTerms,
): Uint8Array | undefined {
  const priorityFeeLamports = totalOf(computeUnitLimit, microLamportsPerComputeUnit) + distinguisher;
  try {
    const bytes = writeV1Transaction({
      feePayer: owner,
      recentBlockhash: blockhash,
      instructions: instructions.map(({ programId, keys, data }) => ({
        program: addressFromBytes(programId.toBytes()),
        accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
          address: addressFromBytes(pubkey.toBytes()),
          signer: isSigner,
          writable: isWritable,
        })),
        data,
      })),
      config: { priorityFeeLamports, computeUnitLimit, loadedAccountsDataSizeLimit: LOADED_ACCOUNTS_BYTES },
    });
    parseTransaction(bytes);
    return bytes;
  } catch (error) {
    // The reader refuses what is beyond the limits; the writer, counts beyond a byte.
    if (error instanceof WireError || error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** What compute units cost, lamports, rounded up as for the older versions. */
function totalOf(computeUnits: number, microLamportsPerComputeUnit: bigint): bigint {
  return (BigInt(computeUnits) * microLamportsPerComputeUnit + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}

/** Signs a transaction with a key; returns it as it is where the key's signature is not required. */
export function signedV1(bytes: Uint8Array, signer: Keypair | undefined): Uint8Array {
  const wire = parseTransaction(bytes);
  const slot =
    signer === undefined ? -1 : wire.staticKeys.slice(0, wire.requiredSignatures).indexOf(addressFromBytes(signer.publicKey.toBytes()));
  if (signer === undefined || slot < 0) {
    return bytes;
  }
  const copy = bytes.slice();
  const key = ed25519PrivateKey(signer.secretKey.subarray(0, SEED_BYTES));
  copy.set(sign(null, messageOf(bytes, wire), key), wire.signaturesOffset + SIGNATURE_BYTES * slot);
  return copy;
}
