import type { Earned } from '../../src/protocol/overview';
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

/** The beginning of the same calendar day here: the service's days begin at midnight UTC, which is the day before in the west. */
export function localDay(dayMs: number): number {
  const utc = new Date(dayMs);
  return new Date(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate()).getTime();
}

/** The cumulative chart in words: where it ended, and its extremes. */
export function cumulativeWords({ times, cumulative }: EarnedPoints, currency: CurrencyView, text: FigureTexts): string {
  const known = times.flatMap((at, index) => {
    const value = cumulative[index];
    return value === undefined ? [] : [{ at, value }];
  });
  const last = known.at(-1);
  if (last === undefined) {
    return 'The PnL of these days is not known.';
  }
  const most = known.reduce((best, point) => (point.value > best.value ? point : best), last);
  const least = known.reduce((worst, point) => (point.value < worst.value ? point : worst), last);
  const money = (value: number) => text.signedMoney({ [currency]: value }, currency);
  return [
    `${money(last.value)} by ${text.day(last.at)}.`,
    most.at === last.at ? 'That is the highest it stood.' : `Highest ${money(most.value)} on ${text.day(most.at)}.`,
    ...(known.length < 2 ? [] : [least.at === last.at ? 'That is the lowest it stood.' : `Lowest ${money(least.value)} on ${text.day(least.at)}.`]),
  ].join(' ');
}

/** The chart of days in words: how many gained and lost, and the best and the worst. */
export function dailyWords({ times, daily }: EarnedPoints, currency: CurrencyView, text: FigureTexts): string {
  const known = times.flatMap((at, index) => {
    const value = daily[index];
    return value === undefined ? [] : [{ at, value }];
  });
  const [first] = known;
  if (first === undefined) {
    return 'The PnL of these days is not known.';
  }
  const best = known.reduce((most, point) => (point.value > most.value ? point : most), first);
  const worst = known.reduce((least, point) => (point.value < least.value ? point : least), first);
  const money = (value: number) => text.signedMoney({ [currency]: value }, currency);
  const gains = known.filter(({ value }) => value > 0).length;
  const losses = known.filter(({ value }) => value < 0).length;
  return `${text.counted(gains, 'day')} with a gain, ${text.count(losses)} with a loss. Best ${money(best.value)} on ${text.day(best.at)}, worst ${money(worst.value)} on ${text.day(worst.at)}.`;
}
