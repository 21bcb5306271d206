import * as l10n from '@vscode/l10n';
import { HOUR_MS } from '../base/time';
import type { OpenPosition } from '../service/positions';
import { WRAPPED_SOL_MINT } from '../base/solana/programs';
import type { PoolFact } from '../review/facts/facts';
import { priceOnChain } from '../transactions/inspect/poolsOnChain';
import { arePricesOf, arePricesOfBin } from '../transactions/rebalance/market';
import type { AutoRebalanceRules } from './types';
import { usdToTheCent } from '../base/format/money';
import { signedPercent } from '../base/format/percent';
import { binId } from '../base/format/identifiers';

// Checks one listing of a position for consistency. Services report nonsense for a minute now and then; their figures are tied by
// identities (value = amounts × prices, in range = active bin within the bounds, …), and figures that break one are not acted on. They are
// also compared with the pool on the chain and with what was deposited (ledger.ts). observations.ts adds that more than one check must see
// a figure.

/** What the figures of a position are compared with, besides each other. */
export interface PriceEvidence {
  /** Its pool by the account on the chain; `undefined`: not known. */
  readonly pool: PoolFact | undefined;
  /** Why its deposit or withdrawals can't be as they are listed, as a sentence. */
  readonly ledgerProblem: string | undefined;
}

/** A figure, or why it can't be acted on: a sentence for the user. */
export type Figure = { readonly isPlausible: true; readonly value: number } | { readonly isPlausible: false; readonly why: string };

/** Where the price is relative to a position's range. */
export type RangeCheck =
  /** `bins`: how far the active bin is outside the range; `side`: on which side of the range the active bin is. */
  | { readonly kind: 'out'; readonly side: 'above' | 'below'; readonly bins: number }
  | { readonly kind: 'in' }
  /** A DAMM v2 position. */
  | { readonly kind: 'none' }
  /** The service's figures are missing or contradict each other. */
  | { readonly kind: 'unclear'; readonly why: string };

/** Relative tolerance for figures that must be equal: they are rounded, and read at slightly different moments. */
const TOLERANCE = 0.01;
/** The same for figures in SOL: the service converts them with a price of SOL that may be older. */
const NATIVE_TOLERANCE = 0.03;
/** Share of an out-of-range position's value that may be in the token it should not hold. */
const REST = 0.02;
/** Relative tolerance when the order of two prices is compared. */
const ROUNDING = 1e-6;
/** Absolute tolerance: a cent, and a ten-thousandth of a SOL. */
const LEAST = { usd: 0.01, native: 0.0001 } as const;
/** Absolute tolerance of percentages, in percentage points. */
const PERCENT_ROUNDING = 0.5;
const CLOCKS_DIFFER_MS = 5 * 60_000;
/** A larger loss, in percent, of a position that still holds something is almost always a glitch. */
const SUSPECT_LOSS_PERCENT = 90;

const notReported = (): string => l10n.t('The service does not report all of its figures.');

/** @param figures labels of what does not fit together */
function contradictory(...figures: readonly string[]): string {
  return l10n.t`Its reported figures do not match: ${figures.join(', ')}.`;
}

/** Tells whether a position is out of range. The service's flag, the bins, the prices, the content and the pool on the chain must all agree. */
export function checkRange(position: OpenPosition, pool: PoolFact | undefined): RangeCheck {
  const { poolType, inRange, lowerBinId: lower, upperBinId: upper, activeBinId: active } = position;
  if (poolType === 'dammV2') {
    return { kind: 'none' };
  }
  if (inRange === undefined || lower === undefined || upper === undefined || active === undefined) {
    return { kind: 'unclear', why: notReported() };
  }
  if (![lower, upper, active].every(Number.isSafeInteger) || lower > upper) {
    return { kind: 'unclear', why: contradictory(l10n.t('Bins')) };
  }
  const isOutside = active < lower || active > upper;
  if (isOutside === inRange) {
    return { kind: 'unclear', why: contradictory(l10n.t('Range'), l10n.t('Bins')) };
  }
  const range: RangeCheck = !isOutside
    ? { kind: 'in' }
    : active > upper
      ? { kind: 'out', side: 'above', bins: active - upper }
      : { kind: 'out', side: 'below', bins: lower - active };
  if (!doPricesAgree(position, range)) {
    return { kind: 'unclear', why: contradictory(l10n.t('Price'), l10n.t('Bins')) };
  }
  const wrongPrice = priceProblem(position, pool);
  if (wrongPrice !== undefined) {
    return { kind: 'unclear', why: wrongPrice };
  }
  if (range.kind === 'out' && pool?.kind === 'dlmm' && (range.side === 'above' ? pool.activeBinId <= upper : pool.activeBinId >= lower)) {
    return {
      kind: 'unclear',
      why: l10n.t`The service reports active bin ${binId(active)}, but on the chain it is ${binId(pool.activeBinId)}.`,
    };
  }
  return isContentOf(position, range) ? range : { kind: 'unclear', why: contradictory(l10n.t('Tokens'), l10n.t('Range')) };
}

/** A position's value in US dollars without fees: amounts times prices. */
export function worthOf(position: OpenPosition): Figure {
  const { amount0, amount1, price0Usd, price1Usd, value } = position;
  if (!isFigure(price0Usd) || !isFigure(price1Usd) || price0Usd <= 0 || price1Usd <= 0) {
    return implausible(notReported());
  }
  if (!isFigure(amount0) || !isFigure(amount1) || !isFigure(value.usd) || amount0 < 0 || amount1 < 0 || value.usd < 0) {
    return implausible(notReported());
  }
  const computed = amount0 * price0Usd + amount1 * price1Usd;
  if (!agree(value.usd, computed, TOLERANCE, LEAST.usd)) {
    return implausible(contradictory(`${l10n.t('Value')} (${usdToTheCent(value.usd)})`, `${l10n.t('Tokens')} (${usdToTheCent(computed)})`));
  }
  const solUsd =
    position.token1.address === WRAPPED_SOL_MINT ? price1Usd : position.token0.address === WRAPPED_SOL_MINT ? price0Usd : undefined;
  if (solUsd !== undefined && isFigure(value.native) && !agree(value.native * solUsd, value.usd, NATIVE_TOLERANCE, LEAST.usd)) {
    return implausible(contradictory(`${l10n.t('Value')} (SOL)`, `${l10n.t('Value')} (USD)`));
  }
  return { isPlausible: true, value: value.usd };
}

/** A position's PnL in percent of what was deposited: value, fees and withdrawals minus deposits. */
export function gainOf(position: OpenPosition, pnlIn: AutoRebalanceRules['pnlIn'], { pool, ledgerProblem }: PriceEvidence): Figure {
  const worth = worthOf(position);
  if (!worth.isPlausible) {
    return worth;
  }
  const problem = priceProblem(position, pool) ?? ledgerProblem;
  if (problem !== undefined) {
    return implausible(problem);
  }
  if (position.doubt === 'reported') {
    return implausible(l10n.t('Its deposits are not read from the chain yet.'));
  }
  const [input, value, gain, gainPercent] = [position.input[pnlIn], position.value[pnlIn], position.pnl[pnlIn], position.pnlPercent[pnlIn]];
  if (!isFigure(input) || !isFigure(value) || !isFigure(gain) || !isFigure(gainPercent) || input <= 0) {
    return implausible(notReported());
  }
  if (!doFeesAgree(position)) {
    return implausible(contradictory(l10n.t('Fees'), l10n.t('Price')));
  }
  const withoutRewards =
    value + (position.collectedFee[pnlIn] ?? 0) + (position.uncollectedFee[pnlIn] ?? 0) + (position.output[pnlIn] ?? 0) - input;
  const isGainConsistent = [withoutRewards, withoutRewards + (position.collectedReward[pnlIn] ?? 0)].some(
    (computed) => Math.abs(gain - computed) <= TOLERANCE * input + LEAST[pnlIn],
  );
  const computedPercent = (100 * gain) / input;
  if (!isGainConsistent || Math.abs(gainPercent - computedPercent) > PERCENT_ROUNDING + TOLERANCE * Math.abs(computedPercent)) {
    return implausible(contradictory(`${l10n.t('PnL')} (${signedPercent(gainPercent)})`));
  }
  if (gainPercent < -SUSPECT_LOSS_PERCENT && worth.value > 0) {
    return implausible(
      contradictory(`${l10n.t('PnL')} (${signedPercent(gainPercent)})`, `${l10n.t('Value')} (${usdToTheCent(worth.value)})`),
    );
  }
  return { isPlausible: true, value: gainPercent };
}

/**
 * A position's age in milliseconds; `undefined` if the service doesn't report it, or reports a time in the future. The creation time
 * takes precedence: the reported age may be rounded to hundredths of a day.
 */
export function ageOf({ createdAt, ageHours }: OpenPosition, nowMs: number): number | undefined {
  const ages = [createdAt === undefined ? undefined : nowMs - createdAt.getTime(), ageHours === undefined ? undefined : ageHours * HOUR_MS];
  // Clocks differ by a little; a time hours from now is one in another time zone.
  return ages.filter(isFigure).find((age) => age > -CLOCKS_DIFFER_MS);
}

function doPricesAgree({ priceRangeUsd }: OpenPosition, range: RangeCheck): boolean {
  if (priceRangeUsd === undefined) {
    return true;
  }
  const { lower, upper, current } = priceRangeUsd;
  if (![lower, upper, current].every((price) => isFigure(price) && price > 0)) {
    return false;
  }
  if (range.kind === 'in') {
    return current >= lower * (1 - ROUNDING) && current <= upper * (1 + ROUNDING);
  }
  return range.kind === 'out' && range.side === 'above' ? current >= upper * (1 - ROUNDING) : current <= lower * (1 + ROUNDING);
}

const pricesDiffer = (): string => contradictory(l10n.t('Price'), l10n.t('Pool price'));

/**
 * Why the reported token prices can't be right, as a sentence: they must match the price at which the pool trades, as the service lists it
 * and as the chain has it, within what markets may differ. The review values swaps by these prices, so a wrong one stops everything. Missing
 * prices pass: the review reports those itself.
 */
function priceProblem(position: OpenPosition, pool: PoolFact | undefined): string | undefined {
  const { token0, token1, price0Usd, price1Usd, activeBinId, binStepBps } = position;
  if (token0.decimals === undefined || token1.decimals === undefined || !isFigure(price0Usd) || !isFigure(price1Usd)) {
    return undefined;
  }
  const prices = { priceXUsd: price0Usd, priceYUsd: price1Usd, decimalsX: token0.decimals, decimalsY: token1.decimals };
  if (activeBinId !== undefined && binStepBps !== undefined && !arePricesOfBin(prices, activeBinId, binStepBps)) {
    return pricesDiffer();
  }
  if (pool === undefined) {
    return undefined;
  }
  const price = chainPriceOf(position, pool);
  const step = pool.kind === 'dlmm' ? pool.binStepBps : 0;
  return price !== undefined && arePricesOf(prices, price, step) ? undefined : pricesDiffer();
}

/** The price of token 0 in token 1 on the chain; `undefined` if the account is not a pool of the position's tokens. */
export function chainPriceOf({ token0, token1 }: OpenPosition, pool: PoolFact): number | undefined {
  return pool.kind === 'none' ||
    pool.tokenX !== token0.address ||
    pool.tokenY !== token1.address ||
    token0.decimals === undefined ||
    token1.decimals === undefined
    ? undefined
    : priceOnChain(pool, token0.decimals, token1.decimals);
}

/** The DLMM program keeps only token 1 in bins below the active one, and only token 0 in bins above it. */
function isContentOf(position: OpenPosition, range: RangeCheck): boolean {
  const { amount0, amount1, price0Usd, price1Usd } = position;
  if (range.kind !== 'out' || !isFigure(amount0) || !isFigure(amount1) || !isFigure(price0Usd) || !isFigure(price1Usd)) {
    return true;
  }
  const [worth0, worth1] = [amount0 * price0Usd, amount1 * price1Usd];
  return (range.side === 'above' ? worth0 : worth1) <= REST * (worth0 + worth1) + LEAST.usd;
}

function doFeesAgree({
  uncollectedFee: { usd },
  uncollectedFee0: fee0,
  uncollectedFee1: fee1,
  price0Usd,
  price1Usd,
}: OpenPosition): boolean {
  const areReported = isFigure(usd) && isFigure(fee0) && isFigure(fee1) && isFigure(price0Usd) && isFigure(price1Usd);
  return !areReported || agree(usd, fee0 * price0Usd + fee1 * price1Usd, TOLERANCE, LEAST.usd);
}

function agree(a: number, b: number, tolerance: number, least: number): boolean {
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)) + least;
}

function implausible(why: string): Figure {
  return { isPlausible: false, why };
}

/** Whether a figure is reported and finite. */
export function isFigure(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}
