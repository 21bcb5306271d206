import * as l10n from '@vscode/l10n';
import type { Earned, PeriodView } from '../../src/protocol/overview';
import type { CurrencyView } from '../../src/protocol/schemas';
import type { FigureTexts } from '../shared/figures';

/** A chart's points: times ascending, milliseconds since 1970; `undefined` where a day is not known. */
export interface EarnedPoints {
  readonly times: readonly number[];
  readonly daily: readonly (number | undefined)[];
  readonly cumulative: readonly (number | undefined)[];
}

/** What each day earned as points of two charts. Days without a row have none: nothing was closed on them. */
export function earnedPoints(earned: readonly Earned[], currency: CurrencyView): EarnedPoints {
  return {
    times: earned.map(({ dayMs }) => localDay(dayMs)),
    daily: earned.map(({ pnl }) => pnl[currency]),
    cumulative: earned.map(({ cumulativePnl }) => cumulativePnl[currency]),
  };
}

/** Says of how many days both charts leave the figure out; `undefined`: of none. */
export function earnedLeftOut(earned: readonly Earned[], currency: CurrencyView, text: Pick<FigureTexts, 'counted'>): string | undefined {
  const count = earned.filter(({ implausible }) => implausible?.[currency] === true).length;
  return count === 0 ? undefined : l10n.t`Left out, because the figure is too large to be real: ${text.counted(count, 'day')}.`;
}

/**
 * The cumulative PnL over the whole of its period: from nothing on the day before, and as it stood last until now. Nothing was earned on the days between
 * points. Where the first sum is not what the first day earned (it is not known, or begins earlier), it begins with that day.
 * @param untilMs when this was so, milliseconds since 1970
 */
export function runOf(
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

/** Whether two sums of money are the same but for rounding. */
function isSame(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one));
}

/** The days of the periods that are counted in days; the service may count its month and its week from a day earlier or later. */
const DAYS_OF: Readonly<Partial<Record<PeriodView, number>>> = { '7D': 7, '1M': 30, '3M': 90, '1Y': 365 };

/** The day before a period; `undefined` of the one that begins with what is in it. */
function dayBefore(period: PeriodView, untilMs: number): number | undefined {
  const days = DAYS_OF[period];
  return days !== undefined
    ? daysBefore(untilMs, days)
    : period === 'YTD'
      ? new Date(new Date(untilMs).getFullYear(), 0, 0).getTime()
      : undefined;
}

/** The beginning of the day so many days earlier, here. */
function daysBefore(atMs: number, days: number): number {
  const date = new Date(atMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

/** The beginning of the same calendar day here: the service's days begin at midnight UTC, which is the day before in the west. */
export function localDay(dayMs: number): number {
  const utc = new Date(dayMs);
  return new Date(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate()).getTime();
}

/** The cumulative chart in words: where it ended, and its extremes. */
export function cumulativeText({ times, cumulative }: EarnedPoints, currency: CurrencyView, text: FigureTexts): string {
  const known = times.flatMap((at, index) => {
    const value = cumulative[index];
    return value === undefined ? [] : [{ at, value }];
  });
  const last = known.at(-1);
  if (last === undefined) {
    return l10n.t('The PnL of these days is not known.');
  }
  const most = known.reduce((best, point) => (point.value > best.value ? point : best), last);
  const least = known.reduce((worst, point) => (point.value < worst.value ? point : worst), last);
  const money = (value: number) => text.signedMoney({ [currency]: value }, currency);
  return [
    l10n.t`${money(last.value)} by ${text.day(last.at)}.`,
    most.at === last.at ? l10n.t('That is the highest it stood.') : l10n.t`Highest ${money(most.value)} on ${text.day(most.at)}.`,
    ...(known.length < 2
      ? []
      : [least.at === last.at ? l10n.t('That is the lowest it stood.') : l10n.t`Lowest ${money(least.value)} on ${text.day(least.at)}.`]),
  ].join(' ');
}

/** The chart of days in words: how many gained and lost, and the best and the worst. */
export function dailyText({ times, daily }: EarnedPoints, currency: CurrencyView, text: FigureTexts): string {
  const known = times.flatMap((at, index) => {
    const value = daily[index];
    return value === undefined ? [] : [{ at, value }];
  });
  const [first] = known;
  if (first === undefined) {
    return l10n.t('The PnL of these days is not known.');
  }
  const best = known.reduce((most, point) => (point.value > most.value ? point : most), first);
  const worst = known.reduce((least, point) => (point.value < least.value ? point : least), first);
  const money = (value: number) => text.signedMoney({ [currency]: value }, currency);
  const gains = known.filter(({ value }) => value > 0).length;
  const losses = known.filter(({ value }) => value < 0).length;
  return l10n.t`${text.counted(gains, 'day')} with a gain, ${text.count(losses)} with a loss. Best ${money(best.value)} on ${text.day(best.at)}, worst ${money(worst.value)} on ${text.day(worst.at)}.`;
}
