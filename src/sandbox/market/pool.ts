import * as z from 'zod';
import { priceOfBin, priceQ64OfBin } from '../../dlmm/bins';
import { feeNumerators, type FeeNumerators } from '../../dlmm/fees';
import type { Address } from '../../solana/address';
import type { PoolSpec, TokenSpec } from './catalog';
import { Whole } from './codecs';
import { Series } from './series';

/** A bin in which somebody's position that we keep books of has liquidity. */
export const TrackedBin = z.object({
  /** Of all tracked positions together: price × x + y in raw Y, Q64. */
  liquidity: Whole,
  /** Fees so far for one raw Y of liquidity, in raw X and raw Y, Q96. Only ever grows. */
  feeX: Whole,
  feeY: Whole,
});
export type TrackedBin = z.output<typeof TrackedBin>;

/** How much the price has moved of late, as the pool's account has it; `tradedAt` in milliseconds since 1970. */
export const Volatility = z.object({ accumulator: z.int(), reference: z.int(), referenceBin: z.int(), tradedAt: z.number() });
export type Volatility = z.output<typeof Volatility>;

/** What changes about a pool. */
export const PoolState = z.object({
  /** Where the price stands: the active bin, and as fraction how much of it has been turned into Y. */
  cursor: z.number(),
  /** Around which bin other people have put their liquidity, and how much (logarithm of a factor on the catalogue's TVL). */
  center: z.number(),
  depth: z.number(),
  volatility: Volatility,
  /** By bin id. */
  bins: z.record(z.string(), TrackedBin),
  /** Bin arrays that exist on the chain, by index. */
  binArrays: z.array(z.int()),
  series: Series,
});
export type PoolState = z.output<typeof PoolState>;

/** A bin pool of the market. */
export class Pool {
  private readonly prices = new Map<number, bigint>();

  constructor(
    readonly spec: PoolSpec,
    readonly address: Address,
    readonly tokenX: PoolToken,
    readonly tokenY: PoolToken,
    readonly createdAt: number,
    readonly state: PoolState,
  ) {}

  get activeBinId(): number {
    return Math.floor(this.state.cursor);
  }

  /** How much of the active bin is Y, 0 to 1. */
  get fillY(): number {
    return this.state.cursor - this.activeBinId;
  }

  /** Raw Y for one raw X. */
  priceOf(binId: number): number {
    return priceOfBin(binId, this.spec.binStepBps);
  }

  /** The same, exactly as the program has it, Q64. */
  priceQ64(binId: number): bigint {
    let price = this.prices.get(binId);
    if (price === undefined) {
      price = priceQ64OfBin(binId, this.spec.binStepBps);
      this.prices.set(binId, price);
    }
    return price;
  }

  /** Whole Y for one whole X. */
  uiPriceOf(binId: number): number {
    return this.priceOf(binId) * 10 ** (this.tokenX.spec.decimals - this.tokenY.spec.decimals);
  }

  /** Fee rates now, over 1e9. */
  feeRates(volatilityAccumulator: number = this.state.volatility.accumulator): FeeNumerators {
    const { binStepBps, baseFactor, power, variableFeeControl } = this.spec;
    return feeNumerators({ binStepBps, baseFactor, power, variableFeeControl, volatilityAccumulator });
  }

  /** "BONQ/SOL" */
  get pairName(): string {
    return `${this.tokenX.spec.symbol}/${this.tokenY.spec.symbol}`;
  }
}

/** A token with the mint that it has in this market. */
export interface PoolToken {
  readonly spec: TokenSpec;
  readonly mint: Address;
}

/** Whole tokens of a raw amount; for display and valuation. */
export function wholeTokens(raw: bigint, of: PoolToken): number {
  return Number(raw) / 10 ** of.spec.decimals;
}

/** Where the cursor of a pool stands in balance with a price of so many raw Y for one raw X. */
export function cursorAt(priceRaw: number, binStepBps: number): number {
  // A bin trades at one price: the middle of its span stands for it.
  return Math.log(priceRaw) / Math.log1p(binStepBps / 10_000) + 0.5;
}
