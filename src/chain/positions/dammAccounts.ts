import {
  type CpAmm,
  getAmountAFromLiquidityDelta,
  getAmountBFromLiquidityDelta,
  getUnClaimLpFee,
  type PoolState,
  type PositionState,
  Rounding,
} from '@meteora-ag/cp-amm-sdk';
import { type Address, address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { TokenAmounts } from '../index/types';
import type { RawAccount } from './accounts';

const POSITION_DISCRIMINATOR = Buffer.from('aabc8fe47a40f7d0', 'hex');
const POOL_DISCRIMINATOR = Buffer.from('f19a6d0411b16dbc', 'hex');

/** `token_a_flag` and `token_b_flag` of a mint of Token-2022. */
const TOKEN_2022_FLAG = 1;

/** Decodes the accounts of the program; the SDK's program has the coder. */
export type DammCoder = CpAmm['_program']['coder'];

/** A position of DAMM v2. Its owner is whoever holds the NFT. */
export interface DammPosition {
  readonly pool: Address;
  readonly nftMint: Address;
  readonly claimedFees: TokenAmounts;
  readonly state: PositionState;
}

/** A pool of DAMM v2. */
export interface DammPool {
  readonly mintX: Address;
  readonly mintY: Address;
  readonly token2022Mints: readonly Address[];
  readonly state: PoolState;
}

/** What a position holds. */
export interface DammContents {
  /** Of the liquidity that is not locked. */
  readonly amounts: TokenAmounts;
  readonly unclaimedFees: TokenAmounts;
  /** All of it, the locked part included. */
  readonly liquidity: bigint;
}

/** Reads a position; `undefined` if the account is none. */
export function readDammPosition(coder: DammCoder, account: RawAccount): DammPosition | undefined {
  if (!isDammAccount(account, POSITION_DISCRIMINATOR)) {
    return undefined;
  }
  const state = coder.accounts.decode<PositionState>('position', account.data);
  const { totalClaimedAFee, totalClaimedBFee } = state.metrics;
  return {
    pool: address(state.pool.toBase58()),
    nftMint: address(state.nftMint.toBase58()),
    claimedFees: { x: bigintOf(totalClaimedAFee), y: bigintOf(totalClaimedBFee) },
    state,
  };
}

/** Reads a pool; `undefined` if the account is none. */
export function readDammPool(coder: DammCoder, account: RawAccount): DammPool | undefined {
  if (!isDammAccount(account, POOL_DISCRIMINATOR)) {
    return undefined;
  }
  const state = coder.accounts.decode<PoolState>('pool', account.data);
  const mintX = address(state.tokenAMint.toBase58());
  const mintY = address(state.tokenBMint.toBase58());
  return {
    mintX,
    mintY,
    token2022Mints: [...(state.tokenAFlag === TOKEN_2022_FLAG ? [mintX] : []), ...(state.tokenBFlag === TOKEN_2022_FLAG ? [mintY] : [])],
    state,
  };
}

/** What a position holds now, by the SDK's arithmetic. */
export function dammContents({ state: position }: DammPosition, { state: pool }: DammPool): DammContents {
  const { unlockedLiquidity, vestedLiquidity, permanentLockedLiquidity } = position;
  const { sqrtPrice, sqrtMinPrice, sqrtMaxPrice, collectFeeMode, tokenAAmount, tokenBAmount, liquidity } = pool;
  const { feeTokenA, feeTokenB } = getUnClaimLpFee(pool, position);
  const amounts = (): TokenAmounts => {
    const down = Rounding.Down;
    const x = getAmountAFromLiquidityDelta(sqrtPrice, sqrtMaxPrice, unlockedLiquidity, down, collectFeeMode, tokenAAmount, liquidity);
    const y = getAmountBFromLiquidityDelta(sqrtMinPrice, sqrtPrice, unlockedLiquidity, down, collectFeeMode, tokenBAmount, liquidity);
    return { x: bigintOf(x), y: bigintOf(y) };
  };
  return {
    // In an empty pool the SDK would divide by its liquidity.
    amounts: unlockedLiquidity.isZero() ? { x: 0n, y: 0n } : amounts(),
    unclaimedFees: { x: bigintOf(feeTokenA), y: bigintOf(feeTokenB) },
    liquidity: bigintOf(unlockedLiquidity) + bigintOf(vestedLiquidity) + bigintOf(permanentLockedLiquidity),
  };
}

function isDammAccount({ program, data }: RawAccount, discriminator: Buffer): boolean {
  return program === PROGRAMS.dammV2 && data.subarray(0, discriminator.length).equals(discriminator);
}

/** A big number of the SDK. Its own text is decimal; `JSON.stringify` would write hexadecimal digits. */
function bigintOf(number: { toString(): string }): bigint {
  return BigInt(number.toString());
}
