import { depositPerBin } from '../../build/chunks';
import type { BinEffect } from '../../build/types';
import { EffectError } from '../../chain/types';
import type { Address } from '../../../base/solana/address';
import { binArrayAccount, positionAccount } from '../accounts';
import type { BinPool, Market, Position } from '../types';
import type { Promised } from './pendingBuilds';
import type { EffectTarget } from './effectTarget';

type EffectOf<Kind extends BinEffect['kind']> = Extract<BinEffect, { kind: Kind }>;

/** What an instruction of the DLMM program does. @throws EffectError, RangeError where the program would have failed. */
export function applyBinEffect(target: EffectTarget, promised: Promised | undefined, effect: BinEffect): void {
  switch (effect.kind) {
    case 'initializePosition':
      initializePosition(target, promised, effect);
      return;
    case 'increasePositionLength':
      increasePositionLength(target, effect);
      return;
    case 'initializeBinArray':
      initializeBinArray(target, effect);
      return;
    case 'addLiquidity':
      addLiquidity(target, effect);
      return;
    case 'removeLiquidity':
      removeLiquidity(target, promised, effect);
      return;
    case 'claimFee': {
      const { pool, position } = held(target.market, effect.position, effect.owner);
      target.custody.pay(effect.owner, pool, target.market.books.collect(pool, position.address));
      return;
    }
    case 'closePosition':
      closePosition(target, effect);
  }
}

function initializePosition(
  { market, custody }: EffectTarget,
  promised: Promised | undefined,
  effect: EffectOf<'initializePosition'>,
): void {
  const { owner, position: address, fromBinId, toBinId } = effect;
  const pool = binPoolAt(market, effect.pool);
  const existing = market.positions.edit(address);
  if (existing !== undefined && existing.closing === null) {
    // As `initialize_position2`: does nothing for the same owner, whatever the bins are.
    if (existing.owner !== owner || existing.pool !== pool.address) {
      throw new EffectError(`The position ${address} belongs to somebody else`);
    }
    return;
  }
  custody.rentAccount(owner, address, positionAccount(pool.address, owner, fromBinId, toBinId), 'the position');
  market.books.open({ address, owner, pool, strategy: promised?.strategy ?? 'Spot', range: { fromBinId, toBinId }, nftMint: undefined });
}

function increasePositionLength(
  { market, custody }: EffectTarget,
  { owner, position: address, toBinId }: EffectOf<'increasePositionLength'>,
): void {
  const { pool, position } = held(market, address, owner);
  const { holding, lowerBinId, upperBinId } = position;
  if (holding?.type !== 'bins' || lowerBinId === null || upperBinId === null) {
    throw new EffectError(`The position ${address} has no range`);
  }
  if (toBinId <= upperBinId) {
    return;
  }
  const reaches = toBinId;
  pool.lengthen(holding, reaches);
  position.upperBinId = reaches;
  position.updatedAt = market.now;
  custody.enlargeAccount(owner, address, positionAccount(pool.address, owner, lowerBinId, reaches), 'a wider position');
}

function initializeBinArray(
  { market, custody }: EffectTarget,
  { owner, pool: address, binArray, index }: EffectOf<'initializeBinArray'>,
): void {
  const pool = binPoolAt(market, address);
  if (pool.binArrayIndexes.includes(index)) {
    // As the program: what is there already stays.
    return;
  }
  custody.rentAccount(owner, binArray, binArrayAccount(pool.address, index), 'a bin array');
  pool.addBinArray(index);
}

function addLiquidity({ market, custody }: EffectTarget, effect: EffectOf<'addLiquidity'>): void {
  const { owner, activeBinId, maxActiveBinSlippage, spread } = effect;
  const { pool, position } = held(market, effect.position, owner);
  checkPrice(pool, activeBinId, maxActiveBinSlippage);
  // A swap before it may have brought a little less than was quoted.
  const amountX = custody.atMost(effect.amountX, owner, pool.tokenX.mint);
  const amountY = custody.atMost(effect.amountY, owner, pool.tokenY.mint);
  const bins = depositPerBin({ amountX, amountY, spread }, pool.activeBinId, pool.spec.binStepBps).filter(
    (bin) => bin.amountX > 0n || bin.amountY > 0n,
  );
  if (bins.length === 0) {
    throw new EffectError(`None of the bins of the range takes the deposit: the active bin of ${pool.pairName} is ${pool.activeBinId}`);
  }
  const taken = market.books.depositBins(pool, position.address, bins);
  if (taken.x === 0n && taken.y === 0n) {
    throw new EffectError(`The deposit is too small for ${bins.length} bins of ${pool.pairName}: none of them takes any of it`);
  }
  custody.take(owner, pool, taken);
}

function removeLiquidity(
  { market, custody }: EffectTarget,
  promised: Promised | undefined,
  { owner, position: address, fromBinId, toBinId, shareBps }: EffectOf<'removeLiquidity'>,
): void {
  const { pool, position } = held(market, address, owner);
  if (promised !== undefined && promised.price !== null) {
    checkPrice(pool, promised.price.activeBinId, promised.price.binsOfSlippage);
  }
  custody.pay(owner, pool, market.books.withdrawBins(pool, position.address, { fromBinId, toBinId }, shareBps));
}

function closePosition({ market, custody }: EffectTarget, { owner, position: address, onlyIfEmpty }: EffectOf<'closePosition'>): void {
  const { pool, position } = held(market, address, owner);
  if (!market.books.isEmpty(pool, position)) {
    if (onlyIfEmpty) {
      return;
    }
    throw new EffectError(`The position ${address} is not empty`);
  }
  market.books.close(pool, address);
  custody.closeAccount(owner, address);
}

function checkPrice(pool: BinPool, activeBinId: number, mostBins: number): void {
  const moved = Math.abs(pool.activeBinId - activeBinId);
  if (moved > mostBins) {
    throw new EffectError(
      `Slippage exceeded: the active bin of ${pool.pairName} moved from ${activeBinId} to ${pool.activeBinId} since the transaction was built, and ${mostBins} bins were allowed`,
    );
  }
}

function held(market: Market, address: Address, owner: Address): { readonly pool: BinPool; readonly position: Position } {
  const position = market.positions.edit(address);
  if (position === undefined || position.closing !== null) {
    throw new EffectError(`There is no open position ${address}`);
  }
  if (position.owner !== owner) {
    throw new EffectError(`The position ${address} belongs to somebody else`);
  }
  return { pool: binPoolAt(market, position.pool), position };
}

function binPoolAt(market: Market, address: Address): BinPool {
  const pool = market.poolAt(address);
  if (pool?.type !== 'bins') {
    throw new EffectError(`There is no pool with bins at ${address}`);
  }
  return pool;
}
