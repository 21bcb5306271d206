import type { BuildLookupTable } from '../../engine/assembly/types';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { WireError } from '../../base/solana/wireReader';
import { isWritable, parseTransaction, type WireTransaction } from '../../base/solana/wireTransaction';
import { type V1Draft, type V1Instruction, writeV1Transaction } from '../../base/solana/writeV1Transaction';

/** Limits of the merged transaction: what a transaction may use at most. */
const MOST_COMPUTE_UNITS = 1_400_000;
const MOST_LOADED_BYTES = 64 * 1_024 * 1_024;

/** What a simulation of instructions needs to know of the transactions that they come from. */
export type MergeTerms = Pick<V1Draft, 'feePayer' | 'recentBlockhash'>;

/** Returns the fee payer and the blockhash of a transaction. */
export function mergeTermsOf(bytes: Uint8Array): MergeTerms | undefined {
  const { staticKeys, recentBlockhash } = parseTransaction(bytes);
  const [feePayer] = staticKeys;
  return feePayer === undefined ? undefined : { feePayer, recentBlockhash };
}

/**
 * Puts instructions of several transactions into one, for a simulation of one after the other: v1 has room for that. It is not to be signed.
 * `undefined` if they do not fit.
 */
export function mergedTransaction(instructions: readonly V1Instruction[], terms: MergeTerms): Uint8Array | undefined {
  try {
    const merged = writeV1Transaction({
      ...terms,
      instructions,
      config: { priorityFeeLamports: 0n, computeUnitLimit: MOST_COMPUTE_UNITS, loadedAccountsDataSizeLimit: MOST_LOADED_BYTES },
    });
    parseTransaction(merged);
    return merged;
  } catch (error) {
    // The reader refuses what is beyond the limits; the writer, counts beyond a byte.
    if (error instanceof WireError || error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** The instructions of a transaction except for those of the compute budget; `undefined` if a table is missing. */
export function instructionsOf(bytes: Uint8Array, tables: readonly BuildLookupTable[]): readonly V1Instruction[] | undefined {
  const transaction = parseTransaction(bytes);
  const keys = keysOf(transaction, tables);
  if (keys === undefined) {
    return undefined;
  }
  return transaction.instructions.flatMap(({ programIdIndex, accountIndexes, data }) => {
    const program = keys[programIdIndex]?.address;
    const accounts = accountIndexes.flatMap((index) => keys[index] ?? []);
    return program === undefined || program === PROGRAMS.computeBudget ? [] : [{ program, accounts, data }];
  });
}

interface Key {
  readonly address: Address;
  readonly signer: boolean;
  readonly writable: boolean;
}

function keysOf(transaction: WireTransaction, tables: readonly BuildLookupTable[]): readonly Key[] | undefined {
  const own = transaction.staticKeys.map((address, index) => ({
    address,
    signer: index < transaction.requiredSignatures,
    writable: isWritable(transaction, index),
  }));
  const looked: Key[][] = [[], []];
  for (const { table, writableIndexes, readonlyIndexes } of transaction.tableLookups) {
    const entries = tables.find(({ address }) => address === table)?.entries;
    const groups = [writableIndexes, readonlyIndexes].map((indexes) => indexes.map((index) => entries?.[index]));
    if (groups.flat().includes(undefined)) {
      return undefined;
    }
    groups.forEach((group, place) =>
      looked[place]?.push(
        ...group.flatMap((address) => (address === undefined ? [] : [{ address, signer: false, writable: place === 0 }])),
      ),
    );
  }
  return [...own, ...looked.flat()];
}
