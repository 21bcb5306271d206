import * as l10n from '@vscode/l10n';
import type { Address } from '../base/solana/address';
import { WRAPPED_SOL_MINT } from '../base/solana/programs';
import { RentRate } from '../base/solana/rent';
import { addressIn, type DecodedCall, type ReadTransaction } from './decode/instructions';
import { type ChainFacts, NO_FACTS } from './facts/facts';
import type { Notes, PlaceNotes } from './notes';
import { DerivedAddresses, OwnedAccounts, temporaryWrappedSol } from './ownedAccounts';
import type { PolicySettings } from './policy';
import { createsPosition, poolIn, poolMintsIn } from './decode/meteora';
import { mintsOf, placesOf, poolFieldsOf } from './intents';
import type { Intent, IntentPlace } from './types';

/** The facts of the operation that every rule can read. */
export interface OperationContext {
  readonly intent: Intent;
  readonly policy: PolicySettings;
  /** What the user's RPC answered. */
  readonly facts: ChainFacts;
  /**
   * The rent that accounts cost: the chain's, but never more than without an RPC. What the instructions explain is a bound for the
   * simulation (SIM-1), and an RPC must not raise it.
   */
  readonly rent: RentRate;
  /** Only the transactions that could be decoded. */
  readonly transactions: readonly ReadTransaction[];
  /** Including those that could not be decoded. */
  readonly transactionCount: number;
  readonly owned: OwnedAccounts;
  readonly derived: DerivedAddresses;
  /**
   * The pool's two tokens: both listed by the service and named by the instructions on the pool. Contains wrapped SOL only if the pool
   * has SOL. A withdrawal can pay out no other token.
   */
  readonly poolTokens: ReadonlySet<Address>;
  /** The pool's mints, wrapped SOL, and what a swap of tokens of the wallet exchanges: the tokens that the operation may touch. */
  readonly poolMints: ReadonlySet<Address>;
  /** The position of the operation, the first if there are several. A zap-in whose answer names none takes the first position that it creates. */
  readonly position: Address | undefined;
  /** Where the operation may work; none: with no position, and in any pool. */
  readonly places: readonly IntentPlace[];
}

/** The facts of one transaction, for rules that read a transaction or an instruction. */
export interface TransactionContext extends OperationContext {
  readonly transaction: ReadTransaction;
  /** Accounts that this transaction creates for wrapped SOL and closes to the owner (SYS-4). */
  readonly temporary: ReadonlySet<Address>;
}

/** Matches the roles of mints in the instruction layouts: `mint`, `token_x_mint`, `destination_mint`. */
const MINT_ROLE = /(?:^|_)mint$/;

/** Collects the facts that the rules need about the operation. */
export function operationContext(
  intent: Intent,
  policy: PolicySettings,
  transactions: readonly ReadTransaction[],
  transactionCount: number,
  facts: ChainFacts = NO_FACTS,
): OperationContext {
  const readings = transactions.flatMap((transaction) => transaction.readings);
  const created = readings.filter(createsPosition).map((reading) => addressIn(reading, 'position'))[0];
  const places = placesOf(intent).map((place) => ({ ...place, position: place.position ?? created }));
  const poolMints = new Set([...poolMintsOf(places, readings), ...mintsOf(intent)]);
  const derived = new DerivedAddresses();
  const mints = [...poolMints, ...readings.flatMap(namedMints)];
  return {
    intent,
    policy,
    facts,
    rent: facts.rent?.atMostHighest ?? RentRate.highest,
    transactions,
    transactionCount,
    poolTokens: new Set(places.flatMap((place) => [...poolTokensOf(place, readings)])),
    poolMints,
    position: poolFieldsOf(intent).position ?? created,
    places,
    derived,
    owned: new OwnedAccounts({ owner: intent.owner, mints, facts: facts.tokenAccounts, derived }),
  };
}

/** Narrows the context to one transaction. */
export function transactionContext(operation: OperationContext, transaction: ReadTransaction): TransactionContext {
  return { ...operation, transaction, temporary: temporaryWrappedSol(transaction, operation.intent.owner) };
}

/**
 * Returns whether an instruction works with a position of the operation, in the pool of that position.
 * @param pool `undefined`: the instruction does not name it, or it is not known
 * @param places those of the operation, or some of them
 */
export function isOwnPlace(
  { derived }: Pick<OperationContext, 'derived'>,
  position: Address,
  pool: Address | undefined,
  places: readonly IntentPlace[],
): boolean {
  // In DAMM v2 the service does not document which of two addresses it gives: that of the position or of its NFT's mint.
  return places.some(
    (place) =>
      place.position !== undefined &&
      (pool === undefined || place.pool === pool) &&
      (place.position === position || derived.dammPosition(place.position) === position),
  );
}

/**
 * Returns whether money may go to a token account: an associated token account of the owner, or one that the same transaction creates
 * for the owner (SYS-4). An RPC's answer never adds an account to these: its maker may be able to replace it (ownedAccounts.ts).
 */
export function isOwned(context: TransactionContext, account: Address): boolean {
  return context.temporary.has(account) || context.owned.askedMintOf(account) !== undefined;
}

/** Returns the mint of a token account that money may go to, `undefined` for any other account. */
export function ownedMint(context: TransactionContext, account: Address | undefined): Address | undefined {
  if (account === undefined) {
    return undefined;
  }
  return context.temporary.has(account) ? WRAPPED_SOL_MINT : context.owned.askedMintOf(account);
}

/** Explains why money must not move to or from an account, as sentences that follow one that names the account. */
export function notOwnedReason({ owned, facts, intent }: TransactionContext, account: Address): string {
  const fact = facts.tokenAccounts.get(account);
  return fact === undefined || owned.isAssociatedByAddress(account) || fact.owner !== intent.owner
    ? l10n.t('That is not one of your accounts.')
    : l10n.t(
        'Your wallet holds that account, but its creator may be able to replace it before the transaction lands. Move its tokens to your associated token account, close it, then try again.',
      );
}

function namedMints(reading: DecodedCall): Address[] {
  const roles = reading.layout?.accounts ?? [];
  return roles.flatMap(({ name }, place) => (MINT_ROLE.test(name) ? (reading.view.accounts[place]?.address ?? []) : []));
}

/** A token that only the listing or only the instructions name is not the pool's. If the instructions do not name both tokens, the listing counts. */
function poolTokensOf({ pool, tokenX, tokenY }: IntentPlace, readings: readonly DecodedCall[]): Set<Address> {
  const listed = new Set([tokenX, tokenY].filter((mint) => mint !== undefined));
  const named = new Set(readings.filter((reading) => poolIn(reading) === pool).flatMap(poolMintsIn));
  if (listed.size < 2) {
    return named;
  }
  return named.size < 2 ? listed : new Set([...listed].filter((mint) => named.has(mint)));
}

/** The listed mints of each pool; without a listing, those that the instructions on the intended pool name. */
function poolMintsOf(places: readonly IntentPlace[], readings: readonly DecodedCall[]): Set<Address> {
  const mints = places.flatMap(({ pool, tokenX, tokenY }) => {
    const listed = [tokenX, tokenY].filter((mint) => mint !== undefined);
    return listed.length === 2 ? listed : readings.filter((reading) => poolIn(reading) === pool).flatMap(poolMintsIn);
  });
  return new Set([WRAPPED_SOL_MINT, ...mints]);
}

/** Reviews one instruction of its program: notes findings, and what the instruction does to the owner's money. */
export type InstructionRule = (reading: DecodedCall, context: TransactionContext, notes: PlaceNotes) => void;

/** Reviews one transaction as a whole. */
export type TransactionRule = (context: TransactionContext, notes: PlaceNotes) => void;

/** Reviews the operation as a whole, after all of its transactions. */
export type OperationRule = (context: OperationContext, notes: Notes) => void;
