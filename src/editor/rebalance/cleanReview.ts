import type { Finding, Review } from '../../review/types';

/**
 * What the review says of every operation that it can read as a whole: the most that it can take from the wallet (LIM-3). It is a sum
 * and no finding; everything else that the review says is one, also where it is only mentioned.
 */
const SAID_OF_ALL: ReadonlySet<string> = new Set(['LIM-3']);

/** Whether the review finds nothing at all. Only what is clean is signed without the user having looked at just that. */
export function isClean(review: Review): boolean {
  return review.verdict === 'allow' && found(review).length === 0;
}

/** What the review has found, worst first; nothing where it is clean. */
export function found({ findings }: Pick<Review, 'findings'>): readonly Finding[] {
  return findings.filter(({ rule, verdict }) => !(verdict === 'info' && SAID_OF_ALL.has(rule)));
}
