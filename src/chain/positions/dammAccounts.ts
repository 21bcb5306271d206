import {
  type CpAmm,
  getAmountAFromLiquidityDelta,
  getAmountBFromLiquidityDelta,
  getUnClaimLpFee,
  type PoolState,
  type PositionState,
  Rounding,
} from '@meteora-ag/cp-amm-sdk';
import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import { type Address, address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { TokenAmounts } from '../index/types';
import type { ChainClock } from './clock';
import type { RawAccount } from './accounts';
import type { WaitingReward } from './types';

const POSITION_DISCRIMINATOR = Buffer.from('aabc8fe47a40f7d0', 'hex');
const POOL_DISCRIMINATOR = Buffer.from('f19a6d0411b16dbc', 'hex');

/** A share is divided as whole numbers first: this many parts. */
const SHARE_PARTS = 10n ** 12n;

/** Decodes the accounts of the program; the SDK's program has the coder. */
export type DammCoder = CpAmm['_program']['coder'];

/** A position of DAMM v2. It belongs to the holder of its NFT. */
export interface DammPosition {
  readonly pool: Address;
  readonly nftMint: Address;
  readonly state: PositionState;
}

/** A pool of DAMM v2. */
export interface DammPool {
  readonly state: PoolState;
}

/** What a position holds. */
export interface DammContents {
  /** Of all liquidity, locked and vesting liquidity included. */
  readonly amounts: TokenAmounts;
  readonly unclaimedFees: TokenAmounts;
  /** All of it, like {@link amounts}. */
  readonly liquidity: bigint;
  /** The part that can be withdrawn, 0 to 1. */
  readonly withdrawableShare: number;
}

/** Reads a position; `undefined` if the account is none. */
export function readDammPosition(coder: DammCoder, account: RawAccount): DammPosition | undefined {
  if (!isDammAccount(account, POSITION_DISCRIMINATOR)) {
    return undefined;
  }
  const state = coder.accounts.decode<PositionState>('position', account.data);
  return { pool: address(state.pool.toBase58()), nftMint: address(state.nftMint.toBase58()), state };
}

/** Reads a pool; `undefined` if the account is none. */
export function readDammPool(coder: DammCoder, account: RawAccount): DammPool | undefined {
  if (!isDammAccount(account, POOL_DISCRIMINATOR)) {
    return undefined;
  }
  return { state: coder.accounts.decode<PoolState>('pool', account.data) };
}

/** What a position holds now, by the SDK's arithmetic. */
export function dammContents({ state: position }: DammPosition, { state: pool }: DammPool): DammContents {
  const { unlockedLiquidity, vestedLiquidity, permanentLockedLiquidity } = position;
  const { sqrtPrice, sqrtMinPrice, sqrtMaxPrice, collectFeeMode, tokenAAmount, tokenBAmount, liquidity: ofPool } = pool;
  const { feeTokenA, feeTokenB } = getUnClaimLpFee(pool, position);
  const all = unlockedLiquidity.add(vestedLiquidity).add(permanentLockedLiquidity);
  const liquidity = bigintOf(all);
  const amounts = (): TokenAmounts => {
    const down = Rounding.Down;
    const x = getAmountAFromLiquidityDelta(sqrtPrice, sqrtMaxPrice, all, down, collectFeeMode, tokenAAmount, ofPool);
    const y = getAmountBFromLiquidityDelta(sqrtMinPrice, sqrtPrice, all, down, collectFeeMode, tokenBAmount, ofPool);
    return { x: bigintOf(x), y: bigintOf(y) };
  };
  return {
    // In an empty pool the SDK would divide by its liquidity.
    amounts: liquidity === 0n ? { x: 0n, y: 0n } : amounts(),
    unclaimedFees: { x: bigintOf(feeTokenA), y: bigintOf(feeTokenB) },
    liquidity,
    withdrawableShare: liquidity === 0n ? 1 : Number((bigintOf(unlockedLiquidity) * SHARE_PARTS) / liquidity) / Number(SHARE_PARTS),
  };
}

/** What waits as rewards of a position now. */
export function dammWaitingRewards(
  { state: position }: Pick<DammPosition, 'state'>,
  { state: pool }: DammPool,
  { unixTimeS }: Pick<ChainClock, 'unixTimeS'>,
): readonly WaitingReward[] {
  const { rewardInfos } = pool;
  // The SDK throws for a time before the last update, which a lagging RPC may give.
  const time = rewardInfos.reduce((latest, { lastUpdateTime }) => BN.max(latest, lastUpdateTime), new BN(unixTimeS.toString()));
  return getUnClaimLpFee(pool, position, time).rewards.flatMap((amount, index): readonly WaitingReward[] => {
    const mint = rewardInfos[index]?.mint;
    return mint === undefined || mint.equals(PublicKey.default) || amount.isZero()
      ? []
      : [{ index, mint: address(mint.toBase58()), amount: bigintOf(amount) }];
  });
}

function isDammAccount({ program, data }: RawAccount, discriminator: Buffer): boolean {
  return program === PROGRAMS.dammV2 && data.subarray(0, discriminator.length).equals(discriminator);
}

/** A big number of the SDK. Its own text is decimal; `JSON.stringify` would write hexadecimal digits. */
function bigintOf(number: { toString(): string }): bigint {
  return BigInt(number.toString());
}
