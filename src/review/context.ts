import * as l10n from '@vscode/l10n';
import type { Address } from '../base/solana/address';
import { WRAPPED_SOL_MINT } from '../base/solana/programs';
import { addressIn, type DecodedCall, type ReadTransaction } from './decode/instructions';
import { type ChainFacts, NO_FACTS } from './facts/facts';
import type { Notes, PlaceNotes } from './notes';
import { DerivedAddresses, OwnedAccounts, temporaryWrappedSol } from './ownedAccounts';
import type { PolicySettings } from './policy';
import { createsPosition } from './positions';
import { poolIn, poolMintsIn } from './rules/meteora';
import type { Intent } from './types';

/** What every rule may know about the operation. */
export interface OperationContext {
  readonly intent: Intent;
  readonly policy: PolicySettings;
  /** What an RPC has said. */
  readonly facts: ChainFacts;
  /** Those that could be decoded. */
  readonly transactions: readonly ReadTransaction[];
  /** All of them. */
  readonly transactionCount: number;
  readonly owned: OwnedAccounts;
  readonly derived: DerivedAddresses;
  /**
   * The two tokens of the pool: those that were listed and that the instructions on the pool name as well; wrapped SOL only where the pool
   * has SOL. What the operation brings out can be no other.
   */
  readonly poolTokens: ReadonlySet<Address>;
  /** The pool's mints and wrapped SOL (policy §5, POOL_MINTS): what the operation may touch. */
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

/** What the layouts call the accounts in a mint position: `mint`, `token_x_mint`, `destination_mint`. */
const MINT_ROLE = /(?:^|_)mint$/;

/** Gathers what the rules need to know about the operation. */
export function operationContext(
  intent: Intent,
  policy: PolicySettings,
  transactions: readonly ReadTransaction[],
  transactionCount: number,
  facts: ChainFacts = NO_FACTS,
): OperationContext {
  const readings = transactions.flatMap((transaction) => transaction.readings);
  const poolMints = poolMintsOf(intent, readings);
  const derived = new DerivedAddresses();
  const mints = [...poolMints, ...readings.flatMap(namedMints)];
  return {
    intent,
    policy,
    facts,
    transactions,
    transactionCount,
    poolTokens: poolTokensOf(intent, readings),
    poolMints,
    position: intent.position ?? readings.filter(createsPosition).map((reading) => addressIn(reading, 'position'))[0],
    derived,
    owned: new OwnedAccounts({ owner: intent.owner, mints, facts: facts.tokenAccounts, derived }),
  };
}

/** Narrows the context to one transaction. */
export function transactionContext(operation: OperationContext, transaction: ReadTransaction): TransactionContext {
  return { ...operation, transaction, temporary: temporaryWrappedSol(transaction, operation.intent.owner) };
}

/**
 * Says whether money may go to a token account: it is an associated one of the owner, or the same transaction makes it for the owner
 * (SYS-4). What an RPC says never adds an account to these (amendment A2).
 */
export function isOwned(context: TransactionContext, account: Address): boolean {
  return context.temporary.has(account) || context.owned.askedMintOf(account) !== undefined;
}

/** Gives the mint of a token account that money may go to; `undefined` for any other account. */
export function ownedMint(context: TransactionContext, account: Address | undefined): Address | undefined {
  if (account === undefined) {
    return undefined;
  }
  return context.temporary.has(account) ? WRAPPED_SOL_MINT : context.owned.askedMintOf(account);
}

/** Says that money would go to an account, or come from one, that is not the owner's: what it is as far as that is known, and what to do. */
export function notOwnedMessage({ owned, facts, intent }: TransactionContext, account: Address): string {
  const fact = facts.tokenAccounts.get(account);
  if (fact === undefined || owned.isAssociatedByAddress(account) || fact.owner !== intent.owner) {
    return l10n.t`${account}, which is not one of your accounts`;
  }
  const place = l10n.t`${account}, which your wallet holds, but which is not its associated token account`;
  const risk = l10n.t(
    'Whoever made it may be able to replace it with an account of their own before the transaction lands, so Binsight does not use it',
  );
  return l10n.t`${place}. ${risk}. If you keep tokens there, move them to your associated token account with your wallet app, close the other one and try again`;
}

function namedMints(reading: DecodedCall): Address[] {
  const roles = reading.layout?.accounts ?? [];
  return roles.flatMap(({ name }, place) => (MINT_ROLE.test(name) ? (reading.view.accounts[place]?.address ?? []) : []));
}

/** Tokens that a listing and the instructions disagree about are none of the pool's; where the instructions do not name both, the listing counts. */
function poolTokensOf(intent: Intent, readings: readonly DecodedCall[]): Set<Address> {
  const listed = new Set([intent.tokenX, intent.tokenY].filter((mint) => mint !== undefined));
  const named = new Set(readings.filter((reading) => poolIn(reading) === intent.pool).flatMap(poolMintsIn));
  if (listed.size < 2) {
    return named;
  }
  return named.size < 2 ? listed : new Set([...listed].filter((mint) => named.has(mint)));
}

/** The listing's mints; where it gave none, those that the instructions on the intended pool name. */
function poolMintsOf(intent: Intent, readings: readonly DecodedCall[]): Set<Address> {
  const listed = [intent.tokenX, intent.tokenY].filter((mint) => mint !== undefined);
  const named = readings.filter((reading) => poolIn(reading) === intent.pool).flatMap(poolMintsIn);
  return new Set([WRAPPED_SOL_MINT, ...(listed.length === 2 ? listed : named)]);
}

/** Looks at one instruction of the program that it is for, and writes down what it finds and what the instruction does. */
export type InstructionRule = (reading: DecodedCall, context: TransactionContext, notes: PlaceNotes) => void;

/** Looks at one transaction as a whole. */
export type TransactionRule = (context: TransactionContext, notes: PlaceNotes) => void;

/** Looks at the operation as a whole, after all of its transactions. */
export type OperationRule = (context: OperationContext, notes: Notes) => void;
