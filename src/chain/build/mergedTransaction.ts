import type { BuildLookupTable } from '../../base/build/types';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { WireError } from '../../base/solana/wireReader';
import { isWritable, parseTransaction, type WireTransaction } from '../../base/solana/wireTransaction';
import { type V1Instruction, writeV1Transaction } from '../../base/solana/writeV1Transaction';

/** Limits of the merged transaction: what a transaction may use at most. */
const MOST_COMPUTE_UNITS = 1_400_000;
const MOST_LOADED_BYTES = 64 * 1_024 * 1_024;

/**
 * Puts the instructions of several transactions into one, for a simulation of one after the other: v1 has room for that. It is not to be
 * signed. `undefined` if they do not fit, or use a lookup table that is not given.
 */
export function mergedTransaction(transactions: readonly Uint8Array[], tables: readonly BuildLookupTable[]): Uint8Array | undefined {
  const read = transactions.map((bytes) => parseTransaction(bytes));
  const [first] = read;
  const [feePayer] = first?.staticKeys ?? [];
  if (first === undefined || feePayer === undefined) {
    return undefined;
  }
  const instructions = read.map((transaction) => instructionsOf(transaction, tables));
  if (instructions.some((some) => some === undefined)) {
    return undefined;
  }
  const merged = writeV1Transaction({
    feePayer,
    recentBlockhash: first.recentBlockhash,
    instructions: instructions.flatMap((some) => some ?? []),
    config: { priorityFeeLamports: 0n, computeUnitLimit: MOST_COMPUTE_UNITS, loadedAccountsDataSizeLimit: MOST_LOADED_BYTES },
  });
  try {
    parseTransaction(merged);
    return merged;
  } catch (error) {
    if (error instanceof WireError) {
      return undefined;
    }
    throw error;
  }
}

/** The instructions except for those of the compute budget; `undefined` if a table is missing. */
function instructionsOf(transaction: WireTransaction, tables: readonly BuildLookupTable[]): readonly V1Instruction[] | undefined {
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
