import * as l10n from '@vscode/l10n';
import { filled } from './filled';
import { displayLocale, type Locale } from './locale';
import { shortPercent } from './percent';

/** The bins of a range and the active bin, as far as they are known. Bounds belong to the range. */
export interface RangeBins {
  readonly lowerBinId?: number | undefined;
  readonly upperBinId?: number | undefined;
  readonly activeBinId?: number | undefined;
  readonly binStepBps?: number | undefined;
}

/** How far the active bin is from the range; `undefined` if it is inside, or not known. */
export function binsOutside({
  lowerBinId: lower,
  upperBinId: upper,
  activeBinId: active,
}: RangeBins): { readonly bins: number; readonly isAbove: boolean } | undefined {
  if (lower === undefined || upper === undefined || active === undefined || (lower <= active && active <= upper)) {
    return undefined;
  }
  return active > upper ? { bins: active - upper, isAbove: true } : { bins: lower - active, isAbove: false };
}

/** Price distance of `bins` bins relative to the lower of the two prices, in percent: (1 + step)^bins − 1. */
export function priceDistance(bins: number, binStepBps: number): number {
  return 100 * Math.expm1(bins * Math.log1p(binStepBps / 10_000));
}

/** Where the price is from the range, and how far: "▲ 3.0%". `undefined` if it is inside, or not known. */
export function outsideMark(range: RangeBins, locale: Locale = displayLocale()): string | undefined {
  const outside = binsOutside(range);
  return outside === undefined || range.binStepBps === undefined
    ? undefined
    : `${outside.isAbove ? '▲' : '▼'} ${shortPercent(priceDistance(outside.bins, range.binStepBps), locale)}`;
}

/** The same, and for a price inside how far the nearer bound is: "12% to bound". `undefined` if not known. */
export function rangeMark(range: RangeBins, locale: Locale = displayLocale()): string | undefined {
  const { lowerBinId: lower, upperBinId: upper, activeBinId: active, binStepBps } = range;
  if (lower === undefined || upper === undefined || active === undefined || binStepBps === undefined || active < lower || active > upper) {
    return outsideMark(range, locale);
  }
  const nearer = Math.min(active - lower, upper - active);
  return filled(l10n.t('{0} to bound'), shortPercent(priceDistance(nearer, binStepBps), locale));
}
