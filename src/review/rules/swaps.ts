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
import {
  acceptWords,
  blocksAboveWords,
  noSwapWords,
  notPartWords,
  notYourWalletWords,
  rawAmountText,
  unfixedAmountWords,
  unknownAccount,
  unknownToken,
} from './words';

/** Applies SWP-1 to SWP-9 to a swap, whichever program executes it, and notes what the swap does to the owner's money. */
export function reviewSwap(terms: SwapTerms, context: TransactionContext, notes: PlaceNotes): void {
  reviewAuthority(terms.authority, context, notes);
  reviewDestinations(terms, context, notes);
  const mints = { sold: reviewSold(terms, context, notes), bought: reviewBought(terms, context, notes) };
  if (mints.sold !== undefined && mints.sold === mints.bought) {
    notes.confirm('SWP-6', l10n.t`The swap would trade ${mints.sold} for itself.`, { address: mints.sold });
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
    noteUnresolved('SWP-1', madeForWords(unknownAccount()), 'other', context, notes);
  } else if (authority.address !== context.intent.owner) {
    notes.block('SWP-1', `${madeForWords(authority.address)} ${notYourWalletWords()}`, { address: authority.address });
  }
}

const madeForWords = (who: string): string => l10n.t`The swap is made for ${who}.`;
const paysWords = (to: string): string => l10n.t`The swap would pay out to ${to}.`;
const sellsFromWords = (account: string): string => l10n.t`The swap sells tokens from ${account}.`;
const sellsWords = (mint: Address | undefined): string => l10n.t`The swap sells ${mint ?? unknownToken()}.`;
const buysWords = (mint: Address | undefined): string => l10n.t`The swap buys ${mint ?? unknownToken()}.`;
const otherTokenWords = (named: Address, held: string): string => l10n.t`The swap names ${named}, but uses a token account for ${held}.`;
const allowedWords = (percent: number): string => l10n.t`You allowed ${`${percent}%`}.`;

/** SWP-1: the swap pays out to the owner's own accounts, and it names them. */
function reviewDestinations({ authority, destinations }: SwapTerms, context: TransactionContext, notes: PlaceNotes): void {
  if (destinations.length === 0) {
    notes.block('SWP-1', paysWords(unknownAccount()));
  }
  if (authority === undefined) {
    return;
  }
  for (const destination of destinations) {
    if (destination === 'wallet') {
      continue;
    }
    if (destination.address === undefined) {
      noteUnresolved('SWP-1', paysWords(unknownAccount()), 'other', context, notes);
    } else if (!isOwned(context, destination.address)) {
      const words = `${paysWords(destination.address)} ${notOwnedReason(context, destination.address)}`;
      notes.block('SWP-1', words, { address: destination.address });
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
      noteUnresolved('SWP-6', sellsFromWords(unknownAccount()), 'other', context, notes);
    } else {
      notes.confirm('SWP-6', `${sellsFromWords(source.address)} ${notOwnedReason(context, source.address)}`, { address: source.address });
    }
  }
  if (held !== undefined && soldMint?.address !== undefined && held !== soldMint.address) {
    notes.confirm('SWP-6', otherTokenWords(soldMint.address, held), { address: held });
  }
  const sale = saleOf(intent, poolTokens);
  if (sale === 'nothing') {
    notes.block('SWP-6', `${sellsWords(sold)} ${noSwapWords()}`, { address: sold });
  } else if (sold === undefined || !sale.mints.has(sold)) {
    notes[unasked(context)]('SWP-6', `${sellsWords(sold)} ${notPartWords()}`, { address: sold });
  }
  return sold;
}

/** The verdict on a swap other than the one that was asked for: where nothing but that swap was, there is nothing left to ask about. */
function unasked({ intent }: TransactionContext): 'block' | 'confirm' {
  return exchanges(intent) ? 'block' : 'confirm';
}

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
    notes[unasked(context)]('SWP-6', `${buysWords(undefined)} ${notPartWords()}`);
    return undefined;
  }
  if (others.length > 0) {
    notes[unasked(context)]('SWP-6', otherTokenWords(bought, others.join(', ')), { address: bought });
    return undefined;
  }
  if (!purchasesOf(context.intent, context.poolMints).has(bought)) {
    notes[unasked(context)]('SWP-6', `${buysWords(bought)} ${notPartWords()}`, { address: bought });
  }
  return bought;
}

/** SWP-2: the slippage tolerance of the swap. */
function reviewSlippage({ slippageBps }: SwapTerms, { intent, policy }: TransactionContext, notes: PlaceNotes): void {
  if (slippageBps === undefined) {
    return;
  }
  const words = l10n.t`The swap could pay out ${slippageBps / 100}% less than quoted.`;
  if (slippageBps > policy.slippageBlockBps) {
    notes.block('SWP-2', `${words} ${blocksAboveWords(`${policy.slippageBlockBps / 100}%`)}`);
  } else if (slippageBps > intent.slippageBps) {
    notes.confirm('SWP-2', `${words} ${allowedWords(intent.slippageBps / 100)} ${acceptWords()}`);
  }
}

/** SWP-4: the share of the swap that others get. A share for the owner's own accounts is not a fee. */
function reviewFee({ role, share, mentionedUpTo, takers }: SwapFee, context: TransactionContext, notes: PlaceNotes): void {
  const strangers = takers.filter(
    ({ address }) => address === undefined || !(address === context.intent.owner || isOwned(context, address)),
  );
  if (share === 0n || (takers.length > 0 && strangers.length === 0)) {
    return;
  }
  const to = strangers.map(({ address }) => address ?? unknownAccount()).join(', ') || unknownAccount();
  const words = l10n.t`The swap pays a fee to ${to}: ${share === undefined ? role : `${role} (${percent(share)}%)`}.`;
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
    notes.block('SWP-3', noMinimumWords(), { amountRaw: 0n });
  } else if (boughtLeast === undefined) {
    notes.confirm('SWP-3', noMinimumWords());
  } else if (boughtLeast < context.policy.dustQuoteRaw) {
    notes.confirm('SWP-3', l10n.t`The swap guarantees only ${String(boughtLeast)} raw units.`, { amountRaw: boughtLeast });
  }
  const available = availableRaw(context, sold);
  if (isExactOut && quotedSold !== undefined && available !== undefined && quotedSold > available) {
    notes.block(
      'SWP-3',
      l10n.t`The swap would cost ${rawAmountText(sold, quotedSold)}; this operation has at most ${rawAmountText(sold, available)}.`,
      { amountRaw: quotedSold },
    );
  }
}

const noMinimumWords = (): string => l10n.t('The swap guarantees no minimum.');

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
    notes[unasked(context)]('SWP-7', unfixedAmountWords());
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
