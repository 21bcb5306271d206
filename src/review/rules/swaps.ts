import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { isOwned, notOwnedMessage, ownedMint, type TransactionContext } from '../context';
import type { AccountView } from '../decode/transaction';
import type { PlaceNotes } from '../notes';
import type { Intent } from '../types';
import { availableRaw } from './swapFunds';
import { reviewPrice, type SwappedMints } from './swapPrice';
import { BILLIONTHS_PER_BPS, percent, type SwapFee, type SwapTerms } from './swapTerms';
import { putsInTokens } from './tokensAtHand';
import { noteUnresolved } from './unresolved';

/** Policy §10 (SWP): the rules on swaps, the same for whatever program makes them, and what the swap does to the owner's money. */
export function reviewSwap(terms: SwapTerms, context: TransactionContext, notes: PlaceNotes): void {
  reviewAuthority(terms.authority, context, notes);
  reviewDestinations(terms, context, notes);
  const mints = { sold: reviewSold(terms, context, notes), bought: reviewBought(terms, context, notes) };
  if (mints.sold !== undefined && mints.sold === mints.bought) {
    notes.confirm('SWP-6', l10n.t`The swap sells ${mints.sold} for itself, which can only cost.`, { address: mints.sold });
  }
  reviewSlippage(terms, context, notes);
  for (const fee of terms.fees) {
    reviewFee(fee, context, notes);
  }
  reviewAmounts(terms, mints, context, notes);
  reviewPrice(terms.amounts, mints, context, notes);
  if (terms.caution !== undefined) {
    notes.confirm('SWP-8', terms.caution);
  }
  noteEffects(terms, mints, context, notes);
}

/** SWP-1: the owner swaps. */
function reviewAuthority(authority: AccountView | undefined, context: TransactionContext, notes: PlaceNotes): void {
  if (authority === undefined) {
    return;
  }
  if (authority.address === undefined) {
    noteUnresolved('SWP-1', l10n.t('The swap is made for an account'), 'other', context, notes);
  } else if (authority.address !== context.intent.owner) {
    notes.block('SWP-1', l10n.t`The swap is made for ${authority.address}, not for you.`, { address: authority.address });
  }
}

/** SWP-1: what is bought goes to the owner's own accounts. */
function reviewDestinations({ authority, destinations }: SwapTerms, context: TransactionContext, notes: PlaceNotes): void {
  if (authority === undefined) {
    return;
  }
  for (const destination of destinations) {
    if (destination === 'wallet') {
      continue;
    }
    if (destination.address === undefined) {
      noteUnresolved('SWP-1', l10n.t('What the swap gives would go to an account'), 'other', context, notes);
    } else if (!isOwned(context, destination.address)) {
      notes.block('SWP-1', l10n.t`What the swap gives would go to ${notOwnedMessage(context, destination.address)}.`, {
        address: destination.address,
      });
    }
  }
}

/** SWP-6 for what is sold: a token of the pool, for a zap-in SOL, and nothing where tokens go in as they are. Gives its mint, as far as it is known. */
function reviewSold({ source, soldMint }: SwapTerms, context: TransactionContext, notes: PlaceNotes): Address | undefined {
  const { intent, poolTokens } = context;
  const held = ownedMint(context, source?.address);
  const sold = held ?? soldMint?.address;
  if (held === undefined && source !== undefined) {
    if (source.address === undefined) {
      noteUnresolved('SWP-6', l10n.t('The swap sells from an account'), 'other', context, notes);
    } else {
      notes.confirm('SWP-6', l10n.t`The swap sells from ${source.address}, which is not known as one of your accounts.`, {
        address: source.address,
      });
    }
  }
  if (held !== undefined && soldMint?.address !== undefined && held !== soldMint.address) {
    notes.confirm('SWP-6', l10n.t`The swap names ${soldMint.address} as what it sells, but takes it from your account of ${held}.`, {
      address: held,
    });
  }
  if (putsInTokens(intent)) {
    notes.block(
      'SWP-6',
      l10n.t`The operation would swap ${sold ?? l10n.t('a token that could not be determined')}; you asked that your tokens go in as they are.`,
      { address: sold },
    );
  } else if (sold === undefined || !(intent.kind === 'zapIn' ? sold === WRAPPED_SOL_MINT : poolTokens.has(sold))) {
    notes.confirm(
      'SWP-6',
      l10n.t`The swap sells ${sold ?? l10n.t('a token that could not be determined')}, which this operation is not about.`,
      { address: sold },
    );
  }
  return sold;
}

/**
 * SWP-6 for what is bought: for a zap-in a token of the pool, for a zap-out what the user wants to receive. Gives its mint, as far as
 * it is known; not where the instruction contradicts itself.
 */
function reviewBought({ destinations, boughtMint }: SwapTerms, context: TransactionContext, notes: PlaceNotes): Address | undefined {
  const held = destinations.flatMap(
    (destination) => (destination === 'wallet' ? WRAPPED_SOL_MINT : ownedMint(context, destination.address)) ?? [],
  );
  const [bought, ...others] = new Set([...(boughtMint?.address === undefined ? [] : [boughtMint.address]), ...held]);
  if (bought === undefined) {
    notes.confirm('SWP-6', l10n.t('The swap buys a token that could not be determined.'));
    return undefined;
  }
  if (others.length > 0) {
    notes.confirm('SWP-6', l10n.t`The swap names ${bought} as what it buys, but pays into an account of ${others.join(' and ')}.`, {
      address: bought,
    });
    return undefined;
  }
  if (!expectedOutputs(context.intent, context.poolMints).has(bought)) {
    notes.confirm('SWP-6', l10n.t`The swap buys ${bought}, which this operation is not about.`, { address: bought });
  }
  return bought;
}

/** What may be bought: for a zap-in the pool's tokens, for a zap-out what the user wants to receive (nothing for both as they are). */
function expectedOutputs(intent: Intent, poolMints: ReadonlySet<Address>): ReadonlySet<Address> {
  if (intent.kind === 'zapIn' || intent.output === undefined) {
    return poolMints;
  }
  switch (intent.output) {
    case 'both':
      return new Set();
    case 'allBaseToken':
      return new Set([WRAPPED_SOL_MINT]);
    case 'allToken0':
      return intent.tokenX === undefined ? poolMints : new Set([intent.tokenX]);
    case 'allToken1':
      return intent.tokenY === undefined ? poolMints : new Set([intent.tokenY]);
  }
}

/** SWP-2: how much worse than quoted the result may be. */
function reviewSlippage({ slippageBps }: SwapTerms, { intent, policy }: TransactionContext, notes: PlaceNotes): void {
  if (slippageBps === undefined) {
    return;
  }
  if (slippageBps > policy.slippageBlockBps) {
    notes.block(
      'SWP-2',
      l10n.t`The swap may give ${slippageBps / 100}% less than quoted; more than ${policy.slippageBlockBps / 100}% is refused.`,
    );
  } else if (slippageBps > intent.slippageBps) {
    notes.confirm(
      'SWP-2',
      l10n.t`The swap may give ${slippageBps / 100}% less than quoted; you allowed ${intent.slippageBps / 100}%. Sign only if you accept that loss.`,
    );
  }
}

/** SWP-4: what others get of it. What the owner's own accounts get is no fee. */
function reviewFee({ role, share, of, mentionedUpTo, takers }: SwapFee, context: TransactionContext, notes: PlaceNotes): void {
  const strangers = takers.filter(
    ({ address }) => address === undefined || !(address === context.intent.owner || isOwned(context, address)),
  );
  if (share === 0n || (takers.length > 0 && strangers.length === 0)) {
    return;
  }
  const names = strangers.map(({ address }) => address ?? l10n.t('an account that only a lookup table names'));
  const to = names.length === 0 ? l10n.t('an account that the instruction does not name') : names.join(' and ');
  const words = l10n.t`${share === undefined ? 'A part' : `${percent(share)}%`} of ${of} goes to ${to} (${role}).`;
  const address = strangers[0]?.address;
  if (share !== undefined && share > BigInt(context.policy.platformFeeBlockBps) * BILLIONTHS_PER_BPS) {
    notes.block('SWP-4', words, { address });
  } else if (share === undefined || share > mentionedUpTo) {
    notes.confirm('SWP-4', words, { address });
  } else {
    notes.info('SWP-4', words, { address });
  }
  for (const stranger of strangers) {
    if (stranger.address !== undefined) {
      notes.effect({ kind: 'recipient', address: stranger.address, role });
    }
  }
}

/** SWP-3: the result is something, and guaranteed; what a fixed result costs is there. */
function reviewAmounts({ amounts }: SwapTerms, { sold }: SwappedMints, context: TransactionContext, notes: PlaceNotes): void {
  const { quotedBought, boughtLeast, quotedSold, isExactOut } = amounts;
  if (quotedBought === 0n || boughtLeast === 0n) {
    notes.block('SWP-3', l10n.t('The swap would accept any result, even nothing.'), { amountRaw: 0n });
  } else if (boughtLeast === undefined) {
    notes.confirm('SWP-3', l10n.t('The swap names no amount that it gives at least.'));
  } else if (boughtLeast < context.policy.dustQuoteRaw) {
    notes.confirm('SWP-3', l10n.t`The swap guarantees only ${String(boughtLeast)} raw units, which is next to nothing.`, {
      amountRaw: boughtLeast,
    });
  }
  const available = availableRaw(context, sold);
  if (isExactOut && quotedSold !== undefined && available !== undefined && quotedSold > available) {
    notes.block(
      'SWP-3',
      l10n.t`The swap would cost ${String(quotedSold)} raw units of ${sold ?? 'a token'}; this operation has ${String(available)} at most.`,
      { amountRaw: quotedSold },
    );
  }
}

/**
 * Notes what the swap takes at most and gives at least, and asks where the amount depends on a balance (SWP-7). What a zap-in
 * takes from an account that nobody can tell counts as SOL against the limit: it might be.
 */
function noteEffects(
  { name, amounts }: SwapTerms,
  { sold, bought }: SwappedMints,
  { intent }: TransactionContext,
  notes: PlaceNotes,
): void {
  const { soldMost, boughtLeast, quotedBought } = amounts;
  if (soldMost === undefined) {
    notes.confirm(
      'SWP-7',
      l10n.t('How much is swapped is not in the transaction: it depends on your balance at that moment, and may be all of it.'),
    );
  } else if (sold === WRAPPED_SOL_MINT || (sold === undefined && intent.kind === 'zapIn')) {
    notes.effect({ kind: 'consume', lamports: soldMost, into: 'swap' });
  } else if (soldMost > 0n) {
    notes.effect({ kind: 'spendToken', mint: sold, amountRaw: soldMost, into: 'swap' });
  }
  if (boughtLeast !== undefined) {
    notes.effect({ kind: 'minimumOut', mint: bought, amountRaw: boughtLeast, from: name, quotedRaw: quotedBought });
  }
}
