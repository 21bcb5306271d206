import { BASIS_POINTS, WHOLE_BPS } from '../../../base/basisPoints';
import { FEE_PRECISION, feeNumerators, type FeeNumerators } from '../../../base/dlmm/fees';
import type { BinPoolSpec } from '../catalog';
import { secondsOf } from '../units';

/** So many rates are kept; a pool that moves in and out of calm comes to a few hundred. */
const MAX_CACHED = 4_096;

/** The fees of one bin pool, by its volatility. */
export class BinFees {
  /** The highest rate that this pool can get to, over 1e9. */
  readonly highest: bigint;
  readonly maxVolatility: number;
  readonly #protocolShareBps: bigint;
  /** Rates by accumulator: a pure function's values, kept because a long trade asks for one in every bin. */
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

  /** The whole rate, over 1e9. */
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

  /** What the protocol keeps of a fee, rounded down. */
  protocolPart(fee: bigint): bigint {
    return (fee * this.#protocolShareBps) / BASIS_POINTS;
  }
}

/** The fee of a deposit that in effect swaps `swapped` into the other token, rounded down (`compute_composition_fee`). */
export function compositionFee(swapped: bigint, rate: bigint): bigint {
  return (swapped * rate * (FEE_PRECISION + rate)) / (FEE_PRECISION * FEE_PRECISION);
}

/**
 * How much a bin pool's price has moved of late, as its account has it (v_parameters): what the variable part of the fee
 * grows with. Sources: docs.meteora.ag, DLMM fee calculation; commons/src/extensions/lb_pair.rs.
 */
export interface Volatility {
  /** In ten thousandths of a bin. */
  readonly accumulator: number;
  /** What is left of the accumulator of earlier trades. */
  readonly reference: number;
  /** Where the active bin was when the present run of trades began. */
  readonly referenceBin: number;
  /** When a trade last moved the active bin, whole seconds since 1970: trades within one bin do not count. */
  readonly movedAt: number;
}

/** Presets of the program for established pools (`filter_period`, `decay_period`, `reduction_factor`): seconds, seconds, basis points. */
export const BIN_FEE_PERIODS = { filterPeriod: 30, decayPeriod: 600, reductionFactor: 5_000 } as const;
/** What one bin counts for. */
const PER_BIN = 10_000;

/** A pool that nobody has traded in. */
export function calmAt(activeBinId: number): Volatility {
  return { accumulator: 0, reference: 0, referenceBin: activeBinId, movedAt: 0 };
}

/** What a trade or deposit begins with: trades that follow each other fast keep their reference, later ones get a new one. */
export function referredTo(volatility: Volatility, activeBinId: number, seconds: number): Volatility {
  const elapsed = seconds - volatility.movedAt;
  if (elapsed < BIN_FEE_PERIODS.filterPeriod) {
    return volatility;
  }
  const { accumulator, movedAt } = volatility;
  const reference = elapsed < BIN_FEE_PERIODS.decayPeriod ? Math.floor((accumulator * BIN_FEE_PERIODS.reductionFactor) / WHOLE_BPS) : 0;
  return { accumulator, reference, referenceBin: activeBinId, movedAt };
}

/** The accumulator of a trade in that bin. */
export function accumulatorIn(volatility: Volatility, binId: number, highest: number): number {
  return Math.min(volatility.reference + Math.abs(volatility.referenceBin - binId) * PER_BIN, highest);
}

/** What a deposit into the active bin, or a trade that stays there, is charged for at that time (milliseconds since 1970). */
export function feeVolatility(volatility: Volatility, activeBinId: number, now: number, highest: number): Volatility {
  const referred = referredTo(volatility, activeBinId, secondsOf(now));
  return { ...referred, accumulator: accumulatorIn(referred, activeBinId, highest) };
}
