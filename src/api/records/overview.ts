import type { Address } from '../../solana/address';
import type { Money } from './money';

/** The spans of an overview (spec §2.2). */
export type Period = 'ALL' | '7D' | '1M' | '3M' | '1Y' | 'YTD';

/** A figure for each period; `undefined` where the service gives none. */
export type PerPeriod<Figure> = Readonly<Record<Period, Figure>>;

/** How an owner has done over all (spec §2.2). Rates (`winRate`, `roi`, `feeRate`) are fractions; `monthlyProfitPercent` is percent. */
export interface Overview {
  readonly owner: Address | undefined;
  readonly chain: string | undefined;
  readonly protocol: string | undefined;
  readonly totalInflow: Money;
  readonly totalOutflow: Money;
  readonly totalReward: Money;
  readonly averageInflow: PerPeriod<Money>;
  readonly totalFee: PerPeriod<Money>;
  readonly totalPnl: PerPeriod<Money>;
  readonly winRate: PerPeriod<Money>;
  readonly expectedValue: PerPeriod<Money>;
  readonly closedPositions: PerPeriod<number | undefined>;
  readonly averageAgeHours: number | undefined;
  readonly feeRate: Money;
  readonly apr: number | undefined;
  readonly roi: number | undefined;
  readonly roiOnAverageInflow: Money;
  readonly totalPositions: number | undefined;
  readonly wonPositions: Money;
  readonly openPositions: number | undefined;
  readonly totalPools: number | undefined;
  readonly firstActivity: Date | undefined;
  readonly lastActivity: Date | undefined;
  readonly updatedAt: Date | undefined;
  readonly averagePositionProfit: Money;
  readonly monthlyProfitPercent: Money;
  readonly monthlyPnl: Money;
  readonly monthlyInflow: Money;
}
