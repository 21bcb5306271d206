import type { Address } from '../base/solana/address';
import { WRAPPED_SOL_MINT } from '../base/solana/programs';
import { spendsOf } from './intents';
import type { PlacedEffect } from './notes';
import type { Intent, MinimumOut, Review, Spends } from './types';

/** Nothing is spent. */
export const NO_SPENDS: Spends = {
  consumedLamports: 0n,
  wrappedLamports: 0n,
  networkFeeLamports: 0n,
  priorityFeeLamports: 0n,
  tipLamports: 0n,
  refundableRentLamports: 0n,
  spentRentLamports: 0n,
  otherLamports: 0n,
};

/** Sums the effects of the instructions over the whole operation. */
export function sumSpends(effects: readonly PlacedEffect[]): Spends {
  return {
    consumedLamports: consumedLamports(effects),
    wrappedLamports: sum(effects, 'wrap'),
    networkFeeLamports: sum(effects, 'networkFee'),
    priorityFeeLamports: sum(effects, 'priorityFee'),
    tipLamports: sum(effects, 'tip'),
    refundableRentLamports: rent(effects, true),
    spentRentLamports: rent(effects, false),
    otherLamports: sum(effects, 'send'),
  };
}

/** Adds two sums, field by field. */
export function addSpends(one: Spends, other: Spends): Spends {
  return {
    consumedLamports: one.consumedLamports + other.consumedLamports,
    wrappedLamports: one.wrappedLamports + other.wrappedLamports,
    networkFeeLamports: one.networkFeeLamports + other.networkFeeLamports,
    priorityFeeLamports: one.priorityFeeLamports + other.priorityFeeLamports,
    tipLamports: one.tipLamports + other.tipLamports,
    refundableRentLamports: one.refundableRentLamports + other.refundableRentLamports,
    spentRentLamports: one.spentRentLamports + other.spentRentLamports,
    otherLamports: one.otherLamports + other.otherLamports,
  };
}

/** Returns the most that leaves the wallet, including refundable rent. */
export function totalLamports(spends: Spends): bigint {
  return spends.consumedLamports + costLamports(spends) + spends.otherLamports;
}

/** Returns the sum of fees, tips and rent, including refundable rent. */
export function costLamports(spends: Spends): bigint {
  return (
    spends.networkFeeLamports + spends.priorityFeeLamports + spends.tipLamports + spends.refundableRentLamports + spends.spentRentLamports
  );
}

/** Returns what is gone for good: fees, tips and rent that is not refunded. */
export function spentLamports(spends: Spends): bigint {
  return costLamports(spends) - spends.refundableRentLamports;
}

/** Returns the SOL that stays wrapped: closing an account returns its SOL. */
export function leftWrapped(effects: readonly PlacedEffect[]): bigint {
  const open = new Map<Address, bigint>();
  for (const effect of effects) {
    if (effect.kind === 'wrap') {
      open.set(effect.account, (open.get(effect.account) ?? 0n) + effect.lamports);
    } else if (effect.kind === 'unwrap') {
      open.delete(effect.account);
    }
  }
  return [...open.values()].reduce((total, lamports) => total + lamports, 0n);
}

/**
 * The most that the wallet's SOL may shrink (LIM-3): the input of a zap-in, plus tips, fees and rent. SOL that the instructions visibly
 * send or wrap beyond that counts too: other rules have made it a question, or blocked it.
 */
export function outflowBound(intent: Intent, effects: readonly PlacedEffect[]): bigint {
  const spends = sumSpends(effects);
  const used = sum(effects, 'consume');
  const fromWallet = used < spends.wrappedLamports ? used : spends.wrappedLamports;
  const left = leftWrapped(effects);
  const { lamports: input } = spendsOf(intent);
  const moved = input === undefined ? greatest(fromWallet, left) : greatest(input, spends.consumedLamports, left);
  return moved + costLamports(spends) + spends.otherLamports;
}

/** The SOL that the instructions send to others, wrapped or not. */
export function lamportsToOthers(effects: readonly PlacedEffect[]): bigint {
  return effects.reduce(
    (total, effect) => (effect.kind === 'giveToken' && effect.mint === WRAPPED_SOL_MINT ? total + effect.amountRaw : total),
    sum(effects, 'send'),
  );
}

/** Groups effects by transaction, in the order of their first effects, which is the order in which the transactions land. */
export function byTransaction(effects: readonly PlacedEffect[]): ReadonlyMap<number, readonly PlacedEffect[]> {
  const places = new Map<number, PlacedEffect[]>();
  for (const effect of effects) {
    const of = places.get(effect.transaction);
    if (of === undefined) {
      places.set(effect.transaction, [effect]);
    } else {
      of.push(effect);
    }
  }
  return places;
}

/**
 * Used SOL, summed by transaction: if a transaction wraps SOL, uses none and leaves the account open, all of it counts as used. A later
 * transaction that uses it does not count again.
 */
function consumedLamports(effects: readonly PlacedEffect[]): bigint {
  let total = 0n;
  /** Already counted and still available. */
  let counted = 0n;
  for (const of of byTransaction(effects).values()) {
    const used = sum(of, 'consume');
    if (used === 0n) {
      const left = leftWrapped(of);
      total += left;
      counted += left;
    } else {
      const beyond = greatest(used - sum(of, 'wrap'));
      const again = beyond < counted ? beyond : counted;
      total += used - again;
      counted -= again;
    }
    if (of.some(({ kind }) => kind === 'unwrap')) {
      counted = 0n;
    }
  }
  return total;
}

/** Sums one kind of effect, lamports. */
export function sum(effects: readonly PlacedEffect[], kind: 'consume' | 'wrap' | 'networkFee' | 'priorityFee' | 'tip' | 'send'): bigint {
  return effects.reduce((total, effect) => (effect.kind === kind ? total + effect.lamports : total), 0n);
}

function rent(effects: readonly PlacedEffect[], refundable: boolean): bigint {
  return effects.reduce(
    (total, effect) => (effect.kind === 'rent' && effect.refundable === refundable ? total + effect.lamports : total),
    0n,
  );
}

function greatest(...lamports: readonly bigint[]): bigint {
  return lamports.reduce((most, next) => (next > most ? next : most), 0n);
}

/** The source of a withdrawal's minimum in {@link Review.minimumOut}; all others come from swaps. */
const FROM_WITHDRAWAL = 'withdrawal';

/** Returns what the withdrawals and the swaps guarantee, in the order of the instructions. */
export function minimumsOf(effects: readonly PlacedEffect[]): readonly MinimumOut[] {
  return effects.flatMap((effect): readonly MinimumOut[] => {
    if (effect.kind === 'minimumOut') {
      return [{ mint: effect.mint, amountRaw: effect.amountRaw, from: FROM_WITHDRAWAL }];
    }
    if (effect.kind !== 'swap' || effect.boughtLeast === undefined) {
      return [];
    }
    const { bought, boughtLeast, name, isTooGood } = effect;
    return [{ mint: bought, amountRaw: boughtLeast, from: name, ...(isTooGood ? { isTooGood } : {}) }];
  });
}

/** Returns the minimums that the user can count on: without those of swaps whose quote is too good to be true. */
export function plausibleMinimums({ minimumOut }: Pick<Review, 'minimumOut'>): readonly MinimumOut[] {
  return minimumOut.filter(({ isTooGood }) => isTooGood !== true);
}

/**
 * Returns the least of each token that a zap-out leaves, raw units: the guaranteed amounts of the withdrawal and the swaps, minus what the
 * swaps may sell again and what others get. Tokens with no certain rest are omitted. The key `undefined` is an undetermined token. A swap
 * whose quote is too good may sell, and guarantees nothing.
 */
export function leastReceived({
  minimumOut,
  tokenSpends,
  spends,
}: Pick<Review, 'minimumOut' | 'tokenSpends' | 'spends'>): ReadonlyMap<Address | undefined, bigint> {
  const least = new Map<Address | undefined, bigint>();
  const add = (mint: Address | undefined, amountRaw: bigint): void => {
    least.set(mint, (least.get(mint) ?? 0n) + amountRaw);
  };
  // An undetermined token that is spent may be any, so nothing withdrawn is certain.
  const isCertain = tokenSpends.every(({ mint }) => mint !== undefined);
  const minimums = plausibleMinimums({ minimumOut });
  minimums.filter(({ from }) => isCertain || from !== FROM_WITHDRAWAL).forEach(({ mint, amountRaw }) => add(mint, amountRaw));
  tokenSpends.filter(({ mint }) => mint !== undefined).forEach(({ mint, amountRaw }) => add(mint, -amountRaw));
  // SOL that was wrapped for a swap is the wallet's, and counts as spent.
  add(WRAPPED_SOL_MINT, spends.wrappedLamports < spends.consumedLamports ? spends.wrappedLamports - spends.consumedLamports : 0n);
  return new Map([...least].filter(([, amountRaw]) => amountRaw > 0n));
}

/** Returns whether the withdrawal itself states minimum amounts. */
export function statesWithdrawal({ minimumOut }: Pick<Review, 'minimumOut'>): boolean {
  return minimumOut.some(({ from }) => from === FROM_WITHDRAWAL);
}
