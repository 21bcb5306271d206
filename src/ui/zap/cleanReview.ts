import type { Finding, Review } from '../../review/types';

/**
 * Rules that report on every operation that could be decoded as a whole. LIM-3 states the most that can leave the wallet: a total, not
 * a finding. Every other message of the review is a finding, even one that only informs.
 */
const REPORTED_ALWAYS: ReadonlySet<string> = new Set(['LIM-3']);

/** Whether the review has no findings at all. Only then may it be signed without the user seeing these very transactions. */
export function isClean(review: Review): boolean {
  return review.verdict === 'allow' && found(review).length === 0;
}

/** The findings, worst first. */
export function found({ findings }: Pick<Review, 'findings'>): readonly Finding[] {
  return findings.filter(({ rule, verdict }) => !(verdict === 'info' && REPORTED_ALWAYS.has(rule)));
}
