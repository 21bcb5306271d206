import type { Address } from '../../solana/address';
import { PROGRAMS } from '../../solana/programs';
import { ownedMint, transactionContext, type OperationContext, type TransactionContext } from '../context';
import type { AccountView } from '../decode';
import type { InnerInstruction, SimulatedTransaction } from '../facts';
import { isApprovedTokenAccount } from '../feeRecipients';
import { REVIEW_PROGRAMS } from '../knownPrograms';
import { ALL_BPS } from '../policy';
import { accountIn, addressIn, integerIn, isInstruction, readInstruction, type DecodedCall } from '../reading';
import { isPoolSwap, poolIn } from './meteora';

/** The service may keep this share of claimed fees at most (policy §7, TOK-1: it documents 8 %). */
const MOST_SHARE_BPS = 1_000n;

/** Programs that swap by way of any pool. */
const ROUTERS: readonly Address[] = [PROGRAMS.jupiterV6, REVIEW_PROGRAMS.jupiterRfq, REVIEW_PROGRAMS.okxRouter, REVIEW_PROGRAMS.okxRouterV1, REVIEW_PROGRAMS.meteoraZap];

/** Where the fees of each side come from and go to, as the IDLs name it. */
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
 * Says whether a transfer to a stranger is, as the simulation of its transaction shows, no more than the service's share of the fees
 * of that token that the same transaction has claimed before it, for a recipient of whom the user has approved (TOK-1). To be asked
 * only of transfers that have the shape of the service's fee.
 */
export function isShareOfClaimedFees(transfer: DecodedCall, simulated: SimulatedTransaction, operation: OperationContext): boolean {
  const transaction = operation.transactions.find(({ readings }) => readings.includes(transfer));
  if (transaction === undefined || isAfterSwap(transaction.view.index, operation)) {
    return false;
  }
  const context = transactionContext(operation, transaction);
  const [to, mint, amountRaw] = [addressIn(transfer, 'destination'), ownedMint(context, addressIn(transfer, 'source')), integerIn(transfer.args, 'amount')];
  if (to === undefined || mint === undefined || amountRaw === undefined || !isApprovedTokenAccount(context, to, mint)) {
    return false;
  }
  return amountRaw * BigInt(ALL_BPS) <= claimedRaw(mint, transfer, simulated, context) * MOST_SHARE_BPS;
}

/** Says whether an earlier transaction may swap: the fees that its swap makes are in the simulation, and not there where it does not land. */
function isAfterSwap(index: number, { transactions }: OperationContext): boolean {
  return transactions.some(({ view, readings }) => view.index < index && readings.some((reading) => isPoolSwap(reading) || ROUTERS.includes(reading.view.program)));
}

/**
 * What the pool has paid the owner in fees of a mint before an instruction, raw units. Only claims count: what a removal pays is the
 * liquidity itself, and which part of it might be fees cannot be told.
 */
function claimedRaw(mint: Address, before: DecodedCall, { innerInstructions = [] }: SimulatedTransaction, context: TransactionContext): bigint {
  const claims = context.transaction.readings.filter((reading) => reading.index < before.index && reading.args !== undefined && poolIn(reading) === context.intent.pool);
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

/** What a called instruction moves from the pool's own account to that of the owner; 0 for anything else. */
function paidRaw(inner: InnerInstruction, claim: DecodedCall, sides: Sides, mint: Address, context: TransactionContext): bigint {
  const { accounts } = context.transaction.view;
  const program = accounts[inner.programIdIndex]?.address;
  if (program === undefined || !deliversAll(program, mint, context)) {
    return 0n;
  }
  const called = readInstruction({ program, accounts: inner.accountIndexes.map((place) => accounts[place] ?? NOWHERE), data: inner.data }, claim.index);
  const isTransfer = isInstruction(called, program, 'transfer', 'transfer_checked');
  return isTransfer && sides.some(({ from, to }) => isSame(called, 'source', claim, from) && isSame(called, 'destination', claim, to)) ? (integerIn(called.args, 'amount') ?? 0n) : 0n;
}

/** Of a Token-2022 mint with a transfer fee less arrives than is sent; one of which nothing is known may have one. */
function deliversAll(program: Address, mint: Address, { facts }: TransactionContext): boolean {
  return program === PROGRAMS.token || (program === PROGRAMS.token2022 && facts.mints.get(mint)?.some(({ kind }) => kind === 'transferFee' || kind === 'unknown') === false);
}

/** A place that the transaction does not have. */
const NOWHERE: AccountView = { address: undefined, signer: false, writable: false };

/** No account is in two places of a transaction (DEC-6), so the place tells also where no address is known. */
function isSame(one: DecodedCall, role: string, other: DecodedCall, otherRole: string): boolean {
  const account = accountIn(one, role);
  return account !== undefined && account === accountIn(other, otherRole);
}
