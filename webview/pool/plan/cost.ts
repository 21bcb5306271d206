import { BINS_PER_DEFAULT_POSITION, binArraysOf, widthOf, type BinRange } from '../../../src/base/dlmm/bins';
import type { PlanFigures } from '../../../src/protocol/plan';

/** The cost of a plan, in lamports. */
export interface Cost {
  /** Rent of the position, refunded when it is closed. `undefined` for a pool without bins: the figures do not include its rent. */
  readonly rentLamports: bigint | undefined;
  /** The part of it that is due to bins beyond 70. */
  readonly widerLamports: bigint;
  readonly binArrays: MissingArrays;
  /** Rent of the bin arrays that are known to be missing; non-refundable. */
  readonly binArrayLamports: bigint;
  /** Estimated number of transactions to sign. */
  readonly transactions: number;
  /** Maximum of network fees and tip. */
  readonly feesLamports: bigint;
  /** Sum of the known costs above. */
  readonly totalLamports: bigint;
}

/** Bin arrays of a range that do not exist yet. */
export interface MissingArrays {
  readonly missing: number;
  /** Number of bin arrays whose existence is not known. */
  readonly unknown: number;
}

/**
 * The cost of entering a pool, besides the amount itself.
 * @param range `undefined`: a pool without bins
 * @param swaps number of tokens that have to be bought
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
 * Estimates the transactions that create a position and deposit into this many bins: one per 70 bins, one to create the position, and beyond
 * 70 bins one to widen it. Counted from what the sandbox builds; another service may pack them differently.
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
