import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { KNOWN_DECIMALS, PROGRAMS } from '../../base/solana/programs';
import { numberAt, recordsAt } from '../decode/arguments';
import type { TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { addressIn, type DecodedCall } from '../decode/instructions';
import type { SwapTerms } from './swapTerms';

/**
 * SWP-6 for what a route is given besides what it sells and buys. A router passes the owner's signature on to the exchanges of its route, and
 * the amount that it passes on is a number without a token: an exchange that is given another account of the owner may take that many units
 * out of it. A route through other tokens needs the owner's accounts of those, one for each; any further one is a question.
 *
 * An account that the same transaction makes for the owner counts as one of these, unless an RPC says that it is there already.
 *
 * Every writable account of a route is asked about: one that an RPC says is the owner's is watched in the simulation, and has to hold as much
 * as before (SIM-2).
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
    const accounts = own.length === 1 ? l10n.t('your account') : l10n.t('your accounts');
    notes.confirm(
      'SWP-6',
      l10n.t`The route is given ${accounts} ${own.join(' and ')}, besides those that it sells from and buys into. It could take tokens from there.`,
      { address: own[0] },
    );
  }
}

/** Whether the transaction makes the account, and no RPC says that there is one already. */
function isNew(account: Address, { transaction, facts }: TransactionContext): boolean {
  const isMade = transaction.readings.some(
    (made) =>
      made.view.program === PROGRAMS.associatedToken &&
      made.layout?.name !== 'recover_nested' &&
      addressIn(made, 'associated_account') === account,
  );
  return isMade && !facts.tokenAccounts.has(account);
}

/** The mint of an associated account of a well-known token, which the operation need not name. */
function knownMintOf(account: Address, { intent: { owner }, derived }: TransactionContext): Address | undefined {
  return [...KNOWN_DECIMALS.keys()].find((mint) => derived.associatedToken(owner, mint, PROGRAMS.token) === account);
}

/** How many tokens a route goes through between what it sells and what it buys. */
function throughTokens({ args }: DecodedCall): number {
  const steps = recordsAt(args, 'route_plan').flatMap((step) => [numberAt(step, 'input_index'), numberAt(step, 'output_index')]);
  return Math.max(0, new Set(steps.filter((index) => index !== undefined)).size - 2);
}
