import * as l10n from '@vscode/l10n';
import { count, counted } from '../base/format/numbers';
import { oneLine } from '../base/text';
import type { OpenPosition } from '../service/positions';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Longest pair name in characters: the name comes from the service. */
const LONGEST_NAME = 40;

/** "BONK/SOL", made safe for a sentence. */
export function pairOf({ pairName }: Pick<OpenPosition, 'pairName'>): string {
  return oneLine(pairName, LONGEST_NAME);
}

/** A time span, rounded up: "45 seconds", "3 minutes", "2 hours". */
export function span(ms: number): string {
  if (ms < 2 * MINUTE_MS) {
    return counted(Math.max(1, Math.ceil(ms / SECOND_MS)), 'second');
  }
  return ms < 2 * HOUR_MS ? counted(Math.ceil(ms / MINUTE_MS), 'minute') : counted(Math.ceil(ms / HOUR_MS), 'hour');
}

/** How far the price is from a range: "The price is 5 bins above its range." */
export function distanceText(side: 'above' | 'below', bins: number): string {
  if (bins === 1) {
    return side === 'above' ? l10n.t('The price is 1 bin above its range.') : l10n.t('The price is 1 bin below its range.');
  }
  return side === 'above'
    ? l10n.t`The price is ${count(bins)} bins above its range.`
    : l10n.t`The price is ${count(bins)} bins below its range.`;
}
