import type { TransactionInstruction } from '@solana/web3.js';
import { address, type Address } from '../../src/base/solana/address';
import type { CaseInput } from '../../src/review/report/caseFormat';
import type { PolicySettings } from '../../src/review/policy';
import type { Intent } from '../../src/review/types';
import { MAX_TRANSACTION_BYTES, MAX_V1_TRANSACTION_BYTES } from '../../src/base/solana/programs';
import { WireError } from '../../src/base/solana/wireReader';
import {
  CLAIM,
  honestClaim,
  honestSwap,
  honestSwapOfSol,
  honestUnwrap,
  honestZapIn,
  honestZapOut,
  inVersion,
  SWAP,
  SWAP_SOL,
  UNWRAP,
  VERSIONS,
  versionName,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
  type Version,
} from '../support/review/bundles';
import { TABLE, tableOf } from '../support/review/lookupTables';
import { damm, DAMM_CLAIM, DAMM_IN, DAMM_OUT, dammZapIn, dammZapOut } from '../support/review/meteoraDrafts';
import { encoded, inputOf, placed, remembered, tablesHold, type Attack, type ExpectedFinding, type Placement } from './attack';
import type { PolicyRule } from './policyRules';

// Inserts an attack into honest operations: into each of their transactions, at each place, in all formats, with its accounts in
// lookup tables, and in a separate transaction.

/** An honest operation as the service builds it. */
export interface Operation {
  readonly name: string;
  readonly intent: Intent;
  readonly drafts: (version: Version) => readonly Draft[];
  /** Used in one variant only: its differences from the other operations do not matter to the attack. */
  readonly isBrief?: boolean;
}

/** Its transactions, built once for each format. */
function operation(name: string, intent: Intent, honest: readonly Draft[]): Operation {
  const built = new Map(VERSIONS.map((version) => [version, honest.map((draft) => inVersion(version, draft))]));
  return { name, intent, drafts: (version) => built.get(version) ?? [] };
}

export const OUT: Operation = operation('zap-out', ZAP_OUT, honestZapOut());
export const IN: Operation = operation('zap-in', ZAP_IN, honestZapIn());
export const DAMM_OUT_OF: Operation = operation('zap-out of DAMM v2', DAMM_OUT, dammZapOut());
export const DAMM_INTO: Operation = operation('zap-in to DAMM v2', DAMM_IN, dammZapIn());

export const CLAIM_OF: Operation = operation('claim', CLAIM, [honestClaim()]);
export const DAMM_CLAIM_OF: Operation = operation('claim of DAMM v2', DAMM_CLAIM, [honestClaim(damm('claim_position_fee'))]);

export const SWAP_OF: Operation = { name: 'swap', intent: SWAP, drafts: honestSwap };
export const SWAP_SOL_OF: Operation = { name: 'swap of SOL', intent: SWAP_SOL, drafts: honestSwapOfSol };
export const UNWRAP_OF: Operation = { name: 'unwrapping', intent: UNWRAP, drafts: honestUnwrap };

/** For attacks that are one of many of a kind. */
export const BRIEFLY: readonly Operation[] = [
  { ...OUT, isBrief: true },
  { ...IN, isBrief: true },
];

/** The operations for attacks that do not depend on a pool. */
export const EVERYWHERE: readonly Operation[] = [
  OUT,
  IN,
  { ...DAMM_OUT_OF, isBrief: true },
  { ...DAMM_INTO, isBrief: true },
  { ...CLAIM_OF, isBrief: true },
  { ...SWAP_OF, isBrief: true },
  { ...UNWRAP_OF, isBrief: true },
];

/** What is inserted, and where. */
export interface Planting {
  /** Treats the instructions as one: the second directly follows the first. */
  readonly instructions: readonly TransactionInstruction[];
  readonly into?: readonly Operation[];
  /** The groups in which the attack applies; all groups by default. */
  readonly groups?: readonly Draft['group'][];
  /** Only after the other instructions of a transaction: before them it would be another attack. */
  readonly isLast?: boolean;
  /** Additional signers besides the owner and the signers of the operation. */
  readonly signers?: Draft['signers'];
  readonly policy?: Partial<PolicySettings>;
  /** Not in v1, where the network ignores the instructions. */
  readonly isBefore1?: boolean;
  /** None of its accounts is in a lookup table: that would be another attack. */
  readonly isNamed?: boolean;
  /** The finding when an unread lookup table holds the accounts that only the attack names; by default the same finding. */
  readonly hidden?: ExpectedFinding;
}

type Place = 'start' | 'middle' | 'end';

/** Says whether a transaction is within the size limit of the network. */
const fits = remembered((draft: Draft): boolean => {
  try {
    return Buffer.byteLength(encoded(draft), 'base64') <= (draft.version === 1 ? MAX_V1_TRANSACTION_BYTES : MAX_TRANSACTION_BYTES);
  } catch (error) {
    // web3.js writes into a buffer of this size and throws its own error when it is too short. v1 has at most 64 accounts.
    if (error instanceof RangeError || error instanceof WireError) {
      return false;
    }
    throw error;
  }
});

/** Returns an attack in all variants that fit into a transaction. */
export function planted(rule: PolicyRule, what: string, finding: ExpectedFinding, planting: () => Planting): Attack {
  return placed(rule, what, () => {
    const plan = planting();
    return (plan.into ?? EVERYWHERE).flatMap((operation) => {
      const places = inPlaces(operation, plan, finding);
      return operation.isBrief === true
        ? lastOf(places)
        : [...places, ...inTables(operation, plan, finding), ...onItsOwn(operation, plan, finding)];
    });
  });
}

/** The last of these places that the attack fits into. */
function lastOf(places: readonly Placement[]): Placement[] {
  return places
    .slice(-1)
    .map((last) => ({
      ...last,
      build: () => places.reduceRight<CaseInput | undefined>((found, { build }) => found ?? build(), undefined),
    }));
}

function inPlaces(operation: Operation, planting: Planting, finding: ExpectedFinding): Placement[] {
  const newest = (place: Place): (readonly [Version, Place])[] => (planting.isBefore1 === true ? [] : [[1, place]]);
  const places: readonly (readonly [Version, Place])[] =
    planting.isLast === true
      ? [['legacy', 'end'], [0, 'end'], ...newest('end')]
      : [['legacy', 'middle'], [0, 'start'], [0, 'middle'], [0, 'end'], ...newest('middle')];
  return places.flatMap(([version, place]) =>
    targets(operation, planting, version)
      .slice(0, version === 0 ? undefined : 1)
      .map((at) => {
        const variant = `${operation.name}, ${versionName(version)}, at the ${place} of transaction ${at + 1}`;
        return placement(variant, finding, operation, planting, () => spoilt(operation, planting, version, at, place));
      }),
  );
}

/** Takes the accounts that only the attack names from a lookup table: a table that the RPC has read, an unread one, and an unread one under the strict setting without an RPC. */
function inTables(operation: Operation, planting: Planting, finding: ExpectedFinding): Placement[] {
  const [at] = targets(operation, planting, 0);
  const addresses = ownAccounts(operation, planting);
  if (at === undefined || addresses.length === 0 || planting.isNamed === true) {
    return [];
  }
  const drafts = (): Draft[] =>
    spoilt(operation, planting, 0, at, planting.isLast === true ? 'end' : 'middle').map((draft, index) =>
      index === at ? { ...draft, tables: [tableOf(addresses)] } : draft,
    );
  const hidden = planting.hidden ?? finding;
  const strictly: Planting = { ...planting, policy: { ...planting.policy, isStrictWithoutRpc: true } };
  const strict: ExpectedFinding = hidden.startsWith('confirm') ? `block ${hidden.slice('confirm '.length)}` : hidden;
  return [
    placement(`${operation.name}, in a resolved lookup table`, finding, operation, planting, drafts, {
      facts: tablesHold([TABLE, addresses]),
    }),
    placement(`${operation.name}, in an unresolved lookup table`, hidden, operation, planting, drafts),
    ...(planting.hidden === undefined
      ? []
      : [placement(`${operation.name}, in an unresolved lookup table, strict setting`, strict, operation, strictly, drafts)]),
  ];
}

/** A separate transaction after the honest ones. */
function onItsOwn(operation: Operation, planting: Planting, finding: ExpectedFinding): Placement[] {
  if (planting.isLast === true) {
    return [];
  }
  const drafts = operation.drafts(0);
  const group = planting.groups?.[0] ?? drafts.at(-1)?.group ?? 'swap';
  const alone: Draft = { group, version: 0, instructions: planting.instructions, signers: planting.signers ?? [] };
  return [placement(`${operation.name}, in a separate transaction`, finding, operation, planting, () => [...drafts, alone])];
}

function placement(
  variant: string,
  finding: ExpectedFinding,
  { intent }: Operation,
  { policy }: Planting,
  drafts: () => readonly Draft[],
  more: Pick<CaseInput, 'facts'> = {},
): Placement {
  const build = (): CaseInput | undefined => {
    const built = drafts();
    return built.every(fits) ? inputOf(intent, built, { ...more, ...(policy === undefined ? {} : { policy }) }) : undefined;
  };
  return { variant, finding, build };
}

/** The transactions of the operation in the selected groups. */
function targets(operation: Operation, { groups }: Planting, version: Version): number[] {
  return operation.drafts(version).flatMap(({ group }, index) => (groups === undefined || groups.includes(group) ? [index] : []));
}

function spoilt(
  operation: Operation,
  { instructions: attack, signers = [] }: Planting,
  version: Version,
  at: number,
  place: Place,
): readonly Draft[] {
  return operation.drafts(version).map((draft, index) => {
    if (index !== at) {
      return draft;
    }
    const begin = { start: 0, middle: Math.ceil(draft.instructions.length / 2), end: draft.instructions.length }[place];
    const instructions = [...draft.instructions.slice(0, begin), ...attack, ...draft.instructions.slice(begin)];
    return { ...draft, instructions, signers: [...(draft.signers ?? []), ...signers] };
  });
}

/** Accounts that no honest instruction names and that a lookup table may hold: signers and called programs may not be in one. */
function ownAccounts(operation: Operation, { instructions }: Planting): Address[] {
  const honest = operation.drafts(0).flatMap((draft) => draft.instructions);
  const named = new Set(
    [...honest, ...instructions]
      .map(({ programId }) => programId.toBase58())
      .concat(honest.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey.toBase58()))),
  );
  const signing = new Set(
    instructions.flatMap(({ keys }) => keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey.toBase58())),
  );
  const own = instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey.toBase58()));
  return [...new Set(own)].filter((account) => !named.has(account) && !signing.has(account)).map(address);
}
