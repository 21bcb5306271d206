import type { Mint } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Address } from '../../base/solana/address';
import type { RewardAccounts } from '../../engine/assembly/types';
import { addressOf } from './accounts';
import { hasTransferHook } from './livePool';

/** What a withdrawal of everything claims. */
export interface LiveRewards {
  readonly claimed: readonly RewardAccounts[];
  /** A reward waits that cannot be claimed: the position cannot be closed. */
  readonly isStuck: boolean;
}

/** A reward as the accounts of its pool have it. */
interface LiveReward {
  readonly mint: PublicKey;
  readonly vault: PublicKey;
  /** Raw. */
  readonly waiting: bigint;
  /** Positions still earn it. */
  readonly isGrowing: boolean;
  /** `undefined`: the mint or the vault is missing. `held`: what the vault has, raw. */
  readonly token: { readonly tokenProgram: Address; readonly mintInfo: Mint; readonly held: bigint } | undefined;
}

/** Tells the rewards that can be claimed from those that cannot: their token has a transfer hook, or their vault is missing or has too little. */
export function liveRewards(rewards: readonly LiveReward[]): LiveRewards {
  const due = rewards.flatMap((reward, index) =>
    !reward.mint.equals(PublicKey.default) && (reward.waiting > 0n || reward.isGrowing) ? [{ reward, index }] : [],
  );
  const claimed = due.flatMap(({ reward: { mint, vault, waiting, token }, index }): readonly RewardAccounts[] =>
    token === undefined || token.held < waiting || hasTransferHook(token)
      ? []
      : [{ index, token: { mint: addressOf(mint), tokenProgram: token.tokenProgram }, vault: addressOf(vault) }],
  );
  return { claimed, isStuck: due.some(({ reward, index }) => reward.waiting > 0n && !claimed.some((one) => one.index === index)) };
}
