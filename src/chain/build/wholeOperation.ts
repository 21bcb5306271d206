import { assemble, step } from '../../engine/assembly/transactions';
import type { BuildTerms } from '../../engine/assembly/types';
import { withTip } from '../../engine/assembly/walletInstructions';

/** Most transactions of a bundle of Jito. */
const MOST_IN_BUNDLE = 5;

/** Transactions of an operation by the list that they are handed out in. */
export interface ListedTransactions<List extends string> {
  readonly list: List;
  readonly bytes: Uint8Array;
}

/**
 * Divides an operation that is too long for one bundle into bundles, and gives each a transaction that pays its tip: each bundle lands as a
 * whole, or not at all. The transactions come without tips.
 */
export function tippedBundles<List extends string>(
  transactions: readonly ListedTransactions<List>[],
  terms: BuildTerms,
): readonly (readonly ListedTransactions<List>[])[] {
  const { tip } = terms;
  const bundles: ListedTransactions<List>[][] = [];
  for (let first = 0; first < transactions.length; first += MOST_IN_BUNDLE - 1) {
    const held = transactions.slice(first, first + MOST_IN_BUNDLE - 1);
    const last = held.at(-1);
    // Each tip is a lamport larger than the one before, else two transactions could be identical.
    const lamports = (tip?.lamports ?? 0n) + BigInt(bundles.length);
    const steps = withTip([step(0)], tip === undefined ? terms : { ...terms, tip: { ...tip, lamports } });
    const [bytes] = assemble(steps, { terms, version: terms.format === 'v1' ? 1 : terms.format === 'legacy' ? 'legacy' : 0 });
    bundles.push(last === undefined || bytes === undefined || tip === undefined ? held : [...held, { list: last.list, bytes }]);
  }
  return bundles;
}

/** Whether all transactions fit into one bundle. */
export function fitsBundle(transactions: readonly unknown[]): boolean {
  return transactions.length <= MOST_IN_BUNDLE;
}
