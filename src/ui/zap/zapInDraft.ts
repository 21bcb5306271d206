import * as l10n from '@vscode/l10n';
import type { Strategy } from '../../service/common';
import type { BinRange } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import type { ZapInTarget } from './zapInTarget';

/** What has been answered so far of a zap-in; `own` until the user has typed it, `tokens` where the pool's tokens go in as the wallet has them. */
export interface ZapInDraft {
  readonly target?: ZapInTarget;
  readonly ownPool?: boolean;
  readonly balances?: Balances;
  readonly amount?: bigint | 'own' | 'tokens';
  /** Raw units. */
  readonly amountX?: bigint | 'own';
  readonly amountY?: bigint | 'own';
  readonly strategy?: Strategy;
  readonly activeBin?: ActiveBin;
  readonly range?: BinRange | 'own';
  readonly percentX?: number | 'own';
  readonly slippageBps?: number | 'own';
  /** It comes from a panel, where the split is chosen for any range that takes both tokens, and not for lopsided ones alone. */
  readonly isPlanned?: boolean;
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

/** What a wallet could put into the pool. */
export interface Balances {
  readonly sol: SolBalance;
  /** `undefined`: it holds nothing of the pool's tokens but SOL, or cannot put them in as they are. */
  readonly tokens: TokensHeld | undefined;
}

/** What a wallet has of a pool's two tokens. */
export interface TokensHeld {
  readonly x: HeldToken;
  readonly y: HeldToken;
}

/** What a wallet has of a token. */
export interface HeldToken {
  readonly mint: Address;
  /** Fit for labels, and not to be taken for another token's. */
  readonly symbol: string;
  readonly decimals: number;
  /** What may go in, raw units: all there is, of SOL without what is kept for rent and fees. */
  readonly availableRaw: bigint;
}

/** What stands beside an answer of before that is none of those which are offered. */
export const asChosen = (): string => l10n.t('as you chose');

/** The title of every step. */
export function titleOf({ target }: ZapInDraft): string {
  return target === undefined ? l10n.t('Zap In') : l10n.t`Zap Into ${target.pairName}`;
}

/** Whether the pool has bins, so that a range and a strategy are chosen. */
export function hasBins({ target }: ZapInDraft): boolean {
  return target?.poolType !== 'dammV2';
}
