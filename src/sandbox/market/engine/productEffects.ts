import type { Address } from '../../../base/solana/address';
import { dammPositionNftAccount } from '../../../base/solana/pda';
import { BASIS_POINTS } from '../../../base/basisPoints';
import type { ProductEffect } from '../../build/types';
import { EffectError } from '../../chain/types';
import { productPositionAccounts } from '../accounts';
import type { Amounts, Market, Position, ProductPool } from '../types';
import type { Promised } from './pendingBuilds';
import type { EffectTarget } from './effectTarget';

type EffectOf<Kind extends ProductEffect['kind']> = Extract<ProductEffect, { kind: Kind }>;

/** What an instruction of the DAMM v2 program does. @throws EffectError, RangeError where the program would have failed. */
export function applyProductEffect(target: EffectTarget, promised: Promised | undefined, effect: ProductEffect): void {
  switch (effect.kind) {
    case 'createProductPosition':
      createPosition(target, promised, effect);
      return;
    case 'addProductLiquidity':
      addLiquidity(target, effect);
      return;
    case 'removeProductLiquidity':
      removeLiquidity(target, effect);
      return;
    case 'claimProductFee': {
      const { pool, position } = held(target.market, effect);
      target.custody.pay(effect.owner, pool, target.market.books.collect(pool, position.address));
      return;
    }
    case 'closeProductPosition':
      closePosition(target, effect);
  }
}

function createPosition(
  { market, custody }: EffectTarget,
  promised: Promised | undefined,
  { owner, pool: poolAddress, position: address, nftMint }: EffectOf<'createProductPosition'>,
): void {
  const pool = productPoolAt(market, poolAddress);
  for (const { at, account, what } of productPositionAccounts(pool.address, owner, nftMint)) {
    custody.rentAccount(owner, at, account, what);
  }
  market.books.open({ address, owner, pool, strategy: promised?.strategy ?? 'Spot', range: undefined, nftMint });
}

function addLiquidity({ market, custody }: EffectTarget, effect: EffectOf<'addProductLiquidity'>): void {
  const { owner, liquidity, maximumX, maximumY } = effect;
  const { pool, position } = held(market, effect);
  const costs = pool.amountsFor(liquidity, 'up');
  if (costs.x > maximumX || costs.y > maximumY) {
    throw new EffectError(
      `Slippage exceeded: the deposit into ${pool.pairName} takes ${text(pool, costs)} now, and at most ${text(pool, { x: maximumX, y: maximumY })} was asked for`,
    );
  }
  custody.take(owner, pool, market.books.depositLiquidity(pool, position.address, liquidity));
}

function removeLiquidity({ market, custody }: EffectTarget, effect: EffectOf<'removeProductLiquidity'>): void {
  const { owner, minimumX, minimumY } = effect;
  const { pool, position } = held(market, effect);
  const has = position.holding?.type === 'product' ? position.holding.liquidity : 0n;
  const liquidity = effect.liquidity === 'all' ? has : effect.liquidity;
  if (liquidity === 0n || liquidity > has) {
    throw new EffectError(`The position ${effect.position} has too little liquidity: ${has} of ${liquidity}`);
  }
  const gives = pool.amountsFor(liquidity, 'down');
  if (gives.x < minimumX || gives.y < minimumY) {
    throw new EffectError(
      `Slippage exceeded: the withdrawal from ${pool.pairName} gives ${text(pool, gives)} now, and at least ${text(pool, { x: minimumX, y: minimumY })} was asked for`,
    );
  }
  const shareBps = Number((liquidity * BASIS_POINTS + has / 2n) / has);
  custody.pay(owner, pool, market.books.withdrawLiquidity(pool, position.address, liquidity, shareBps));
}

function closePosition({ market, custody }: EffectTarget, effect: EffectOf<'closeProductPosition'>): void {
  const { owner, position: address, nftMint } = effect;
  const { pool, position } = held(market, { ...effect, nftAccount: dammPositionNftAccount(nftMint) });
  if (!market.books.isEmpty(pool, position)) {
    throw new EffectError(`The position ${address} is not empty`);
  }
  market.books.close(pool, address);
  for (const { at } of productPositionAccounts(pool.address, owner, nftMint)) {
    custody.closeAccount(owner, at);
  }
}

function held(
  market: Market,
  { position: address, owner, nftAccount }: { readonly position: Address; readonly owner: Address; readonly nftAccount: Address },
): { readonly pool: ProductPool; readonly position: Readonly<Position> } {
  const position = market.positions.at(address);
  if (position === undefined || position.closing !== null) {
    throw new EffectError(`There is no open position ${address}`);
  }
  if (position.owner !== owner || position.nftMint === null || dammPositionNftAccount(position.nftMint) !== nftAccount) {
    throw new EffectError(`The position ${address} belongs to somebody else`);
  }
  return { pool: productPoolAt(market, position.pool), position };
}

function productPoolAt(market: Market, address: Address): ProductPool {
  const pool = market.poolAt(address);
  if (pool?.type !== 'product') {
    throw new EffectError(`There is no constant-product pool at ${address}`);
  }
  return pool;
}

function text(pool: ProductPool, { x, y }: Amounts): string {
  return `${x} ${pool.tokenX.spec.symbol} and ${y} ${pool.tokenY.spec.symbol} (raw)`;
}
