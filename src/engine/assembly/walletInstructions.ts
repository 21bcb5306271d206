import { Buffer } from 'node:buffer';
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../base/solana/address';
import { associatedTokenAddress } from '../../base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { meta } from './anchorInstruction';
import { step, type BuildStep, together } from './transactions';
import type { BuildTerms, TokenAccounts } from './types';

/** Opcodes of the Associated Token Account and the SPL Token program. */
const CREATE_IDEMPOTENT = 1;
const CLOSE_ACCOUNT = 9;
const SYNC_NATIVE = 17;

/** Maximum compute units on the VM, with a margin. */
const COMPUTE_UNITS = { createTokenAccount: 35_000, wrap: 10_000, unwrap: 10_000, transfer: 1_000 };

export const WRAPPED_SOL: TokenAccounts = { mint: WRAPPED_SOL_MINT, tokenProgram: PROGRAMS.token };

/** Creates the owner's associated token account if it does not exist. */
export function createTokenAccount(owner: Address, token: TokenAccounts): BuildStep {
  return step(
    COMPUTE_UNITS.createTokenAccount,
    new TransactionInstruction({
      programId: new PublicKey(PROGRAMS.associatedToken),
      keys: [
        meta(owner, true, true),
        meta(associatedTokenAddress(owner, token.mint, token.tokenProgram), false, true),
        meta(owner, false, false),
        meta(token.mint, false, false),
        meta(PROGRAMS.system, false, false),
        meta(token.tokenProgram, false, false),
      ],
      data: Buffer.from([CREATE_IDEMPOTENT]),
    }),
  );
}

/** Moves SOL into the owner's wrapped-SOL account, which must exist. */
export function wrapSol(owner: Address, lamports: bigint): BuildStep {
  const at = associatedTokenAddress(owner, WRAPPED_SOL_MINT);
  return step(
    COMPUTE_UNITS.wrap,
    transfer(owner, at, lamports),
    new TransactionInstruction({
      programId: new PublicKey(PROGRAMS.token),
      keys: [meta(at, false, true)],
      data: Buffer.from([SYNC_NATIVE]),
    }),
  );
}

/** Closes the owner's wrapped-SOL account: its whole balance becomes SOL, including SOL wrapped earlier. */
export function unwrapSol(owner: Address): BuildStep {
  return step(
    COMPUTE_UNITS.unwrap,
    new TransactionInstruction({
      programId: new PublicKey(PROGRAMS.token),
      keys: [meta(associatedTokenAddress(owner, WRAPPED_SOL_MINT), false, true), meta(owner, false, true), meta(owner, true, false)],
      data: Buffer.from([CLOSE_ACCOUNT]),
    }),
  );
}

/** Adds the transfer of the tip, if any, to the last step. */
export function withTip(steps: readonly BuildStep[], { owner, tip }: BuildTerms): readonly BuildStep[] {
  const last = steps.at(-1);
  if (tip === undefined || last === undefined) {
    return steps;
  }
  return [...steps.slice(0, -1), together(last, step(COMPUTE_UNITS.transfer, transfer(owner, tip.account, tip.lamports)))];
}

function transfer(from: Address, to: Address, lamports: bigint): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports });
}

/**
 * The same operation without a tip, for clients that send transactions themselves. Its priority fee is slightly higher, so that all of its
 * messages differ from those with a tip.
 */
export function withoutTip<Plan extends BuildTerms>(plan: Plan): Plan {
  return { ...plan, tip: undefined, distinguisher: (plan.distinguisher ?? 0n) + 1n };
}
