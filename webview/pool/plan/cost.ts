import * as l10n from '@vscode/l10n';
import { binArraysOf, type BinRange, BINS_PER_DEFAULT_POSITION, widthOf } from '../../../src/base/dlmm/bins';
import { lamportsAsSol } from '../../../src/base/format/money';
import type { PlanFigures } from '../../../src/protocol/pool';

/** The cost of a plan, in lamports. */
export interface Cost {
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

function missingArrays({ fromBinId, toBinId }: BinRange, { binArrays }: PlanFigures): MissingArrays {
  const needed = binArraysOf(fromBinId, toBinId);
  if (binArrays === undefined) {
    return { missing: 0, unknown: needed.length };
  }
  const covered = needed.filter((index) => index >= binArrays.from && index <= binArrays.to);
  return { missing: covered.filter((index) => !binArrays.existing.includes(index)).length, unknown: needed.length - covered.length };
}

/** The wallet's SOL available to a plan. Lamports. */
export interface WalletSol {
  readonly balanceLamports: bigint;
  /** Maximum deposit. */
  readonly availableLamports: bigint;
  /** Kept for rent and fees: the same reserve as in the Zap In command, or the plan's cost if that is higher. */
  readonly keptLamports: bigint;
  /** US dollars per SOL. */
  readonly solUsd: number | undefined;
  /** The error for a deposit above the maximum. */
  readonly tooMuch: (locale: string) => string;
}

/** Shares of the maximum offered as presets, percent. */
export const SHARES_PERCENT: readonly number[] = [25, 50, 75, 100];

/** Computes the maximum deposit from the balance, the reserve and the plan's cost. */
export function walletOf({ balanceLamports, reserveLamports, solUsd }: PlanFigures, { totalLamports }: Cost): WalletSol {
  const balance = BigInt(balanceLamports);
  const reserve = BigInt(reserveLamports);
  const kept = totalLamports > reserve ? totalLamports : reserve;
  const available = balance > kept ? balance - kept : 0n;
  const sol = (lamports: bigint, locale: string): string => lamportsAsSol(lamports, locale);
  const tooMuch = (locale: string): string =>
    available === 0n
      ? l10n.t`The wallet holds ${sol(balance, locale)}, and ${sol(kept, locale)} is kept for rent and fees: nothing is left to deposit.`
      : l10n.t`At most ${sol(available, locale)}: the wallet holds ${sol(balance, locale)}, and ${sol(kept, locale)} is kept for rent and fees.`;
  return { balanceLamports: balance, availableLamports: available, keptLamports: kept, solUsd, tooMuch };
}

/** A share of the maximum deposit. */
export function shareOf({ availableLamports }: WalletSol, sharePercent: number): bigint {
  return (availableLamports * BigInt(sharePercent)) / 100n;
}
