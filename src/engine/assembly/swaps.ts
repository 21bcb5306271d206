import { routeWithAccounts } from './jupiterRoute';
import { assemble } from './transactions';
import type { BuildTerms, SwapPlan, WrittenSwap } from './types';
import { decreaseVersions, isOneVersion1 } from './versions';
import { unwrapSol, withTip } from './walletInstructions';
import { tablesOf, wrapped } from './buildTransactions';

/** A swap of tokens of a wallet, or the unwrapping of its SOL. */
export interface WalletSwapPlan extends BuildTerms {
  /** `undefined`: SOL is only unwrapped. */
  readonly swap: SwapPlan | WrittenSwap | undefined;
  /** Wrapped before the swap; 0 if it does not sell SOL. */
  readonly wrapLamports: bigint;
  /** The wrapped-SOL account is closed at the end. */
  readonly unwraps: boolean;
}

/**
 * Builds a swap: SOL is wrapped, the swap follows, and SOL is unwrapped: in a transaction of its own as after a withdrawal, except in v1.
 * @throws PlanError if the swap is too large for a transaction
 */
export function buildWalletSwap(plan: WalletSwapPlan): readonly Uint8Array[] {
  const { owner, swap, wrapLamports, unwraps } = plan;
  const swaps = swap === undefined ? [] : [swap];
  const versions = decreaseVersions(plan);
  const assembly = { terms: plan, version: versions.swap, lookupTables: tablesOf({ lookupTable: plan.lookupTable, swaps }) };
  const trade = [
    ...(wrapLamports > 0n ? [wrapped(owner, wrapLamports)] : []),
    ...swaps.flatMap((one) => routeWithAccounts(owner, one, assembly)),
  ];
  const unwrap = unwraps ? [unwrapSol(owner)] : [];
  if (isOneVersion1(versions)) {
    return assemble(withTip([...trade, ...unwrap], plan), assembly);
  }
  // The tip is in the last transaction: a bundle lands as a whole.
  const [tradeSteps, unwrapSteps] = unwraps ? [trade, withTip(unwrap, plan)] : [withTip(trade, plan), unwrap];
  return [...assemble(tradeSteps, assembly), ...assemble(unwrapSteps, { terms: plan, version: versions.unwrap })];
}
