import * as l10n from '@vscode/l10n';
import { oneLine } from '../base/text';
import type { OpenPosition } from '../service/positions';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A pair's name is foreign text. */
const LONGEST_NAME = 40;

/** "BONK/SOL", fit for a sentence. */
export function pairOf({ pairName }: Pick<OpenPosition, 'pairName'>): string {
  return oneLine(pairName, LONGEST_NAME);
}

/** US dollars: "$52.10". */
export function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/** "12.3 %", or of small figures "0.12 %". */
export function percent(value: number): string {
  const size = Math.abs(value);
  return `${value.toFixed(size >= 100 ? 0 : size >= 1 ? 1 : 2)} %`;
}

/** A time span, rounded up: "45 seconds", "3 minutes", "2 hours". */
export function span(ms: number): string {
  if (ms < 2 * MINUTE_MS) {
    return counted(Math.max(1, Math.ceil(ms / 1_000)), 'second');
  }
  return ms < 2 * HOUR_MS ? counted(Math.ceil(ms / MINUTE_MS), 'minute') : counted(Math.ceil(ms / HOUR_MS), 'hour');
}

/** "1 bin", "2 bins". */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** A share of a whole: "2 of 3". */
export function of(count: number, all: number): string {
  return l10n.t`${count} of ${all}`;
}
