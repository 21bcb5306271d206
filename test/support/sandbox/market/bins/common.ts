import * as z from 'zod';
import { binArraysOf } from '../../../../../src/base/dlmm/bins';
import type { BinAmounts } from '../../../../../src/base/dlmm/strategy';
import type { BinPoolSpec, TokenSpec } from '../../../../../src/sandbox/market/catalog';
import { openBinPool } from '../../../../../src/sandbox/market/pools/binPool';
import type { Amounts, BinHolding, BinPool, PoolOptions } from '../../../../../src/sandbox/market/types';
import { Database } from '../../../../../src/sandbox/store/database';
import { UnitOfWork } from '../../../../../src/sandbox/store/unitOfWork';
import { address } from '../../../../../src/base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../../../../src/base/solana/programs';

/** A moment long after any trade. */
export const NOON = Date.UTC(2026, 4, 1, 12);
/** Reaches over every bin. */
export const ALL_BINS = { fromBinId: -1_000_000, toBinId: 1_000_000 };

const ADDRESS = address('BinPoo1111111111111111111111111111111111111');
const TOKEN: TokenSpec = {
  key: 'SOL',
  symbol: 'SOL',
  name: 'Wrapped SOL',
  decimals: 9,
  priceUsd: 164,
  circulating: 1,
  supply: 1,
  beta: 1,
  volatility: 0.6,
  jumpsPerDay: 0,
  holders: 1,
  organicScore: 99,
  topHolderPercent: 1,
  mintOrFreeze: false,
};
const SPEC: BinPoolSpec = {
  type: 'bins',
  key: 'SOL-USDC-20',
  tokenX: 'SOL',
  tokenY: 'USDC',
  binStepBps: 20,
  baseFactor: 10_000,
  power: 0,
  variableFeeControl: 40_000,
  maxVolatility: 350_000,
  protocolShareBps: 500,
  tvlUsd: 1,
  turnoverPerDay: 1,
  tradeUsd: 1,
  halfWidthBins: 10,
  ageHours: 1,
};

/** A bin pool in a database of its own. */
export interface World {
  readonly database: Database;
  readonly unit: UnitOfWork;
  readonly pool: BinPool;
  /** Another unit of work and pool on the same database: what is there after a start. */
  readonly reopened: () => BinPool;
}

/** What the pool is made of, in such a database. */
export function optionsFor(
  database: Database,
  unit: UnitOfWork,
  spec: Partial<BinPoolSpec> = {},
  startPrice = 1,
): PoolOptions<BinPoolSpec> {
  return {
    spec: { ...SPEC, ...spec },
    address: ADDRESS,
    tokenX: { spec: TOKEN, mint: WRAPPED_SOL_MINT },
    tokenY: { spec: { ...TOKEN, key: 'USDC', symbol: 'USDC', decimals: 6 }, mint: USDC_MINT },
    createdAt: 0,
    database,
    unit,
    startPrice,
  };
}

/** An empty pool whose price is one raw Y for one raw X (bin 0), unless `startPrice` says another one. */
export function binWorld(spec: Partial<BinPoolSpec> = {}, startPrice = 1): World {
  const database = Database.inMemory();
  const open = (unit: UnitOfWork): BinPool => openBinPool(optionsFor(database, unit, spec, startPrice));
  const unit = new UnitOfWork(database);
  return { database, unit, pool: open(unit), reopened: () => open(new UnitOfWork(database)) };
}

/** A holding of that range, and the bin arrays that it needs. */
export function holdingOver(pool: BinPool, fromBinId: number, toBinId: number): BinHolding {
  binArraysOf(fromBinId, toBinId).forEach((index) => pool.addBinArray(index));
  return pool.newHolding({ fromBinId, toBinId });
}

/** So much of each token in every bin of a range: Y below the active bin, X above it, both in it. */
export function evenly(pool: BinPool, fromBinId: number, toBinId: number, each: bigint): BinAmounts[] {
  return Array.from({ length: toBinId - fromBinId + 1 }, (_, place) => {
    const binId = fromBinId + place;
    return { binId, amountX: binId >= pool.activeBinId ? each : 0n, amountY: binId <= pool.activeBinId ? each : 0n };
  });
}

/** A new holding with so much in every bin. */
export function stockedHolding(pool: BinPool, fromBinId: number, toBinId: number, each: bigint): BinHolding {
  const holding = holdingOver(pool, fromBinId, toBinId);
  pool.deposit(holding, evenly(pool, fromBinId, toBinId, each), NOON);
  return holding;
}

/** Everything that the database has of the pool once all changes are written. */
export function stored({ unit, database }: Pick<World, 'unit' | 'database'>): unknown {
  unit.commit();
  const bytes = z.instanceof(Uint8Array).transform((blob) => Buffer.from(blob).toString('hex'));
  return {
    pools: database.all(
      z.object({ address: z.string(), key: z.string(), type: z.string(), state: z.string() }),
      'SELECT * FROM pool ORDER BY address',
    ),
    binArrays: database.all(
      z.object({ pool: z.string(), number: z.number(), bins: bytes }),
      'SELECT * FROM bin_array ORDER BY pool, number',
    ),
  };
}

export function plus(a: Amounts, b: Amounts): Amounts {
  return { x: a.x + b.x, y: a.y + b.y };
}

export function minus(a: Amounts, b: Amounts): Amounts {
  return { x: a.x - b.x, y: a.y - b.y };
}
