import type { PositionView } from '../../src/protocol/position';
import type { CurrencyView } from '../../src/protocol/schemas';

/** What a position's PnL is made of. `rest`: what these parts do not explain. */
export type SumPart = 'value' | 'uncollectedFee' | 'collectedFee' | 'output' | 'collectedReward' | 'input' | 'rest';

/** A line of the sum. */
export interface SumLine {
  readonly part: SumPart;
  /** Whether it is added or taken off. */
  readonly sign: 1 | -1;
  /** `undefined`: not known. The rest may be negative; the others are as the service gives them. */
  readonly amount: number | undefined;
}

/** How a PnL comes about. */
export interface PnlSum {
  readonly lines: readonly SumLine[];
  readonly pnl: number | undefined;
  /** All parts are known, so that the lines add up to the PnL. */
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

/** What is smaller than this share of the largest part, or than the least unit that is shown, is rounding. */
const ROUNDING_SHARE = 1e-4;
const LEAST_SHOWN = { usd: 0.01, native: 0.0001 } as const;

/**
 * PnL = value + uncollected fees + collected fees + taken out − put in, as the service reckons it. Rewards are counted where they, and only
 * they, make up for a difference. What is left is a line of its own, so that the lines always add up to the PnL that the service gives.
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
