import type { Address } from '../solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../solana/programs';
import { OwnedAccounts } from './ownedAccounts';
import type { PolicySettings } from './policy';
import { createsPosition } from './positions';
import { addressIn, type Reading, type ReadTransaction } from './reading';
import { temporaryWrappedSol } from './temporaryAccounts';
import type { Intent } from './types';

/** What every rule may know about the operation. */
export interface OperationContext {
  readonly intent: Intent;
  readonly policy: PolicySettings;
  /** Those that could be decoded. */
  readonly transactions: readonly ReadTransaction[];
  /** All of them. */
  readonly transactionCount: number;
  readonly owned: OwnedAccounts;
  /** The pool's mints and wrapped SOL (policy §5, POOL_MINTS). */
  readonly poolMints: ReadonlySet<Address>;
  /** The position that this is about; a zap-in without one in its answer is about the first that it creates. */
  readonly position: Address | undefined;
}

/** What a rule may know about the transaction that it looks at. */
export interface TransactionContext extends OperationContext {
  readonly transaction: ReadTransaction;
  /** Accounts that this transaction makes, uses for wrapped SOL, and closes again to the owner (SYS-4). */
  readonly temporary: ReadonlySet<Address>;
}

const MINT_ROLES = ['mint', 'token_x_mint', 'token_y_mint', 'token_mint', 'reward_mint', 'source_mint', 'destination_mint'];

/** Gathers what the rules need to know about the operation. */
export function operationContext(
  intent: Intent,
  policy: PolicySettings,
  transactions: readonly ReadTransaction[],
  transactionCount: number,
): OperationContext {
  const readings = transactions.flatMap((transaction) => transaction.readings);
  const poolMints = poolMintsOf(intent, readings);
  return {
    intent,
    policy,
    transactions,
    transactionCount,
    poolMints,
    position: intent.position ?? readings.filter(createsPosition).map((reading) => addressIn(reading, 'position'))[0],
    owned: new OwnedAccounts(intent.owner, [...poolMints, ...readings.flatMap(namedMints)]),
  };
}

/** Narrows the context to one transaction. */
export function transactionContext(operation: OperationContext, transaction: ReadTransaction): TransactionContext {
  return { ...operation, transaction, temporary: temporaryWrappedSol(transaction, operation.intent.owner) };
}

/** Says whether tokens in the account are the owner's. */
export function isOwned(context: TransactionContext, account: Address): boolean {
  return context.temporary.has(account) || context.owned.mintOf(account) !== undefined;
}

/** Gives the mint of one of the owner's token accounts; `undefined` for any other account. */
export function ownedMint(context: TransactionContext, account: Address | undefined): Address | undefined {
  if (account === undefined) {
    return undefined;
  }
  return context.temporary.has(account) ? WRAPPED_SOL_MINT : context.owned.mintOf(account);
}

function namedMints(reading: Reading): Address[] {
  return MINT_ROLES.flatMap((role) => addressIn(reading, role) ?? []);
}

/** The listing's mints; where it gave none, those that the instructions on the intended pool name. */
function poolMintsOf(intent: Intent, readings: readonly Reading[]): Set<Address> {
  const listed = [intent.tokenX, intent.tokenY].filter((mint) => mint !== undefined);
  const named = readings
    .filter((reading) => reading.view.program === PROGRAMS.dlmm && addressIn(reading, 'lb_pair') === intent.pool)
    .flatMap((reading) => [addressIn(reading, 'token_x_mint'), addressIn(reading, 'token_y_mint')])
    .filter((mint) => mint !== undefined);
  return new Set([WRAPPED_SOL_MINT, ...(listed.length === 2 ? listed : named)]);
}
