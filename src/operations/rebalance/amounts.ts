import { LAMPORTS_PER_SOL } from '../../solana/programs';
import type { ReentryCosts } from './costs';

/** Less than that is not put back: the costs of opening and closing a position would eat it up. */
export const LEAST_REENTRY_LAMPORTS = LAMPORTS_PER_SOL / 100n;

/** What there is to put back, and what limits it. Lamports. */
export interface ReentryFunds {
  /** What the zap-out brought, measured. */
  readonly lamportsBack: bigint;
  /** What is in the wallet now. */
  readonly balanceLamports: bigint;
  /** What is to stay there. */
  readonly reserveLamports: bigint;
  readonly costs: ReentryCosts;
}

/**
 * What goes back in: what came out of that position less what it costs to put it back, and never so much that less than the
 * reserve stays in the wallet. May be nothing, or less.
 */
export function reentryLamports({ lamportsBack, balanceLamports, reserveLamports, costs }: ReentryFunds): bigint {
  const fromPosition = lamportsBack - costs.spentLamports;
  const fromWallet = balanceLamports - reserveLamports - costs.spentLamports - costs.lentLamports;
  return fromPosition < fromWallet ? fromPosition : fromWallet;
}
