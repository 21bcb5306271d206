import { ComputeBudgetInstruction, Keypair, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { openingOf } from '../build/buildAdd';
import { assemble, BUDGET_COMPUTE_UNITS, step, type Assembly, type Step } from '../build/transactions';
import type { AddPlan, AddTransactions, DecreasePlan, DecreaseTransactions } from '../build/types';

// Changes to honestly built transactions: they are decoded, changed, and assembled and signed again as the builder does it.

/** A withdrawal with one more step, behind the last instruction that touches the pool. */
export function withStepInDecrease(built: DecreaseTransactions, plan: DecreasePlan, extra: Step): DecreaseTransactions {
  return { ...built, closeTransactions: withStepBehindPool(built.closeTransactions, extra, { terms: plan, version: 'legacy' }) };
}

/** An entry with one more step, behind the last instruction that touches the pool. */
export function withStepInAdd(built: AddTransactions, plan: AddPlan, extra: Step): AddTransactions {
  return { ...built, addTransactions: withStepBehindPool(built.addTransactions, extra, depositAssembly(plan)) };
}

/** An entry that opens the position in a transaction of its own; no deposit opens it. */
export function withSplitOpening(built: AddTransactions, plan: AddPlan): AddTransactions {
  const opening = openingOf(plan);
  if (opening === undefined) {
    return built;
  }
  const assembly = depositAssembly(plan);
  const unopened = built.addTransactions.flatMap((bytes) => {
    const whole = stepOf(bytes);
    const rest = whole.instructions.filter((one) => !opening.instructions.some((other) => isSame(one, other)));
    return rest.length === whole.instructions.length
      ? [bytes]
      : assemble([step(whole.computeUnits - opening.computeUnits, ...rest.map((one) => signedOnlyBy(plan.owner, one)))], assembly);
  });
  return { ...built, addTransactions: [...assemble([opening], assembly), ...unopened] };
}

function withStepBehindPool(group: readonly Uint8Array[], extra: Step, assembly: Assembly): readonly Uint8Array[] {
  const steps = group.map(stepOf);
  const last = steps.findLastIndex(touchesPool);
  return steps.flatMap((honest, index) => (index === last ? assemble([honest, extra], assembly) : group.slice(index, index + 1)));
}

/** Deposits take no accounts from a lookup table, and the key of the position signs where it is opened. */
function depositAssembly(plan: AddPlan): Assembly {
  return { terms: plan, version: 0, coSigner: Keypair.fromSeed(plan.positionSeed) };
}

/** The instructions of a transaction that uses no lookup table, without those for the compute budget, which {@link assemble} adds. */
function stepOf(bytes: Uint8Array): Step {
  const { instructions } = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message);
  const [limit, , ...rest] = instructions;
  if (limit === undefined) {
    throw new RangeError('The transaction has no compute unit limit');
  }
  return step(ComputeBudgetInstruction.decodeSetComputeUnitLimit(limit).units - BUDGET_COMPUTE_UNITS, ...rest);
}

function touchesPool({ instructions }: Step): boolean {
  return instructions.some(({ programId }) => [PROGRAMS.dlmm, PROGRAMS.dammV2].some((program) => program === programId.toBase58()));
}

/** Decoded, an account signs wherever it signs in the transaction: the position also where it is only filled. */
function signedOnlyBy(owner: Address, { programId, keys, data }: TransactionInstruction): TransactionInstruction {
  return new TransactionInstruction({ programId, keys: keys.map((key) => ({ ...key, isSigner: key.pubkey.toBase58() === owner })), data });
}

/** Compares programs, accounts and data. A decoded instruction has the flags of the whole message, so they are left out. */
function isSame(one: TransactionInstruction, other: TransactionInstruction): boolean {
  return (
    one.programId.equals(other.programId) &&
    one.data.equals(other.data) &&
    one.keys.length === other.keys.length &&
    one.keys.every(({ pubkey }, index) => other.keys[index]?.pubkey.equals(pubkey))
  );
}
