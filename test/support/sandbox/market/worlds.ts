import * as z from 'zod';
import { binArraysOf } from '../../../../src/base/dlmm/bins';
import { spreadOverBins } from '../../../../src/base/dlmm/strategy';
import { createChain } from '../../../../src/sandbox/chain/chain';
import type { Chain } from '../../../../src/sandbox/chain/types';
import { foundChain } from '../../../../src/sandbox/market/genesis';
import { SimulatedMarket } from '../../../../src/sandbox/market/market';
import { seededBytes } from '../../../../src/sandbox/market/random';
import { rawTokens } from '../../../../src/sandbox/market/units';
import type { Amounts, BinPool, MarketPool, PoolToken } from '../../../../src/sandbox/market/types';
import { Database } from '../../../../src/sandbox/store/database';
import { UnitOfWork } from '../../../../src/sandbox/store/unitOfWork';
import { addressFromBytes, type Address } from '../../../../src/base/solana/address';

/** 2026-11-20T12:00:00Z. */
export const NOON = 1_795_176_000_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The owner in tests of the market. */
export const OWNER: Address = addressFromBytes(new Uint8Array(32).fill(7));

/** A market with its chain and store. */
export interface World {
  readonly database: Database;
  readonly unit: UnitOfWork;
  readonly chain: Chain;
  readonly market: SimulatedMarket;
}

/** Opens what the database has; a new world is founded, and nothing of it committed. */
export function worldIn(database: Database, seed: number, playedFrom = NOON): World {
  const unit = new UnitOfWork(database);
  let drawn = 0;
  const random = (byteCount: number): Uint8Array => {
    drawn += 1;
    return seededBytes(seed, `chain ${drawn}`).slice(0, byteCount);
  };
  const chain = createChain({ database, unit, now: playedFrom, random });
  const market = SimulatedMarket.open({ database, unit, ledger: chain, seed, startedAt: NOON, playedFrom });
  if (market.isNew) {
    foundChain(chain, market, OWNER);
  }
  return { database, unit, chain, market };
}

/** A new world in memory, with somebody's liquidity in every pool: so much as the catalog says, or a part of it. */
export function livelyWorld(seed: number, playedFrom = NOON, part = 1): World {
  const world = worldIn(Database.inMemory(), seed, playedFrom);
  for (const pool of world.market.pools) {
    if (pool.createdAt <= world.market.now) {
      provide(world, pool, part * pool.spec.tvlUsd);
    }
  }
  return world;
}

/** Puts so many dollars of the rest of the world into a pool, around its price; gives the position. */
export function provide({ market }: World, pool: MarketPool, usd: number, label = 'somebody'): Address {
  const address = addressOf(`${label} in ${pool.spec.key}`);
  const amounts = { x: worth(market, pool.tokenX, usd / 2), y: worth(market, pool.tokenY, usd / 2) };
  if (pool.type === 'product') {
    market.books.open({
      address,
      owner: market.world,
      pool,
      strategy: 'Spot',
      range: undefined,
      nftMint: addressOf(`${label}'s NFT in ${pool.spec.key}`),
    });
    market.books.depositLiquidity(pool, address, pool.liquidityFor(amounts));
  } else {
    const half = Math.min(3 * pool.spec.halfWidthBins, 690);
    const range = { fromBinId: pool.activeBinId - half, toBinId: pool.activeBinId + half };
    binArraysOf(range.fromBinId, range.toBinId).forEach((index) => pool.addBinArray(index));
    market.books.open({ address, owner: market.world, pool, strategy: 'Curve', range, nftMint: undefined });
    market.books.depositBins(pool, address, curveOf(pool, range, amounts));
  }
  return address;
}

function curveOf(
  pool: BinPool,
  range: { readonly fromBinId: number; readonly toBinId: number },
  { x, y }: Amounts,
): ReturnType<typeof spreadOverBins> {
  return spreadOverBins({
    ...range,
    activeBinId: pool.activeBinId,
    binStepBps: pool.spec.binStepBps,
    strategy: 'Curve',
    amountX: x,
    amountY: y,
  });
}

function worth(market: SimulatedMarket, token: PoolToken, usd: number): bigint {
  return rawTokens(usd / market.usd(token), token);
}

/** An address for a label, the same every time. */
export function addressOf(label: string): Address {
  return addressFromBytes(seededBytes(0, label));
}

/** @throws Error where the catalog has no such pool. */
export function poolOf(market: SimulatedMarket, key: string): MarketPool {
  const pool = market.pools.find(({ spec }) => spec.key === key);
  if (pool === undefined) {
    throw new Error(`There is no pool ${key}`);
  }
  return pool;
}

/** @throws Error where the catalog has no such pool, or it has no bins. */
export function binPoolOf(market: SimulatedMarket, key: string): BinPool {
  const pool = poolOf(market, key);
  if (pool.type !== 'bins') {
    throw new Error(`${key} has no bins`);
  }
  return pool;
}

const Count = z.object({ count: z.number() });
const Name = z.object({ name: z.string() });
const AnyRow = z.record(z.string(), z.unknown());

/** Everything that a database has, table by table. */
export function contentsOf(database: Database): Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> {
  const tables = database.all(Name, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  return Object.fromEntries(tables.map(({ name }) => [name, database.all(AnyRow, `SELECT * FROM ${name}`)]));
}

/** How many rows were written since the database was opened. */
export function writesTo(database: Database): number {
  return database.get(Count, 'SELECT total_changes() AS count')?.count ?? NaN;
}
