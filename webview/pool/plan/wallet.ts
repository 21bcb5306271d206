import * as l10n from '@vscode/l10n';
import { lamportsAsSol } from '../../../src/base/format/money';
import type { PlanFigures } from '../../../src/protocol/plan';
import type { Cost } from './cost';

/** The SOL of the wallet, as far as a plan is about it. Lamports. */
export interface WalletSol {
  readonly balanceLamports: bigint;
  /** What may go in at most. */
  readonly availableLamports: bigint;
  /** What stays behind for rent and fees: as in the palette's Zap In, or more where the plan costs more than that. */
  readonly keptLamports: bigint;
  /** US dollars for one SOL. */
  readonly solUsd: number | undefined;
  /** What to say where more is to go in. */
  readonly tooMuch: (locale: string) => string;
}

/** The shares that are offered, percent. */
export const SHARES_PERCENT: readonly number[] = [25, 50, 75, 100];

/** Gives what a wallet may put in where the rest of a plan costs so much. */
export function walletOf({ balanceLamports, reserveLamports, solUsd }: PlanFigures, { totalLamports }: Cost): WalletSol {
  const balance = BigInt(balanceLamports);
  const reserve = BigInt(reserveLamports);
  const kept = totalLamports > reserve ? totalLamports : reserve;
  const available = balance > kept ? balance - kept : 0n;
  const sol = (lamports: bigint, locale: string): string => lamportsAsSol(lamports, locale);
  const tooMuch = (locale: string): string =>
    available === 0n
      ? l10n.t`The wallet holds ${sol(balance, locale)}, and ${sol(kept, locale)} is kept for rent and fees: there is nothing to put in.`
      : l10n.t`At most ${sol(available, locale)}: the wallet holds ${sol(balance, locale)}, and ${sol(kept, locale)} is kept for rent and fees.`;
  return { balanceLamports: balance, availableLamports: available, keptLamports: kept, solUsd, tooMuch };
}

/** A share of what may go in. */
export function shareOf({ availableLamports }: WalletSol, sharePercent: number): bigint {
  return (availableLamports * BigInt(sharePercent)) / 100n;
}
