import { getTransferHook, type Mint } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { calculateTransferFeeExcludedAmount, calculateTransferFeeIncludedAmount } from '@meteora-ag/dlmm';
import BN from 'bn.js';
import type { PoolAccounts, SwapHop } from '../../engine/assembly/types';
import type { BuildAmounts, BuildToken } from '../../engine/build/ports';
import type { Address } from '../../base/solana/address';
import { EngineError } from '../../engine/engine';

/** Token X or token Y of a pool. */
export type PoolSide = 'x' | 'y';

/** A token of a pool, with what its mint says. */
export interface LiveToken extends BuildToken {
  /** As the SDKs read it. */
  readonly mintInfo: Mint;
  readonly epoch: number;
}

/** A trade at the present state of a pool. Raw amounts; transfer fees are deducted. */
export interface PoolTrade {
  readonly hop: SwapHop;
  readonly sells: PoolSide;
  readonly inAmount: bigint;
  readonly out: bigint;
}

/** A pool as its accounts say it is now. */
export interface LivePool {
  readonly accounts: PoolAccounts;
  readonly x: LiveToken;
  readonly y: LiveToken;
  /** Token Y per token X, smallest units. */
  readonly rawPrice: number;
  /** `undefined`: the pool does not take the whole amount. */
  trade(sells: PoolSide, inAmount: bigint): Promise<PoolTrade | undefined>;
}

/** The side of a token in a pool; `undefined` if the pool does not trade it. */
export function sideOf({ x, y }: Pick<LivePool, 'x' | 'y'>, mint: Address): PoolSide | undefined {
  return mint === x.mint ? 'x' : mint === y.mint ? 'y' : undefined;
}

/** Returns whether each transfer of a token calls another program: what that demands is not known here. */
export function hasTransferHook({ mintInfo }: Pick<LiveToken, 'mintInfo'>): boolean {
  const hook = getTransferHook(mintInfo);
  return hook !== null && !hook.programId.equals(PublicKey.default);
}

/** @throws EngineError if one of the tokens, those of a pool or of a swap, has a transfer hook */
export function requireNoHooks({ x, y }: Readonly<Record<PoolSide, Pick<LiveToken, 'mint' | 'mintInfo'>>>): void {
  const hooked = [x, y].find(hasTransferHook);
  if (hooked !== undefined) {
    throw new EngineError(
      'invalid',
      `The token ${hooked.mint} has a transfer hook: each transfer calls another program. Such tokens are not supported`,
    );
  }
}

/** What arrives of an amount that is sent, after the token's transfer fee. */
export function received({ mintInfo, epoch }: LiveToken, amount: bigint): bigint {
  return bigintOf(calculateTransferFeeExcludedAmount(bn(amount), mintInfo, epoch).amount);
}

/** What has to be sent so that an amount arrives. */
export function sentFor({ mintInfo, epoch }: LiveToken, amount: bigint): bigint {
  return bigintOf(calculateTransferFeeIncludedAmount(bn(amount), mintInfo, epoch).amount);
}

/** Both amounts after their tokens' transfer fees. */
export function bothReceived({ x, y }: Pick<LivePool, 'x' | 'y'>, amounts: BuildAmounts): BuildAmounts {
  return { x: received(x, amounts.x), y: received(y, amounts.y) };
}

/** A number for the SDKs. */
export function bn(of: bigint): BN {
  return new BN(of.toString());
}

/** A number of the SDKs. */
export function bigintOf(of: { toString(): string }): bigint {
  return BigInt(of.toString());
}
