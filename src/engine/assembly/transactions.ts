import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  type Keypair,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { MAX_TRANSACTION_BYTES, PROGRAMS } from '../../base/solana/programs';
import type { TransactionVersion } from '../../base/solana/wireTransaction';
import { PlanError, type BuildTerms, type BuildLookupTable } from './types';
import { compileV1, signedV1 } from './v1Transactions';

/** Instructions that must be in one transaction, with their compute units. */
export interface BuildStep {
  readonly instructions: readonly TransactionInstruction[];
  readonly computeUnits: number;
  /** Opens the position that the step fills. It must precede the step in the same transaction, once for all steps. */
  readonly opening?: BuildStep | undefined;
}

/** Parameters of assembling transactions. */
export interface Assembly {
  readonly terms: BuildTerms;
  readonly version: TransactionVersion;
  /** Signs the transactions that require its signature. */
  readonly coSigner?: Keypair | undefined;
  /** Lookup tables of v0 transactions, for accounts that neither sign nor are programs. */
  readonly lookupTables?: readonly BuildLookupTable[] | undefined;
}

/** Maximum compute unit limit of a transaction (runtime: MAX_COMPUTE_UNIT_LIMIT). */
const MAX_COMPUTE_UNITS = 1_400_000;

/** Maximum instructions of a transaction, those included that programs call (runtime: `MAX_INSTRUCTION_TRACE_LENGTH`). */
const MAX_TRACED_INSTRUCTIONS = 64;

/** An instruction of a program, with those that it calls: transfers, new accounts, events. Upper bounds but for long routes. */
const TRACED_INSTRUCTIONS: Readonly<Record<string, number>> = {
  [PROGRAMS.associatedToken]: 5,
  [PROGRAMS.dlmm]: 4,
  [PROGRAMS.dammV2]: 5,
  [PROGRAMS.jupiterV6]: 12,
};

/** Compute units of the two compute budget instructions. */
export const BUDGET_COMPUTE_UNITS = 300;

/** Creates a step. */
export function step(computeUnits: number, ...instructions: readonly TransactionInstruction[]): BuildStep {
  return { computeUnits, instructions };
}

/** Combines steps into one, so that they are in the same transaction. It has the opening of the first step that has one. */
export function together(...steps: readonly BuildStep[]): BuildStep {
  const opening = steps.find((of) => of.opening !== undefined)?.opening;
  return {
    ...step(
      steps.reduce((sum, of) => sum + of.computeUnits, 0),
      ...steps.flatMap((of) => of.instructions),
    ),
    ...(opening === undefined ? {} : { opening }),
  };
}

/** Returns true if steps fit into one transaction, within the limits of size and compute units. */
export function fitsTogether(steps: readonly BuildStep[], assembly: Assembly): boolean {
  return assembly.version === 1 ? compileSteps1(steps, assembly) !== undefined : compile(steps, assembly) !== undefined;
}

/** A transaction in wire format, and the steps that it carries out. */
export interface PackedTransaction {
  readonly steps: readonly BuildStep[];
  readonly bytes: Uint8Array;
}

/**
 * Packs steps, in order, into as few transactions as possible within the limits of size and compute units. The signature of the owner is
 * empty; the co-signer signs where it is required.
 * @throws PlanError if a step is too large for a transaction of its own
 */
export function assemble(steps: readonly BuildStep[], assembly: Assembly): readonly Uint8Array[] {
  return pack(steps, assembly).map(({ bytes }) => bytes);
}

/** Like {@link assemble}, with the steps of each transaction. */
export function pack(steps: readonly BuildStep[], assembly: Assembly): readonly PackedTransaction[] {
  const transactions: PackedTransaction[] = [];
  let held: PackedTransaction | undefined;
  for (const next of steps) {
    const extended = held === undefined ? undefined : serialize([...held.steps, next], assembly);
    if (held !== undefined && extended !== undefined) {
      held = { steps: [...held.steps, next], bytes: extended };
      continue;
    }
    if (held !== undefined) {
      transactions.push(held);
    }
    const alone = serialize([next], assembly);
    if (alone === undefined) {
      throw new PlanError('A step is too large for a transaction');
    }
    held = { steps: [next], bytes: alone };
  }
  return held === undefined ? transactions : [...transactions, held];
}

/** Wire format of a transaction with these steps; `undefined` if they don't fit. */
function serialize(steps: readonly BuildStep[], assembly: Assembly): Uint8Array | undefined {
  if (assembly.version === 1) {
    const bytes = compileSteps1(steps, assembly);
    return bytes && signedV1(bytes, assembly.coSigner);
  }
  const transaction = compile(steps, assembly);
  const { coSigner } = assembly;
  if (transaction !== undefined && coSigner !== undefined && signersOf(transaction).some((key) => key.equals(coSigner.publicKey))) {
    transaction.sign([coSigner]);
  }
  return transaction?.serialize();
}

/** The unsigned v1 transaction with these steps; `undefined` if they don't fit. */
function compileSteps1(steps: readonly BuildStep[], { terms }: Assembly): Uint8Array | undefined {
  const { computeUnits, instructions } = together(...withOpenings(steps));
  return computeUnits > MAX_COMPUTE_UNITS || isTraceTooLong(instructions) ? undefined : compileV1(instructions, computeUnits, terms);
}

/** The unsigned legacy or v0 transaction with these steps; `undefined` if they don't fit. */
function compile(steps: readonly BuildStep[], { terms, version, lookupTables = [] }: Assembly): VersionedTransaction | undefined {
  const { computeUnits, instructions } = together(...withOpenings(steps));
  const units = computeUnits + BUDGET_COMPUTE_UNITS;
  if (units > MAX_COMPUTE_UNITS || isTraceTooLong(instructions)) {
    return undefined;
  }
  const message = new TransactionMessage({
    payerKey: new PublicKey(terms.owner),
    recentBlockhash: terms.blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: terms.microLamportsPerComputeUnit + (terms.distinguisher ?? 0n) }),
      ...instructions,
    ],
  });
  try {
    const transaction = new VersionedTransaction(
      version === 0
        ? message.compileToV0Message(lookupTables.map((table) => tableFor(instructions, table)))
        : message.compileToLegacyMessage(),
    );
    return transaction.serialize().length <= MAX_TRANSACTION_BYTES ? transaction : undefined;
  } catch (error) {
    // web3.js writes messages into a buffer of the maximum size, and throws RangeError if they are longer.
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function isTraceTooLong(instructions: readonly TransactionInstruction[]): boolean {
  const traced = instructions.reduce((sum, { programId }) => sum + (TRACED_INSTRUCTIONS[programId.toBase58()] ?? 1), 0);
  return traced > MAX_TRACED_INSTRUCTIONS;
}

/** Inserts the opening before the first step that needs it. All steps of an operation have the same one. */
function withOpenings(steps: readonly BuildStep[]): readonly BuildStep[] {
  const first = steps.findIndex(({ opening }) => opening !== undefined);
  const opening = steps[first]?.opening;
  return opening === undefined ? steps : [...steps.slice(0, first), opening, ...steps.slice(first)];
}

function signersOf({ message: { header, staticAccountKeys } }: VersionedTransaction): readonly PublicKey[] {
  return staticAccountKeys.slice(0, header.numRequiredSignatures);
}

const NEVER = 2n ** 64n - 1n;

/** The table for web3.js. Entries that no instruction uses are replaced by the table's own address, which none uses either. */
function tableFor(instructions: readonly TransactionInstruction[], { address, entries }: BuildLookupTable): AddressLookupTableAccount {
  const named = new Map(instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => [pubkey.toBase58(), pubkey])));
  const key = new PublicKey(address);
  const addresses = entries.map((entry) => named.get(entry) ?? key);
  return new AddressLookupTableAccount({
    key,
    state: { deactivationSlot: NEVER, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses },
  });
}
