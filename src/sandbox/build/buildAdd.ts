import { Keypair } from '@solana/web3.js';
import { addressFromBytes, type Address } from '../../base/solana/address';
import { dammPosition } from '../../base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { depositBins } from './binSteps';
import { routeWithAccounts } from './jupiterRoute';
import { checkAddPlan } from './planChecks';
import { depositProduct } from './productSteps';
import { tokensBought } from './swapTokens';
import { assemble, together, type Step } from './transactions';
import type { AddPlan, AddTransactions } from './types';
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
  const { position, nftMint, deposit } = newPosition(plan, keyOf(plan));
  const versioned = { terms: plan, version: 0, coSigner } as const;
  const swapped = { ...versioned, lookupTable: plan.lookupTable };

  const wrap = plan.wrapLamports > 0n ? [wrapped(owner, plan.wrapLamports)] : [];
  const trades = swaps.map((swap) => routeWithAccounts(owner, swap));
  const added = withTip([createTokenAccount(owner, pool.tokenX), createTokenAccount(owner, pool.tokenY), ...deposit], plan);
  const unwrap = usesWrappedSol(plan) ? assemble([unwrapSol(owner)], { terms: plan, version: 'legacy' }) : [];

  return {
    position,
    nftMint,
    swapTransactions: swaps.length > 0 ? assemble([...wrap, ...trades], swapped) : [],
    addTransactions: [...assemble(swaps.length > 0 ? added : [...wrap, ...added], versioned), ...unwrap],
  };
}

/** Opens the position of a deposit, as each of its transactions that fills it does; `undefined` if nothing is filled. */
export function openingOf(plan: AddPlan): Step | undefined {
  return newPosition(plan, keyOf(plan)).deposit.at(-1)?.opening;
}

function keyOf({ positionSeed }: AddPlan): Address {
  return addressFromBytes(Keypair.fromSeed(positionSeed).publicKey.toBytes());
}

/** SOL wrapped in the owner's account, which is created if it is missing. */
export function wrapped(owner: Address, lamports: bigint): Step {
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
