import { JITO_TIP_ACCOUNTS, PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../src/solana/programs';
import { dlmmBinArray } from '../../../src/solana/derive';
import type { AddPlan, BuildTerms, DecreasePlan, PoolAccounts, SwapHop, SwapPlan } from '../../../src/sandbox/build/types';
import { testKey } from '../chain/support';

/** Who owns everything here. */
export const OWNER = testKey(1);

/** A token that is neither SOL nor USDC. */
export const OTHER_MINT = testKey(20).address;

/** Token X against SOL. */
export const TOKEN_SOL: PoolAccounts = pool(30, OTHER_MINT, WRAPPED_SOL_MINT);
/** SOL against USDC: SOL is X. */
export const SOL_USDC: PoolAccounts = pool(31, WRAPPED_SOL_MINT, USDC_MINT);
/** Without SOL. */
export const TOKEN_USDC: PoolAccounts = pool(32, OTHER_MINT, USDC_MINT);

const SEED_OF_POSITION = new Uint8Array(32).fill(40);

/** What transactions have in common. */
export function terms(blockhash: string): BuildTerms {
  return { owner: OWNER.address, blockhash, microLamportsPerComputeUnit: 50_000n, tip: { account: JITO_TIP_ACCOUNTS[3] ?? OWNER.address, lamports: 20_000n } };
}

/** A swap of that much in one pool. */
export function swap(via: PoolAccounts, sells: 'x' | 'y', inAmount: bigint, quotedOut: bigint): SwapPlan {
  return swapThrough([hop(via, sells)], inAmount, quotedOut);
}

/** A swap of that much in one pool after the other. */
export function swapThrough(hops: readonly SwapHop[], inAmount: bigint, quotedOut: bigint): SwapPlan {
  return { hops, inAmount, quotedOut, slippageBps: 300 };
}

/** A trade that may touch these bin arrays, by index. */
export function hop(via: PoolAccounts, sells: 'x' | 'y', binArrayIndexes: readonly number[] = [-6, -5]): SwapHop {
  return { via, sells, binArrays: binArrayIndexes.map((index) => dlmmBinArray(via.pool, index)) };
}

/** All of a position of 69 bins in the token's pool, everything to SOL. */
export function decreasePlan(blockhash: string, changes: Partial<DecreasePlan> = {}): DecreasePlan {
  return {
    ...terms(blockhash),
    pool: TOKEN_SOL,
    position: testKey(41).address,
    fromBinId: -415,
    toBinId: -347,
    shareBps: 10_000,
    swaps: [swap(TOKEN_SOL, 'x', 5_000_000n, 90_000_000n)],
    ...changes,
  };
}

/** One SOL into the token's pool, half of it swapped. */
export function addPlan(blockhash: string, changes: Partial<AddPlan> = {}): AddPlan {
  return {
    ...terms(blockhash),
    pool: TOKEN_SOL,
    binStepBps: 100,
    positionSeed: SEED_OF_POSITION,
    strategy: 'Spot',
    fromBinId: -415,
    toBinId: -347,
    activeBinId: -381,
    maxActiveBinSlippage: 3,
    amountX: 27_000_000_000n,
    amountY: 500_000_000n,
    wrapLamports: 1_000_000_000n,
    swaps: [swap(TOKEN_SOL, 'y', 500_000_000n, 27_500_000_000n)],
    missingBinArrayIndexes: [],
    ...changes,
  };
}

function pool(byte: number, mintX: PoolAccounts['tokenX']['mint'], mintY: PoolAccounts['tokenY']['mint']): PoolAccounts {
  return { pool: testKey(byte).address, tokenX: { mint: mintX, tokenProgram: PROGRAMS.token }, tokenY: { mint: mintY, tokenProgram: PROGRAMS.token } };
}
