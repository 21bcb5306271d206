import { binArraysOf, type BinRange, BINS_PER_DEFAULT_POSITION, widthOf } from './bins';

/** The inputs of the cost. Amounts are lamports as decimal digits, because panels receive them as messages. */
export interface EntryFigures {
  /** Rent of a position of up to 70 bins (in DAMM v2 of the position and its NFT), and of each bin beyond; refunded when it is closed. */
  readonly positionLamports: string;
  readonly positionPerBinAbove70Lamports: string;
  /** Rent of a bin array, which is non-refundable. */
  readonly binArrayLamports: string;
  /** The existing bin arrays, by index, within `from` to `to`; absent without an RPC. */
  readonly binArrays?: { readonly from: number; readonly to: number; readonly existing: readonly number[] } | undefined;
  /** Reserve for the network fees of one transaction at usual bids, and the largest tip of all transactions. */
  readonly feePerTransactionLamports: string;
  readonly tipLamports: string;
}

/** The cost of entering a pool, in lamports. */
export interface EntryCost {
  /** Rent of the position, refunded when it is closed. */
  readonly rentLamports: bigint;
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
interface MissingArrays {
  readonly missing: number;
  /** Number of bin arrays whose existence is not known. */
  readonly unknown: number;
}

/**
 * The cost of entering a pool, besides the amount itself.
 * @param range `undefined`: a pool without bins
 * @param swaps number of tokens that have to be bought
 */
export function entryCost(range: BinRange | undefined, swaps: number, figures: EntryFigures): EntryCost {
  const further = BigInt(range === undefined ? 0 : Math.max(widthOf(range) - BINS_PER_DEFAULT_POSITION, 0));
  const widerLamports = further * BigInt(figures.positionPerBinAbove70Lamports);
  const rentLamports = BigInt(figures.positionLamports) + widerLamports;
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
    totalLamports: rentLamports + binArrayLamports + feesLamports,
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

function missingArrays({ fromBinId, toBinId }: BinRange, { binArrays }: EntryFigures): MissingArrays {
  const needed = binArraysOf(fromBinId, toBinId);
  if (binArrays === undefined) {
    return { missing: 0, unknown: needed.length };
  }
  const covered = needed.filter((index) => index >= binArrays.from && index <= binArrays.to);
  return { missing: covered.filter((index) => !binArrays.existing.includes(index)).length, unknown: needed.length - covered.length };
}
