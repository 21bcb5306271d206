import * as l10n from '@vscode/l10n';
import { type Locale, type Sign, displayLocale } from './locale';
import { DOLLARS, exactAmount } from './amounts';
import { compact, compactStyle, isKnown, nearZero, PLAIN_COMPACT, UNKNOWN, written } from './numbers';

/** From here on amounts are shortened: "$12.3K". Half a cent below 10,000, which would be rounded up to it. */
const COMPACT_FROM = 9_999.995;
/** In narrow rows cents are written below this: half a cent below 100, which would be rounded up to it. */
const CENTS_BELOW = 99.995;
/** The same for the narrowest rows, which are compact from {@link BRIEF_FROM} on. */
const BRIEF_CENTS_BELOW = 9.995;
const BRIEF_FROM = 999.5;
const SOL_DECIMALS = 9;
/** Decimal places of a SOL amount in running text; the exact amount has nine. */
const SOL_PLACES = 4;

const USD: Intl.NumberFormatOptions = { ...DOLLARS, minimumFractionDigits: 2, maximumFractionDigits: 2 };
const WHOLE_USD: Intl.NumberFormatOptions = { ...DOLLARS, minimumFractionDigits: 0, maximumFractionDigits: 0 };
const COMPACT_USD = compactStyle(DOLLARS);
const SOL: Intl.NumberFormatOptions = { maximumFractionDigits: SOL_PLACES };

/** US dollars: "$1,234.56", "$12.3K", "−$5.00", "<$0.01", "$0.00"; "–" if unknown. */
export function usd(value: number | undefined, locale: Locale = displayLocale()): string {
  return dollars(value, 'negative', locale);
}

/** US dollars without cents, for estimates: "$6", "$12.3K"; "–" if unknown. */
export function usdWhole(value: number | undefined, locale: Locale = displayLocale()): string {
  return dollars(value, 'negative', locale, 0);
}

/** A difference in US dollars: "+$5.00", "−$12.3K", "$0.00"; "–" if unknown. */
export function signedUsd(value: number | undefined, locale: Locale = displayLocale()): string {
  return dollars(value, 'always', locale);
}

/** US dollars for a narrow row: like {@link usd}, without cents from $100 on: "$1,235", "$99.50". */
export function usdShort(value: number | undefined, locale: Locale = displayLocale()): string {
  return dollars(value, 'negative', locale, CENTS_BELOW);
}

/** US dollars for the narrowest rows, in at most five characters and the sign: "$9.50", "$53", "$1.46K"; "–" if unknown. */
export function usdBrief(value: number | undefined, locale: Locale = displayLocale()): string {
  return isKnown(value) && Math.abs(value) >= BRIEF_FROM
    ? compact(value, COMPACT_USD, 'negative', locale)
    : dollars(value, 'negative', locale, BRIEF_CENTS_BELOW);
}

/** A difference in US dollars for a narrow row: "+$387", "−$5.00". */
export function signedUsdShort(value: number | undefined, locale: Locale = displayLocale()): string {
  return dollars(value, 'always', locale, CENTS_BELOW);
}

/** US dollars to the cent, never shortened: "$12,345.67"; for tooltips and tables. */
export function usdToTheCent(value: number | undefined, locale: Locale = displayLocale()): string {
  return isKnown(value) ? written(value, USD, 'negative', locale) : UNKNOWN;
}

/** SOL (not lamports): "1.2346 SOL", "12.3K SOL", "<0.0001 SOL"; "–" if unknown. */
export function sol(value: number | undefined, locale: Locale = displayLocale()): string {
  return coins(value, 'negative', locale);
}

/** A difference in SOL: "+0.05 SOL", "−1.2 SOL"; "–" if unknown. */
export function signedSol(value: number | undefined, locale: Locale = displayLocale()): string {
  return coins(value, 'always', locale);
}

/** SOL to the lamport, never shortened: "12,345.6789 SOL"; for tooltips and tables. */
export function solToTheLamport(value: number | undefined, locale: Locale = displayLocale()): string {
  return isKnown(value) ? l10n.t`${written(value, { maximumFractionDigits: SOL_DECIMALS }, 'negative', locale)} SOL` : UNKNOWN;
}

/** Lamports as SOL with all digits: 1500000001n is "1.500000001 SOL". */
export function lamportsAsSol(lamports: bigint, locale: Locale = displayLocale()): string {
  return l10n.t`${exactAmount(lamports, SOL_DECIMALS, locale)} SOL`;
}

function dollars(value: number | undefined, sign: Sign, locale: Locale, centsBelow = COMPACT_FROM): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  const size = Math.abs(value);
  if (size >= COMPACT_FROM) {
    return compact(value, COMPACT_USD, sign, locale);
  }
  if (size > 0 && size < 0.01) {
    return nearZero(value, 0.01, USD, sign, locale);
  }
  return written(value, size < centsBelow ? USD : WHOLE_USD, sign, locale);
}

function coins(value: number | undefined, sign: Sign, locale: Locale): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  const size = Math.abs(value);
  const least = 10 ** -SOL_PLACES;
  if (size >= COMPACT_FROM) {
    return l10n.t`${compact(value, PLAIN_COMPACT, sign, locale)} SOL`;
  }
  const text = size > 0 && size < least ? nearZero(value, least, SOL, sign, locale) : written(value, SOL, sign, locale);
  return l10n.t`${text} SOL`;
}
