import type { Address } from '../base/solana/address';
import { WRAPPED_SOL_MINT } from '../base/solana/programs';
import { deposits } from './intents';
import type { OperationContext } from './context';
import type { Effect } from './notes';
import type { OpenQuestions } from './facts/facts';
import { targetedPositions } from './decode/meteora';

/** The maximum number of accounts in one RPC request (`getMultipleAccounts`). */
const MOST_QUESTIONS = 100;

/** No open questions. */
export const NO_QUESTIONS: OpenQuestions = {
  lookupTables: [],
  tokenAccounts: [],
  mints: [],
  pools: [],
  positions: [],
  blockhashes: [],
  rent: [],
};

/**
 * Returns what an RPC could still answer. Call it after the rules have run: the token accounts that they checked are among the questions.
 * Accounts that are not token accounts, and mints that are not of Token-2022, stay open after the answer; the caller asks only once.
 */
export function openQuestions(context: OperationContext, effects: readonly Effect[]): OpenQuestions {
  const { intent, places, facts, transactions, poolMints, owned } = context;
  const views = transactions.map(({ view }) => view);
  return {
    lookupTables: distinct(
      views.flatMap(({ tables }) => tables.filter(({ content }) => content === undefined).map(({ address }) => address)),
    ),
    tokenAccounts: distinct(owned.unknown),
    mints: distinct([...poolMints].filter((mint) => mint !== WRAPPED_SOL_MINT && !facts.mints.has(mint))),
    pools: distinct(places.map(({ pool }) => pool)).filter((pool) => facts.pools?.has(pool) !== true),
    positions: deposits(intent)
      ? distinct(targetedPositions(transactions).filter((position) => facts.positions?.has(position) !== true))
      : [],
    blockhashes: distinct(views.map(({ wire }) => wire.recentBlockhash).filter((blockhash) => !facts.blockhashes.has(blockhash))),
    rent: facts.rent === undefined && effects.some(({ kind }) => kind === 'rent' || kind === 'unwrap') ? ['rate'] : [],
  };
}

/**
 * Returns the accounts whose change a simulation has to report: the owner, the position, and the owner's token accounts that the
 * transactions name.
 */
export function watchedAccounts(context: OperationContext): readonly Address[] {
  const { intent, places, transactions, owned } = context;
  const named = transactions.flatMap(({ view }) => view.accounts.flatMap(({ address }) => address ?? []));
  return distinct([
    intent.owner,
    ...places.flatMap(({ position }) => position ?? []),
    ...new Set(named.filter((address) => owned.heldMintOf(address) !== undefined)),
  ]);
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)].slice(0, MOST_QUESTIONS);
}
