import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { ownedMint, type TransactionContext } from '../context';
import { poolFieldsOf } from '../intents';
import { accountIn, addressIn, type DecodedCall, integerAt, isInstruction, readInstruction } from '../decode/instructions';
import { poolIn } from '../decode/meteora';
import type { AccountView } from '../decode/transaction';
import type { InnerInstruction, SimulatedTransaction } from '../facts/facts';

// What claims of fees pay out, by the transfers that a simulation shows.

/** The accounts that the fees of each side come from and go to, by the IDLs. */
type Sides = readonly { readonly from: string; readonly to: string }[];

const DLMM_SIDES: Sides = [
  { from: 'reserve_x', to: 'user_token_x' },
  { from: 'reserve_y', to: 'user_token_y' },
];

const DAMM_SIDES: Sides = [
  { from: 'token_a_vault', to: 'token_a_account' },
  { from: 'token_b_vault', to: 'token_b_account' },
];

/**
 * The fees in a mint that the pool paid to the owner before an instruction, raw units. Only claims count: a removal pays out the liquidity
 * itself, and its share of fees is unknown.
 */
export function claimedRaw(
  mint: Address,
  before: DecodedCall,
  { innerInstructions = [] }: SimulatedTransaction,
  context: TransactionContext,
): bigint {
  const { pool } = poolFieldsOf(context.intent);
  const claims = context.transaction.readings.filter(
    (reading) => reading.index < before.index && reading.args !== undefined && poolIn(reading) === pool,
  );
  return claims.reduce((total, claim) => {
    const sides = sidesOf(claim).filter(({ to }) => ownedMint(context, addressIn(claim, to)) === mint);
    const called = innerInstructions.filter(({ calledBy }) => calledBy === claim.index);
    return called.reduce((sum, inner) => sum + paidRaw(inner, claim, sides, mint, context), total);
  }, 0n);
}

function sidesOf(reading: DecodedCall): Sides {
  if (isInstruction(reading, PROGRAMS.dlmm, 'claim_fee', 'claim_fee2')) {
    return DLMM_SIDES;
  }
  return isInstruction(reading, PROGRAMS.dammV2, 'claim_position_fee') ? DAMM_SIDES : [];
}

/** The amount that a called instruction moves from the pool's account to the owner's; 0 for anything else. */
function paidRaw(inner: InnerInstruction, claim: DecodedCall, sides: Sides, mint: Address, context: TransactionContext): bigint {
  const { accounts } = context.transaction.view;
  const program = accounts[inner.programIdIndex]?.address;
  if (program === undefined || !deliversAll(program, mint, context)) {
    return 0n;
  }
  const called = readInstruction(
    { program, accounts: inner.accountIndexes.map((place) => accounts[place] ?? NOWHERE), data: inner.data },
    claim.index,
  );
  const isTransfer = isInstruction(called, program, 'transfer', 'transfer_checked');
  return isTransfer && sides.some(({ from, to }) => isSame(called, 'source', claim, from) && isSame(called, 'destination', claim, to))
    ? (integerAt(called.args, 'amount') ?? 0n)
    : 0n;
}

/** With a transfer fee of Token-2022, less arrives than is sent. An unknown mint may have one. */
function deliversAll(program: Address, mint: Address, { facts }: TransactionContext): boolean {
  return (
    program === PROGRAMS.token ||
    (program === PROGRAMS.token2022 && facts.mints.get(mint)?.some(({ kind }) => kind === 'transferFee' || kind === 'unknown') === false)
  );
}

/** Stands for an index that the transaction does not have. */
const NOWHERE: AccountView = { address: undefined, signer: false, writable: false, fromTable: false };

/** An account occurs only once in a transaction (DEC-6), so identity also tells accounts with unknown addresses apart. */
function isSame(one: DecodedCall, role: string, other: DecodedCall, otherRole: string): boolean {
  const account = accountIn(one, role);
  return account !== undefined && account === accountIn(other, otherRole);
}
