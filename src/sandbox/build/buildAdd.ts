import { Keypair } from '@solana/web3.js';
import { BINS_PER_DEFAULT_POSITION, widthOf } from '../../dlmm/bins';
import { addressFromBytes } from '../../solana/address';
import { WRAPPED_SOL_MINT } from '../../solana/programs';
import { depositsOf } from './chunks';
import { addLiquidity, increasePositionLength, initializeBinArray, initializePosition, type PositionRoles } from './dlmmInstructions';
import { routeWithAccounts } from './jupiterRoute';
import { checkAddPlan } from './planChecks';
import { tokensBought } from './swapTokens';
import { assemble, together, type Step } from './transactions';
import type { AddPlan, AddTransactions } from './types';
import { createTokenAccount, payTip, unwrapSol, wrapSol, WRAPPED_SOL } from './walletInstructions';

/** Bins that one instruction may make a position wider by (program constant MAX_RESIZE_LENGTH). */
const MAX_RESIZE_BINS = 91;

/**
 * Builds a deposit: SOL wrapped, the swaps, the position made (its key has signed), missing bin arrays made, liquidity put
 * in, and what is left of wrapped SOL taken out again by a transaction of its own at the end (a legacy one; the others are
 * v0). Ranges above 70 bins take a transaction for every 70 bins.
 * @throws PlanError where the plan is out of bounds.
 */
export function buildAdd(plan: AddPlan): AddTransactions {
  checkAddPlan(plan);
  const { owner, pool, swaps } = plan;
  const key = Keypair.fromSeed(plan.positionSeed);
  const position = addressFromBytes(key.publicKey.toBytes());
  const versioned = { terms: plan, version: 0, coSigner: key } as const;

  const wrap = plan.wrapLamports > 0n ? [together(createTokenAccount(owner, WRAPPED_SOL), wrapSol(owner, plan.wrapLamports))] : [];
  const trades = swaps.map((swap) => routeWithAccounts(owner, swap));
  const accounts = [createTokenAccount(owner, pool.tokenX), createTokenAccount(owner, pool.tokenY)];
  const added = [...accounts, ...deposit(plan, { owner, pool, position })];
  const unwrap = usesWrappedSol(plan) ? assemble([unwrapSol(owner)], { terms: plan, version: 'legacy' }) : [];

  return {
    position,
    swapTransactions: swaps.length > 0 ? assemble([...wrap, ...trades], versioned) : [],
    addTransactions: [...assemble(swaps.length > 0 ? added : [...wrap, ...added], versioned), ...unwrap],
  };
}

function deposit(plan: AddPlan, roles: PositionRoles): readonly Step[] {
  const { fromBinId, toBinId, missingBinArrayIndexes } = plan;
  const wider: Step[] = [];
  for (let last = fromBinId + BINS_PER_DEFAULT_POSITION - 1; last < toBinId; ) {
    last = Math.min(last + MAX_RESIZE_BINS, toBinId);
    wider.push(increasePositionLength(roles, last));
  }
  const adds = depositsOf(plan).map((of) => addLiquidity(roles, of));
  const lastAdd = adds.at(-1);
  return [
    initializePosition(roles, fromBinId, Math.min(widthOf(plan), BINS_PER_DEFAULT_POSITION)),
    ...wider,
    ...missingBinArrayIndexes.map((index) => initializeBinArray(roles, index)),
    ...adds.slice(0, -1),
    together(...(lastAdd === undefined ? [] : [lastAdd]), payTip(plan)),
  ];
}

function usesWrappedSol({ pool, wrapLamports, swaps }: AddPlan): boolean {
  const tokens = [pool.tokenX, pool.tokenY, ...swaps.flatMap(tokensBought)];
  return wrapLamports > 0n || tokens.some((token) => token.mint === WRAPPED_SOL_MINT);
}
