import type { Strategy } from '../../api/records/money';
import type { BinRange } from '../../dlmm/bins';
import type { ZapInTarget } from './zapInTarget';

/** What has been answered so far of a zap-in; `own` until the user has typed it. */
export interface ZapInDraft {
  readonly target?: ZapInTarget;
  readonly ownPool?: boolean;
  readonly balance?: SolBalance;
  readonly amount?: bigint | 'own';
  readonly strategy?: Strategy;
  readonly activeBin?: ActiveBin;
  readonly range?: BinRange | 'own';
  readonly percentX?: number | 'own';
  readonly slippageBps?: number | 'own';
}

/** Where a pool with bins trades. */
export interface ActiveBin {
  readonly binId: number;
  /** Token Y for one token X in whole tokens. */
  readonly price: number | undefined;
}

/** The SOL of a wallet. */
export interface SolBalance {
  readonly lamports: bigint;
  readonly priceUsd: number | undefined;
}

/** The title of every step. */
export function titleOf({ target }: ZapInDraft): string {
  return target === undefined ? 'Zap In' : `Zap Into ${target.pairName}`;
}

/** Whether the pool has bins, so that a range and a strategy are chosen. */
export function hasBins({ target }: ZapInDraft): boolean {
  return target?.poolType !== 'dammV2';
}
