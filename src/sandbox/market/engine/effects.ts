import type { Address } from '../../../base/solana/address';
import type { Effect, SwapEffect } from '../../build/types';
import { EffectError } from '../../chain/types';
import type { Market, Pool } from '../types';
import { applyBinEffect } from './binEffects';
import { sellThrough } from './exchange';
import type { Promised } from './pendingBuilds';
import { applyProductEffect } from './productEffects';
import type { EffectTarget } from './effectTarget';

/**
 * Applies the effect of an instruction to market and chain. `promised`: of its operation; `undefined` if a simulated transaction
 * belongs to none.
 * @throws EffectError if the program would have failed; the caller takes back what was done before.
 */
export function applyEffect(target: EffectTarget, promised: Promised | undefined, effect: Effect): void {
  try {
    applyOne(target, promised, effect);
  } catch (error) {
    // The program refuses what pools and books refuse.
    throw error instanceof RangeError ? new EffectError(error.message, { cause: error }) : error;
  }
}

function applyOne(target: EffectTarget, promised: Promised | undefined, effect: Effect): void {
  switch (effect.kind) {
    case 'swap':
      swap(target, effect);
      return;
    case 'initializePosition':
    case 'increasePositionLength':
    case 'initializeBinArray':
    case 'addLiquidity':
    case 'removeLiquidity':
    case 'claimFee':
    case 'closePosition':
      applyBinEffect(target, promised, effect);
      return;
    case 'createProductPosition':
    case 'addProductLiquidity':
    case 'removeProductLiquidity':
    case 'claimProductFee':
    case 'closeProductPosition':
      applyProductEffect(target, promised, effect);
  }
}

/** Trades in one pool after the other; only the last output has a minimum. */
function swap({ market, custody }: EffectTarget, effect: SwapEffect): void {
  const { owner, inputMint, outputMint, minimumOut } = effect;
  const sold = custody.atMost(effect.inAmount, owner, inputMint);
  const pools = effect.pools.map((address) => poolAt(market, address));
  const { mint, amount } = sellThrough(market, pools, { mint: inputMint, amount: sold });
  if (mint !== outputMint) {
    throw new EffectError(`The swap ends with ${mint}, and not with ${outputMint}`);
  }
  if (amount < minimumOut) {
    const symbol = market.tokenByMint(inputMint)?.spec.symbol ?? inputMint;
    const where = pools.map(({ pairName }) => pairName).join(' and ');
    throw new EffectError(
      `Slippage exceeded: selling ${symbol} in ${where} gives ${amount} (raw) now, and at least ${minimumOut} was asked for`,
    );
  }
  custody.takeToken(owner, inputMint, sold);
  custody.payToken(owner, outputMint, amount);
}

function poolAt(market: Market, address: Address): Pool {
  const pool = market.poolAt(address);
  if (pool === undefined) {
    throw new EffectError(`There is no pool ${address}`);
  }
  return pool;
}
