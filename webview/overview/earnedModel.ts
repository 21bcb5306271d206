import * as l10n from '@vscode/l10n';
import type { Earned, PeriodView } from '../../src/protocol/overview';
import type { CurrencyView } from '../../src/protocol/schemas';
import type { FigureTexts } from '../shared/figures';

/** Points of the PnL charts. Times ascend, in milliseconds since 1970; `undefined` where a day's figure is not known. */
export interface EarnedPoints {
  readonly times: readonly number[];
  readonly daily: readonly (number | undefined)[];
  readonly cumulative: readonly (number | undefined)[];
}

/** Daily PnL as points of two charts. Days without a row have no point: nothing was closed on them. */
export function earnedPoints(earned: readonly Earned[], currency: CurrencyView): EarnedPoints {
  return {
    times: earned.map(({ dayMs }) => localDay(dayMs)),
    daily: earned.map(({ pnl }) => pnl[currency]),
    cumulative: earned.map(({ cumulativePnl }) => cumulativePnl[currency]),
  };
}

/** The note about days whose figure both charts leave out; `undefined` if there are none. */
export function earnedLeftOut(earned: readonly Earned[], currency: CurrencyView, text: Pick<FigureTexts, 'counted'>): string | undefined {
  const count = earned.filter(({ implausible }) => implausible?.[currency] === true).length;
  return count === 0 ? undefined : l10n.t`Left out, as too large to be real: ${text.counted(count, 'day')}.`;
}

/**
 * Extends the cumulative PnL over its whole period: from zero on the day before it, and constant from the last point until today. Nothing was
 * earned between points. If the first sum differs from the first day's PnL (unknown, or started earlier), it starts with that day.
 * @param untilMs when the figures were read, milliseconds since 1970
 */
export function extendedToPeriod(
  { times, daily, cumulative }: EarnedPoints,
  period: PeriodView,
  untilMs: number,
): Pick<EarnedPoints, 'times' | 'cumulative'> {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) {
    return { times, cumulative };
  }
  const today = daysBefore(untilMs, 0);
  const begins = isSame(cumulative[0], daily[0]) ? [Math.min(dayBefore(period, untilMs) ?? Infinity, daysBefore(first, 1))] : [];
  const ends = today > last ? [today] : [];
  return {
    times: [...begins, ...times, ...ends],
    cumulative: [...begins.map(() => 0), ...cumulative, ...ends.map(() => cumulative.at(-1))],
  };
}

/** Compares two sums of money, ignoring rounding. */
function isSame(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one));
}

/** Lengths of periods in days; the service may start its month or week a day earlier or later. */
const DAYS_OF: Readonly<Partial<Record<PeriodView, number>>> = { '7D': 7, '1M': 30, '3M': 90, '1Y': 365 };

/** The day before a period; `undefined` for all time, which starts with its first point. */
function dayBefore(period: PeriodView, untilMs: number): number | undefined {
  const days = DAYS_OF[period];
  return days !== undefined
    ? daysBefore(untilMs, days)
    : period === 'YTD'
      ? new Date(new Date(untilMs).getFullYear(), 0, 0).getTime()
      : undefined;
}

/** Local midnight, this many days earlier. */
function daysBefore(atMs: number, days: number): number {
  const date = new Date(atMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

/** Local midnight of a UTC calendar day: the service's days start at midnight UTC, which is the day before in western time zones. */
export function localDay(dayMs: number): number {
  const utc = new Date(dayMs);
  return new Date(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate()).getTime();
}

/** Describes the cumulative chart: its last value and its extremes. */
export function cumulativeText({ times, cumulative }: EarnedPoints, currency: CurrencyView, text: FigureTexts): string {
  const known = times.flatMap((at, index) => {
    const value = cumulative[index];
    return value === undefined ? [] : [{ at, value }];
  });
  const last = known.at(-1);
  if (last === undefined) {
    return l10n.t('Not reported by the service.');
  }
  const most = known.reduce((best, point) => (point.value > best.value ? point : best), last);
  const least = known.reduce((worst, point) => (point.value < worst.value ? point : worst), last);
  const money = (value: number) => text.signedMoney({ [currency]: value }, currency);
  return l10n.t`${money(last.value)} by ${text.day(last.at)}. Highest: ${money(most.value)} on ${text.day(most.at)}. Lowest: ${money(least.value)} on ${text.day(least.at)}.`;
}

/** Describes the daily chart: gains, losses, best and worst day. */
export function dailyText({ times, daily }: EarnedPoints, currency: CurrencyView, text: FigureTexts): string {
  const known = times.flatMap((at, index) => {
    const value = daily[index];
    return value === undefined ? [] : [{ at, value }];
  });
  const [first] = known;
  if (first === undefined) {
    return l10n.t('Not reported by the service.');
  }
  const best = known.reduce((most, point) => (point.value > most.value ? point : most), first);
  const worst = known.reduce((least, point) => (point.value < least.value ? point : least), first);
  const money = (value: number) => text.signedMoney({ [currency]: value }, currency);
  const gains = known.filter(({ value }) => value > 0).length;
  const losses = known.filter(({ value }) => value < 0).length;
  return l10n.t`${text.counted(gains, 'day')} with a gain, ${text.count(losses)} with a loss. Best: ${money(best.value)} on ${text.day(best.at)}. Worst: ${money(worst.value)} on ${text.day(worst.at)}.`;
}
