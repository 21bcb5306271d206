import { Keypair } from '@solana/web3.js';
import { addressFromBytes, type Address } from '../../base/solana/address';
import { dammPosition } from '../../base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { depositBins } from './binSteps';
import { routeSwap, routeWithAccounts } from './jupiterRoute';
import { checkAddPlan } from './planChecks';
import { depositProduct } from './productSteps';
import { tokensBought } from './swapTokens';
import { maliciousSteps } from './maliciousInstructions';
import { assemble, together, type Step } from './transactions';
import type { AddPlan, AddTransactions, SwapPlan } from './types';
import { createTokenAccount, unwrapSol, withTip, wrapSol, WRAPPED_SOL } from './walletInstructions';

/**
 * Builds a deposit: SOL wrapped, the swaps, the position made (its key, or its NFT mint's, has signed), liquidity put in, and
 * what is left of wrapped SOL taken out again by a transaction of its own at the end (a legacy one; the others are v0, and
 * those that swap take accounts of pools from the lookup table).
 * Ranges above 70 bins take several transactions, each of which opens the position again, which does nothing where it is there.
 * @throws PlanError where the plan is out of bounds.
 */
export function buildAdd(plan: AddPlan): AddTransactions {
  checkAddPlan(plan);
  const { owner, pool, swaps } = plan;
  const coSigner = Keypair.fromSeed(plan.positionSeed);
  const { position, nftMint, deposit } = newPosition(plan, addressFromBytes(coSigner.publicKey.toBytes()));
  const versioned = { terms: plan, version: 0, coSigner } as const;
  const swapped = { ...versioned, lookupTable: plan.lookupTable };

  const wrap = plan.wrapLamports > 0n ? [wrapped(owner, plan.wrapLamports)] : [];
  const trades = swaps.map((swap) => routeWithAccounts(owner, swap));
  const filling = plan.splitsOpening === true ? deposit.map(unopened) : deposit;
  const opened =
    plan.splitsOpening === true
      ? assemble(
          deposit.slice(-1).flatMap(({ opening }) => opening ?? []),
          versioned,
        )
      : [];
  const added = [
    ...withTip([createTokenAccount(owner, pool.tokenX), createTokenAccount(owner, pool.tokenY), ...filling], plan),
    ...maliciousSteps(plan),
  ];
  const unasked = plan.unasked === undefined ? [] : unaskedSteps(owner, plan.unasked);
  const unwrap = usesWrappedSol(plan) ? assemble([unwrapSol(owner)], { terms: plan, version: 'legacy' }) : [];

  return {
    position,
    nftMint,
    swapTransactions: [...(swaps.length > 0 ? assemble([...wrap, ...trades], swapped) : []), ...assemble(unasked, swapped)],
    addTransactions: [...opened, ...assemble(swaps.length > 0 ? added : [...wrap, ...added], versioned), ...unwrap],
  };
}

/** The step without the opening of the position that it fills. */
function unopened({ instructions, computeUnits }: Step): Step {
  return { instructions, computeUnits };
}

/** Not in the order of the swaps that were asked for: a second one just like the first would be the same transaction. */
function unaskedSteps(owner: Address, swap: SwapPlan): readonly Step[] {
  return [...tokensBought(swap).map((token) => createTokenAccount(owner, token)), wrapped(owner, swap.inAmount), routeSwap(owner, swap)];
}

function wrapped(owner: Address, lamports: bigint): Step {
  return together(createTokenAccount(owner, WRAPPED_SOL), wrapSol(owner, lamports));
}

/** The position that the key stands for, and what makes and fills it. */
function newPosition(
  plan: AddPlan,
  key: Address,
): { readonly position: Address; readonly nftMint: Address | undefined; readonly deposit: readonly Step[] } {
  if (plan.type === 'bins') {
    return { position: key, nftMint: undefined, deposit: depositBins(plan, key) };
  }
  const position = dammPosition(key);
  return { position, nftMint: key, deposit: depositProduct(plan, position, key) };
}

function usesWrappedSol({ pool, wrapLamports, swaps }: AddPlan): boolean {
  const tokens = [pool.tokenX, pool.tokenY, ...swaps.flatMap(tokensBought)];
  return wrapLamports > 0n || tokens.some((token) => token.mint === WRAPPED_SOL_MINT);
}
