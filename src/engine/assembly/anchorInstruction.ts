import { Buffer } from 'node:buffer';
import { type AccountMeta, PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../base/solana/address';
import { type Arguments, encodeInstruction, type InstructionLayout } from '../../base/solana/instructionCodec';
import { PlanError } from './types';

/** Accounts of an instruction by their names in its layout. */
export type Roles = Readonly<Record<string, Address>>;

/** An account after those of the layout. */
export interface RemainingAccount {
  readonly address: Address;
  readonly writable: boolean;
}

/**
 * Encodes an instruction of an Anchor program: accounts in the order of its layout, arguments in Borsh.
 * @throws PlanError if an account is missing; InstructionCodecError if an argument is out of range
 */
export function anchorInstruction(
  program: Address,
  layout: InstructionLayout,
  roles: Roles,
  args: Arguments,
  remaining: readonly RemainingAccount[] = [],
): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(program),
    keys: [...anchorAccounts(program, layout, roles), ...remaining.map(({ address, writable }) => meta(address, false, writable))],
    data: Buffer.from(encodeInstruction(layout, args)),
  });
}

/**
 * The accounts of an instruction in the order of its layout. A missing optional account is the program itself, Anchor's form of "none".
 * @throws PlanError if a required account is missing
 */
export function anchorAccounts(program: Address, layout: InstructionLayout, roles: Roles): AccountMeta[] {
  return layout.accounts.map(({ name, optional, writable, signer }) => {
    const given = roles[name];
    if (given === undefined && optional !== true) {
      throw new PlanError(`${layout.name} needs an account for ${name}`);
    }
    return given === undefined ? meta(program, false, false) : meta(given, signer === true, writable === true);
  });
}

/** An account meta of web3.js. */
export function meta(of: Address, isSigner: boolean, isWritable: boolean): AccountMeta {
  return { pubkey: new PublicKey(of), isSigner, isWritable };
}
