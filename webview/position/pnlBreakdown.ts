import type { PositionView } from '../../src/protocol/position';
import type { CurrencyView } from '../../src/protocol/schemas';

/** A component of a position's PnL. `rest` is the difference that the other components do not explain. */
export type SumPart = 'value' | 'uncollectedFee' | 'collectedFee' | 'output' | 'collectedReward' | 'input' | 'rest';

export interface SumLine {
  readonly part: SumPart;
  readonly sign: 1 | -1;
  /** `undefined`: not known. Only `rest` may be negative; the others are as the service reports them. */
  readonly amount: number | undefined;
}

export interface PnlSum {
  readonly lines: readonly SumLine[];
  readonly pnl: number | undefined;
  /** All parts are known, so the lines add up to the PnL. */
  readonly isComplete: boolean;
}

type SumFigures = Pick<PositionView, 'value' | 'uncollectedFee' | 'collectedFee' | 'collectedReward' | 'output' | 'input' | 'pnl'>;

const PARTS = [
  ['value', 1],
  ['uncollectedFee', 1],
  ['collectedFee', 1],
  ['output', 1],
  ['input', -1],
] as const;

/** A difference below this share of the largest part, or below the smallest unit shown, is rounding. */
const ROUNDING_SHARE = 1e-4;
const LEAST_SHOWN = { usd: 0.01, native: 0.0001 } as const;

/**
 * Breaks the service's PnL down: value + unclaimed fees + claimed fees + withdrawn − deposited. Claimed rewards become a line only if they
 * alone explain a remaining difference; any other difference becomes the line `rest`. So complete lines always add up to the service's PnL.
 */
export function pnlSum(position: SumFigures, currency: CurrencyView): PnlSum {
  const pnl = position.pnl[currency];
  const lines: SumLine[] = PARTS.map(([part, sign]) => ({ part, sign, amount: position[part][currency] }));
  const amounts = lines
    .map(({ sign, amount }) => (amount === undefined ? undefined : sign * amount))
    .filter((amount) => amount !== undefined);
  if (pnl === undefined || amounts.length < lines.length) {
    return { lines, pnl, isComplete: false };
  }
  const rounding = Math.max(LEAST_SHOWN[currency], ROUNDING_SHARE * Math.max(...amounts.map(Math.abs), Math.abs(pnl)));
  const rest = pnl - amounts.reduce((sum, amount) => sum + amount, 0);
  if (Math.abs(rest) <= rounding) {
    return { lines, pnl, isComplete: true };
  }
  const reward = position.collectedReward[currency];
  const last: SumLine =
    reward !== undefined && Math.abs(rest - reward) <= rounding
      ? { part: 'collectedReward', sign: 1, amount: reward }
      : { part: 'rest', sign: 1, amount: rest };
  return {
    lines: [
      ...lines.slice(0, -1),
      ...(last.part === 'collectedReward' ? [last] : []),
      ...lines.slice(-1),
      ...(last.part === 'rest' ? [last] : []),
    ],
    pnl,
    isComplete: true,
  };
}
