import type { Money } from '../service/common';
import type { Overview, Period, PerPeriod } from '../service/overview';

type Unit = keyof Money;

/** Relative tolerance for a quotient of two reported figures, which are rounded sums, to count as a whole number of positions. */
const COUNT_TOLERANCE = 1e-6;

/**
 * The overview of several protocols together, from the overview of each. Every figure is what the service would report for all of
 * their positions, by the identities of its own example (service contract, `GET /lp-positions/overview`):
 * - sums and counts add up (a pool belongs to one protocol);
 * - `averageInflow` and `averageAgeHours` are averages over the closed positions;
 * - `winRate` and `expectedValue` are over the closed positions with a result: `totalPnl / expectedValue` of each protocol;
 * - `feeRate`, `roi` and `roiOnAverageInflow` are quotients of the figures above.
 *
 * Left `undefined`, because the protocols' figures do not determine them: `apr` (the service's formula is not known), and the
 * averages over months (the months in which both protocols closed positions are not known). A figure that one of the protocols does
 * not report is `undefined` too, unless that protocol closed nothing in the period: then it adds nothing.
 * @param parts of the same owner, one for each protocol; at least one. A single one is given back as it is.
 */
export function combineOverviews(parts: readonly [Overview, ...Overview[]]): Overview {
  const [first, ...others] = parts;
  if (others.length === 0) {
    return first;
  }
  const counted = parts.filter((part) => part.closedPositions.ALL !== 0);
  const closedPositions = perPeriod((period) => sum(parts.map((part) => part.closedPositions[period])));
  const total = (figure: (part: Overview) => Money): Money => money((unit) => sum(counted.map((part) => figure(part)[unit])));
  const totalIn = (figure: (part: Overview) => PerPeriod<Money>): PerPeriod<Money> =>
    perPeriod((period) => money((unit) => sum(closing(parts, period).map((part) => figure(part)[period][unit]))));
  const totalInflow = total((part) => part.totalInflow);
  const totalFee = totalIn((part) => part.totalFee);
  const totalPnl = totalIn((part) => part.totalPnl);
  const averageInflow = perPeriod((period) =>
    money((unit) =>
      average(
        closing(parts, period),
        (part) => part.averageInflow[period][unit],
        (part) => part.closedPositions[period],
      ),
    ),
  );
  const results =
    (period: Period, unit: Unit) =>
    (part: Overview): number | undefined =>
      positionsWithResult(part, period, unit);
  const winRate = perPeriod((period) =>
    money((unit) => average(closing(parts, period), (part) => part.winRate[period][unit], results(period, unit))),
  );
  const expectedValue = perPeriod((period) =>
    money((unit) => average(closing(parts, period), (part) => part.expectedValue[period][unit], results(period, unit))),
  );
  return {
    owner: first.owner,
    chain: first.chain,
    protocol: undefined,
    totalInflow,
    totalOutflow: total((part) => part.totalOutflow),
    totalReward: total((part) => part.totalReward),
    averageInflow,
    totalFee,
    totalPnl,
    winRate,
    expectedValue,
    closedPositions,
    averageAgeHours: average(
      counted,
      (part) => part.averageAgeHours,
      (part) => part.closedPositions.ALL,
    ),
    feeRate: money((unit) => quotient(totalFee.ALL[unit], totalInflow[unit])),
    apr: undefined,
    roi: quotient(totalPnl.ALL.usd, totalInflow.usd),
    roiOnAverageInflow: money((unit) => quotient(expectedValue.ALL[unit], averageInflow.ALL[unit])),
    totalPositions: sum(parts.map((part) => part.totalPositions)),
    wonPositions: total((part) => part.wonPositions),
    openPositions: sum(parts.map((part) => part.openPositions)),
    totalPools: sum(parts.map((part) => part.totalPools)),
    firstActivity: extreme(
      parts.map((part) => part.firstActivity),
      Math.min,
    ),
    lastActivity: extreme(
      parts.map((part) => part.lastActivity),
      Math.max,
    ),
    // The combination is as recent as its older part.
    updatedAt: extreme(
      parts.map((part) => part.updatedAt),
      Math.min,
    ),
    averagePositionProfit: expectedValue.ALL,
    monthlyProfitPercent: money(() => undefined),
    monthlyPnl: money(() => undefined),
    monthlyInflow: money(() => undefined),
  };
}

/** The overviews that have, or may have, closed positions in a period. The others add nothing to its figures. */
function closing(parts: readonly Overview[], period: Period): readonly Overview[] {
  return parts.filter((part) => part.closedPositions[period] !== 0);
}

/**
 * How many closed positions have a result (a gain or a loss). The service does not report it, but divides by it: `expectedValue` is
 * `totalPnl` over it, and `winRate` is `wonPositions` over it. `undefined`: neither determines it.
 */
function positionsWithResult(part: Overview, period: Period, unit: Unit): number | undefined {
  const pnl = part.totalPnl[period][unit];
  const rate = part.winRate[period][unit];
  if (pnl === 0 && rate === 0) {
    // Neither gain nor loss.
    return 0;
  }
  const most = part.closedPositions[period];
  const byPnl = wholePositions(quotient(pnl, part.expectedValue[period][unit]), most);
  return byPnl ?? (period === 'ALL' ? wholePositions(quotient(part.wonPositions[unit], rate), most) : undefined);
}

function wholePositions(count: number | undefined, most: number | undefined): number | undefined {
  if (count === undefined) {
    return undefined;
  }
  const whole = Math.round(count);
  return whole > 0 && Math.abs(count - whole) <= COUNT_TOLERANCE * whole && whole <= (most ?? Infinity) ? whole : undefined;
}

/** The weighted average of averages; 0 if there is nothing to average, as in the service's own answers. */
function average(
  parts: readonly Overview[],
  figure: (part: Overview) => number | undefined,
  weight: (part: Overview) => number | undefined,
): number | undefined {
  const weighed = parts.map((part) => ({ figure: figure(part), weight: weight(part) })).filter((one) => one.weight !== 0);
  const weights = sum(weighed.map((one) => one.weight));
  const all = sum(weighed.map((one) => (one.figure === undefined || one.weight === undefined ? undefined : one.figure * one.weight)));
  return weights === 0 ? 0 : quotient(all, weights);
}

function quotient(dividend: number | undefined, divisor: number | undefined): number | undefined {
  return dividend === undefined || divisor === undefined || divisor === 0 ? undefined : dividend / divisor;
}

/** The sum; `undefined` if one of the figures is unknown. */
function sum(figures: readonly (number | undefined)[]): number | undefined {
  return figures.reduce<number | undefined>((all, figure) => (all === undefined || figure === undefined ? undefined : all + figure), 0);
}

function extreme(dates: readonly (Date | undefined)[], choose: (...times: number[]) => number): Date | undefined {
  const known = dates.flatMap((date) => (date === undefined ? [] : [date.getTime()]));
  return known.length === 0 ? undefined : new Date(choose(...known));
}

function money(figure: (unit: Unit) => number | undefined): Money {
  return { usd: figure('usd'), native: figure('native') };
}

function perPeriod<Figure>(figure: (period: Period) => Figure): PerPeriod<Figure> {
  return { ALL: figure('ALL'), '7D': figure('7D'), '1M': figure('1M'), '3M': figure('3M'), '1Y': figure('1Y'), YTD: figure('YTD') };
}
