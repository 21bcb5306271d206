import { binArraysOf, BINS_PER_DEFAULT_POSITION, widthOf, type BinRange } from '../../dlmm/bins';
import { RENT_LAMPORTS } from '../../solana/programs';

/** What of a zap-in's accounts is missing, so that it has to be paid for. */
export interface MissingAccounts {
  /** Rent of each token account of the pool's tokens that does not exist, lamports. */
  readonly tokenAccountLamports: readonly bigint[];
  /** How many of the range's bin arrays do not exist. */
  readonly binArrays: number;
  /** Rent of the account for wrapped SOL, which is closed again right away; 0 where there is one. */
  readonly wrappedSolLamports: bigint;
}

/** What it costs to put something back, lamports. */
export interface ReentryCosts {
  /** What is gone afterwards, or locked until the position is closed. */
  readonly spentLamports: bigint;
  /** What is needed meanwhile, and comes back with the same zap-in. */
  readonly lentLamports: bigint;
  /** "0.05740608 SOL rent of the position": what it consists of. */
  readonly parts: readonly { readonly lamports: bigint; readonly what: string }[];
}

/** Tip of a bundle: as services add it; the review allows ten times as much without a question (policy TIP). */
const TIP_ROOM_LAMPORTS = 1_000_000n;
/** Network fee of a transaction: two signatures at 5,000 lamports, and a priority fee on all the compute units there are. */
const FEE_ROOM_LAMPORTS = 120_000n;
/** Transactions besides those that put in liquidity: swaps, and unwrapping what is left. */
const OTHER_TRANSACTIONS = 3;

/**
 * What a zap-in over a range costs at most besides what goes into the position: rent by the sizes of the program's accounts
 * (guides: dlmm.md; 70 bins are in the price of a position, each further one adds to it), fees and the tip.
 */
export function reentryCosts(range: BinRange, { tokenAccountLamports, binArrays, wrappedSolLamports }: MissingAccounts): ReentryCosts {
  const bins = widthOf(range);
  const furtherBins = BigInt(Math.max(0, bins - BINS_PER_DEFAULT_POSITION));
  const transactions = Math.ceil(bins / BINS_PER_DEFAULT_POSITION) + OTHER_TRANSACTIONS;
  const parts = [
    { lamports: RENT_LAMPORTS.position + furtherBins * RENT_LAMPORTS.positionPerBinAbove70, what: 'rent of the new position, which comes back when it is closed' },
    { lamports: BigInt(binArrays) * RENT_LAMPORTS.binArray, what: `rent of ${binArrays === 1 ? 'a bin array' : `${binArrays} bin arrays`} of the pool, which does not come back` },
    { lamports: tokenAccountLamports.reduce((sum, lamports) => sum + lamports, 0n), what: 'rent of token accounts' },
    { lamports: BigInt(transactions) * FEE_ROOM_LAMPORTS + TIP_ROOM_LAMPORTS, what: 'fees and tip, at most' },
  ].filter(({ lamports }) => lamports > 0n);
  return { spentLamports: parts.reduce((sum, { lamports }) => sum + lamports, 0n), lentLamports: wrappedSolLamports, parts };
}

/** The bin arrays that a range needs, by their indexes. */
export function binArraysNeeded(range: BinRange): readonly number[] {
  return binArraysOf(range.fromBinId, range.toBinId);
}
