import { BINS_PER_DEFAULT_POSITION, binArraysOf, widthOf, type BinRange } from '../../../src/base/dlmm/bins';
import type { PlanFigures } from '../../../src/protocol/plan';

/** What a plan costs, lamports. */
export interface Cost {
  /** The position's own rent; comes back when it is closed. `undefined`: a pool without bins, whose rent the figures do not have. */
  readonly rentLamports: bigint | undefined;
  /** Of that, what bins above seventy add. */
  readonly widerLamports: bigint;
  readonly binArrays: MissingArrays;
  /** Of the bin arrays that are known to be missing; does not come back. */
  readonly binArrayLamports: bigint;
  /** About how many are signed. */
  readonly transactions: number;
  /** Network fees and tip, at most. */
  readonly feesLamports: bigint;
  /** All of the above that is known. */
  readonly totalLamports: bigint;
}

/** Which bin arrays of a range are not there yet. */
export interface MissingArrays {
  readonly missing: number;
  /** Of which nobody says whether they are there. */
  readonly unknown: number;
}

/**
 * What entering costs besides the amount itself.
 * @param range `undefined`: a pool without bins
 * @param swaps how many tokens have to be bought
 */
export function costOf(range: BinRange | undefined, swaps: number, figures: PlanFigures): Cost {
  const further = BigInt(range === undefined ? 0 : Math.max(widthOf(range) - BINS_PER_DEFAULT_POSITION, 0));
  const widerLamports = further * BigInt(figures.positionPerBinAbove70Lamports);
  const rentLamports = range === undefined ? undefined : BigInt(figures.positionLamports) + widerLamports;
  const binArrays = range === undefined ? { missing: 0, unknown: 0 } : missingArrays(range, figures);
  const binArrayLamports = BigInt(binArrays.missing) * BigInt(figures.binArrayLamports);
  const transactions = swaps + depositTransactions(range === undefined ? 1 : widthOf(range));
  const feesLamports = BigInt(transactions) * BigInt(figures.feePerTransactionLamports) + BigInt(figures.tipLamports);
  return {
    rentLamports,
    widerLamports,
    binArrays,
    binArrayLamports,
    transactions,
    feesLamports,
    totalLamports: (rentLamports ?? 0n) + binArrayLamports + feesLamports,
  };
}

/**
 * About how many transactions make a position and put liquidity into so many bins: one for every seventy, one that begins, and above seventy
 * bins one by which the position is made wider. Counted in what the sandbox builds; another service may pack them otherwise.
 */
export function depositTransactions(bins: number): number {
  const deposits = Math.ceil(bins / BINS_PER_DEFAULT_POSITION);
  return deposits + (deposits === 1 ? 1 : 2);
}

function missingArrays({ fromBinId, toBinId }: BinRange, { binArrays }: PlanFigures): MissingArrays {
  const needed = binArraysOf(fromBinId, toBinId);
  if (binArrays === undefined) {
    return { missing: 0, unknown: needed.length };
  }
  const asked = needed.filter((index) => index >= binArrays.from && index <= binArrays.to);
  return { missing: asked.filter((index) => !binArrays.existing.includes(index)).length, unknown: needed.length - asked.length };
}
