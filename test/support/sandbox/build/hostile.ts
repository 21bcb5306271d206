import assert from 'node:assert/strict';
import type { Address } from '../../../../src/base/solana/address';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { parseTransaction, type WireTransaction } from '../../../../src/base/solana/wireTransaction';
import { readEffects } from '../../../../src/sandbox/build/readEffects';
import type { BuildEffect } from '../../../../src/sandbox/build/types';
import { EffectError } from '../../../../src/sandbox/chain/types';

// What transactions say, and transactions that are not quite what they were.

/** What all transactions of an operation do, group by group. */
export function effectsOf(built: object): BuildEffect[] {
  const transactions = (Object.values(built) as unknown[]).filter((group): group is readonly Uint8Array[] => Array.isArray(group));
  // Swaps come first in a deposit and last in a withdrawal: the order of the groups here is that of the record.
  return transactions.flat().flatMap((bytes) => [...readEffects(parseTransaction(bytes))]);
}

/** Puts another account in the place of one, wherever it is. */
export function exchanged(transaction: WireTransaction | undefined, from: Address, to: Address): WireTransaction {
  assert.ok(transaction !== undefined && transaction.staticKeys.includes(from));
  return { ...transaction, staticKeys: transaction.staticKeys.map((key) => (key === from ? to : key)) };
}

/** Puts another account of the transaction into a place of its route. */
export function withAccount(transaction: WireTransaction, place: number, account: Address): WireTransaction {
  const index = transaction.staticKeys.indexOf(account);
  assert.ok(index >= 0);
  const isRoute = (programIdIndex: number): boolean => transaction.staticKeys[programIdIndex] === PROGRAMS.jupiterV6;
  const changed = (indexes: readonly number[]): number[] => indexes.map((given, at) => (at === place ? index : given));
  return {
    ...transaction,
    instructions: transaction.instructions.map((one) =>
      isRoute(one.programIdIndex) ? { ...one, accountIndexes: changed(one.accountIndexes) } : one,
    ),
  };
}

/** Changes the data of the first instruction that a stand-in program gets. */
export function withData(transaction: WireTransaction | undefined, change: (data: Uint8Array) => Uint8Array): WireTransaction {
  assert.ok(transaction !== undefined);
  const isStoodInFor = (programIdIndex: number): boolean =>
    ([PROGRAMS.dlmm, PROGRAMS.dammV2, PROGRAMS.jupiterV6] as readonly (Address | undefined)[]).includes(
      transaction.staticKeys[programIdIndex],
    );
  const first = transaction.instructions.findIndex(({ programIdIndex }) => isStoodInFor(programIdIndex));
  return {
    ...transaction,
    instructions: transaction.instructions.map((instruction, index) =>
      index === first ? { ...instruction, data: change(instruction.data) } : instruction,
    ),
  };
}

/** The reader must refuse it, with such a message. */
export function assertRefused(transaction: WireTransaction, message: RegExp): void {
  assert.throws(
    () => readEffects(transaction),
    (error) => error instanceof EffectError && message.test(error.message),
  );
}
