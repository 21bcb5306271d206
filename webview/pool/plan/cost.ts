import * as l10n from '@vscode/l10n';
import type { EntryCost } from '../../../src/base/dlmm/entryCost';
import { lamportsAsSol } from '../../../src/base/format/money';
import { decimalText } from '../../../src/base/format/typedNumbers';
import type { PlanFigures } from '../../../src/protocol/pool';

const SOL_DECIMALS = 9;

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
export function walletOf({ balanceLamports, reserveLamports, solUsd }: PlanFigures, { totalLamports }: EntryCost): WalletSol {
  const balance = BigInt(balanceLamports);
  const reserve = BigInt(reserveLamports);
  const kept = totalLamports > reserve ? totalLamports : reserve;
  const available = balance > kept ? balance - kept : 0n;
  const sol = (lamports: bigint, locale: string): string => lamportsAsSol(lamports, locale);
  const plain = (lamports: bigint, locale: string): string => l10n.t`${decimalText(lamports, SOL_DECIMALS, locale)} SOL`;
  const tooMuch = (locale: string): string =>
    available === 0n
      ? l10n.t`The wallet holds ${sol(balance, locale)}, of which ${sol(kept, locale)} is kept for rent and fees. Nothing is left to deposit.`
      : l10n.t`At most ${plain(available, locale)}: the wallet holds ${plain(balance, locale)}, of which ${plain(kept, locale)} is kept for rent and fees.`;
  return { balanceLamports: balance, availableLamports: available, keptLamports: kept, solUsd, tooMuch };
}

/** A share of the maximum deposit. */
export function shareOf({ availableLamports }: WalletSol, sharePercent: number): bigint {
  return (availableLamports * BigInt(sharePercent)) / 100n;
}
