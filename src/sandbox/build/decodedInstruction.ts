import { Buffer } from 'node:buffer';
import type { TransactionInstruction } from '@solana/web3.js';
import * as z from 'zod';
import type { BuildStep } from '../../engine/assembly/transactions';
import { type Address, address } from '../../base/solana/address';
import { type Arguments, decodeInstruction, InstructionCodecError, type InstructionLayout } from '../../base/solana/instructionCodec';
import { keysOf, isWritableAt } from '../chain/lookupTables';
import { EffectError, type LoadedTransaction } from '../chain/types';
import type { BuildEffect } from './types';

/** An instruction with the addresses of its accounts. */
export interface DecodedAnchorInstruction {
  readonly program: Address;
  readonly accounts: readonly { readonly address: Address; readonly signer: boolean; readonly writable: boolean }[];
  readonly data: Uint8Array;
}

/** An effect, and the instruction that the builders write for it. */
export interface DecodedEffect {
  readonly effect: BuildEffect;
  readonly expected: BuildStep;
}

/**
 * The instructions of a transaction.
 * @throws EffectError if the transaction uses lookup tables that were not resolved
 */
export function instructionsOf(transaction: LoadedTransaction): readonly DecodedAnchorInstruction[] {
  const keys = keysOf(transaction);
  return transaction.instructions.map(({ programIdIndex, accountIndexes, data }) => ({
    program: keyAt(keys, programIdIndex),
    accounts: accountIndexes.map((index) => ({
      address: keyAt(keys, index),
      signer: index < transaction.requiredSignatures,
      writable: isWritableAt(transaction, index),
    })),
    data,
  }));
}

/**
 * The account with this name in the layout.
 * @throws EffectError if the instruction has too few accounts
 */
export function accountByRole(instruction: DecodedAnchorInstruction, layout: InstructionLayout, role: string): Address {
  return accountAt(
    instruction,
    layout.name,
    layout.accounts.findIndex(({ name }) => name === role),
    role,
  );
}

/**
 * The account with this index.
 * @throws EffectError if the instruction has too few accounts
 */
export function accountAt(instruction: DecodedAnchorInstruction, name: string, place: number, role: string): Address {
  const account = instruction.accounts[place];
  if (account === undefined) {
    throw new EffectError(`${name} has no account for ${role}`);
  }
  return account.address;
}

/**
 * Decodes the arguments of an instruction.
 * @throws EffectError if the data does not match the layout, or an argument does not match the schema
 */
export function argumentsOf<T>(instruction: DecodedAnchorInstruction, layout: InstructionLayout, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(decoded(instruction, layout));
  if (!parsed.success) {
    throw new EffectError(`${layout.name}: ${z.prettifyError(parsed.error)}`, { cause: parsed.error });
  }
  return parsed.data;
}

function decoded(instruction: DecodedAnchorInstruction, layout: InstructionLayout): Arguments {
  try {
    return decodeInstruction(layout, instruction.data);
  } catch (error) {
    if (error instanceof InstructionCodecError) {
      throw new EffectError(`${layout.name}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/**
 * Checks that an instruction equals the one that the builders write for its effect.
 * @throws EffectError if an account, a missing privilege or a byte differs
 */
export function matchInstruction(instruction: DecodedAnchorInstruction, layout: InstructionLayout, { expected }: DecodedEffect): void {
  const [wanted] = expected.instructions;
  if (wanted === undefined || !Buffer.from(instruction.data).equals(wanted.data)) {
    throw new EffectError(`${layout.name} is written in a way that the sandbox does not carry out`);
  }
  if (instruction.accounts.length !== wanted.keys.length) {
    throw new EffectError(`${layout.name} has ${instruction.accounts.length} accounts; it takes ${wanted.keys.length}`);
  }
  wanted.keys.forEach((key, place) => matchAccount(instruction, layout, key, place));
}

function matchAccount(
  instruction: DecodedAnchorInstruction,
  layout: InstructionLayout,
  wanted: TransactionInstruction['keys'][number],
  place: number,
): void {
  const given = instruction.accounts[place];
  const role = layout.accounts[place]?.name ?? `account ${place + 1}`;
  const wantedAddress = address(wanted.pubkey.toBase58());
  if (given?.address !== wantedAddress) {
    throw new EffectError(`${layout.name} has ${given?.address ?? 'nothing'} as ${role}, where ${wantedAddress} belongs`);
  }
  if (wanted.isSigner && !given.signer) {
    throw new EffectError(`${layout.name} needs the signature of ${role}`);
  }
  if (wanted.isWritable && !given.writable) {
    throw new EffectError(`${layout.name} has to be able to write to ${role}`);
  }
}

function keyAt(keys: readonly Address[], index: number): Address {
  const key = keys[index];
  if (key === undefined) {
    throw new EffectError('An account comes from a lookup table that was not looked up');
  }
  return key;
}
