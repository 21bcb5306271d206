import { addressFromBytes, type Address } from '../../../../../src/base/solana/address';
import { Database } from '../../../../../src/sandbox/store/database';
import { UnitOfWork } from '../../../../../src/sandbox/store/unitOfWork';
import { SOL_KEY, tokenSpec, USDC_KEY, type ProductPoolSpec } from '../../../../../src/sandbox/market/catalog';
import { openProductPool } from '../../../../../src/sandbox/market/pools/productPool';
import type { Amounts, PoolToken, ProductHolding, ProductPool } from '../../../../../src/sandbox/market/types';

/** 2026-11-20T12:00:00Z. */
export const NOON = 1_795_176_000_000;

const addressOf = (byte: number): Address => addressFromBytes(new Uint8Array(32).fill(byte));
const token = (key: string, byte: number): PoolToken => ({ spec: tokenSpec(key), mint: addressOf(byte) });

/** Where the pool of {@link openPool} is. */
export const POOL = addressOf(9);

/** A pool of a quarter percent whose fee rises with volatility, a fifth of it the protocol's. */
export const SPEC: ProductPoolSpec = {
  type: 'product',
  key: 'SOL-USDC',
  tokenX: SOL_KEY,
  tokenY: USDC_KEY,
  protocolShareBps: 2_000,
  tvlUsd: 0,
  turnoverPerDay: 0,
  tradeUsd: 0,
  ageHours: 0,
  baseFeeBps: 25,
  dynamicFee: true,
};

/** A pool with the database and the unit of work that it takes part in. */
export interface OpenPool {
  readonly pool: ProductPool;
  readonly database: Database;
  readonly unit: UnitOfWork;
}

/** Opens the pool in a database: where it was left, or empty at that price of SOL in USDC. */
export function openPool(changes: Partial<ProductPoolSpec> = {}, database = Database.inMemory(), priceRaw = 0.164): OpenPool {
  const unit = new UnitOfWork(database);
  const pool = openProductPool({
    spec: { ...SPEC, ...changes },
    address: POOL,
    tokenX: token(SOL_KEY, 1),
    tokenY: token(USDC_KEY, 2),
    createdAt: NOON,
    database,
    unit,
    startPrice: priceRaw,
  });
  return { pool, database, unit };
}

/** A holding with all the liquidity that these amounts make. */
export function deposited(pool: ProductPool, amounts: Amounts): ProductHolding {
  const holding = pool.newHolding();
  pool.deposit(holding, pool.liquidityFor(amounts));
  return holding;
}
