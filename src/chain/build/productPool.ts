import {
  CpAmm,
  getAmountAFromLiquidityDelta,
  getAmountBFromLiquidityDelta,
  getLiquidityDeltaFromAmountA,
  getLiquidityDeltaFromAmountB,
  getUnClaimLpFee,
  type PoolState,
  type PositionState,
  Rounding,
  swapQuoteExactInput,
} from '@meteora-ag/cp-amm-sdk';
import { AccountLayout, type Mint, unpackMint } from '@solana/spl-token';
import { PublicKey, SYSVAR_CLOCK_PUBKEY } from '@solana/web3.js';
import type BN from 'bn.js';
import type { PoolAccounts } from '../../engine/assembly/types';
import type { ProductPoolState } from '../../engine/build/ports';
import type { Address } from '../../base/solana/address';
import type { TokenAmounts } from '../index/types';
import { dammWaitingRewards } from '../positions/dammAccounts';
import type { ChainRpc } from '../rpc/types';
import { addressOf, type ChainAccountInfo, readAccounts } from './accounts';
import { bigintOf, bn, hasTransferHook, type LivePool, type LiveToken, received, sentFor, type PoolSide, type PoolTrade } from './livePool';
import { type LiveReward, type LiveRewards, liveRewards } from './rewards';

/** The chain's clock: slot, start of the epoch, epoch, next leader schedule, time; 8 bytes each. */
export const CLOCK = addressOf(SYSVAR_CLOCK_PUBKEY);
const EPOCH_AT = 16;
const UNIX_TIME_AT = 32;

/** `ActivationType.Timestamp`: fees and openings of the pool go by time, not by slot. */
const BY_TIME = 1;

interface ChainTime {
  readonly slot: bigint;
  readonly epoch: number;
  readonly unixTimeS: bigint;
}

/** A reward of the pool; `undefined`: its mint or its vault is missing. */
type RewardToken = LiveReward['token'];

/** Reads a position's own account. */
export function decodeProductPosition({ connection }: ChainRpc, account: ChainAccountInfo): PositionState {
  return new CpAmm(connection)._program.coder.accounts.decode<PositionState>('position', account.data);
}

/** A DAMM v2 pool with the SDK's reading of its accounts. */
export class LiveProductPool implements LivePool, ProductPoolState {
  readonly type = 'product';
  readonly accounts: PoolAccounts;
  readonly x: LiveToken;
  readonly y: LiveToken;
  readonly #state: PoolState;
  readonly #time: ChainTime;
  readonly #rewards: readonly RewardToken[];

  private constructor(
    address: Address,
    state: PoolState,
    tokens: { readonly x: LiveToken; readonly y: LiveToken },
    time: ChainTime,
    rewards: readonly RewardToken[],
  ) {
    this.x = tokens.x;
    this.y = tokens.y;
    this.accounts = { pool: address, tokenX: this.x, tokenY: this.y };
    this.#state = state;
    this.#time = time;
    this.#rewards = rewards;
  }

  /** Two requests for all of them. Accounts that are no such pools are left out. */
  static async readAll(rpc: ChainRpc, addresses: readonly Address[]): Promise<readonly LiveProductPool[]> {
    if (addresses.length === 0) {
      return [];
    }
    const { coder } = new CpAmm(rpc.connection)._program;
    const pools = await readAccounts(rpc, [...addresses, CLOCK]);
    const time = timeOf(pools.get(CLOCK));
    const states = addresses.flatMap((address) => {
      const account = pools.get(address);
      return account === undefined ? [] : [{ address, state: coder.accounts.decode<PoolState>('pool', account.data) }];
    });
    const accounts = await readAccounts(
      rpc,
      states.flatMap(({ state }) =>
        [state.tokenAMint, state.tokenBMint, ...state.rewardInfos.flatMap(({ mint, vault }) => [mint, vault])]
          .filter((key) => !key.equals(PublicKey.default))
          .map(addressOf),
      ),
    );
    return states.flatMap(({ address, state }) => {
      const [x, y] = [state.tokenAMint, state.tokenBMint].map((mint) => tokenOf(mint, accounts.get(addressOf(mint)), time.epoch));
      const rewards = state.rewardInfos.map(({ mint, vault }) =>
        rewardOf(mint, accounts.get(addressOf(mint)), accounts.get(addressOf(vault))),
      );
      return x === undefined || y === undefined ? [] : [new LiveProductPool(address, state, { x, y }, time, rewards)];
    });
  }

  /** Token Y per token X, smallest units. */
  get rawPrice(): number {
    return (Number(this.#state.sqrtPrice.toString()) / 2 ** 64) ** 2;
  }

  /** The most liquidity that these amounts pay for, and what it costs; transfer fees are part of both. */
  liquidityFor(amounts: TokenAmounts): { readonly liquidity: bigint; readonly cost: TokenAmounts } {
    const { sqrtPrice, sqrtMinPrice, sqrtMaxPrice, collectFeeMode, tokenAAmount, tokenBAmount, liquidity } = this.#state;
    const arriving = { x: bn(received(this.x, amounts.x)), y: bn(received(this.y, amounts.y)) };
    const byX = sqrtPrice.gte(sqrtMaxPrice)
      ? undefined
      : getLiquidityDeltaFromAmountA(arriving.x, sqrtPrice, sqrtMaxPrice, collectFeeMode, tokenAAmount, liquidity);
    const byY = sqrtPrice.lte(sqrtMinPrice)
      ? undefined
      : getLiquidityDeltaFromAmountB(arriving.y, sqrtMinPrice, sqrtPrice, collectFeeMode, tokenBAmount, liquidity);
    const least = byX === undefined || (byY !== undefined && byY.lt(byX)) ? byY : byX;
    if (least === undefined || least.isZero()) {
      return { liquidity: 0n, cost: { x: 0n, y: 0n } };
    }
    const cost = this.#amountsFor(least, Rounding.Up);
    return { liquidity: bigintOf(least), cost: { x: sentFor(this.x, cost.x), y: sentFor(this.y, cost.y) } };
  }

  /** What liquidity is worth in both tokens. */
  amountsOf(liquidity: bigint): TokenAmounts {
    return liquidity === 0n ? { x: 0n, y: 0n } : this.#amountsFor(bn(liquidity), Rounding.Down);
  }

  /** Fees that the position has not claimed. */
  feesOf(position: PositionState): TokenAmounts {
    const { feeTokenA, feeTokenB } = getUnClaimLpFee(this.#state, position);
    return { x: bigintOf(feeTokenA), y: bigintOf(feeTokenB) };
  }

  /** The rewards of the pool that a position may have to claim before it can be closed. */
  rewards(position: PositionState): LiveRewards {
    const waiting = dammWaitingRewards({ state: position }, { state: this.#state }, this.#time);
    return liveRewards(
      this.#state.rewardInfos.map(({ mint, vault, rewardDurationEnd }, index) => ({
        mint,
        vault,
        waiting: waiting.find((one) => one.index === index)?.amount ?? 0n,
        isGrowing: bigintOf(rewardDurationEnd) > this.#time.unixTimeS,
        token: this.#rewards[index],
      })),
    );
  }

  /** The pool after a withdrawal. */
  without(liquidity: bigint): LiveProductPool {
    const { x, y } = this.amountsOf(liquidity);
    const state = {
      ...this.#state,
      liquidity: this.#state.liquidity.sub(bn(liquidity)),
      tokenAAmount: this.#state.tokenAAmount.sub(bn(min(x, bigintOf(this.#state.tokenAAmount)))),
      tokenBAmount: this.#state.tokenBAmount.sub(bn(min(y, bigintOf(this.#state.tokenBAmount)))),
    };
    return new LiveProductPool(this.accounts.pool, state, this, this.#time, this.#rewards);
  }

  trade(sells: PoolSide, inAmount: bigint): Promise<PoolTrade | undefined> {
    return Promise.resolve(this.#quote(sells, inAmount)?.trade);
  }

  /** The pool after a trade, as far as prices matter. */
  after(sells: PoolSide, inAmount: bigint): LiveProductPool {
    const quote = this.#quote(sells, inAmount);
    return quote === undefined
      ? this
      : new LiveProductPool(this.accounts.pool, { ...this.#state, sqrtPrice: quote.sqrtPrice }, this, this.#time, this.#rewards);
  }

  #quote(sells: PoolSide, inAmount: bigint): { readonly trade: PoolTrade; readonly sqrtPrice: BN } | undefined {
    if (inAmount <= 0n || this.#state.liquidity.isZero() || [this.x, this.y].some(hasTransferHook)) {
      return undefined;
    }
    const { slot, epoch, unixTimeS } = this.#time;
    const info = ({ mintInfo }: LiveToken): { mint: LiveToken['mintInfo']; currentEpoch: number } => ({
      mint: mintInfo,
      currentEpoch: epoch,
    });
    const [sold, bought] = sells === 'x' ? [this.x, this.y] : [this.y, this.x];
    const point = this.#state.activationType === BY_TIME ? unixTimeS : slot;
    try {
      const { outputAmount, nextSqrtPrice } = swapQuoteExactInput(
        this.#state,
        bn(point),
        bn(inAmount),
        0,
        sells === 'x',
        false,
        this.x.decimals,
        this.y.decimals,
        info(sold),
        info(bought),
      );
      const hop = { type: 'product' as const, via: this.accounts, sells };
      return { trade: { hop, sells, inAmount, out: received(bought, bigintOf(outputAmount)) }, sqrtPrice: nextSqrtPrice };
    } catch {
      // The SDK throws for what the pool cannot trade: a closed pool, or an amount beyond its range.
      return undefined;
    }
  }

  #amountsFor(liquidity: BN, rounding: Rounding): TokenAmounts {
    const { sqrtPrice, sqrtMinPrice, sqrtMaxPrice, collectFeeMode, tokenAAmount, tokenBAmount, liquidity: all } = this.#state;
    const x = getAmountAFromLiquidityDelta(sqrtPrice, sqrtMaxPrice, liquidity, rounding, collectFeeMode, tokenAAmount, all);
    const y = getAmountBFromLiquidityDelta(sqrtMinPrice, sqrtPrice, liquidity, rounding, collectFeeMode, tokenBAmount, all);
    return { x: bigintOf(x), y: bigintOf(y) };
  }
}

function tokenOf(mint: PublicKey, account: ChainAccountInfo | undefined, epoch: number): LiveToken | undefined {
  if (account === undefined) {
    return undefined;
  }
  const mintInfo = unpackMint(mint, account, account.owner);
  const address = addressOf(mint);
  return { mint: address, name: address, tokenProgram: addressOf(account.owner), decimals: mintInfo.decimals, mintInfo, epoch };
}

function rewardOf(mint: PublicKey, account: ChainAccountInfo | undefined, vault: ChainAccountInfo | undefined): RewardToken {
  if (account === undefined || vault === undefined) {
    return undefined;
  }
  const mintInfo: Mint = unpackMint(mint, account, account.owner);
  return { tokenProgram: addressOf(account.owner), mintInfo, held: AccountLayout.decode(vault.data).amount };
}

function timeOf(account: ChainAccountInfo | undefined): ChainTime {
  if (account === undefined) {
    return { slot: 0n, epoch: 0, unixTimeS: BigInt(Math.floor(Date.now() / 1_000)) };
  }
  const { data } = account;
  return { slot: data.readBigUInt64LE(0), epoch: Number(data.readBigUInt64LE(EPOCH_AT)), unixTimeS: data.readBigInt64LE(UNIX_TIME_AT) };
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
