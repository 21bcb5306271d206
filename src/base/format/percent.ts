import * as l10n from '@vscode/l10n';
import { type Locale, type Sign, displayLocale } from './locale';
import { compact, isKnown, nearZero, PLAIN, PLAIN_COMPACT, UNKNOWN, written } from './numbers';

const PLACES = 2;
const LEAST = 0.01;
/** From here on one decimal place, from {@link WHOLE_FROM} none, from {@link COMPACT_FROM} "1.23M%". */
const ONE_PLACE_FROM = 100;
const WHOLE_FROM = 1_000;
const COMPACT_FROM = 1_000_000;
/** In narrow places there are no decimal places from here on. */
const SHORT_WHOLE_FROM = 10;

const BPS_PER_PERCENT = 100;

/** Decimal places without trailing zeros, and all of them. */
const UP_TO = { one: { maximumFractionDigits: 1 }, two: { maximumFractionDigits: PLACES } } as const;
const FIXED = {
  one: { minimumFractionDigits: 1, maximumFractionDigits: 1 },
  two: { minimumFractionDigits: PLACES, maximumFractionDigits: PLACES },
} as const;

/** A value in percent: `percent(5.123)` is "5.12%"; "<0.01%"; "–" if unknown. */
export function percent(value: number | undefined, locale: Locale = displayLocale()): string {
  return percentText(value, 'negative', locale);
}

/** A change in percent, given in percent: "+5.12%", "−28.7%", "0%". */
export function signedPercent(value: number | undefined, locale: Locale = displayLocale()): string {
  return percentText(value, 'always', locale);
}

/** A fraction as percent for columns of a table, with all of its decimal places so the points line up: `columnPercent(0.605)` is "60.50%". */
export function columnPercent(fraction: number | undefined, locale: Locale = displayLocale()): string {
  return percentText(fraction === undefined ? undefined : fraction * 100, 'negative', locale, true);
}

/** The same for a change: "+16.00%". */
export function signedColumnPercent(fraction: number | undefined, locale: Locale = displayLocale()): string {
  return percentText(fraction === undefined ? undefined : fraction * 100, 'always', locale, true);
}

/** A change in percent for narrow places: "+3.2%", from 10% on without decimal places: "−27%". */
export function shortSignedPercent(value: number | undefined, locale: Locale = displayLocale()): string {
  return percentText(shortened(value), 'always', locale);
}

/** A value in percent for narrow places, from 0.1% on with exactly one decimal place: "3.0%"; from 10% on with none: "49%". */
export function shortPercent(value: number | undefined, locale: Locale = displayLocale()): string {
  const rounded = shortened(value);
  return isKnown(rounded) && rounded >= 0.1 && rounded < SHORT_WHOLE_FROM
    ? `${written(rounded, FIXED.one, 'negative', locale)}%`
    : percent(rounded, locale);
}

/** With one decimal place from 0.1% on, and none from {@link SHORT_WHOLE_FROM} on. */
function shortened(value: number | undefined): number | undefined {
  if (!isKnown(value) || Math.abs(value) < 0.1) {
    return value;
  }
  const tenths = Math.round(value * 10) / 10;
  return Math.abs(tenths) < SHORT_WHOLE_FROM ? tenths : Math.round(value);
}

/** A fraction as percent: `fractionAsPercent(0.05)` is "5%". */
export function fractionAsPercent(value: number | undefined, locale: Locale = displayLocale()): string {
  return percent(value === undefined ? undefined : value * 100, locale);
}

/** A change given as a fraction, as percent: `signedFractionAsPercent(-0.05)` is "−5%". */
export function signedFractionAsPercent(value: number | undefined, locale: Locale = displayLocale()): string {
  return signedPercent(value === undefined ? undefined : value * 100, locale);
}

/** Basis points, with the same in percent: "100 bps (1%)". */
export function bps(value: number | undefined, locale: Locale = displayLocale()): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  return `${l10n.t`${written(value, UP_TO.two, 'negative', locale)} bps`} (${percent(value / BPS_PER_PERCENT, locale)})`;
}

/** A pool's fees of 24 hours relative to its TVL, given as a fraction: `feeTvl(0.0235)` is "2.35%". */
export function feeTvl(ratio: number | undefined, locale: Locale = displayLocale()): string {
  return fractionAsPercent(ratio, locale);
}

function percentText(value: number | undefined, sign: Sign, locale: Locale, isFixed = false): string {
  return isKnown(value) ? `${figure(value, sign, locale, isFixed)}%` : UNKNOWN;
}

function figure(value: number, sign: Sign, locale: Locale, isFixed: boolean): string {
  const size = Math.abs(value);
  if (size >= COMPACT_FROM) {
    return compact(value, PLAIN_COMPACT, sign, locale);
  }
  if (size > 0 && size < LEAST) {
    return nearZero(value, LEAST, UP_TO.two, sign, locale);
  }
  if (size >= WHOLE_FROM) {
    return written(value, PLAIN, sign, locale);
  }
  const places = isFixed && value !== 0 ? FIXED : UP_TO;
  return written(value, size >= ONE_PLACE_FROM ? places.one : places.two, sign, locale);
}

/** Above this a trade can lose more to front-running than to the pool's fee. */
const HIGH_BPS = 500;

/** A warning to append to the figure (": high slippage. …"); empty for usual values. @param slippageBps 0 to 10,000 */
export function slippageWarning(slippageBps: number, locale: Locale = displayLocale()): string {
  if (slippageBps === 0) {
    return l10n.t(': the trade fails as soon as the price moves.');
  }
  return slippageBps > HIGH_BPS ? l10n.t`: high slippage. You could get a price ${percent(slippageBps / 100, locale)} worse.` : '';
}
