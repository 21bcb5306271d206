import * as l10n from '@vscode/l10n';
import type { Strategy } from '../../service/common';
import type { BinRange } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import type { ZapInTarget } from './zapInTarget';

/** Answers of a zap-in so far. `own`: still to be typed. `tokens`: the pool's tokens are deposited from the wallet. */
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
  /** From a panel, where the split is chosen for every range that takes both tokens, not only for asymmetric ones. */
  readonly isPlanned?: boolean;
}

/** Active bin and price of a pool. */
export interface ActiveBin {
  readonly binId: number;
  /** Token Y per token X, in whole tokens. */
  readonly price: number | undefined;
}

export interface SolBalance {
  readonly lamports: bigint;
  readonly priceUsd: number | undefined;
}

/** What a wallet could deposit into the pool. */
export interface Balances {
  readonly sol: SolBalance;
  /** `undefined` where it holds none of the pool's tokens but SOL, or cannot deposit them as they are. */
  readonly tokens: TokensHeld | undefined;
}

/** A wallet's balances of a pool's two tokens. */
export interface TokensHeld {
  readonly x: HeldToken;
  readonly y: HeldToken;
}

export interface HeldToken {
  readonly mint: Address;
  /** Safe for labels, and not mistakable for another token's. */
  readonly symbol: string;
  readonly decimals: number;
  /** Amount that may be deposited, raw units: the balance, of SOL less the reserve for rent and fees. */
  readonly availableRaw: bigint;
}

/** Description of an earlier answer that is none of the offered ones. */
export const asChosen = (): string => l10n.t('your choice');

/** The title of every step. */
export function titleOf({ target }: ZapInDraft): string {
  return target === undefined ? l10n.t('Zap In') : l10n.t`Zap In: ${target.pairName}`;
}

/** Pools with bins need a range and a strategy. */
export function hasBins({ target }: ZapInDraft): boolean {
  return target?.poolType !== 'dammV2';
}
