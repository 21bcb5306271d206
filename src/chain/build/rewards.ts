import type { Mint } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Address } from '../../base/solana/address';
import type { RewardAccounts } from '../../engine/assembly/types';
import { addressOf } from './accounts';
import { hasTransferHook } from './livePool';

/** The rewards of a position. */
export interface LiveRewards {
  /** What waits of each reward of the pool, by its number, raw. */
  readonly waiting: readonly bigint[];
  /** Those that can be claimed: some of it waits, or may wait at the landing. */
  readonly claimed: readonly RewardAccounts[];
  /** A reward waits that cannot be claimed: the position cannot be closed. */
  readonly isStuck: boolean;
}

/** A reward as the accounts of its pool have it. */
export interface LiveReward {
  readonly mint: PublicKey;
  readonly vault: PublicKey;
  /** Raw. */
  readonly waiting: bigint;
  /** Positions still earn it. */
  readonly isGrowing: boolean;
  /** `undefined`: the mint or the vault is missing. `held`: what the vault has, raw. */
  readonly token: { readonly tokenProgram: Address; readonly mintInfo: Mint; readonly held: bigint } | undefined;
}

/** The rewards of a position of which something waits and can be claimed. */
export function waitingRewards({ claimed, waiting }: LiveRewards): readonly RewardAccounts[] {
  return claimed.filter(({ index }) => (waiting[index] ?? 0n) > 0n);
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
  return {
    waiting: rewards.map(({ waiting }) => waiting),
    claimed,
    isStuck: due.some(({ reward, index }) => reward.waiting > 0n && !claimed.some((one) => one.index === index)),
  };
}
