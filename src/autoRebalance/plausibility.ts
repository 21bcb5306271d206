import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../service/positions';
import { WRAPPED_SOL_MINT } from '../base/solana/programs';
import { arePricesOfBin } from '../transactions/rebalance/priceDrift';
import type { AutoRebalanceRules } from './types';
import { dollars, percent } from './messages';

// Which of a position's figures may be acted on. What a service reports holds together by identities (guides/service-quirks.md,
// "Identities"); figures that break them, or that are missing, are glitches until they hold again (guides/peers-and-wishes.md, c.).
// Here is what one listing says by itself; that it has to be seen more than once is the matter of observations.ts.

/** What a figure is, or why it cannot be acted on: a sentence for the user. */
export type Figure = { readonly isPlausible: true; readonly value: number } | { readonly isPlausible: false; readonly why: string };

/** Where a position stands towards its range. */
export type RangeStanding =
  /** `bins`: how far the active bin is outside; `above`: the range lies below it. */
  | { readonly kind: 'out'; readonly side: 'above' | 'below'; readonly bins: number }
  | { readonly kind: 'in' }
  /** Its pool has no ranges. */
  | { readonly kind: 'none' }
  /** It cannot be told. */
  | { readonly kind: 'unclear'; readonly why: string };

/** How far figures may differ that are to be the same: they are rounded, and read at slightly different moments. */
const TOLERANCE = 0.01;
/** Figures in SOL are reckoned by another price of SOL, which may be older. */
const NATIVE_TOLERANCE = 0.03;
/** What of a position may be in the token that its range says it does not hold. */
const REST = 0.02;
/** Two prices that are to be in an order may be the same, but for rounding. */
const ROUNDING = 1e-6;
/** A cent, and a ten-thousandth of a SOL: below that, figures that differ are the same. */
const LEAST = { usd: 0.01, native: 0.0001 } as const;
/** Percentages are rounded, too. */
const PERCENT_ROUNDING = 0.5;
const HOUR_MS = 3_600_000;
const CLOCKS_DIFFER_MS = 5 * 60_000;
/** Who has something left after a greater loss than that is looking at a glitch, nearly always. Per cent. */
const SUSPECT_LOSS_PERCENT = 90;

/** Whether a position is out of range: by what the service says, by the bins, by the prices and by what is in it; all have to agree. */
export function rangeStandingOf(position: OpenPosition): RangeStanding {
  const { poolType, inRange, lowerBinId: lower, upperBinId: upper, activeBinId: active } = position;
  if (poolType === 'dammV2') {
    return { kind: 'none' };
  }
  if (inRange === undefined || lower === undefined || upper === undefined || active === undefined) {
    return { kind: 'unclear', why: l10n.t('The service does not say whether it is in range, or by which bins.') };
  }
  if (![lower, upper, active].every(Number.isSafeInteger) || lower > upper) {
    return { kind: 'unclear', why: l10n.t('The bins that the service reports for it cannot be.') };
  }
  const isOutside = active < lower || active > upper;
  if (isOutside === inRange) {
    return {
      kind: 'unclear',
      why: l10n.t`The service says that it is ${inRange ? 'in' : l10n.t('out of')} range, and that the active bin ${active} is ${isOutside ? 'outside' : 'within'} its bins ${lower} to ${upper}: one of them is wrong.`,
    };
  }
  const standing: RangeStanding = !isOutside
    ? { kind: 'in' }
    : active > upper
      ? { kind: 'out', side: 'above', bins: active - upper }
      : { kind: 'out', side: 'below', bins: lower - active };
  if (!doPricesAgree(position, standing)) {
    return { kind: 'unclear', why: l10n.t('The prices that the service reports for it do not agree with its bins.') };
  }
  if (!isPriceInPool(position, active)) {
    return {
      kind: 'unclear',
      why: l10n.t('The prices that the service reports for its tokens do not agree with the price in the pool, by its active bin.'),
    };
  }
  return isContentOf(position, standing)
    ? standing
    : { kind: 'unclear', why: l10n.t('What the service reports to be in it does not agree with where its range is.') };
}

/** What a position is worth, US dollars, without fees: what is in it, times the prices. */
export function worthOf(position: OpenPosition): Figure {
  const { amount0, amount1, price0Usd, price1Usd, value } = position;
  if (!isFigure(price0Usd) || !isFigure(price1Usd) || price0Usd <= 0 || price1Usd <= 0) {
    return implausible(l10n.t('The service has no price for one of its tokens.'));
  }
  if (!isFigure(amount0) || !isFigure(amount1) || !isFigure(value.usd) || amount0 < 0 || amount1 < 0 || value.usd < 0) {
    return implausible(l10n.t('The service does not say what is in it, or what that is worth.'));
  }
  const reckoned = amount0 * price0Usd + amount1 * price1Usd;
  if (!agree(value.usd, reckoned, TOLERANCE, LEAST.usd)) {
    return implausible(
      l10n.t`The service says that it is worth ${dollars(value.usd)}, but what is in it is worth ${dollars(reckoned)} at the prices that it reports.`,
    );
  }
  const solUsd =
    position.token1.address === WRAPPED_SOL_MINT ? price1Usd : position.token0.address === WRAPPED_SOL_MINT ? price0Usd : undefined;
  if (solUsd !== undefined && isFigure(value.native) && !agree(value.native * solUsd, value.usd, NATIVE_TOLERANCE, LEAST.usd)) {
    return implausible(l10n.t('What it is worth in SOL does not agree with what it is worth in US dollars.'));
  }
  return { isPlausible: true, value: value.usd };
}

/** By how many per cent a position gained (or, below 0, lost), in one of the currencies: all that came out of it and is in it, against what went in. */
export function gainOf(position: OpenPosition, pnlIn: AutoRebalanceRules['pnlIn']): Figure {
  const worth = worthOf(position);
  if (!worth.isPlausible) {
    return worth;
  }
  const [input, value, gain, gainPercent] = [position.input[pnlIn], position.value[pnlIn], position.pnl[pnlIn], position.pnlPercent[pnlIn]];
  if (!isFigure(input) || !isFigure(value) || !isFigure(gain) || !isFigure(gainPercent) || input <= 0) {
    return implausible(l10n.t('The service does not say what it gained or lost.'));
  }
  if (!doFeesAgree(position)) {
    return implausible(l10n.t('The fees that the service reports for it do not agree with its prices.'));
  }
  const withoutRewards =
    value + (position.collectedFee[pnlIn] ?? 0) + (position.uncollectedFee[pnlIn] ?? 0) + (position.output[pnlIn] ?? 0) - input;
  const isReckoned = [withoutRewards, withoutRewards + (position.collectedReward[pnlIn] ?? 0)].some(
    (reckoned) => Math.abs(gain - reckoned) <= TOLERANCE * input + LEAST[pnlIn],
  );
  const reckonedPercent = (100 * gain) / input;
  if (!isReckoned || Math.abs(gainPercent - reckonedPercent) > PERCENT_ROUNDING + TOLERANCE * Math.abs(reckonedPercent)) {
    return implausible(
      l10n.t`The service says that it ${gainPercent < 0 ? 'lost' : 'gained'} ${percent(Math.abs(gainPercent))}, which does not agree with the other figures that it reports.`,
    );
  }
  if (gainPercent < -SUSPECT_LOSS_PERCENT && worth.value > 0) {
    return implausible(
      l10n.t`The service reports a loss of ${percent(-gainPercent)} while ${dollars(worth.value)} is still in it: such figures are nearly always wrong.`,
    );
  }
  return { isPlausible: true, value: gainPercent };
}

/**
 * How old a position is, milliseconds; `undefined`: the service does not say, or says that it is not there yet. When it was made counts
 * first: its age may come in hundredths of a day.
 */
export function ageOf({ createdAt, ageHours }: OpenPosition, nowMs: number): number | undefined {
  const told = [createdAt === undefined ? undefined : nowMs - createdAt.getTime(), ageHours === undefined ? undefined : ageHours * HOUR_MS];
  // Clocks differ by a little; what is hours from now is the time of another zone.
  return told.filter(isFigure).find((age) => age > -CLOCKS_DIFFER_MS);
}

function doPricesAgree({ priceRangeUsd }: OpenPosition, standing: RangeStanding): boolean {
  if (priceRangeUsd === undefined) {
    return true;
  }
  const { lower, upper, current } = priceRangeUsd;
  if (![lower, upper, current].every((price) => isFigure(price) && price > 0)) {
    return false;
  }
  if (standing.kind === 'in') {
    return current >= lower * (1 - ROUNDING) && current <= upper * (1 + ROUNDING);
  }
  return standing.kind === 'out' && standing.side === 'above' ? current >= upper * (1 - ROUNDING) : current <= lower * (1 + ROUNDING);
}

/**
 * Whether the tokens' prices are those at which the pool trades them, but for what other markets may differ: by these prices the review
 * measures what is swapped, so that nothing is done where one of them is wrong. What is not told cannot be told wrong; the review says so.
 */
function isPriceInPool({ token0, token1, price0Usd, price1Usd, binStepBps: step }: OpenPosition, activeBinId: number): boolean {
  if (
    step === undefined ||
    token0.decimals === undefined ||
    token1.decimals === undefined ||
    !isFigure(price0Usd) ||
    !isFigure(price1Usd)
  ) {
    return true;
  }
  return arePricesOfBin(
    { priceXUsd: price0Usd, priceYUsd: price1Usd, decimalsX: token0.decimals, decimalsY: token1.decimals },
    activeBinId,
    step,
  );
}

/** Bins below the active one hold token 1 alone, those above it token 0 alone (the program's order). */
function isContentOf(position: OpenPosition, standing: RangeStanding): boolean {
  const { amount0, amount1, price0Usd, price1Usd } = position;
  if (standing.kind !== 'out' || !isFigure(amount0) || !isFigure(amount1) || !isFigure(price0Usd) || !isFigure(price1Usd)) {
    return true;
  }
  const [worth0, worth1] = [amount0 * price0Usd, amount1 * price1Usd];
  return (standing.side === 'above' ? worth0 : worth1) <= REST * (worth0 + worth1) + LEAST.usd;
}

function doFeesAgree({
  uncollectedFee: { usd },
  uncollectedFee0: fee0,
  uncollectedFee1: fee1,
  price0Usd,
  price1Usd,
}: OpenPosition): boolean {
  const isTold = isFigure(usd) && isFigure(fee0) && isFigure(fee1) && isFigure(price0Usd) && isFigure(price1Usd);
  return !isTold || agree(usd, fee0 * price0Usd + fee1 * price1Usd, TOLERANCE, LEAST.usd);
}

function agree(a: number, b: number, tolerance: number, least: number): boolean {
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)) + least;
}

function implausible(why: string): Figure {
  return { isPlausible: false, why };
}

function isFigure(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}
