import { JITO_TIP_ACCOUNTS } from '../../base/solana/programs';
import { isWritable, parseTransaction } from '../../base/solana/wireTransaction';

/** The block engine takes at most so many transactions together. */
const MOST_IN_BUNDLE = 5;

/** Whether a transaction can tip: a bundle needs a write lock on a tip account. */
export function hasTip(bytes: Uint8Array): boolean {
  const wire = parseTransaction(bytes);
  return wire.staticKeys.some((key, index) => JITO_TIP_ACCOUNTS.includes(key) && isWritable(wire, index));
}

/**
 * Cuts transactions into bundles, each of which ends with a tip: the fewest that are short enough.
 * @returns `undefined` if there are too few tips for that
 */
export function bundlesOf(transactions: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] | undefined {
  const bundles: (readonly Uint8Array[])[] = [];
  for (let start = 0; start < transactions.length;) {
    const next = transactions.slice(start, start + MOST_IN_BUNDLE);
    const length = next.findLastIndex(hasTip) + 1;
    // Nothing may follow the last tip.
    if (length === 0) {
      return undefined;
    }
    bundles.push(next.slice(0, length));
    start += length;
  }
  return bundles;
}
