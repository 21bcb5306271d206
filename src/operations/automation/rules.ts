import type { AutoRebalanceRules } from './types';

/**
 * No rule acts on what was seen once: services report nonsense for a minute now and then (guides/peers-and-wishes.md, c.). A
 * position has to be out of range in two checks in a row at least, even where the rules say one.
 */
export const LEAST_CHECKS = 2;

/** In how many checks in a row a position has to be out of range before it is re-centred. */
export function checksNeeded({ outOfRangeChecks }: Pick<AutoRebalanceRules, 'outOfRangeChecks'>): number {
  return Math.max(outOfRangeChecks, LEAST_CHECKS);
}

/** Whether rules say the same. The order of the pools that are left alone does not matter. */
export function areSameRules(a: AutoRebalanceRules, b: AutoRebalanceRules): boolean {
  return canonical(a) === canonical(b);
}

function canonical({ terms, poolsLeftAlone, ...rules }: AutoRebalanceRules): string {
  const { reserveLamports, ...otherTerms } = terms;
  const parts = { ...rules, ...otherTerms, reserveLamports: String(reserveLamports), poolsLeftAlone: [...new Set(poolsLeftAlone)].sort() };
  // What is not set and what is missing are the same; the order in which somebody wrote the fields says nothing.
  return JSON.stringify(Object.entries(parts).filter(([, value]) => value !== undefined).sort(([left], [right]) => (left < right ? -1 : 1)));
}
