import * as l10n from '@vscode/l10n';
import { exactAmount } from '../../base/format/amounts';
import { usd } from '../../base/format/money';
import type { Address } from '../../base/solana/address';
import { formatRaw } from '../../base/solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import { depositPricesBriefly, depositPricesText } from '../../review/describe/depositPrices';
import { amountText, landsLabel } from '../../review/describe/summary';
import { tokenOf, type TokenNames } from '../../review/describe/tokenNames';
import { claims, compoundedFees, deposits, exchanges, spendsOf } from '../../review/intents';
import { costLamports, leastReceived, plausibleMinimums, statesWithdrawal } from '../../review/spends';
import type { Review, TokenSpend } from '../../review/types';
import { nothingSwappedText } from './movedTokens';

// The money of a review in about four lines, for the question whether to sign. Every figure comes from the review itself; the
// details (src/review/describe/details.ts) have the same figures with all their digits.

/** Significant digits of an amount in a dialog. The whole part of an amount is never rounded. */
const DIGITS = 4;

/** A bound is rounded to the cautious side: "at most" up, everything else down. */
type Rounding = 'up' | 'down';

type MintAmount = readonly [mint: Address | undefined, amountRaw: bigint];

/** How much the lines say where there is little room. */
export interface MoneyExtent {
  /** Without the simulated amount. */
  readonly isBrief: boolean;
  /** All of it in a few words: the details say what the figures include. Default: in full. */
  readonly isTerse?: boolean;
  /** With the parts of the costs. Without them refundable rent stays: it would look like a loss. */
  readonly hasCostParts: boolean;
  /** With the tokens that move into swaps and positions. Tokens that others get are always shown. */
  readonly hasTokensMoved: boolean;
}

/** What the operation is about, in words of the user's choices. */
export interface Exchange {
  /** What is given up besides the costs: "100% of the position, ≈ $102.00". */
  readonly pays?: string | undefined;
  /** What is received, without amounts: "SOL", "a Spot position in −386 to −376 (11 bins)". */
  readonly gets?: string | undefined;
  /** What it is expected to cost in all, where the review sees only a part of it: "about $6 (0.39%)". */
  readonly costs?: string | undefined;
}

export const payLine = (what: string): string => l10n.t`You pay: ${what}`;
export const getLine = (what: string): string => l10n.t`You get: ${what}`;
export const costLine = (what: string): string => l10n.t`Costs: ${what}`;

/**
 * Writes what the user pays, gets, what it costs and who receives it: "You pay: at most 0.5 SOL (≈ $71.40)". Dollar values are
 * by the price that the user was shown, and are missing where there is none.
 */
export function moneyLines(
  review: Review,
  tokens: TokenNames,
  { isBrief, isTerse = false, hasCostParts, hasTokensMoved }: MoneyExtent,
  { pays, gets, costs }: Exchange = {},
): readonly string[] {
  const value = isTerse ? usd : aboutUsd;
  const write = (rounding: Rounding) => (amounts: readonly MintAmount[]) => amountsText(amounts, review, tokens, rounding, value);
  return [
    ...payLines(review, write('up'), pays),
    getLine(
      deposits(review.intent) ? positionText(review, write('down'), gets) : proceedsText(review, write('down'), { isBrief, isTerse }, gets),
    ),
    ...landingLines(review, tokens, isTerse),
    costLine(costs ?? costText(review, write('up'), hasCostParts)),
    ...(hasTokensMoved ? movedLines(review, write('up')) : []),
    l10n.t`Goes to: ${recipientText(review)}`,
  ];
}

/** The role of a recipient that every operation may have. */
const TIP = 'Jito tip';

/** What goes into the position, each token with its value: "12,345 BONK (≈ $0.31), 0.5 SOL (≈ $71.40)". */
export function depositedText(review: Review, tokens: TokenNames): string {
  const { tokenSpends, spends } = review;
  const deposited = sumByMint(tokenSpends.filter(({ into }) => into === 'position'));
  return amountsText(nonZero([...deposited, [WRAPPED_SOL_MINT, spends.consumedLamports]]), review, tokens, 'down', aboutUsd);
}

type WriteAmounts = (amounts: readonly MintAmount[]) => string;

/** A zap-out takes something from the wallet besides the costs only where SOL was wrapped beforehand. */
function payLines({ intent, spends, tokenSpends }: Review, write: WriteAmounts, pays: string | undefined): readonly string[] {
  const { consumedLamports, wrappedLamports, otherLamports } = spends;
  // A zap-out swaps SOL that it has withdrawn: only what was wrapped beforehand comes from the wallet.
  const { lamports: input, tokens: tokensPaid } = spendsOf(intent);
  const fromWallet = input !== undefined || consumedLamports < wrappedLamports ? consumedLamports : wrappedLamports;
  const ownMints = tokensPaid === 'bought' ? [] : tokensPaid.map(({ mint }) => mint);
  const own = tokenSpends.filter(({ mint, into }) => into !== 'others' && mint !== undefined && ownMints.includes(mint));
  const paid = nonZero([...sumByMint(own), [WRAPPED_SOL_MINT, fromWallet]]);
  const toOthers = nonZero([...sumByMint(tokenSpends.filter(({ into }) => into === 'others')), [WRAPPED_SOL_MINT, otherLamports]]);
  return [
    ...(pays === undefined ? [] : [payLine(pays)]),
    ...(paid.length === 0
      ? []
      : [pays === undefined ? payLine(l10n.t`at most ${write(paid)}`) : l10n.t`From your wallet: ${l10n.t`at most ${write(paid)}`}`]),
    ...(toOthers.length === 0 ? [] : [`${l10n.t('Sent to others')}: ${l10n.t`at most ${write(toOthers)}`}`]),
  ];
}

function positionText(review: Review, write: WriteAmounts, position = l10n.t('a position')): string {
  const { intent } = review;
  const minimums = plausibleMinimums(review);
  if (minimums.length > 0) {
    return `${position}; ${l10n.t`buys at least ${write(sumByMint(minimums))}`}`;
  }
  return compoundedFees(intent) !== undefined || (deposits(intent) && intent.tokens !== undefined)
    ? `${position}; ${nothingSwappedText()}`
    : `${position}; ${l10n.t('no guaranteed minimum')}`;
}

/** The prices between which a deposit lands, in the pair's units; bins where no prices are known. */
function landingLines({ depositPrices }: Review, tokens: TokenNames, isTerse: boolean): readonly string[] {
  const brief = depositPrices && isTerse ? depositPricesBriefly(depositPrices, tokens) : undefined;
  if (brief !== undefined) {
    return [`${landsLabel()}: ${brief}`];
  }
  const text = depositPrices && depositPricesText(depositPrices, tokens);
  return text === undefined ? [] : [`${landsLabel()}: ${text}`];
}

/** What a zap-out brings by the simulation, which guarantees nothing, and what the transactions guarantee. */
function proceedsText(
  review: Review,
  write: WriteAmounts,
  { isBrief, isTerse }: Pick<MoneyExtent, 'isBrief' | 'isTerse'>,
  gets: string | undefined,
): string {
  const guaranteed = guaranteedText(review, write, isBrief);
  const { simulated } = review;
  if (simulated === undefined || isBrief) {
    // Without amounts at least the tokens are named.
    return gets === undefined || statesMinimum(review) ? guaranteed : `${gets}; ${guaranteed}`;
  }
  const expected = [...simulated].filter(([, amountRaw]) => amountRaw > 0n);
  const amounts = write(expected.length === 0 ? [[WRAPPED_SOL_MINT, 0n]] : expected);
  const about = isTerse === true ? l10n.t`about ${amounts}` : l10n.t`about ${amounts} by simulation, fees and rent included`;
  const rentBack = rentBackText(review);
  return [`${about}, ${guaranteed}`, ...(rentBack === undefined ? [] : [rentBack])].join('; ');
}

/** A zap-out returns more than the position was worth where it closes accounts. */
function rentBackText({ rentBackLamports = 0n }: Review): string | undefined {
  const rent = rounded(rentBackLamports, SOL_DECIMALS, 'down');
  return rent > 0n ? l10n.t`includes ${exactAmount(rent, SOL_DECIMALS)} SOL rent back` : undefined;
}

function leastOf(review: Review): readonly MintAmount[] {
  return review.minimumOut.length === 0 ? [] : [...leastReceived(review)];
}

const statesMinimum = (review: Review): boolean => leastOf(review).length > 0;

/** Withdrawals from DLMM state no minimum: they pay out what the bins hold, without a trade. Only the swaps after them have one. */
function guaranteedText(review: Review, write: WriteAmounts, isBrief: boolean): string {
  const least = leastOf(review);
  if (claims(review.intent)) {
    return nothingSwappedText();
  }
  if (exchanges(review.intent)) {
    return least.length === 0 ? l10n.t('no guaranteed minimum') : l10n.t`at least ${write(least)}`;
  }
  if (least.length === 0) {
    return isWithoutSwap(review) ? nothingSwappedText() : l10n.t('no guaranteed minimum');
  }
  if (!statesWithdrawal(review)) {
    return isBrief || review.simulated === undefined
      ? l10n.t`at least ${write(least)} from swaps; the rest is withdrawn as it is`
      : l10n.t`of it at least ${write(least)} from swaps; the rest is withdrawn as it is`;
  }
  return l10n.t`at least ${write(least)}`;
}

function isWithoutSwap({ spends, tokenSpends, minimumOut, transactions }: Review): boolean {
  return (
    transactions.length > 0 &&
    minimumOut.length === 0 &&
    spends.consumedLamports === 0n &&
    tokenSpends.every(({ into }) => into === 'position')
  );
}

function costText({ spends }: Review, write: WriteAmounts, hasCostParts: boolean): string {
  const total = write([[WRAPPED_SOL_MINT, costLamports(spends)]]);
  const { refundableRentLamports, spentRentLamports, networkFeeLamports, priorityFeeLamports, tipLamports } = spends;
  const rent = exactAmount(rounded(refundableRentLamports, SOL_DECIMALS, 'down'), SOL_DECIMALS);
  if (!hasCostParts) {
    if (refundableRentLamports === 0n) {
      return l10n.t`at most ${total}`;
    }
    return l10n.t`at most ${total}, up to ${rent} SOL refundable`;
  }
  const part = (lamports: bigint): string => exactAmount(rounded(lamports, SOL_DECIMALS, 'up'), SOL_DECIMALS);
  const parts = [
    ...(networkFeeLamports > 0n ? [l10n.t`network fee ${part(networkFeeLamports)}`] : []),
    ...(priorityFeeLamports > 0n ? [l10n.t`priority fee ${part(priorityFeeLamports)}`] : []),
    ...(tipLamports > 0n ? [l10n.t`tip ${part(tipLamports)}`] : []),
    ...(refundableRentLamports > 0n ? [l10n.t`refundable rent up to ${rent}`] : []),
    ...(spentRentLamports > 0n ? [l10n.t`non-refundable rent ${part(spentRentLamports)}`] : []),
  ];
  return parts.length === 0 ? l10n.t`at most ${total}` : `${l10n.t`at most ${total}`}: ${parts.join(', ')}`;
}

function movedLines({ tokenSpends }: Review, write: WriteAmounts): readonly string[] {
  const sums = (wanted: TokenSpend['into']) => sumByMint(tokenSpends.filter(({ into }) => into === wanted));
  const [swapped, deposited] = [sums('swap'), sums('position')];
  const parts = [
    ...(swapped.length === 0 ? [] : [l10n.t`${write(swapped)} into swaps`]),
    ...(deposited.length === 0 ? [] : [l10n.t`${write(deposited)} into the position`]),
  ];
  return parts.length === 0 ? [] : [`${l10n.t('Tokens moved')}: ${l10n.t`at most ${parts.join(', ')}`}`];
}

function recipientText({ intent, recipients, verdict, transactions }: Review): string {
  if (transactions.length === 0) {
    return l10n.t('unknown');
  }
  const others = recipients.filter(({ role }) => role !== TIP).map(({ address, role }) => `${address} (${role})`);
  const listed = [
    l10n.t('you'),
    // The user chose no pool for a swap of the wallet's tokens, and unwrapping has none.
    ...(exchanges(intent) ? [] : [l10n.t('pool')]),
    ...(recipients.some(({ role }) => role === TIP) ? [l10n.t('tip')] : []),
    ...others,
  ].join(', ');
  if (others.length > 0) {
    return listed;
  }
  // A finding may be about an account that cannot be named, or about a program that cannot be followed.
  return verdict === 'allow' ? l10n.t`only ${listed}` : l10n.t`${listed}, but see the findings`;
}

/** The price that the user was shown, in US dollars; prices from other records only serve to compare it. */
function priceOf(mint: Address | undefined, { intent: { listedPrices = [] } }: Review): number | undefined {
  return listedPrices.find((price) => price.mint === mint && price.isElsewhere !== true && price.isByBin !== true)?.usd;
}

function amountsText(
  amounts: readonly MintAmount[],
  review: Review,
  tokens: TokenNames,
  rounding: Rounding,
  valueText: (usd: number) => string,
): string {
  const write = ([mint, amountRaw]: MintAmount) => {
    const value = valueOf(mint, amountRaw, priceOf(mint, review), tokens);
    return valuedAmount(mint, amountRaw, value === undefined ? undefined : valueText(value), tokens, rounding);
  };
  return amounts.map(write).join(', ');
}

/** In US dollars; `undefined` without a price, or where the token's decimals are not known. */
function valueOf(mint: Address | undefined, amountRaw: bigint, priceUsd: number | undefined, tokens: TokenNames): number | undefined {
  const decimals = tokenOf(mint, tokens)?.decimals;
  const value = priceUsd === undefined || decimals === undefined ? Number.NaN : Number(formatRaw(amountRaw, decimals)) * priceUsd;
  return Number.isFinite(value) ? value : undefined;
}

/** "12,345 BONK (≈ $0.31)"; with all digits, and without a value, where the token's decimals are not known. */
function valuedAmount(
  mint: Address | undefined,
  amountRaw: bigint,
  value: string | undefined,
  tokens: TokenNames,
  rounding: Rounding,
): string {
  const token = tokenOf(mint, tokens);
  if (mint === undefined || token?.decimals === undefined) {
    return amountText(mint, amountRaw, tokens);
  }
  const { symbol, decimals } = token;
  const amount = exactAmount(rounded(amountRaw, decimals, rounding), decimals);
  const ticker = tickerText(symbol, mint);
  return value === undefined ? `${amount} ${ticker}` : `${amount} ${ticker} (${value})`;
}

function aboutUsd(value: number): string {
  const text = usd(value);
  return text.startsWith('<') ? text : `≈ ${text}`;
}

/** Rounds an amount of 0 or more to {@link DIGITS} significant digits, but never its whole part. */
function rounded(amountRaw: bigint, decimals: number, rounding: Rounding): bigint {
  const places = Math.min(Math.max(amountRaw.toString().length - DIGITS, 0), decimals);
  const unit = 10n ** BigInt(places);
  const down = amountRaw - (amountRaw % unit);
  return rounding === 'down' || down === amountRaw ? down : down + unit;
}

function nonZero(amounts: readonly MintAmount[]): readonly MintAmount[] {
  return amounts.filter(([, amountRaw]) => amountRaw > 0n);
}

function sumByMint(amounts: readonly { readonly mint: Address | undefined; readonly amountRaw: bigint }[]): readonly MintAmount[] {
  const sums = new Map<Address | undefined, bigint>();
  for (const { mint, amountRaw } of amounts) {
    sums.set(mint, (sums.get(mint) ?? 0n) + amountRaw);
  }
  return [...sums];
}
