import type { BuildTerms } from './types';

/**
 * The same operation without a tip, for clients that send transactions themselves. It bids a little more for compute units,
 * so that no message of it is one of the variant with the tip: the two differ even where a transaction has no tip.
 */
export function withoutTip<Plan extends BuildTerms>(plan: Plan): Plan {
  return { ...plan, tip: undefined, microLamportsPerComputeUnit: plan.microLamportsPerComputeUnit + 1n };
}
