import type { CaseInput } from '../../../src/review/report/caseFormat';
import type { Finding, Intent, Review, Verdict } from '../../../src/review/types';
import { addressOf, OWNER } from '../portfolio/fixtures';

/** When the reviews of these tests were made, milliseconds since 1970. */
export const NOW_MS = new Date(2026, 10, 20, 15, 44, 7).getTime();
const INTENT: Intent = {
  kind: 'zapOut',
  owner: OWNER,
  pool: addressOf(500),
  slippageBps: 100,
  tokenX: addressOf(600),
  tokenY: addressOf(601),
  position: addressOf(1001),
  shareBps: 10_000,
  output: 'both',
};
export const INPUT: CaseInput = { intent: INTENT, transactions: [{ group: 'close', base64: 'AAAA' }], lastValidBlockHeight: 5 };

/** A review with this verdict and these findings. */
export function reviewWith(verdict: Verdict, findings: readonly Finding[] = [], part: Partial<Review> = {}): Review {
  return {
    verdict,
    intent: INTENT,
    findings,
    spends: {
      consumedLamports: 0n,
      wrappedLamports: 0n,
      networkFeeLamports: 5_000n,
      priorityFeeLamports: 0n,
      tipLamports: 0n,
      refundableRentLamports: 0n,
      spentRentLamports: 0n,
      otherLamports: 0n,
    },
    minimumOut: [],
    tokenSpends: [],
    programs: ['System'],
    recipients: [],
    terms: [],
    transactions: [],
    lastValidBlockHeight: 5,
    depositRange: undefined,
    questions: { lookupTables: [], tokenAccounts: [], mints: [], pools: [], positions: [], blockhashes: [], rent: [] },
    watched: [OWNER],
    checked: { resolvedTables: 0, usedTables: 0, simulation: undefined },
    reviewed: [],
    input: { ...INPUT, nowMs: NOW_MS },
    ...part,
  };
}
