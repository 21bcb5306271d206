import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { KNOWN_DECIMALS, PROGRAMS } from '../../base/solana/programs';
import { numberAt, recordsAt } from '../decode/arguments';
import type { TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { addressIn, type DecodedCall } from '../decode/instructions';
import type { SwapTerms } from './swapTerms';

/**
 * SWP-6 for the accounts of the owner that a route gets besides those that it sells from and buys into. A router passes the owner's
 * signature on to the exchanges of its route together with an amount that names no token: an exchange that gets another account of the
 * owner could take that many units from it. A route through other tokens needs one account for each of them; any further one is a question.
 *
 * An account that the same transaction creates for the owner counts as new, unless an RPC says that it already exists.
 *
 * The RPC is asked about every writable account of a route. Those that are the owner's are watched in the simulation and must keep their
 * balance (SIM-2).
 */
export function reviewRouteAccounts(
  reading: DecodedCall,
  { source, destinations }: SwapTerms,
  context: TransactionContext,
  notes: PlaceNotes,
): void {
  const { owned } = context;
  const named = new Set(
    [source, ...destinations].flatMap((account) => (account === undefined || account === 'wallet' ? [] : (account.address ?? []))),
  );
  const given = new Set(
    reading.view.accounts.flatMap(({ address, writable }) => (writable && address !== undefined && !named.has(address) ? [address] : [])),
  );
  const own: Address[] = [];
  for (const account of given) {
    owned.askedMintOf(account);
    const mint = owned.heldMintOf(account) ?? knownMintOf(account, context);
    if (mint !== undefined && !isNew(account, context)) {
      own.push(account);
    }
  }
  if (own.length > throughTokens(reading)) {
    notes.confirm(
      'SWP-6',
      l10n.t`The route has access to other token accounts of yours than the two that it trades: ${own.join(', ')}. It could take tokens from there.`,
      { address: own[0] },
    );
  }
}

/** Returns whether the transaction creates the account and no RPC says that it already exists. */
function isNew(account: Address, { transaction, facts }: TransactionContext): boolean {
  const isMade = transaction.readings.some(
    (made) =>
      made.view.program === PROGRAMS.associatedToken &&
      made.layout?.name !== 'recover_nested' &&
      addressIn(made, 'associated_account') === account,
  );
  return isMade && !facts.tokenAccounts.has(account);
}

/** The mint of an associated token account for a well-known token, which the operation does not have to name. */
function knownMintOf(account: Address, { intent: { owner }, derived }: TransactionContext): Address | undefined {
  return [...KNOWN_DECIMALS.keys()].find((mint) => derived.associatedToken(owner, mint, PROGRAMS.token) === account);
}

/** The number of tokens between the sold and the bought token of a route. */
function throughTokens({ args }: DecodedCall): number {
  const steps = recordsAt(args, 'route_plan').flatMap((step) => [numberAt(step, 'input_index'), numberAt(step, 'output_index')]);
  return Math.max(0, new Set(steps.filter((index) => index !== undefined)).size - 2);
}
