import * as l10n from '@vscode/l10n';
import { type Locale, displayLocale } from './locale';
import { counted } from './counted';
import { isKnown, UNKNOWN, written } from './numbers';

/** Characters of an address that are kept at either end. */
const ENDS = 4;

/** The ends of an address or signature: "7xKX…9fQ2"; "–" if unknown. For display only: two addresses can have the same ends. */
export function shortAddress(of: string | undefined): string {
  if (of === undefined || of === '') {
    return UNKNOWN;
  }
  return of.length <= 2 * ENDS + 1 ? of : `${of.slice(0, ENDS)}…${of.slice(-ENDS)}`;
}

const UNGROUPED: Intl.NumberFormatOptions = { useGrouping: false };

/** A bin id with a real minus sign: "−386"; "–" if unknown. */
export function binId(value: number | undefined, locale: Locale = displayLocale()): string {
  return isKnown(value) ? written(value, UNGROUPED, 'negative', locale) : UNKNOWN;
}

/** A range of bins with their number: "−386 to −376 (11 bins)"; "–" if a bound is unknown. */
export function binRange(fromBinId: number | undefined, toBinId: number | undefined, locale: Locale = displayLocale()): string {
  if (!isKnown(fromBinId) || !isKnown(toBinId)) {
    return UNKNOWN;
  }
  return `${l10n.t`${binId(fromBinId, locale)} to ${binId(toBinId, locale)}`} (${counted(toBinId - fromBinId + 1, 'bin', locale)})`;
}
