import type { Address } from '../../solana/address';
import type { Money, PoolType, Strategy, Token } from './money';

/** What an open or closed position has in common (spec §2.1). Absent fields are `undefined`. */
export interface PositionBase {
  /** Stable identity for lists: the position's address, else the service's id, else its place in the list. */
  readonly key: string;
  /** The position account (`position`, else `tokenId`). */
  readonly address: Address | undefined;
  readonly owner: Address | undefined;
  readonly pool: Address | undefined;
  /** "BONK/SOL"; made from the symbols where the service's label names only one of them. */
  readonly pairName: string;
  readonly token0: Token;
  readonly token1: Token;
  /** As the service writes it: "meteora", "meteora_damm_v2", … */
  readonly protocol: string | undefined;
  readonly poolType: PoolType;
  /** How liquidity is spread over bins; `undefined` where there are none (DAMM v2). */
  readonly strategy: Strategy | undefined;
  /** The service's `tickLower` and `tickUpper`: bin ids, both included; `undefined` in DAMM v2 pools, which cover all prices. */
  readonly lowerBinId: number | undefined;
  readonly upperBinId: number | undefined;
  /** Basis points between two bins (`poolInfo.tickSpacing`). */
  readonly binStepBps: number | undefined;
  /** What was put in, taken out and collected so far. */
  readonly input: Money;
  readonly output: Money;
  readonly collectedFee: Money;
  readonly collectedReward: Money;
  readonly pnl: Money;
  /** Percent: 5 is five per cent. */
  readonly pnlPercent: Money;
  /** Fraction a day: 0.05 is five per cent a day. */
  readonly dailyReturn: Money;
  /** Hours (from `ageHour`, else `age` in days, else `createdAt`). */
  readonly ageHours: number | undefined;
  readonly createdAt: Date | undefined;
  readonly updatedAt: Date | undefined;
}

/** An open position (spec §2.1, opening). */
export interface OpenPosition extends PositionBase {
  /** What decrease-tx takes as `position_id`: the service's id, else the address. */
  readonly id: string | undefined;
  /** False: the price has left the range and no fees accrue. `undefined`: the service does not say. */
  readonly inRange: boolean | undefined;
  readonly activeBinId: number | undefined;
  /** US dollars for one token0: lower end, upper end, and now; `undefined` in DAMM v2 pools. */
  readonly priceRangeUsd: { readonly lower: number; readonly upper: number; readonly current: number } | undefined;
  /** What the position is worth now, without fees. */
  readonly value: Money;
  readonly uncollectedFee: Money;
  /** In whole tokens. */
  readonly amount0: number | undefined;
  readonly amount1: number | undefined;
  readonly uncollectedFee0: number | undefined;
  readonly uncollectedFee1: number | undefined;
  /** US dollars for one token. */
  readonly price0Usd: number | undefined;
  readonly price1Usd: number | undefined;
  /** Percent a year, where the service gives it. */
  readonly aprPercent: number | undefined;
  readonly logs: readonly PositionLog[];
}

/** A closed position (spec §2.1, historical). */
export interface ClosedPosition extends PositionBase {
  readonly closedAt: Date | undefined;
  readonly fee: Money;
  /** Percent. */
  readonly feePercent: Money;
  /** SOL in, out and the difference, as audited from the chain. */
  readonly audited: { readonly solIn: number | undefined; readonly solOut: number | undefined; readonly pnlNative: number | undefined };
  /** Present where the position copies another wallet. */
  readonly followed: { readonly owner: Address | undefined; readonly label: string | undefined; readonly position: Address | undefined } | undefined;
}

/** One event in the life of a position (contract: /lp-positions/logs). */
export interface PositionLog {
  readonly action: string;
  readonly owner: Address | undefined;
  /** Raw amounts. */
  readonly amount0: bigint | undefined;
  readonly amount1: bigint | undefined;
  readonly decimals0: number | undefined;
  readonly decimals1: number | undefined;
  readonly price0Usd: number | undefined;
  readonly price1Usd: number | undefined;
  readonly nativePriceUsd: number | undefined;
  readonly at: Date | undefined;
  readonly lowerBinId: number | undefined;
  readonly upperBinId: number | undefined;
  readonly bps: number | undefined;
}
