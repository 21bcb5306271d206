import type { ChainFacts, SimulatedTransaction } from '../facts/facts';
import type { Finding, Verdict } from '../types';

// The findings that only the chain can answer (README.md, "What only an RPC can prove"). Every other answer of an RPC makes a review
// stricter or leaves it as it is: test/corpus/stricter.ts checks all cases of the corpora and of the fuzzer against this list.

/** A finding of a review without facts that facts may answer. */
export interface Relaxation {
  readonly name: 'lookupTables' | 'temporaryWrappedSol' | 'shareOfClaimedFees' | 'ownPosition';
  /** The rules whose findings it answers; `undefined`: every rule on accounts. */
  readonly rules: readonly string[] | undefined;
  /** The worst verdict of the finding. */
  readonly from: 'block' | 'confirm';
  /** Returns whether the required fact exists. The rule itself checks what it shows. */
  readonly needs: (finding: Finding, facts: ChainFacts, place: FindingPlace) => boolean;
  /** Prefix of the attacks in the corpus that use false or outdated facts. */
  readonly family: string;
}

/** The place that a finding is about. */
export interface FindingPlace {
  /** An account there comes from a lookup table whose content the facts contain. */
  readonly usesResolvedTable: boolean;
  /** The verdict with the facts. */
  readonly verdict: Verdict;
}

/** Rules on who receives. The content of a table may turn what they block into a question, never into `allow` (ALT-2). */
const ON_RECEIVERS: readonly string[] = [
  ...['SYS-1', 'SYS-4', 'TOK-1', 'TOK-4', 'SWP-1'],
  ...['DLMM-2', 'DLMM-3', 'DLMM-6', 'DAMM-2', 'DAMM-3', 'DAMM-6', 'ZAP-2'],
];

/** All relaxations. Each needs an attack family of its own and a row in README.md. */
export const RELAXATIONS: readonly Relaxation[] = [
  {
    name: 'lookupTables',
    rules: undefined,
    from: 'block',
    needs: ({ rule }, _facts, { usesResolvedTable, verdict }) => usesResolvedTable && (verdict !== 'allow' || !ON_RECEIVERS.includes(rule)),
    family: 'lookup tables: ',
  },
  {
    name: 'temporaryWrappedSol',
    rules: ['SYS-4'],
    from: 'confirm',
    needs: ({ transaction }, { simulation }) => isShownWhole(simulation?.transactions[transaction ?? -1]),
    family: 'passing accounts: ',
  },
  {
    name: 'shareOfClaimedFees',
    rules: ['TOK-1'],
    from: 'confirm',
    needs: ({ transaction }, { simulation }) => isShownWhole(simulation?.transactions[transaction ?? -1]),
    family: "the service's fee: ",
  },
  {
    name: 'ownPosition',
    rules: ['DLMM-10'],
    from: 'block',
    needs: ({ address }, { positions }) => address !== undefined && positions?.has(address) === true,
    family: 'own positions: ',
  },
];

/** Returns whether a simulation may answer a question: the transaction succeeds, and all instructions that its programs call are known. */
export function isShownWhole(simulated: SimulatedTransaction | undefined): boolean {
  return simulated !== undefined && simulated.error === undefined && simulated.innerInstructions !== undefined;
}

/** Returns the relaxation by which facts may answer a finding; `undefined`: the finding must remain. */
export function relaxationOf(finding: Finding, facts: ChainFacts, place: FindingPlace): Relaxation | undefined {
  return RELAXATIONS.find(
    ({ rules, from, needs }) =>
      (rules === undefined || rules.includes(finding.rule)) &&
      (from === 'block' || finding.verdict === 'confirm') &&
      needs(finding, facts, place),
  );
}
