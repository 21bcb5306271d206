import type { HttpBindings } from '@hono/node-server';
import { binArraysOf } from '../../../../src/base/dlmm/bins';
import { spreadOverBins } from '../../../../src/base/dlmm/strategy';
import type { Address } from '../../../../src/base/solana/address';
import { passingReadings } from '../../../../src/engine/counters/readings';
import { IndexingLag } from '../../../../src/sandbox/market/engine/indexingLag';
import { Landing } from '../../../../src/sandbox/market/engine/landing';
import { EngineOperations, MarketEngine } from '../../../../src/sandbox/market/engine/marketEngine';
import { PendingBuilds } from '../../../../src/sandbox/market/engine/pendingBuilds';
import { WorldSettings } from '../../../../src/sandbox/market/engine/settings';
import { VaultTransfers } from '../../../../src/sandbox/market/engine/vaultTransfers';
import { routerTable } from '../../../../src/sandbox/market/genesis';
import { PositionLedger } from '../../../../src/sandbox/market/positionLedger';
import type { BinPool, Market, MarketPool, ProductPool } from '../../../../src/sandbox/market/types';
import { wholePrice } from '../../../../src/sandbox/market/units';
import { Database } from '../../../../src/sandbox/store/database';
import { createServiceApp } from '../../../../src/engine/http/app';
import { BASE_PATH, type Listening, listen } from '../../../../src/engine/http/listen';
import { TestClient } from '../../sandbox/client';
import { addressOf, binPoolOf, poolOf, type World, worldIn } from '../../sandbox/market/worlds';
import type { Deposit } from '../../mainnet/world/pool';

const API_KEY = 'twin';
const SEED = 3;
const ALL_BPS = 10_000;
const PROTOCOLS = { bins: 'meteora', product: 'meteora_damm_v2' };

/**
 * A market of the sandbox in which only the test acts, behind the sandbox's engine and HTTP. Its pools of SOL and USDC are empty at first.
 * A price walk does not follow trades of a test, so SOL has the price of the pool in which something happens.
 */
export class SandboxTwin {
  readonly bins: BinPool;
  readonly product: ProductPool;
  readonly #world: World;
  readonly #market: Market;
  #priceOf: MarketPool;
  #server: Listening | undefined;

  /** @param startMs milliseconds since 1970 */
  constructor(startMs: number) {
    this.#world = worldIn(Database.inMemory(), SEED, startMs);
    this.#world.market.speed = 0;
    this.bins = binPoolOf(this.#world.market, 'SOL-USDC-10');
    const product = poolOf(this.#world.market, 'SOL-USDC-DAMM-4');
    if (product.type !== 'product') {
      throw new Error('The pool has bins');
    }
    this.product = product;
    this.#priceOf = this.bins;
    this.#market = this.#priced();
  }

  /** Moves the clock, never backwards. */
  at(ms: number): void {
    this.#world.market.advance(ms);
  }

  /** SOL has the price of this pool from now on. */
  priceBy(pool: MarketPool): void {
    this.#priceOf = pool;
  }

  openBins(address: Address, owner: Address, { x = 0n, y = 0n, bins: [lower, upper] = [-10, 10], strategy = 'Spot' }: Deposit): void {
    const { books } = this.#market;
    this.priceBy(this.bins);
    const { activeBinId, spec } = this.bins;
    const range = { fromBinId: activeBinId + lower, toBinId: activeBinId + upper };
    binArraysOf(range.fromBinId, range.toBinId).forEach((index) => this.bins.addBinArray(index));
    books.open({ address, owner, pool: this.bins, strategy, range, nftMint: undefined });
    const spread = spreadOverBins({ ...range, activeBinId, binStepBps: spec.binStepBps, strategy, amountX: x, amountY: y });
    books.depositBins(this.bins, address, spread);
    this.#commit();
  }

  openProduct(address: Address, owner: Address, liquidity: bigint): void {
    const { books } = this.#market;
    this.priceBy(this.product);
    books.open({ address, owner, pool: this.product, strategy: 'Spot', range: undefined, nftMint: addressOf(`NFT of ${address}`) });
    books.depositLiquidity(this.product, address, liquidity);
    this.#commit();
  }

  swap(pool: MarketPool, sell: 'x' | 'y', amount: bigint): void {
    this.priceBy(pool);
    this.#market.trade(pool, sell, amount);
    this.#commit();
  }

  claim(pool: MarketPool, address: Address): void {
    this.priceBy(pool);
    this.#market.books.collect(pool, address);
    this.#commit();
  }

  withdraw(pool: MarketPool, address: Address, bps: number): void {
    const { books, positions } = this.#market;
    const position = positions.at(address);
    this.priceBy(pool);
    if (pool.type === 'bins') {
      books.withdrawBins(pool, address, { fromBinId: position?.lowerBinId ?? NaN, toBinId: position?.upperBinId ?? NaN }, bps);
    } else if (position?.holding?.type === 'product') {
      books.withdrawLiquidity(pool, address, (position.holding.liquidity * BigInt(bps)) / BigInt(ALL_BPS), bps);
    }
    this.#commit();
  }

  /** Withdraws and claims everything, in the order of the program, and closes. */
  close(pool: MarketPool, address: Address): void {
    const steps = [() => this.withdraw(pool, address, ALL_BPS), () => this.claim(pool, address)];
    (pool.type === 'bins' ? steps : steps.reverse()).forEach((step) => step());
    this.#market.books.close(pool, address);
    this.#commit();
  }

  /** Serves the market at the present time. */
  async serve(owner: Address): Promise<TestClient> {
    const { database, chain, unit } = this.#world;
    const market = this.#market;
    const records = { database, market, chain, protocols: PROTOCOLS };
    const settings = new WorldSettings(database);
    const issued = new PendingBuilds(database, unit);
    const custody = new VaultTransfers(chain, market.world);
    const context = { market, chain, unit, issued, settings, lookupTable: routerTable(chain, market), random: () => new Uint8Array(32) };
    const landing = new Landing({ target: { market, custody }, chain, unit, issued, lag: new IndexingLag(records, unit, settings) });
    const operations = new EngineOperations(context, PROTOCOLS);
    const engine = new MarketEngine({ records, unit, operations, landing, counters: passingReadings(), now: () => Date.now() });
    const app = createServiceApp<{ Bindings: HttpBindings }>({
      ...{ engineOf: () => engine, protocols: PROTOCOLS, apiKey: API_KEY, guards: [] },
      before: async () => engine.advance(),
      onFault: (error) => String(error),
    });
    this.#server = await listen(app, 0);
    return new TestClient({ url: `${this.#server.origin}${BASE_PATH}`, apiKey: API_KEY, owner, secretKey: '', pid: process.pid });
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#world.database.close();
  }

  /** The market with the prices of pools. */
  #priced(): Market {
    const { market, unit } = this.#world;
    const usdSol = (): number => {
      const pool = this.#priceOf;
      return pool.type === 'bins' ? pool.uiPriceOf(pool.activeBinId) : wholePrice(pool.price, pool.tokenX, pool.tokenY);
    };
    const usd: Market['usd'] = ({ mint }) => (mint === market.sol.mint ? usdSol() : mint === market.usdc.mint ? 1 : NaN);
    const books = new PositionLedger(
      {
        ...{ seed: market.seed, positions: market.positions, usd },
        get now() {
          return market.now;
        },
        get usdSol() {
          return usdSol();
        },
      },
      unit,
    );
    return new Proxy<Market>(market, {
      get: (_, name) => {
        if (name === 'usd') {
          return usd;
        }
        if (name === 'usdSol') {
          return usdSol();
        }
        if (name === 'books') {
          return books;
        }
        const value: unknown = Reflect.get(market, name);
        return typeof value === 'function' ? (value.bind(market) as unknown) : value;
      },
    });
  }

  #commit(): void {
    this.#world.market.settleVaults();
    this.#world.unit.commit();
  }
}
