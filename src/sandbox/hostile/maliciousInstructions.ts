import { Buffer } from 'node:buffer';
import { ComputeBudgetInstruction, Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { type Address, addressBytes } from '../../base/solana/address';
import { associatedTokenAddress } from '../../base/solana/pda';
import { LAMPORTS_PER_SOL, PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { parseTransaction } from '../../base/solana/wireTransaction';
import { EngineError } from '../../engine/engine';
import { instructionsOf } from '../build/decodedInstruction';
import { meta } from '../../engine/assembly/anchorInstruction';
import { openingOf } from '../../engine/assembly/buildTransactions';
import { assemble, type Assembly, BUDGET_COMPUTE_UNITS, step, type BuildStep } from '../../engine/assembly/transactions';
import type { AddPlan, AddTransactions, BuildTerms, DecreasePlan, DecreaseTransactions, TokenAccounts } from '../../engine/assembly/types';
import { addVersions, decreaseVersions } from '../../engine/assembly/versions';
import { requireLamports } from '../../engine/build/costs';
import type { BuildContext } from '../market/engine/buildContext';
import type { PoolToken } from '../market/types';
import { type Attack, richestOf } from './attacks';
import { STRANGERS_PROGRAM } from '../chain/standIns';
import { plantedAccount, STRANGER } from './stranger';

/** Attacks that add one instruction to an otherwise honest operation. */
export type Theft = Extract<Attack, 'sendSol' | 'tokenAuthority' | 'plantedAccount' | 'unknownProgram'>;

/** Requirements of the honest operation, which must still land after the theft. */
export interface Victim {
  readonly owner: Address;
  /** Maximum cost of the operation, with fees and rent. */
  readonly costsLamports: bigint;
  /** Tokens of the operation; the theft does not touch their accounts. */
  readonly used: readonly Pick<TokenAccounts, 'mint'>[];
}

/** SPL Token: opcodes, the kind of authority, and the byte before a new authority. */
const TRANSFER = 3;

const SET_AUTHORITY = 6;

const ACCOUNT_OWNER = 2;

const SOME = 1;

/** Maximum compute units on the VM, with a margin. */
const COMPUTE_UNITS = { sendSol: 1_000, tokenAuthority: 10_000, plantedAccount: 10_000, unknownProgram: 1_000 };

/** Lamports to steal, if the owner has them. */
const STOLEN_LAMPORTS = 5n * LAMPORTS_PER_SOL;

/** Lamports that stay with the owner, and the minimum to steal. */
const RESERVED_LAMPORTS = LAMPORTS_PER_SOL / 100n;

/**
 * The instruction that robs the owner.
 * @throws EngineError if the owner has nothing that could be taken.
 */
export function theftStep(context: BuildContext, theft: Theft, victim: Victim): BuildStep {
  const { owner } = victim;
  switch (theft) {
    case 'sendSol':
      return step(
        COMPUTE_UNITS[theft],
        SystemProgram.transfer({
          fromPubkey: new PublicKey(owner),
          toPubkey: new PublicKey(STRANGER),
          lamports: stolenLamports(context, victim),
        }),
      );
    case 'tokenAuthority': {
      const account = associatedTokenAddress(owner, untouchedToken(context, theft, victim).mint);
      return step(
        COMPUTE_UNITS[theft],
        new TransactionInstruction({
          programId: new PublicKey(PROGRAMS.token),
          keys: [meta(account, false, true), meta(owner, true, false)],
          data: Buffer.concat([Uint8Array.of(SET_AUTHORITY, ACCOUNT_OWNER, SOME), addressBytes(STRANGER)]),
        }),
      );
    }
    case 'plantedAccount': {
      const { mint } = untouchedToken(context, theft, victim);
      const data = Buffer.alloc(9);
      data.writeUInt8(TRANSFER, 0);
      data.writeBigUInt64LE(context.chain.tokenBalance(owner, mint), 1);
      const keys = [
        meta(associatedTokenAddress(owner, mint), false, true),
        meta(plantedAccount(context, owner, mint), false, true),
        meta(owner, true, false),
      ];
      return step(COMPUTE_UNITS[theft], new TransactionInstruction({ programId: new PublicKey(PROGRAMS.token), keys, data }));
    }
    case 'unknownProgram':
      return step(
        COMPUTE_UNITS[theft],
        new TransactionInstruction({ programId: new PublicKey(STRANGERS_PROGRAM), keys: [meta(owner, true, true)], data: Buffer.alloc(0) }),
      );
  }
}

// Changes to honestly built transactions: they are decoded, changed, and assembled and signed again as the builder does it.

/** An operation with one more transaction. */
export function withTransaction(transactions: readonly Uint8Array[], terms: BuildTerms, extra: BuildStep): readonly Uint8Array[] {
  return [...transactions, ...assemble([extra], { terms, version: decreaseVersions(terms).unwrap })];
}

/** A withdrawal with one more step, behind the last instruction that touches the pool. */
export function withStepInDecrease(built: DecreaseTransactions, plan: DecreasePlan, extra: BuildStep): DecreaseTransactions {
  return { ...built, closeTransactions: withStepBehindPool(built.closeTransactions, extra, { terms: plan }) };
}

/** An entry with one more step, behind the last instruction that touches the pool. */
export function withStepInAdd(built: AddTransactions, plan: AddPlan, extra: BuildStep): AddTransactions {
  return { ...built, addTransactions: withStepBehindPool(built.addTransactions, extra, depositTerms(plan)) };
}

/** An entry that opens the position in a transaction of its own; no deposit opens it. */
export function withSplitOpening(built: AddTransactions, plan: AddPlan): AddTransactions {
  const opening = openingOf(plan);
  if (opening === undefined) {
    return built;
  }
  const terms = depositTerms(plan);
  const unopened = built.addTransactions.flatMap((bytes) => {
    const whole = stepOf(bytes);
    const assembly = { ...terms, version: parseTransaction(bytes).version };
    const rest = whole.instructions.filter((one) => !opening.instructions.some((other) => isSame(one, other)));
    return rest.length === whole.instructions.length
      ? [bytes]
      : assemble([step(whole.computeUnits - opening.computeUnits, ...rest.map((one) => signedOnlyBy(plan.owner, one)))], assembly);
  });
  return { ...built, addTransactions: [...assemble([opening], { ...terms, version: addVersions(plan).pool }), ...unopened] };
}

function stolenLamports(context: BuildContext, { owner, costsLamports }: Victim): bigint {
  const lamports = context.chain.lamports(owner);
  requireLamports({ lamports }, costsLamports + 2n * RESERVED_LAMPORTS);
  const spare = lamports - costsLamports - RESERVED_LAMPORTS;
  return spare < STOLEN_LAMPORTS ? spare : STOLEN_LAMPORTS;
}

/** The most valuable token of the owner that the operation does not use. */
function untouchedToken(context: BuildContext, theft: Theft, { owner, used }: Victim): PoolToken {
  const { market, chain } = context;
  const untouched = market.tokens.filter(({ mint }) => mint !== WRAPPED_SOL_MINT && used.every((token) => token.mint !== mint));
  const richest = richestOf(
    context,
    untouched.map((token) => ({ token, raw: chain.tokenBalance(owner, token.mint) })),
  );
  if (richest === undefined) {
    throw new EngineError('invalid', `The attack ${theft} needs tokens of the owner that the operation has nothing to do with`);
  }
  return richest.token;
}

/** An {@link Assembly} of the version of the transaction that is changed. */
type AssemblyTerms = Omit<Assembly, 'version'>;

function withStepBehindPool(group: readonly Uint8Array[], extra: BuildStep, terms: AssemblyTerms): readonly Uint8Array[] {
  const last = group.map(stepOf).findLastIndex(touchesPool);
  return group.flatMap((bytes, index) =>
    index === last ? assemble([stepOf(bytes), extra], { ...terms, version: parseTransaction(bytes).version }) : [bytes],
  );
}

/** Deposits use no lookup table; the key of the position signs where the position is opened. */
function depositTerms(plan: AddPlan): AssemblyTerms {
  return { terms: plan, coSigner: Keypair.fromSeed(plan.positionSeed) };
}

/** The instructions of a transaction that uses no lookup table, without those for the compute budget, which {@link assemble} adds. */
function stepOf(bytes: Uint8Array): BuildStep {
  const wire = parseTransaction(bytes);
  const instructions = instructionsOf(wire).map(
    ({ program, accounts, data }) =>
      new TransactionInstruction({
        programId: new PublicKey(program),
        keys: accounts.map(({ address, signer, writable }) => meta(address, signer, writable)),
        data: Buffer.from(data),
      }),
  );
  if (wire.config !== undefined) {
    return step(wire.config.computeUnitLimit ?? 0, ...instructions);
  }
  const [limit, , ...rest] = instructions;
  if (limit === undefined) {
    throw new RangeError('The transaction has no compute unit limit');
  }
  return step(ComputeBudgetInstruction.decodeSetComputeUnitLimit(limit).units - BUDGET_COMPUTE_UNITS, ...rest);
}

function touchesPool({ instructions }: BuildStep): boolean {
  return instructions.some(({ programId }) => [PROGRAMS.dlmm, PROGRAMS.dammV2].some((program) => program === programId.toBase58()));
}

/** Decoding marks an account as signer in all instructions of a transaction, so the position's flag must be removed. */
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
