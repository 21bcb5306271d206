import { FEE_PRECISION, feeNumerators, type FeeNumerators } from '../../../base/dlmm/fees';
import { BASIS_POINTS } from '../../../base/basisPoints';
import type { BinPoolSpec } from '../catalog';

/** So many rates are kept; a pool that moves in and out of calm comes to a few hundred. */
const MOST_KEPT = 4_096;

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
      if (this.#kept.size >= MOST_KEPT) {
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
