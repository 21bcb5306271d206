import type { Money } from '../api/records/money';
import type { OpenPosition } from '../api/records/position';
import { isPlausibleAmount } from './plausibleAmount';
import type { LeftOut, PortfolioTotals } from './types';

type Currency = keyof Money;

/**
 * Sums over open positions. What a position does not report, or reports beyond what can be real, is left out of that sum, never taken as zero,
 * and counted in `leftOut`. Percentages are Σ PnL over Σ input of the positions that report both: the mean of the positions' own
 * percentages would give a dollar position the weight of a thousand-dollar one.
 */
export function totalsOf(positions: readonly OpenPosition[]): PortfolioTotals {
  const value = inBoth((currency) => sum(positions.map((position) => position.value[currency]), currency));
  const pnl = inBoth((currency) => sum(positions.map((position) => position.pnl[currency]), currency));
  const pnlPercent = inBoth((currency) => percentOfInput(positions, currency));
  const uncollectedFee = inBoth((currency) => sum(positions.map((position) => position.uncollectedFee[currency]), currency));
  return {
    count: positions.length,
    outOfRange: positions.filter((position) => position.inRange === false).length,
    valueUsd: value.usd.total,
    valueNative: value.native.total,
    pnlUsd: pnl.usd.total,
    pnlNative: pnl.native.total,
    pnlPercent: pnlPercent.usd.total,
    pnlPercentNative: pnlPercent.native.total,
    uncollectedFeeUsd: uncollectedFee.usd.total,
    uncollectedFeeNative: uncollectedFee.native.total,
    leftOut: { value: leftOutOf(value), pnl: leftOutOf(pnl), pnlPercent: leftOutOf(pnlPercent), uncollectedFee: leftOutOf(uncollectedFee) },
  };
}

/** A sum, and what is not in it. */
interface Sum {
  /** Finite; `undefined` where nothing is known. */
  readonly total: number | undefined;
  readonly leftOut: LeftOut;
}

function inBoth(sumIn: (currency: Currency) => Sum): Readonly<Record<Currency, Sum>> {
  return { usd: sumIn('usd'), native: sumIn('native') };
}

function leftOutOf({ usd, native }: Readonly<Record<Currency, Sum>>): Readonly<Record<Currency, LeftOut>> {
  return { usd: usd.leftOut, native: native.leftOut };
}

/** The sum of what is known and can be real. For display only: amounts that are signed for are never summed so. */
function sum(figures: readonly (number | undefined)[], currency: Currency): Sum {
  const reported = figures.filter((figure) => figure !== undefined);
  const counted = reported.filter((figure) => isPlausibleAmount(figure, currency));
  return {
    total: counted.length === 0 ? undefined : counted.reduce((total, figure) => total + figure, 0),
    leftOut: { notReported: figures.length - reported.length, implausible: reported.length - counted.length },
  };
}

function percentOfInput(positions: readonly OpenPosition[], currency: Currency): Sum {
  const reported = positions.flatMap(({ pnl: { [currency]: pnl }, input: { [currency]: input } }) => (pnl === undefined || input === undefined ? [] : [{ pnl, input }]));
  const counted = reported.filter(({ pnl, input }) => isPlausibleAmount(pnl, currency) && isPlausibleAmount(input, currency));
  const [pnl, input] = [sum(counted.map((one) => one.pnl), currency).total, sum(counted.map((one) => one.input), currency).total];
  const percent = pnl === undefined || input === undefined || input <= 0 ? undefined : (100 * pnl) / input;
  return {
    // Of next to nothing, a percentage may be beyond all numbers.
    total: percent !== undefined && Number.isFinite(percent) ? percent : undefined,
    leftOut: { notReported: positions.length - reported.length, implausible: reported.length - counted.length },
  };
}
