import type { ChainFacts, SimulatedTransaction } from './facts';
import type { Finding } from '../types';

// What only the chain can prove (README.md, "What an RPC can change"). Everything else that an RPC says makes a review stricter, or
// changes nothing: a test holds every case of the corpora and of the fuzzer against this list (test/corpus/stricter.ts).

/** A finding of a review without facts that facts may answer. */
export interface Relaxation {
  readonly name: 'lookupTables' | 'temporaryWrappedSol' | 'shareOfClaimedFees' | 'ownPosition';
  /** Which rules' findings it answers; `undefined`: those of every rule that looks at accounts. */
  readonly rules: readonly string[] | undefined;
  /** What the finding was at worst. */
  readonly from: 'block' | 'confirm';
  /** Which fact has to be there; what exactly it has to show is the matter of the rule itself. */
  readonly needs: (finding: Finding, facts: ChainFacts, place: FindingPlace) => boolean;
  /** The attacks in the corpus that show that facts which lie or are out of date do not pass: the beginnings of their names. */
  readonly family: string;
}

/** What is known of the place that a finding is about. */
export interface FindingPlace {
  /** An account there comes out of a lookup table whose content the facts hold. */
  readonly usesResolvedTable: boolean;
}

/** All of them. What is added here needs an attack family of its own and a row in README.md. */
export const RELAXATIONS: readonly Relaxation[] = [
  {
    name: 'lookupTables',
    rules: undefined,
    from: 'block',
    needs: (_finding, _facts, { usesResolvedTable }) => usesResolvedTable,
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

/** A simulation that answers a question shows that the transaction succeeds, and everything that its programs call. */
export function isShownWhole(simulated: SimulatedTransaction | undefined): boolean {
  return simulated !== undefined && simulated.error === undefined && simulated.innerInstructions !== undefined;
}

/** Gives the relaxation by which facts may answer a finding; `undefined`: none may, so that it has to stand with these facts, too. */
export function relaxationOf(finding: Finding, facts: ChainFacts, place: FindingPlace): Relaxation | undefined {
  return RELAXATIONS.find(
    ({ rules, from, needs }) =>
      (rules === undefined || rules.includes(finding.rule)) &&
      (from === 'block' || finding.verdict === 'confirm') &&
      needs(finding, facts, place),
  );
}
