import { Keypair } from '@solana/web3.js';
import { addressFromBytes, type Address } from '../../../../src/base/solana/address';
import { dammPosition, dlmmBinArray } from '../../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import type {
  BinAddPlan,
  BinDecreasePlan,
  BinHop,
  BuildTerms,
  PoolAccounts,
  ProductAddPlan,
  ProductDecreasePlan,
  ProductHop,
  SwapHop,
  SwapPlan,
} from '../../../../src/engine/assembly/types';

/** The address of the key whose seed is 32 times this byte. */
export function addressOf(byte: number): Address {
  return addressFromBytes(Keypair.fromSeed(new Uint8Array(32).fill(byte)).publicKey.toBytes());
}

/** Who owns everything here, with the seed of the key. */
export const OWNER = { address: addressOf(1), seed: new Uint8Array(32).fill(1) };

/** A token that is neither SOL nor USDC. */
export const OTHER_MINT = addressOf(20);

/** Token X against SOL. */
export const TOKEN_SOL: PoolAccounts = pool(30, OTHER_MINT, WRAPPED_SOL_MINT);
/** SOL against USDC: SOL is X. */
export const SOL_USDC: PoolAccounts = pool(31, WRAPPED_SOL_MINT, USDC_MINT);
/** Without SOL. */
export const TOKEN_USDC: PoolAccounts = pool(32, OTHER_MINT, USDC_MINT);

const SEED_OF_POSITION = new Uint8Array(32).fill(40);

/** What transactions have in common. */
function terms(blockhash: string): BuildTerms {
  return {
    owner: OWNER.address,
    blockhash,
    microLamportsPerComputeUnit: 25_000n,
    distinguisher: 25_000n,
    tip: { account: JITO_TIP_ACCOUNTS[3] ?? OWNER.address, lamports: 20_000n },
  };
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
export function hop(via: PoolAccounts, sells: 'x' | 'y', binArrayIndexes: readonly number[] = [-6, -5]): BinHop {
  return { type: 'bins', via, sells, binArrays: binArrayIndexes.map((index) => dlmmBinArray(via.pool, index)) };
}

/** A trade in a constant-product pool. */
export function productHop(via: PoolAccounts, sells: 'x' | 'y'): ProductHop {
  return { type: 'product', via, sells };
}

/** All of a position of 69 bins in the token's pool, everything to SOL. */
export function decreasePlan(blockhash: string, changes: Partial<BinDecreasePlan> = {}): BinDecreasePlan {
  return {
    type: 'bins',
    ...terms(blockhash),
    pool: TOKEN_SOL,
    position: addressOf(41),
    fromBinId: -415,
    toBinId: -347,
    shareBps: 10_000,
    swaps: [swap(TOKEN_SOL, 'x', 5_000_000n, 90_000_000n)],
    ...changes,
  };
}

/** One SOL into the token's pool, half of it swapped. */
export function addPlan(blockhash: string, changes: Partial<BinAddPlan> = {}): BinAddPlan {
  return {
    type: 'bins',
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

/** The NFT's mint of {@link productDecreasePlan}. */
export const NFT_MINT = addressOf(42);

/** All of a position in a constant-product pool of the token, everything to SOL. */
export function productDecreasePlan(blockhash: string, changes: Partial<ProductDecreasePlan> = {}): ProductDecreasePlan {
  return {
    type: 'product',
    ...terms(blockhash),
    pool: TOKEN_SOL,
    position: dammPosition(NFT_MINT),
    nftMint: NFT_MINT,
    shareBps: 10_000,
    liquidity: 3n ** 60n,
    amountX: 5_000_000n,
    amountY: 90_000_000n,
    slippageBps: 200,
    swaps: [swapThrough([productHop(TOKEN_SOL, 'x')], 5_000_000n, 90_000_000n)],
    ...changes,
  };
}

/** One SOL into a constant-product pool of the token, half of it swapped. */
export function productAddPlan(blockhash: string, changes: Partial<ProductAddPlan> = {}): ProductAddPlan {
  return {
    type: 'product',
    ...terms(blockhash),
    pool: TOKEN_SOL,
    positionSeed: SEED_OF_POSITION,
    // The square root of the product of both amounts: at their ratio, that is what it costs.
    liquidity: 3_637_306_695n << 64n,
    amountX: 27_000_000_000n,
    amountY: 490_000_000n,
    slippageBps: 200,
    wrapLamports: 1_000_000_000n,
    swaps: [swapThrough([productHop(TOKEN_SOL, 'y')], 500_000_000n, 27_500_000_000n)],
    ...changes,
  };
}

function pool(byte: number, mintX: PoolAccounts['tokenX']['mint'], mintY: PoolAccounts['tokenY']['mint']): PoolAccounts {
  return {
    pool: addressOf(byte),
    tokenX: { mint: mintX, tokenProgram: PROGRAMS.token },
    tokenY: { mint: mintY, tokenProgram: PROGRAMS.token },
  };
}
