import type { Strategy } from '../../api/records/money';
import { depositPerBin } from '../build/chunks';
import type { Effect } from '../build/types';
import { EffectError, type Chain } from '../chain/types';
import { BINS_PER_DEFAULT_POSITION } from '../../dlmm/bins';
import type { Address } from '../../solana/address';
import { RENT_LAMPORTS } from '../../solana/programs';
import { binArrayAccount, positionAccount } from './accounts';
import { bookClosing, bookDeposit, bookFees, bookWithdrawal } from './books';
import type { Market } from './market';
import type { Pool } from './pool';
import { emptyPosition, isEmpty, lengthen, type Amounts, type PositionState } from './position';
import { swapOut } from './quotes';

/** What was promised when the bundle was built. */
export interface Promised {
  readonly strategy: Strategy | null;
  /** Where the pool's active bin was, and how far it may have moved until a withdrawal lands. */
  readonly activeBinId: number;
  readonly binsOfSlippage: number;
}

/** Where effects go. */
export interface World {
  readonly market: Market;
  readonly chain: Chain;
}

type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/**
 * Does to market and chain what an instruction says.
 * @throws EffectError where the program would have failed; what was done before it is the caller's to undo.
 */
export function applyEffect(world: World, promised: Promised, effect: Effect): void {
  switch (effect.kind) {
    case 'initializePosition':
      initializePosition(world, promised, effect);
      return;
    case 'increasePositionLength':
      increasePositionLength(world, effect);
      return;
    case 'initializeBinArray':
      initializeBinArray(world, effect);
      return;
    case 'addLiquidity':
      addLiquidity(world, effect);
      return;
    case 'removeLiquidity':
      removeLiquidity(world, promised, effect);
      return;
    case 'claimFee': {
      const { pool, position } = held(world, effect.position, effect.owner);
      pay(world, effect.owner, pool, bookFees(world.market, pool, position));
      return;
    }
    case 'closePosition':
      closePosition(world, effect);
      return;
    case 'swap':
      swap(world, effect);
  }
}

function initializePosition({ market, chain }: World, promised: Promised, effect: EffectOf<'initializePosition'>): void {
  const { owner, position: address, fromBinId, toBinId } = effect;
  const pool = poolAt(market, effect.pool);
  if (chain.hasAccount(address)) {
    throw new EffectError(`The position ${address} exists already`);
  }
  takeLamports(chain, owner, RENT_LAMPORTS.position, 'the rent of the position');
  chain.setProgramAccount(address, positionAccount(pool.address, owner, fromBinId, toBinId));
  market.addPosition(
    emptyPosition({
      address,
      owner,
      pool: pool.address,
      strategy: promised.strategy ?? 'Spot',
      lowerBinId: fromBinId,
      upperBinId: toBinId,
      createdAt: market.now,
    }),
  );
}

function increasePositionLength(world: World, effect: EffectOf<'increasePositionLength'>): void {
  const { chain } = world;
  const { pool, position } = held(world, effect.position, effect.owner);
  const before = rentedBins(position);
  lengthen(position, effect.toBinId);
  const rent = BigInt(rentedBins(position) - before) * RENT_LAMPORTS.positionPerBinAbove70;
  takeLamports(chain, effect.owner, rent, 'the rent of a wider position');
  const account = positionAccount(pool.address, position.owner, position.lowerBinId, position.upperBinId);
  chain.setProgramAccount(effect.position, { ...account, lamports: chain.lamports(effect.position) + rent });
}

function initializeBinArray({ market, chain }: World, effect: EffectOf<'initializeBinArray'>): void {
  const pool = poolAt(market, effect.pool);
  if (pool.state.binArrays.includes(effect.index)) {
    throw new EffectError(`Bin array ${effect.index} of ${pool.pairName} exists already`);
  }
  takeLamports(chain, effect.owner, RENT_LAMPORTS.binArray, 'the rent of a bin array');
  chain.setProgramAccount(effect.binArray, binArrayAccount(pool.address, effect.index));
  pool.state.binArrays = [...pool.state.binArrays, effect.index].sort((a, b) => a - b);
}

function addLiquidity(world: World, effect: EffectOf<'addLiquidity'>): void {
  const { market, chain } = world;
  const { pool, position } = held(world, effect.position, effect.owner);
  checkPrice(pool, effect.activeBinId, effect.maxActiveBinSlippage);
  // A swap before it may have brought a little less than was quoted.
  const amountX = least(effect.amountX, chain.tokenBalance(effect.owner, pool.tokenX.mint));
  const amountY = least(effect.amountY, chain.tokenBalance(effect.owner, pool.tokenY.mint));
  const bins = depositPerBin({ amountX, amountY, spread: effect.spread }, pool.activeBinId, pool.spec.binStepBps);
  if (bins.every((bin) => bin.amountX === 0n && bin.amountY === 0n)) {
    throw new EffectError(`None of the bins of the range takes the deposit: the active bin of ${pool.pairName} is ${pool.activeBinId}`);
  }
  const { x, y } = bookDeposit(market, pool, position, bins);
  chain.credit(effect.owner, pool.tokenX.mint, -x);
  chain.credit(effect.owner, pool.tokenY.mint, -y);
}

function removeLiquidity(world: World, promised: Promised, effect: EffectOf<'removeLiquidity'>): void {
  const { pool, position } = held(world, effect.position, effect.owner);
  checkPrice(pool, promised.activeBinId, promised.binsOfSlippage);
  pay(world, effect.owner, pool, bookWithdrawal(world.market, pool, position, effect));
}

function closePosition(world: World, effect: EffectOf<'closePosition'>): void {
  const { market, chain } = world;
  const { pool, position } = held(world, effect.position, effect.owner);
  if (!isEmpty(pool, position)) {
    if (effect.onlyIfEmpty) {
      return;
    }
    throw new EffectError(`The position ${effect.position} is not empty`);
  }
  bookClosing(market, pool, position);
  chain.setLamports(effect.owner, chain.lamports(effect.owner) + chain.lamports(effect.position));
  chain.setProgramAccount(effect.position, undefined);
}

/** Trades in one pool after the other; only what comes out last has a minimum. */
function swap({ market, chain }: World, effect: EffectOf<'swap'>): void {
  const { owner, inputMint, outputMint, minimumOut } = effect;
  const sold = least(effect.inAmount, chain.tokenBalance(owner, inputMint));
  const pools = effect.pools.map((address) => poolAt(market, address));
  const { mint, amount } = pools.reduce((held, pool) => tradeIn(market, pool, held), { mint: inputMint, amount: sold });
  if (mint !== outputMint) {
    throw new EffectError(`The swap ends with ${mint}, and not with ${outputMint}`);
  }
  if (amount < minimumOut) {
    const symbol = market.tokenByMint(inputMint)?.spec.symbol ?? inputMint;
    const where = pools.map(({ pairName }) => pairName).join(' and ');
    throw new EffectError(`Slippage exceeded: selling ${symbol} in ${where} gives ${amount} (raw) now, and at least ${minimumOut} was asked for`);
  }
  chain.credit(owner, inputMint, -sold);
  chain.credit(owner, outputMint, amount);
}

interface Holding {
  readonly mint: Address;
  readonly amount: bigint;
}

function tradeIn(market: Market, pool: Pool, { mint, amount }: Holding): Holding {
  const { tokenX, tokenY } = pool;
  switch (mint) {
    case tokenX.mint:
      return { mint: tokenY.mint, amount: swapOut(market, pool, 'x', amount) };
    case tokenY.mint:
      return { mint: tokenX.mint, amount: swapOut(market, pool, 'y', amount) };
    default:
      throw new EffectError(`The pool ${pool.pairName} does not trade ${mint}`);
  }
}

function checkPrice(pool: Pool, activeBinId: number, mostBins: number): void {
  const moved = Math.abs(pool.activeBinId - activeBinId);
  if (moved > mostBins) {
    throw new EffectError(
      `Slippage exceeded: the active bin of ${pool.pairName} moved from ${activeBinId} to ${pool.activeBinId} since the transaction was built, and ${mostBins} bins were allowed`,
    );
  }
}

function held({ market }: World, address: Address, owner: Address): { readonly pool: Pool; readonly position: PositionState } {
  const position = market.positionAt(address);
  if (position === undefined || position.closed !== null) {
    throw new EffectError(`There is no open position ${address}`);
  }
  if (position.owner !== owner) {
    throw new EffectError(`The position ${address} belongs to somebody else`);
  }
  return { pool: poolAt(market, position.pool), position };
}

function poolAt(market: Market, address: Address): Pool {
  const pool = market.poolAt(address);
  if (pool === undefined) {
    throw new EffectError(`There is no pool ${address}`);
  }
  return pool;
}

function pay({ chain }: World, owner: Address, pool: Pool, { x, y }: Amounts): void {
  chain.credit(owner, pool.tokenX.mint, x);
  chain.credit(owner, pool.tokenY.mint, y);
}

function takeLamports(chain: Chain, owner: Address, lamports: bigint, what: string): void {
  const left = chain.lamports(owner) - lamports;
  if (left < 0n) {
    throw new EffectError(`${owner} has too few lamports for ${what}: ${chain.lamports(owner)} of ${lamports}`);
  }
  chain.setLamports(owner, left);
}

function rentedBins(position: PositionState): number {
  return Math.max(0, position.bins.length - BINS_PER_DEFAULT_POSITION);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
