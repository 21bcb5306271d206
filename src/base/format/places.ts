import type { Locale } from './locale';
import { counted, DEFAULT_LOCALE, isKnown, UNKNOWN, written } from './numbers';

/** Characters of an address that are kept at either end. */
const ENDS = 4;

/** The ends of an address or signature: "7xKX…9fQ2"; "–" where not known. For showing only: two addresses may look alike. */
export function shortAddress(of: string | undefined): string {
  if (of === undefined || of === '') {
    return UNKNOWN;
  }
  return of.length <= 2 * ENDS + 1 ? of : `${of.slice(0, ENDS)}…${of.slice(-ENDS)}`;
}

/** A bin's number, with a real minus sign: "−386"; "–" where not known. */
export function binId(value: number | undefined, locale: Locale = DEFAULT_LOCALE): string {
  return isKnown(value) ? written(value, { useGrouping: false }, 'negative', locale) : UNKNOWN;
}

/** A range of bins and how many they are: "−386 … −376 (11 bins)"; "–" where an end is not known. */
export function binRange(fromBinId: number | undefined, toBinId: number | undefined, locale: Locale = DEFAULT_LOCALE): string {
  if (!isKnown(fromBinId) || !isKnown(toBinId)) {
    return UNKNOWN;
  }
  return `${binId(fromBinId, locale)} … ${binId(toBinId, locale)} (${counted(toBinId - fromBinId + 1, 'bin', locale)})`;
}
