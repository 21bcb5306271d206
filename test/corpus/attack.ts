import type { Address } from '../../src/base/solana/address';
import type { CaseInput } from '../../src/review/report/caseFormat';
import { NO_FACTS, type ChainFacts } from '../../src/review/facts/facts';
import type { PolicySettings } from '../../src/review/policy';
import type { Intent, Spends, TransactionGroup, Verdict } from '../../src/review/types';
import { base64Of, type Draft } from '../unit/review/bundles';
import type { PolicyRule } from './policyRules';

// The corpus: attacks on the owner of a wallet, each with the finding that the review must report. Based on the rules in src/review/README.md
// and on incidents, and read by the tests of the review and of its command line.

/** "block SYS-1": a finding that the review has to have. */
export type ExpectedFinding = `${Verdict | 'info'} ${string}`;

/** One attack in one form. */
export interface AttackCase {
  /** How it is dressed up: "legacy, at the end of close 1". */
  readonly variant: string;
  readonly input: CaseInput;
  readonly verdict: Verdict;
  readonly finding: ExpectedFinding;
}

/** One attack in all of its forms. */
export interface Attack {
  /** The rule of the policy that answers it. */
  readonly rule: PolicyRule;
  /** "the right to spend later": what is done, in words. */
  readonly what: string;
  readonly cases: readonly AttackCase[];
}

/** What a review may know besides the transactions. */
export interface Surroundings {
  readonly policy?: Partial<PolicySettings>;
  readonly facts?: ChainFacts;
  readonly prior?: Spends;
}

/** Gives a function that works each thing out once. For what never changes: of thousands of forms most share their transactions. */
export function remembered<Of extends object, Result>(workOut: (of: Of) => Result): (of: Of) => Result {
  const known = new WeakMap<Of, Result>();
  return (of) => {
    const result = known.get(of) ?? workOut(of);
    known.set(of, result);
    return result;
  };
}

const encoded = remembered(base64Of);

/** Gives what the review reads of drafts. */
export function inputOf(intent: Intent, drafts: readonly Draft[], more: Surroundings = {}): CaseInput {
  return rawInput(
    intent,
    drafts.map((draft) => ({ group: draft.group, base64: encoded(draft) })),
    more,
  );
}

/** The same of texts that stand for transactions. */
export function rawInput(
  intent: Intent,
  transactions: readonly { readonly group: TransactionGroup; readonly base64: string }[],
  more: Surroundings = {},
): CaseInput {
  return { intent, transactions, lastValidBlockHeight: 1_000, ...more };
}

/** Gives the facts in which lookup tables hold these. */
export function tablesHold(...tables: readonly (readonly [Address, readonly Address[]])[]): ChainFacts {
  return { ...NO_FACTS, lookupTables: new Map(tables.map(([table, addresses]) => [table, { addresses, isDeactivated: false }])) };
}

/** Puts an attack together whose forms all get the same answer. */
export function attack(rule: PolicyRule, what: string, finding: ExpectedFinding, forms: Readonly<Record<string, CaseInput>>): Attack {
  return { rule, what, cases: Object.entries(forms).map(([variant, input]) => ({ variant, input, finding, verdict: verdictOf(finding) })) };
}

/** What the operation comes to where nothing else is wrong with it. */
export function verdictOf(finding: ExpectedFinding): Verdict {
  const [verdict] = finding.split(' ');
  return verdict === 'block' || verdict === 'confirm' ? verdict : 'allow';
}
