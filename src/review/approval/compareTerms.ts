import { createHash } from 'node:crypto';
import type { Review } from '../types';
import { type Term, TERM_BOUNDS, type Terms, type TermTopic } from '../terms';

/** A respect in which transactions are worse than what was approved. */
export interface TermChange {
  readonly topic: TermTopic | 'blocked';
  readonly of: string;
  /** As approved, and now. */
  readonly approved: bigint;
  readonly fresh: bigint;
  readonly label?: string | undefined;
}

/**
 * Compares other transactions for the same operation with the approved ones.
 * @returns in which respects they are worse; empty if they are equal or better in every respect, so the approval covers them. What the
 * review blocks is never covered, and neither is anything by a review that blocked.
 */
export function changesSince(approved: Review, fresh: Review): readonly TermChange[] {
  const blocked = [approved, fresh].flatMap(({ findings }) => findings.filter(({ verdict }) => verdict === 'block'));
  if (approved.verdict === 'block' || fresh.verdict === 'block') {
    return [{ topic: 'blocked', of: '', approved: 0n, fresh: 1n, label: blocked[0]?.message }];
  }
  return compareTerms(approved.terms, fresh.terms);
}

/** Every respect is compared by itself, so "equal or better" is reflexive and transitive: many small steps never add up to a worse one. */
export function compareTerms(approved: Terms, fresh: Terms): readonly TermChange[] {
  const before = byKey(approved);
  const now = byKey(fresh);
  return [...new Map([...before, ...now])].flatMap(([key, { topic, of, label }]) => {
    const change = { topic, of, approved: before.get(key)?.amount ?? 0n, fresh: now.get(key)?.amount ?? 0n };
    return isWorse(change) ? [label === undefined ? change : { ...change, label }] : [];
  });
}

function isWorse({ topic, approved, fresh }: { readonly topic: TermTopic; readonly approved: bigint; readonly fresh: bigint }): boolean {
  switch (TERM_BOUNDS[topic]) {
    case 'most':
      return fresh > approved;
    case 'least':
      return fresh < approved;
    case 'same':
      return fresh !== approved;
  }
}

function byKey(terms: Terms): ReadonlyMap<string, Term> {
  return new Map(terms.map((term) => [`${term.topic} ${term.of}`, term]));
}

/** SHA-256 of terms, hex, for the record. The same terms in another order have the same digest. */
export function digestOfTerms(terms: Terms): string {
  const lines = terms.map(({ topic, of, amount }) => JSON.stringify([topic, of, String(amount)])).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
