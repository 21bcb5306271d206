import { PublicKey, TransactionInstruction, type AccountMeta } from '@solana/web3.js';
import { Buffer } from 'node:buffer';
import type { Address } from '../../base/solana/address';
import { encodeInstruction, type Arguments, type InstructionLayout } from '../../base/solana/instructionCodec';
import { PlanError } from './types';

/** An account of an instruction, given by the name of its role. */
export type Roles = Readonly<Record<string, Address>>;

/** Further accounts of an instruction, after those that its layout names. */
export interface RemainingAccount {
  readonly address: Address;
  readonly writable: boolean;
}

/**
 * Gives an instruction of an Anchor program: accounts in the order of its layout, arguments in Borsh.
 * @throws PlanError where an account is missing; InstructionCodecError where an argument does not fit.
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
 * Gives the accounts of an instruction in the order of its layout. An optional one that `roles` leaves out is written as the
 * program itself (Anchor's way of saying "none").
 * @throws PlanError where one is missing.
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

/** Gives an account as web3.js takes it. */
export function meta(of: Address, isSigner: boolean, isWritable: boolean): AccountMeta {
  return { pubkey: new PublicKey(of), isSigner, isWritable };
}
