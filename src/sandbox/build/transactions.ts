import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  type Keypair,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { MAX_TRANSACTION_BYTES } from '../../base/solana/programs';
import { PlanError, type BuildTerms, type LookupTable } from './types';

/** Instructions that have to be in one transaction, and what they take. */
export interface Step {
  readonly instructions: readonly TransactionInstruction[];
  readonly computeUnits: number;
  /** What opens the position that it fills: has to come before it in the same transaction, once for all steps in it. */
  readonly opening?: Step | undefined;
}

/** How transactions are written. */
export interface Assembly {
  readonly terms: BuildTerms;
  readonly version: 'legacy' | 0;
  /** A key that signs where it is asked for, beside the owner. */
  readonly coSigner?: Keypair;
  /** What v0 transactions take accounts from that neither sign nor are called as programs. */
  readonly lookupTable?: LookupTable | undefined;
}

/** Most compute units that a transaction may ask for (runtime: MAX_COMPUTE_UNIT_LIMIT). */
const MAX_COMPUTE_UNITS = 1_400_000;

/** What the two compute budget instructions take themselves. */
export const BUDGET_COMPUTE_UNITS = 300;

/** Gives a step of these instructions. */
export function step(computeUnits: number, ...instructions: readonly TransactionInstruction[]): Step {
  return { computeUnits, instructions };
}

/** Gives several steps as one: they go into the same transaction. What one of them has to begin with, all have. */
export function together(...steps: readonly Step[]): Step {
  const opening = steps.find((of) => of.opening !== undefined)?.opening;
  return {
    ...step(
      steps.reduce((sum, of) => sum + of.computeUnits, 0),
      ...steps.flatMap((of) => of.instructions),
    ),
    ...(opening === undefined ? {} : { opening }),
  };
}

/** Says whether a step fits into a transaction of its own, within the limits of size and of compute units. */
export function fitsAlone(of: Step, assembly: Assembly): boolean {
  return compile([of], assembly) !== undefined;
}

/**
 * Gives the fewest transactions that hold the steps in order, each within the limits of size and of compute units. The
 * owner's signature is left empty; the co-signer's is in place where its key is among the signers.
 * @throws PlanError where a step is too large for a transaction of its own.
 */
export function assemble(steps: readonly Step[], assembly: Assembly): readonly Uint8Array[] {
  const transactions: Uint8Array[] = [];
  let held: { readonly steps: readonly Step[]; readonly bytes: Uint8Array } | undefined;
  for (const next of steps) {
    const extended = held === undefined ? undefined : serialise([...held.steps, next], assembly);
    if (held !== undefined && extended !== undefined) {
      held = { steps: [...held.steps, next], bytes: extended };
      continue;
    }
    if (held !== undefined) {
      transactions.push(held.bytes);
    }
    const alone = serialise([next], assembly);
    if (alone === undefined) {
      throw new PlanError('A step is too large for a transaction');
    }
    held = { steps: [next], bytes: alone };
  }
  return held === undefined ? transactions : [...transactions, held.bytes];
}

/** The wire bytes of a transaction with these steps, or `undefined` where they are too much for one. */
function serialise(steps: readonly Step[], assembly: Assembly): Uint8Array | undefined {
  const transaction = compile(steps, assembly);
  const { coSigner } = assembly;
  if (transaction !== undefined && coSigner !== undefined && signersOf(transaction).some((key) => key.equals(coSigner.publicKey))) {
    transaction.sign([coSigner]);
  }
  return transaction?.serialize();
}

/** The transaction with these steps and without signatures, or `undefined` where they are too much for one. */
function compile(steps: readonly Step[], { terms, version, lookupTable }: Assembly): VersionedTransaction | undefined {
  const { computeUnits, instructions } = together(...withOpenings(steps));
  const units = computeUnits + BUDGET_COMPUTE_UNITS;
  if (units > MAX_COMPUTE_UNITS) {
    return undefined;
  }
  const message = new TransactionMessage({
    payerKey: new PublicKey(terms.owner),
    recentBlockhash: terms.blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: terms.microLamportsPerComputeUnit }),
      ...instructions,
    ],
  });
  try {
    const transaction = new VersionedTransaction(
      version === 0
        ? message.compileToV0Message(lookupTable === undefined ? [] : [tableFor(instructions, lookupTable)])
        : message.compileToLegacyMessage(),
    );
    return transaction.serialize().length <= MAX_TRANSACTION_BYTES ? transaction : undefined;
  } catch (error) {
    // web3.js writes messages into a buffer of the size limit, and throws RangeError where they are longer.
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** Puts what steps have to begin with before the first of them. All steps of an operation have the same. */
function withOpenings(steps: readonly Step[]): readonly Step[] {
  const first = steps.findIndex(({ opening }) => opening !== undefined);
  const opening = steps[first]?.opening;
  return opening === undefined ? steps : [...steps.slice(0, first), opening, ...steps.slice(first)];
}

function signersOf({ message: { header, staticAccountKeys } }: VersionedTransaction): readonly PublicKey[] {
  return staticAccountKeys.slice(0, header.numRequiredSignatures);
}

const NEVER = 2n ** 64n - 1n;

/** The table as web3.js takes it. The entries that no instruction names are left as the table's own address, which none names either. */
function tableFor(instructions: readonly TransactionInstruction[], { address, entries }: LookupTable): AddressLookupTableAccount {
  const named = new Map(instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => [pubkey.toBase58(), pubkey])));
  const key = new PublicKey(address);
  const addresses = entries.map((entry) => named.get(entry) ?? key);
  return new AddressLookupTableAccount({
    key,
    state: { deactivationSlot: NEVER, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses },
  });
}
