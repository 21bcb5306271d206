import { assemble, step } from '../assembly/transactions';
import type { BuildTerms } from '../assembly/types';
import { withTip } from '../assembly/walletInstructions';

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
  mostInBundle: number,
): readonly (readonly ListedTransactions<List>[])[] {
  const { tip } = terms;
  const bundles: ListedTransactions<List>[][] = [];
  for (let first = 0; first < transactions.length; first += mostInBundle - 1) {
    const held = transactions.slice(first, first + mostInBundle - 1);
    const last = held.at(-1);
    // Each tip is a lamport larger than the one before, else two transactions could be identical.
    const lamports = (tip?.lamports ?? 0n) + BigInt(bundles.length);
    const steps = withTip([step(0)], tip === undefined ? terms : { ...terms, tip: { ...tip, lamports } });
    const [bytes] = assemble(steps, { terms, version: terms.format === 'v1' ? 1 : terms.format === 'legacy' ? 'legacy' : 0 });
    bundles.push(last === undefined || bytes === undefined || tip === undefined ? held : [...held, { list: last.list, bytes }]);
  }
  return bundles;
}
