import type { Money } from '../api/records/money';
import type { OpenPosition } from '../api/records/position';
import type { PortfolioTotals } from './types';

type Currency = keyof Money;

/**
 * Sums over open positions. What a position does not report is left out of that sum, never taken as zero, and counted in
 * `unpriced`. Percentages are Σ PnL over Σ input of the positions that report both: the mean of the positions' own
 * percentages would give a dollar position the weight of a thousand-dollar one.
 */
export function totalsOf(positions: readonly OpenPosition[]): PortfolioTotals {
  return {
    count: positions.length,
    outOfRange: positions.filter((position) => position.inRange === false).length,
    valueUsd: sum(positions.map((position) => position.value.usd)),
    valueNative: sum(positions.map((position) => position.value.native)),
    pnlUsd: sum(positions.map((position) => position.pnl.usd)),
    pnlNative: sum(positions.map((position) => position.pnl.native)),
    pnlPercent: percentOfInput(positions, 'usd'),
    pnlPercentNative: percentOfInput(positions, 'native'),
    uncollectedFeeUsd: sum(positions.map((position) => position.uncollectedFee.usd)),
    uncollectedFeeNative: sum(positions.map((position) => position.uncollectedFee.native)),
    unpriced: positions.filter((position) => position.value.usd === undefined || position.pnl.usd === undefined).length,
  };
}

/** The sum of what is known; `undefined` where nothing is. For display only: amounts that are signed for are never summed so. */
function sum(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, figure) => total + figure, 0);
}

function percentOfInput(positions: readonly OpenPosition[], currency: Currency): number | undefined {
  const complete = positions.filter(({ pnl, input }) => pnl[currency] !== undefined && input[currency] !== undefined);
  const pnl = sum(complete.map((position) => position.pnl[currency]));
  const input = sum(complete.map((position) => position.input[currency]));
  return pnl === undefined || input === undefined || input <= 0 ? undefined : (100 * pnl) / input;
}
