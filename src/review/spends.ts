import type { PlacedEffect } from './notes';
import type { Spends } from './types';

/**
 * Sums what the instructions do over the whole operation (policy §11). Wrapped SOL that is neither used nor given back
 * counts as used.
 */
export function sumSpends(effects: readonly PlacedEffect[]): Spends {
  const consumed = sum(effects, 'consume');
  const wrapped = sum(effects, 'wrap');
  const unwraps = effects.some((effect) => effect.kind === 'unwrap');
  return {
    consumedLamports: consumed === 0n && !unwraps ? wrapped : consumed,
    wrappedLamports: wrapped,
    networkFeeLamports: sum(effects, 'networkFee'),
    priorityFeeLamports: sum(effects, 'priorityFee'),
    tipLamports: sum(effects, 'tip'),
    refundableRentLamports: rent(effects, true),
    spentRentLamports: rent(effects, false),
    otherLamports: sum(effects, 'send'),
  };
}

/** Gives what leaves the wallet at most, with rent that comes back later. */
export function totalLamports(spends: Spends): bigint {
  return (
    spends.consumedLamports +
    spends.networkFeeLamports +
    spends.priorityFeeLamports +
    spends.tipLamports +
    spends.refundableRentLamports +
    spends.spentRentLamports +
    spends.otherLamports
  );
}

function sum(effects: readonly PlacedEffect[], kind: 'consume' | 'wrap' | 'networkFee' | 'priorityFee' | 'tip' | 'send'): bigint {
  return effects.reduce((total, effect) => (effect.kind === kind ? total + effect.lamports : total), 0n);
}

function rent(effects: readonly PlacedEffect[], refundable: boolean): bigint {
  return effects.reduce((total, effect) => (effect.kind === 'rent' && effect.refundable === refundable ? total + effect.lamports : total), 0n);
}
