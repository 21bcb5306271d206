import type { Money, Token } from './common';

/** A reward of the pool that is not claimed yet. */
export interface UncollectedReward {
  readonly token: Token;
  /** In whole tokens. */
  readonly amount: number | undefined;
  readonly worth: Money;
}

/** What all unclaimed rewards are worth; `undefined` if the price of one is not known. */
export function worthOfRewards(rewards: readonly UncollectedReward[]): Money {
  const total = (unit: keyof Money): number | undefined =>
    rewards.reduce<number | undefined>(
      (sum, { worth: { [unit]: one } }) => (sum === undefined || one === undefined ? undefined : sum + one),
      0,
    );
  return { usd: total('usd'), native: total('native') };
}
