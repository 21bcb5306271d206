import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { exchanges, purchasesOf, saleOf, spendsOf } from '../intents';
import { isOwned, notOwnedReason, ownedMint, type TransactionContext } from '../context';
import type { AccountView } from '../decode/transaction';
import type { PlaceNotes } from '../notes';
import { availableRaw } from './swapFunds';
import { isTooGood, knownPrices, leastWorth, reviewPrice, type SwappedMints, type SwapPrice } from './swapPrice';
import { BILLIONTHS_PER_BPS, percent, type SwapFee, type SwapTerms } from './swapTerms';
import { noteUnresolved } from './decoding';

/** Applies SWP-1 to SWP-9 to a swap, whichever program executes it, and notes what the swap does to the owner's money. */
export function reviewSwap(terms: SwapTerms, context: TransactionContext, notes: PlaceNotes): void {
  reviewAuthority(terms.authority, context, notes);
  reviewDestinations(terms, context, notes);
  const mints = { sold: reviewSold(terms, context, notes), bought: reviewBought(terms, context, notes) };
  if (mints.sold !== undefined && mints.sold === mints.bought) {
    notes.confirm('SWP-6', l10n.t`The swap would trade ${mints.sold} for itself. That can only lose money.`, { address: mints.sold });
  }
  reviewSlippage(terms, context, notes);
  for (const fee of terms.fees) {
    reviewFee(fee, context, notes);
  }
  reviewAmounts(terms, mints, context, notes);
  const prices = knownPrices(mints, context);
  reviewPrice(terms.amounts, mints, prices, context, notes);
  if (terms.caution !== undefined) {
    notes.confirm('SWP-8', terms.caution);
  }
  noteEffects(terms, mints, prices, context, notes);
}

/** SWP-1: the swap is made for the owner. */
function reviewAuthority(authority: AccountView | undefined, context: TransactionContext, notes: PlaceNotes): void {
  if (authority === undefined) {
    return;
  }
  if (authority.address === undefined) {
    noteUnresolved('SWP-1', l10n.t('The swap is made for an unknown account.'), 'other', context, notes);
  } else if (authority.address !== context.intent.owner) {
    notes.block('SWP-1', l10n.t`The swap is made for ${authority.address}, not for your wallet.`, { address: authority.address });
  }
}

/** SWP-1: the swap pays out to the owner's own accounts, and it names them. */
function reviewDestinations({ authority, destinations }: SwapTerms, context: TransactionContext, notes: PlaceNotes): void {
  if (destinations.length === 0) {
    notes.block('SWP-1', l10n.t('The swap names no account that receives the bought tokens, so they could go to anyone.'));
  }
  if (authority === undefined) {
    return;
  }
  for (const destination of destinations) {
    if (destination === 'wallet') {
      continue;
    }
    if (destination.address === undefined) {
      noteUnresolved('SWP-1', l10n.t('The swap would pay out to an unknown account.'), 'other', context, notes);
    } else if (!isOwned(context, destination.address)) {
      const words = l10n.t`The swap would pay out to ${destination.address}.`;
      notes.block('SWP-1', `${words} ${notOwnedReason(context, destination.address)}`, { address: destination.address });
    }
  }
}

/**
 * SWP-6 for the sold token: one of the pool's for a zap-out, SOL for a zap-in, none if the user's tokens are deposited without a swap, the
 * chosen one for a swap.
 * Returns its mint as far as it is known.
 */
function reviewSold({ source, soldMint }: SwapTerms, context: TransactionContext, notes: PlaceNotes): Address | undefined {
  const { intent, poolTokens } = context;
  const held = ownedMint(context, source?.address);
  const sold = held ?? soldMint?.address;
  if (held === undefined && source !== undefined) {
    if (source.address === undefined) {
      noteUnresolved('SWP-6', l10n.t('The swap sells tokens from an unknown account.'), 'other', context, notes);
    } else {
      notes.confirm('SWP-6', l10n.t`The swap sells tokens from ${source.address}, which Binsight does not recognize as your account.`, {
        address: source.address,
      });
    }
  }
  if (held !== undefined && soldMint?.address !== undefined && held !== soldMint.address) {
    notes.confirm('SWP-6', l10n.t`The swap claims to sell ${soldMint.address}, but takes tokens from your ${held} account.`, {
      address: held,
    });
  }
  const sale = saleOf(intent, poolTokens);
  if ('nothing' in sale) {
    notes.block('SWP-6', l10n.t`The operation would swap ${sold ?? unknownToken()}. ${sale.nothing}`, { address: sold });
  } else if (sold === undefined || !sale.mints.has(sold)) {
    notes[unasked(context)]('SWP-6', l10n.t`The swap sells ${sold ?? unknownToken()}, which is not part of this operation.`, {
      address: sold,
    });
  }
  return sold;
}

/** The verdict on a swap other than the one that was asked for: where nothing but that swap was, there is nothing left to ask about. */
function unasked({ intent }: TransactionContext): 'block' | 'confirm' {
  return exchanges(intent) ? 'block' : 'confirm';
}

const unknownToken = (): string => l10n.t('an unknown token');

/**
 * SWP-6 for the bought token: one of the pool's for a zap-in, the requested one for a zap-out or a swap. Returns its mint as far as it is known,
 * `undefined` if the instruction contradicts itself.
 */
function reviewBought({ destinations, boughtMint }: SwapTerms, context: TransactionContext, notes: PlaceNotes): Address | undefined {
  const held = destinations.flatMap(
    (destination) => (destination === 'wallet' ? WRAPPED_SOL_MINT : ownedMint(context, destination.address)) ?? [],
  );
  const [bought, ...others] = new Set([...(boughtMint?.address === undefined ? [] : [boughtMint.address]), ...held]);
  if (bought === undefined) {
    notes[unasked(context)]('SWP-6', l10n.t('The swap buys a token that Binsight cannot determine.'));
    return undefined;
  }
  if (others.length > 0) {
    notes[unasked(context)]('SWP-6', l10n.t`The swap claims to buy ${bought}, but pays out to an account for ${others.join(', ')}.`, {
      address: bought,
    });
    return undefined;
  }
  if (!purchasesOf(context.intent, context.poolMints).has(bought)) {
    notes[unasked(context)]('SWP-6', l10n.t`The swap buys ${bought}, which is not part of this operation.`, { address: bought });
  }
  return bought;
}

/** SWP-2: the slippage tolerance of the swap. */
function reviewSlippage({ slippageBps }: SwapTerms, { intent, policy }: TransactionContext, notes: PlaceNotes): void {
  if (slippageBps === undefined) {
    return;
  }
  if (slippageBps > policy.slippageBlockBps) {
    notes.block(
      'SWP-2',
      l10n.t`The swap could pay out ${slippageBps / 100}% less than quoted. Binsight blocks more than ${policy.slippageBlockBps / 100}%.`,
    );
  } else if (slippageBps > intent.slippageBps) {
    notes.confirm(
      'SWP-2',
      l10n.t`The swap could pay out ${slippageBps / 100}% less than quoted; you allowed ${intent.slippageBps / 100}%. Sign only if you accept that loss.`,
    );
  }
}

/** SWP-4: the share of the swap that others get. A share for the owner's own accounts is not a fee. */
function reviewFee({ role, share, of, mentionedUpTo, takers }: SwapFee, context: TransactionContext, notes: PlaceNotes): void {
  const strangers = takers.filter(
    ({ address }) => address === undefined || !(address === context.intent.owner || isOwned(context, address)),
  );
  if (share === 0n || (takers.length > 0 && strangers.length === 0)) {
    return;
  }
  const names = strangers.map(({ address }) => address ?? l10n.t('an account in an unread lookup table'));
  const to = names.length === 0 ? l10n.t('an account that the instruction does not name') : names.join(', ');
  const words =
    share === undefined ? l10n.t`Part of ${of} goes to ${to} (${role}).` : l10n.t`${percent(share)}% of ${of} goes to ${to} (${role}).`;
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

/** SWP-3: the swap guarantees a result, and a fixed result does not cost more than the operation has. */
function reviewAmounts({ amounts }: SwapTerms, { sold }: SwappedMints, context: TransactionContext, notes: PlaceNotes): void {
  const { quotedBought, boughtLeast, quotedSold, isExactOut } = amounts;
  if (quotedBought === 0n || boughtLeast === 0n) {
    notes.block('SWP-3', l10n.t('The swap would accept any result, even nothing at all.'), { amountRaw: 0n });
  } else if (boughtLeast === undefined) {
    notes.confirm('SWP-3', l10n.t('The swap guarantees no minimum amount.'));
  } else if (boughtLeast < context.policy.dustQuoteRaw) {
    notes.confirm('SWP-3', l10n.t`The swap guarantees only ${String(boughtLeast)} raw units, which is almost nothing.`, {
      amountRaw: boughtLeast,
    });
  }
  const available = availableRaw(context, sold);
  if (isExactOut && quotedSold !== undefined && available !== undefined && quotedSold > available) {
    notes.block(
      'SWP-3',
      l10n.t`The swap would cost ${String(quotedSold)} raw units of ${sold ?? unknownToken()}. This operation has at most ${String(available)}.`,
      { amountRaw: quotedSold },
    );
  }
}

/**
 * Notes the most that the swap takes and the least that it pays out. An amount that depends on a balance is a question (SWP-7). What a
 * zap-in takes from an unknown account counts as SOL against the limit: it might be SOL.
 */
function noteEffects(
  { name, amounts, slippageBps }: SwapTerms,
  { sold, bought }: SwappedMints,
  prices: readonly SwapPrice[],
  context: TransactionContext,
  notes: PlaceNotes,
): void {
  const { soldMost, quotedSold, quotedBought, boughtLeast } = amounts;
  if (soldMost === undefined) {
    notes[unasked(context)](
      'SWP-7',
      l10n.t('The transaction does not fix the amount of the swap. It depends on your balance when it lands, and could be all of it.'),
    );
  } else if (sold === WRAPPED_SOL_MINT || (sold === undefined && spendsOf(context.intent).lamports !== undefined)) {
    notes.effect({ kind: 'consume', lamports: soldMost, into: 'swap' });
  } else if (soldMost > 0n) {
    notes.effect({ kind: 'spendToken', mint: sold, amountRaw: soldMost, into: 'swap' });
  }
  notes.effect({
    kind: 'swap',
    name,
    sold,
    bought,
    soldMost,
    quotedBought,
    boughtLeast,
    slippageBps,
    worth: leastWorth(quotedSold, prices),
    isTooGood: isTooGood(amounts, prices, context),
  });
}
