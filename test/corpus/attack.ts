import { createHash } from 'node:crypto';
import type { Address } from '../../src/base/solana/address';
import type { CaseInput } from '../../src/review/report/caseFormat';
import { NO_FACTS, type ChainFacts } from '../../src/review/facts/facts';
import type { PolicySettings } from '../../src/review/policy';
import type { Intent, Spends, TransactionGroup, Verdict } from '../../src/review/types';
import { base64Of, type Draft } from '../support/review/bundles';
import type { PolicyRule } from './policyRules';

// The corpus: attacks on the owner of a wallet, each with the finding that the review must report. Sources: the rules in src/review/README.md
// and public incidents. The tests of the review and of its command line read it.

/** "block SYS-1": a finding that the review must report. */
export type ExpectedFinding = `${Verdict | 'info'} ${string}`;

/** One attack in one variant. */
export interface AttackCase {
  /** Where and how the attack is placed: "legacy, at the end of close 1". */
  readonly variant: string;
  readonly input: CaseInput;
  readonly verdict: Verdict;
  readonly finding: ExpectedFinding;
}

/** One attack in all its variants. Nothing of it is built before its cases are asked for. */
export interface Attack {
  /** The policy rule that detects it. */
  readonly rule: PolicyRule;
  /** What the attack does: "approves a thief as the delegate of the owner's token account". */
  readonly what: string;
  /** All cases, for `npm run corpus`. */
  readonly cases: () => readonly AttackCase[];
  /** The cases that `npm test` runs: all that differ in what they do, and one of those that differ only in where they do it. */
  readonly sample: () => readonly AttackCase[];
}

/** A place that an attack may take in an operation. */
export interface Placement {
  readonly variant: string;
  readonly finding: ExpectedFinding;
  /** Returns undefined if the attack does not fit into a transaction there. */
  readonly build: () => CaseInput | undefined;
}

/** What a review may know in addition to the transactions. */
export interface Surroundings {
  readonly policy?: Partial<PolicySettings>;
  readonly facts?: ChainFacts;
  readonly prior?: Spends;
}

/** Memoizes a function by its argument. Only for values that never change: thousands of variants share most of their transactions. */
export function remembered<Of extends object, Result>(workOut: (of: Of) => Result): (of: Of) => Result {
  const known = new WeakMap<Of, Result>();
  return (of) => {
    const result = known.get(of) ?? workOut(of);
    known.set(of, result);
    return result;
  };
}

/** Encodes a draft once: a case first checks whether it fits. */
export const encoded = remembered(base64Of);

/** Returns the review input for drafts. */
export function inputOf(intent: Intent, drafts: readonly Draft[], more: Surroundings = {}): CaseInput {
  return rawInput(
    intent,
    drafts.map((draft) => ({ group: draft.group, base64: encoded(draft) })),
    more,
  );
}

/** Returns the review input for transactions that are already encoded as text. */
export function rawInput(
  intent: Intent,
  transactions: readonly { readonly group: TransactionGroup; readonly base64: string }[],
  more: Surroundings = {},
): CaseInput {
  return { intent, transactions, lastValidBlockHeight: 1_000, ...more };
}

/** Returns facts in which the lookup tables hold these addresses. */
export function tablesHold(...tables: readonly (readonly [Address, readonly Address[]])[]): ChainFacts {
  return { ...NO_FACTS, lookupTables: new Map(tables.map(([table, addresses]) => [table, { addresses, isDeactivated: false }])) };
}

/** Returns an attack whose variants differ in what they do and all get the same finding. */
export function attack(rule: PolicyRule, what: string, finding: ExpectedFinding, forms: () => Readonly<Record<string, CaseInput>>): Attack {
  const cases = (): AttackCase[] =>
    Object.entries(forms()).map(([variant, input]) => ({ variant, input, finding, verdict: verdictOf(finding) }));
  return { rule, what, cases, sample: cases };
}

/** Returns an attack whose variants differ in where they do it. The sample has one case for each finding, in a place that follows from the name of the attack. */
export function placed(rule: PolicyRule, what: string, placements: () => readonly Placement[]): Attack {
  return {
    rule,
    what,
    cases: () => placements().flatMap(caseOf),
    sample: () => {
      const all = placements();
      const from = all.length === 0 ? 0 : createHash('sha256').update(`${rule} ${what}`).digest().readUInt32LE() % all.length;
      const turned = [...all.slice(from), ...all.slice(0, from)];
      return [...new Set(all.map(({ finding }) => finding))].flatMap((finding) =>
        firstOf(turned.filter((placement) => placement.finding === finding)),
      );
    },
  };
}

function caseOf({ variant, finding, build }: Placement): AttackCase[] {
  const input = build();
  return input === undefined ? [] : [{ variant, finding, verdict: verdictOf(finding), input }];
}

/** The first case that fits into a transaction. */
function firstOf(placements: readonly Placement[]): AttackCase[] {
  for (const placement of placements) {
    const found = caseOf(placement);
    if (found.length > 0) return found;
  }
  return [];
}

/** The verdict on the operation when nothing else is wrong with it. */
function verdictOf(finding: ExpectedFinding): Verdict {
  const [verdict] = finding.split(' ');
  return verdict === 'block' || verdict === 'confirm' ? verdict : 'allow';
}
