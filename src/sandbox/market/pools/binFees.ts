import { BASIS_POINTS, WHOLE_BPS } from '../../../base/basisPoints';
import { FEE_PRECISION, feeNumerators, type FeeNumerators } from '../../../base/dlmm/fees';
import type { BinPoolSpec } from '../catalog';
import { secondsOf } from '../units';

/** Most cached rates; a pool usually needs a few hundred. */
const MAX_CACHED = 4_096;

/** The fees of one bin pool, by its volatility. */
export class BinFees {
  /** Highest possible rate, over 1e9. */
  readonly highest: bigint;
  readonly maxVolatility: number;
  readonly #protocolShareBps: bigint;
  /** Cache of rates by accumulator; a long trade needs one in every bin. */
  readonly #kept = new Map<number, bigint>();

  readonly #spec: BinPoolSpec;

  constructor(spec: BinPoolSpec) {
    this.#spec = spec;

    this.maxVolatility = spec.maxVolatility;
    this.#protocolShareBps = BigInt(spec.protocolShareBps);
    this.highest = this.ratesAt(spec.maxVolatility).total;
  }

  ratesAt(volatilityAccumulator: number): FeeNumerators {
    const { binStepBps, baseFactor, power, variableFeeControl } = this.#spec;
    return feeNumerators({ binStepBps, baseFactor, power, variableFeeControl, volatilityAccumulator });
  }

  /** Total fee rate, over 1e9. */
  rateAt(volatilityAccumulator: number): bigint {
    let rate = this.#kept.get(volatilityAccumulator);
    if (rate === undefined) {
      rate = this.ratesAt(volatilityAccumulator).total;
      if (this.#kept.size >= MAX_CACHED) {
        this.#kept.clear();
      }
      this.#kept.set(volatilityAccumulator, rate);
    }
    return rate;
  }

  /** The protocol's share of a fee, rounded down. */
  protocolPart(fee: bigint): bigint {
    return (fee * this.#protocolShareBps) / BASIS_POINTS;
  }
}

/** Composition fee of a deposit that in effect swaps `swapped` into the other token, rounded down (`compute_composition_fee`). */
export function compositionFee(swapped: bigint, rate: bigint): bigint {
  return (swapped * rate * (FEE_PRECISION + rate)) / (FEE_PRECISION * FEE_PRECISION);
}

/**
 * Recent price movement of a bin pool, as in its account (v_parameters); the variable fee grows with it. Sources: docs.meteora.ag,
 * DLMM fee calculation; commons/src/extensions/lb_pair.rs.
 */
export interface Volatility {
  /** In ten thousandths of a bin. */
  readonly accumulator: number;
  /** Decayed accumulator of earlier trades. */
  readonly reference: number;
  /** Active bin at the start of the present run of trades. */
  readonly referenceBin: number;
  /** Time of the last trade that moved the active bin, seconds since 1970. */
  readonly movedAt: number;
}

/** The program's presets (`filter_period`, `decay_period`, `reduction_factor`): seconds, seconds, basis points. */
export const BIN_FEE_PERIODS = { filterPeriod: 30, decayPeriod: 600, reductionFactor: 5_000 } as const;
/** Increase of the accumulator per bin. */
const PER_BIN = 10_000;

/** Volatility of a pool without trades. */
export function calmAt(activeBinId: number): Volatility {
  return { accumulator: 0, reference: 0, referenceBin: activeBinId, movedAt: 0 };
}

/** Volatility at the start of a trade or deposit: within the filter period the reference stays, afterwards it is renewed. */
export function referredTo(volatility: Volatility, activeBinId: number, seconds: number): Volatility {
  const elapsed = seconds - volatility.movedAt;
  if (elapsed < BIN_FEE_PERIODS.filterPeriod) {
    return volatility;
  }
  const { accumulator, movedAt } = volatility;
  const reference = elapsed < BIN_FEE_PERIODS.decayPeriod ? Math.floor((accumulator * BIN_FEE_PERIODS.reductionFactor) / WHOLE_BPS) : 0;
  return { accumulator, reference, referenceBin: activeBinId, movedAt };
}

/** Accumulator of a trade in a bin. */
export function accumulatorIn(volatility: Volatility, binId: number, highest: number): number {
  return Math.min(volatility.reference + Math.abs(volatility.referenceBin - binId) * PER_BIN, highest);
}

/** Volatility that determines the fee in the active bin. @param now milliseconds since 1970 */
export function feeVolatility(volatility: Volatility, activeBinId: number, now: number, highest: number): Volatility {
  const referred = referredTo(volatility, activeBinId, secondsOf(now));
  return { ...referred, accumulator: accumulatorIn(referred, activeBinId, highest) };
}
