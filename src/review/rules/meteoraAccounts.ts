import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { isOwned, isOwnPlace, notOwnedReason, ownedMint, type TransactionContext } from '../context';
import { accountIn, addressIn, type DecodedCall } from '../decode/instructions';
import type { PlaceNotes } from '../notes';
import { noteUnresolved } from './decoding';
import type { AccountRoles } from './meteoraRoles';
import { choseWords, notAssociatedWords, notPartWords, notYourWalletWords, unknownAccount } from './words';

/** DLMM-1, DAMM-1, ZAP-1: the instruction is about a pool and a position that the user chose. */
export function reviewPoolAndPosition(reading: DecodedCall, roles: AccountRoles, context: TransactionContext, notes: PlaceNotes): void {
  const { places } = context;
  const pool = accountIn(reading, roles.pool);
  if (pool !== undefined && pool.address === undefined) {
    noteUnresolved(roles.rules.place, usesText(undefined, roles.pool), 'other', context, notes);
  } else if (pool?.address !== undefined && places.length > 0 && !places.some((place) => place.pool === pool.address)) {
    notes.block(roles.rules.place, foreignPlaceText(pool.address, roles.pool, onlyOf(places.map((place) => place.pool))), {
      address: pool.address,
    });
  }
  const target = accountIn(reading, roles.position);
  if (target !== undefined && target.address === undefined) {
    noteUnresolved(roles.rules.place, usesText(undefined, roles.position), 'other', context, notes);
  } else if (target?.address !== undefined && !isOwnPlace(context, target.address, placedPool(pool?.address, context), places)) {
    notes.block(
      roles.rules.place,
      foreignPlaceText(target.address, roles.position, onlyOf(places.flatMap((place) => place.position ?? []))),
      { address: target.address },
    );
  }
}

/** @param role by the IDL */
const usesText = (account: Address | undefined, role: string): string =>
  l10n.t`The instruction uses ${account ?? unknownAccount()} (${role}).`;

/** @param chosen what the user chose instead; `undefined`: one of several */
function foreignPlaceText(account: Address, role: string, chosen: Address | undefined): string {
  return `${usesText(account, role)} ${chosen === undefined ? notPartWords() : choseWords(chosen)}`;
}

function onlyOf([first, ...others]: readonly Address[]): Address | undefined {
  return others.length === 0 ? first : undefined;
}

/** A pool that is not of the operation is a finding of its own. */
function placedPool(pool: Address | undefined, { places }: TransactionContext): Address | undefined {
  return places.some((place) => place.pool === pool) ? pool : undefined;
}

/** Tokens, rent and control stay with the owner (DLMM-2, DLMM-3, DLMM-6, DAMM-2, DAMM-3, DAMM-6, ZAP-1, ZAP-2). */
export function reviewRecipients(reading: DecodedCall, roles: AccountRoles, context: TransactionContext, notes: PlaceNotes): void {
  const { owner } = context.intent;
  for (const { name: role } of reading.layout?.accounts ?? []) {
    const kind = kindOfRole(role, roles);
    if (kind === undefined) {
      continue;
    }
    const address = addressIn(reading, role);
    if (address === undefined) {
      noteUnresolved(roles.rules[kind], foreignRoleText(kind, unknownAccount(), role), 'other', context, notes);
    } else if (kind === 'ownTokens' ? !isOwned(context, address) : address !== owner) {
      const reason = kind === 'ownTokens' ? notOwnedReason(context, address) : notYourWalletWords();
      notes.block(roles.rules[kind], `${foreignRoleText(kind, address, role)} ${reason}`, { address });
    }
  }
  reviewRewardAccount(reading, roles, context, notes);
}

/** Rewards go to the owner's associated token account for the reward's mint: the program checks only the mint. */
function reviewRewardAccount(reading: DecodedCall, roles: AccountRoles, context: TransactionContext, notes: PlaceNotes): void {
  const [account, mint, tokenProgram] = ['user_token_account', 'reward_mint', 'token_program'].map((role) => addressIn(reading, role));
  if (account === undefined || mint === undefined || tokenProgram === undefined || !isOwned(context, account)) {
    return;
  }
  if (!context.owned.isAssociated(account, mint, tokenProgram)) {
    notes.block(roles.rules.ownTokens, notAssociatedWords(account, context.intent.owner, mint), { address: account });
  }
}

/** The roles in which the owner must stand. */
type OwnRole = 'ownTokens' | 'rent' | 'owner';

function foreignRoleText(kind: OwnRole, account: string, role: string): string {
  switch (kind) {
    case 'ownTokens':
      return l10n.t`Tokens would move to or from ${account} (${role}).`;
    case 'rent':
      return l10n.t`The refunded rent would go to ${account} (${role}).`;
    case 'owner':
      return l10n.t`The position would be owned, paid for or used by ${account} (${role}).`;
  }
}

function kindOfRole(role: string, roles: AccountRoles): OwnRole | undefined {
  if (roles.ownTokens.includes(role)) {
    return 'ownTokens';
  }
  if (role === roles.rent) {
    return 'rent';
  }
  return roles.owner.includes(role) ? 'owner' : undefined;
}

/**
 * Notes that up to `amountRaw` raw units leave one of the owner's token accounts. Wrapped SOL counts toward the limits, and so does a token
 * that cannot be determined, because it may be wrapped SOL.
 * @param namedMint the account's mint by the instruction, for an account from an unread lookup table
 */
export function noteSpend(
  account: Address | undefined,
  amountRaw: bigint,
  into: 'swap' | 'position',
  context: TransactionContext,
  notes: PlaceNotes,
  namedMint?: Address,
): void {
  const mint = ownedMint(context, account) ?? namedMint;
  if (mint === WRAPPED_SOL_MINT || (mint === undefined && account === undefined)) {
    notes.effect({ kind: 'consume', lamports: amountRaw });
  } else if (amountRaw > 0n) {
    notes.effect({ kind: 'spendToken', mint, amountRaw, into });
  }
}
