import type { ChainFacts, SimulatedTransaction } from './facts';
import type { Finding } from '../types';

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
}

/** All relaxations. Each needs an attack family of its own and a row in README.md. */
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
