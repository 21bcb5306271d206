import { reviewOperation } from '../../src/review/review';
import type { CaseInput } from '../../src/review/report/caseFormat';
import type { Verdict } from '../../src/review/types';
import { NOW_MS } from '../support/review/bundles';
import type { AttackCase } from './attack';

/** A finding as the command line prints it, without its words. */
export interface Found {
  readonly rule: string;
  readonly verdict: Verdict | 'info';
  readonly tx: number | undefined;
  readonly ix: number | undefined;
}

/** What the review says of an input, as far as it is compared. */
export function reviewOf(input: CaseInput): {
  readonly verdict: Verdict;
  readonly found: readonly Found[];
  readonly reviewed: number;
  readonly readable: number;
} {
  const { verdict, findings, reviewed, transactions } = reviewOperation({ ...input, nowMs: NOW_MS });
  const found = findings.map(({ rule, verdict: of, transaction, instruction }) => ({
    rule,
    verdict: of,
    tx: transaction,
    ix: instruction,
  }));
  return { verdict, found, reviewed: reviewed.length, readable: transactions.length };
}

/** Says what is wrong with the review of an attack, or undefined if the attack is detected as it must be. */
export function faultIn({ variant, input, verdict, finding }: AttackCase): string | undefined {
  const review = reviewOf(input);
  const found = review.found.map((one) => `${one.verdict} ${one.rule}`);
  const answers = `${variant}: ${found.join(', ')}`;
  if (!found.includes(finding)) return `${answers}, and not ${finding}`;
  if (review.verdict !== verdict) return `${answers}: the verdict is ${review.verdict} instead of ${verdict}`;
  const signable = verdict === 'block' ? 0 : input.transactions.length;
  return review.reviewed === signable ? undefined : `${answers}: ${review.reviewed} transactions can be signed instead of ${signable}`;
}
