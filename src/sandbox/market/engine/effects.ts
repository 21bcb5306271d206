import { BASIS_POINTS } from '../../../base/basisPoints';
import type { Address } from '../../../base/solana/address';
import { dammPositionNftAccount } from '../../../base/solana/pda';
import { depositPerBin } from '../../../engine/assembly/binDeposits';
import type { BinEffect, BuildEffect, ProductEffect, SwapEffect } from '../../build/types';
import { EffectError } from '../../chain/types';
import { binArrayAccount, positionAccount, productPositionAccounts } from '../accounts';
import type { Amounts, BinPool, Market, MarketPool, Position, ProductPool } from '../types';
import type { OperationTerms } from './pendingBuilds';
import { sellThrough } from './routes';
import type { VaultTransfers } from './vaultTransfers';

/** The market and accounts that effects change. */
export interface EffectTarget {
  readonly market: Market;
  readonly custody: VaultTransfers;
}

type EffectOf<Kind extends BuildEffect['kind']> = Extract<BuildEffect, { kind: Kind }>;

/**
 * Applies the effect of an instruction to market and chain.
 * @param promised terms of the operation; `undefined` for a simulated transaction that was not built here
 * @throws EffectError if the program would have failed; the caller rolls back
 */
export function applyEffect(target: EffectTarget, promised: OperationTerms | undefined, effect: BuildEffect): void {
  try {
    applyOne(target, promised, effect);
  } catch (error) {
    // Pools and books throw RangeError for what the program would refuse.
    throw error instanceof RangeError ? new EffectError(error.message, { cause: error }) : error;
  }
}

function applyOne(target: EffectTarget, promised: OperationTerms | undefined, effect: BuildEffect): void {
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

function poolAt(market: Market, address: Address): MarketPool {
  const pool = market.poolAt(address);
  if (pool === undefined) {
    throw new EffectError(`There is no pool ${address}`);
  }
  return pool;
}

/** Applies an instruction of the DAMM v2 program. @throws EffectError, RangeError if the program would have failed */
function applyProductEffect(target: EffectTarget, promised: OperationTerms | undefined, effect: ProductEffect): void {
  switch (effect.kind) {
    case 'createProductPosition':
      createProductPosition(target, promised, effect);
      return;
    case 'addProductLiquidity':
      addProductLiquidity(target, effect);
      return;
    case 'removeProductLiquidity':
      removeProductLiquidity(target, effect);
      return;
    case 'claimProductFee': {
      const { pool, position } = productPositionOf(target.market, effect);
      target.custody.pay(effect.owner, pool, target.market.books.collect(pool, position.address));
      return;
    }
    case 'closeProductPosition':
      closeProductPosition(target, effect);
  }
}

function createProductPosition(
  { market, custody }: EffectTarget,
  promised: OperationTerms | undefined,
  { owner, pool: poolAddress, position: address, nftMint }: EffectOf<'createProductPosition'>,
): void {
  const pool = productPoolAt(market, poolAddress);
  for (const { at, account, what } of productPositionAccounts(pool.address, owner, nftMint, custody.rent)) {
    custody.rentAccount(owner, at, account, what);
  }
  market.books.open({ address, owner, pool, strategy: promised?.strategy ?? 'Spot', range: undefined, nftMint });
}

function addProductLiquidity({ market, custody }: EffectTarget, effect: EffectOf<'addProductLiquidity'>): void {
  const { owner, liquidity, maximumX, maximumY } = effect;
  const { pool, position } = productPositionOf(market, effect);
  const costs = pool.amountsFor(liquidity, 'up');
  if (costs.x > maximumX || costs.y > maximumY) {
    throw new EffectError(
      `Slippage exceeded: the deposit into ${pool.pairName} takes ${text(pool, costs)} now, and at most ${text(pool, { x: maximumX, y: maximumY })} was asked for`,
    );
  }
  custody.take(owner, pool, market.books.depositLiquidity(pool, position.address, liquidity));
}

function removeProductLiquidity({ market, custody }: EffectTarget, effect: EffectOf<'removeProductLiquidity'>): void {
  const { owner, minimumX, minimumY } = effect;
  const { pool, position } = productPositionOf(market, effect);
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

function closeProductPosition({ market, custody }: EffectTarget, effect: EffectOf<'closeProductPosition'>): void {
  const { owner, position: address, nftMint } = effect;
  const { pool, position } = productPositionOf(market, { ...effect, nftAccount: dammPositionNftAccount(nftMint) });
  if (!market.books.isEmpty(pool, position)) {
    throw new EffectError(`The position ${address} is not empty`);
  }
  market.books.close(pool, address);
  for (const { at } of productPositionAccounts(pool.address, owner, nftMint, custody.rent)) {
    custody.closeAccount(owner, at);
  }
}

function productPositionOf(
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

/** Applies an instruction of the DLMM program. @throws EffectError, RangeError if the program would have failed */
function applyBinEffect(target: EffectTarget, promised: OperationTerms | undefined, effect: BinEffect): void {
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
      const { pool, position } = binPositionOf(target.market, effect.position, effect.owner);
      target.custody.pay(effect.owner, pool, target.market.books.collect(pool, position.address, effect));
      return;
    }
    case 'closePosition':
      closePosition(target, effect);
  }
}

function initializePosition(
  { market, custody }: EffectTarget,
  promised: OperationTerms | undefined,
  effect: EffectOf<'initializePosition'>,
): void {
  const { owner, position: address, fromBinId, toBinId } = effect;
  const pool = binPoolAt(market, effect.pool);
  const existing = market.positions.edit(address);
  if (existing !== undefined && existing.closing === null) {
    // Like `initialize_position2`: does nothing for the same owner, whatever the bins are.
    if (existing.owner !== owner || existing.pool !== pool.address) {
      throw new EffectError(`The position ${address} belongs to somebody else`);
    }
    return;
  }
  custody.rentAccount(owner, address, positionAccount(pool.address, owner, fromBinId, toBinId, custody.rent), 'the position');
  market.books.open({ address, owner, pool, strategy: promised?.strategy ?? 'Spot', range: { fromBinId, toBinId }, nftMint: undefined });
}

function increasePositionLength(
  { market, custody }: EffectTarget,
  { owner, position: address, toBinId }: EffectOf<'increasePositionLength'>,
): void {
  const { pool, position } = binPositionOf(market, address, owner);
  const { holding, lowerBinId, upperBinId } = position;
  if (holding?.type !== 'bins' || lowerBinId === null || upperBinId === null) {
    throw new EffectError(`The position ${address} has no range`);
  }
  if (toBinId <= upperBinId) {
    return;
  }
  pool.extend(holding, toBinId);
  position.upperBinId = toBinId;
  position.updatedAt = market.now;
  custody.enlargeAccount(owner, address, positionAccount(pool.address, owner, lowerBinId, toBinId, custody.rent), 'a wider position');
}

function initializeBinArray(
  { market, custody }: EffectTarget,
  { owner, pool: address, binArray, index }: EffectOf<'initializeBinArray'>,
): void {
  const pool = binPoolAt(market, address);
  if (pool.binArrayIndexes.includes(index)) {
    // Like the program: an existing array stays.
    return;
  }
  custody.rentAccount(owner, binArray, binArrayAccount(pool.address, index, custody.rent), 'a bin array');
  pool.addBinArray(index);
}

function addLiquidity({ market, custody }: EffectTarget, effect: EffectOf<'addLiquidity'>): void {
  const { owner, activeBinId, maxActiveBinSlippage, spread } = effect;
  const { pool, position } = binPositionOf(market, effect.position, owner);
  checkPrice(pool, activeBinId, maxActiveBinSlippage);
  // A swap before it may have given a little less than its quote.
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
  promised: OperationTerms | undefined,
  { owner, position: address, fromBinId, toBinId, shareBps }: EffectOf<'removeLiquidity'>,
): void {
  const { pool, position } = binPositionOf(market, address, owner);
  if (promised !== undefined && promised.price !== null) {
    checkPrice(pool, promised.price.activeBinId, promised.price.binsOfSlippage);
  }
  custody.pay(owner, pool, market.books.withdrawBins(pool, position.address, { fromBinId, toBinId }, shareBps));
}

function closePosition({ market, custody }: EffectTarget, { owner, position: address, onlyIfEmpty }: EffectOf<'closePosition'>): void {
  const { pool, position } = binPositionOf(market, address, owner);
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

function binPositionOf(market: Market, address: Address, owner: Address): { readonly pool: BinPool; readonly position: Position } {
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
