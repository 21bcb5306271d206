import type { Address } from '../../base/solana/address';
import { HOUR_MS, SECOND_MS } from '../../base/time';
import type { Ledger } from '../chain/types';
import type { Database } from '../store/database';
import type { UnitOfWork } from '../store/unitOfWork';
import type { WorkingSet } from '../store/workingSet';
import { worldWallet } from './accounts';
import { mintOf, poolAddressOf, POOLS, SOL_KEY, TOKENS, USDC_KEY } from './catalog';
import { type MarketBeginning, MarketState } from './marketState';
import { openBinPool } from './pools/binPool';
import { openProductPool } from './pools/productPool';
import { PositionLedger } from './positionLedger';
import { PositionStore } from './positionStore';
import { PriceWalk, type TokenState, tokenStates } from './prices';
import { Settlement } from './settlement';
import { arbitrage, type ExternalMarket, tradeRandomly, volumeAndFeesOf, WorldReserves } from './trading';
import { PoolTurnover, turnoverRows } from './turnover';
import type { BinPool, Market, MarketActors, MarketPool, PoolToken, TokenSide, Trade, TurnoverBook } from './types';
import { rawPrice } from './units';

/** Most steps of {@link SimulatedMarket.advance}. */
const MAX_STEPS = 600;

export interface MarketOptions extends MarketBeginning {
  readonly database: Database;
  /** All state of the market is part of it. */
  readonly unit: UnitOfWork;
  /** Ledger with the vaults. */
  readonly ledger: Ledger;
}

/** The market in the database. */
export class SimulatedMarket implements Market {
  readonly tokens: readonly PoolToken[];
  readonly sol: PoolToken;
  readonly usdc: PoolToken;
  readonly pools: readonly MarketPool[];
  readonly world: Address;
  readonly positions: PositionStore;
  readonly books: PositionLedger;
  readonly #prices: PriceWalk;
  readonly #poolsByAddress: ReadonlyMap<string, MarketPool>;
  readonly #turnovers: ReadonlyMap<Address, TurnoverBook>;
  readonly #settlement: Settlement;
  readonly #reserves: WorldReserves;
  readonly #actors: MarketActors[] = [];

  readonly #state: MarketState;

  private constructor({ database, unit, ledger }: MarketOptions, state: MarketState, states: WorkingSet<string, TokenState>) {
    this.#state = state;

    const { seed } = state;
    this.tokens = tokensOf(seed);
    this.sol = this.#tokenOf(SOL_KEY);
    this.usdc = this.#tokenOf(USDC_KEY);
    this.world = worldWallet(seed);
    this.#prices = new PriceWalk(states, state.prices);
    this.pools = this.#openPools(database, unit);
    this.#poolsByAddress = new Map(this.pools.map((pool) => [pool.address, pool]));
    const series = turnoverRows(database);
    this.#turnovers = new Map(this.pools.map(({ address }) => [address, new PoolTurnover(address, series)]));
    this.#settlement = new Settlement(this.pools, ledger, this.world, state.isNew);
    this.#reserves = new WorldReserves((mint) => this.#settlement.spendable(mint));
    unit.enlist(series, this.#settlement);
    this.positions = new PositionStore(database, unit);
    this.books = new PositionLedger(this, unit);
  }

  /**
   * Opens the market of the database, or a new one with empty pools.
   * @throws StoreError if the database cannot be read
   */
  static open(options: MarketOptions): SimulatedMarket {
    const state = MarketState.open(options.database, options);
    const states = tokenStates(options.database, state.seed);
    options.unit.enlist(state, states);
    const market = new SimulatedMarket(options, state, states);
    if (state.isNew) {
      market.tokens.forEach(({ spec }) => states.edit(spec.key));
    }
    return market;
  }

  /** Whether the database had no market. */
  get isNew(): boolean {
    return this.#state.isNew;
  }

  get seed(): number {
    return this.#state.seed;
  }

  get startedAt(): number {
    return this.#state.startedAt;
  }

  get now(): number {
    return this.#state.now;
  }

  get speed(): number {
    return this.#state.speed;
  }

  /** @throws RangeError if it is negative or not finite */
  set speed(times: number) {
    this.#state.speed = times;
  }

  tokenByMint(mint: Address): PoolToken | undefined {
    return this.tokens.find((token) => token.mint === mint);
  }

  poolAt(address: string): MarketPool | undefined {
    return this.#poolsByAddress.get(address);
  }

  /** @throws RangeError if the pool is not of this market */
  turnoverOf(pool: MarketPool): TurnoverBook {
    const book = this.#turnovers.get(pool.address);
    if (book === undefined) {
      throw new RangeError(`The market has no pool ${pool.address}`);
    }
    return book;
  }

  usd(token: PoolToken): number {
    return this.#prices.usd(token.spec);
  }

  get usdSol(): number {
    return this.usd(this.sol);
  }

  volatilityOf(token: PoolToken): number {
    return token.spec.volatility * this.#prices.volatilityFactor(token.spec);
  }

  previewPrices(): PriceWalk {
    return this.#prices.copy();
  }

  advance(now: number): void {
    let left = Math.floor((now - this.now) / SECOND_MS);
    const most = this.speed === 0 ? left : Math.ceil(left / MAX_STEPS);
    while (left > 0) {
      const seconds = Math.min(most, left);
      this.step(seconds);
      left -= seconds;
    }
  }

  step(seconds: number): void {
    this.#state.advanceClock(seconds * SECOND_MS);
    if (this.speed === 0) {
      return;
    }
    this.#prices.step(seconds * this.speed);
    this.#reserves.reset();
    for (const pool of this.pools) {
      this.#tradeIn(pool, seconds * this.speed);
    }
    for (const actor of this.#actors) {
      actor.act();
    }
  }

  populate(actors: MarketActors): void {
    this.#actors.push(actors);
  }

  /** @throws RangeError like {@link PriceWalk.move} */
  shock(pool: MarketPool, percent: number): void {
    this.#prices.move(pool.tokenX.spec, 1 + percent / 100);
    this.#reserves.reset();
    this.pools.forEach((affected) => this.#arbitrage(affected));
  }

  /** @throws RangeError if the pool has no such bin, the price is out of bounds, or the rest of the world cannot pay for the trade */
  setActiveBin(pool: BinPool, binId: number): void {
    const price = pool.priceOf(binId);
    this.#reserves.reset();
    if (this.#reserves.reach(pool, price) !== price) {
      throw new RangeError(`No trader has enough to trade ${pool.pairName} from bin ${pool.activeBinId} to bin ${binId}`);
    }
    this.#prices.move(pool.tokenX.spec, price / rawPrice(this.usd(pool.tokenX) / this.usd(pool.tokenY), pool.tokenX, pool.tokenY));
    const trade = pool.swapToBin(binId, this.now);
    this.#reserves.spend(pool, trade);
    this.#record(pool, [trade]);
    this.pools.filter((other) => other !== pool).forEach((other) => this.#arbitrage(other));
  }

  trade(pool: MarketPool, sells: TokenSide, amountIn: bigint): Trade {
    const trade = pool.swap(sells, amountIn, this.now);
    this.#record(pool, [trade]);
    return trade;
  }

  settleVaults(): void {
    this.#settlement.settle();
  }

  /** Random trades, then arbitrage. Before its creation a pool is empty and only follows the price. */
  #tradeIn(pool: MarketPool, seconds: number): void {
    const outside = this.#outside(pool);
    const trades =
      pool.createdAt > this.now
        ? []
        : tradeRandomly(pool, outside, { seconds, activity: this.#prices.volatilityFactor(pool.tokenX.spec), random: this.#state.trades });
    const last = arbitrage(pool, outside);
    this.#record(pool, last === undefined ? trades : [...trades, last], outside);
  }

  #arbitrage(pool: MarketPool): void {
    const outside = this.#outside(pool);
    const trade = arbitrage(pool, outside);
    this.#record(pool, trade === undefined ? [] : [trade], outside);
  }

  #outside({ tokenX, tokenY }: MarketPool): ExternalMarket {
    return { now: this.now, usdX: this.usd(tokenX), usdY: this.usd(tokenY), reserves: this.#reserves };
  }

  #record(pool: MarketPool, trades: readonly Trade[], outside = this.#outside(pool)): void {
    if (trades.some(({ amountIn }) => amountIn > 0n)) {
      this.turnoverOf(pool).record(this.now, volumeAndFeesOf(pool, outside, trades), outside.usdX);
    }
  }

  #openPools(database: Database, unit: UnitOfWork): readonly MarketPool[] {
    return POOLS.map((spec) => {
      const tokenX = this.#tokenOf(spec.tokenX);
      const tokenY = this.#tokenOf(spec.tokenY);
      const shared = {
        address: poolAddressOf(this.seed, spec),
        tokenX,
        tokenY,
        createdAt: this.startedAt - spec.ageHours * HOUR_MS,
        database,
        unit,
        startPrice: rawPrice(this.usd(tokenX) / this.usd(tokenY), tokenX, tokenY),
      };
      return spec.type === 'bins' ? openBinPool({ ...shared, spec }) : openProductPool({ ...shared, spec });
    });
  }

  /** @throws RangeError if the catalog has no such token */
  #tokenOf(key: string): PoolToken {
    const found = this.tokens.find(({ spec }) => spec.key === key);
    if (found === undefined) {
      throw new RangeError(`No token ${key}`);
    }
    return found;
  }
}

/** The catalog's tokens with the mints that they have in the market of that seed, in the catalog's order. */
function tokensOf(seed: number): readonly PoolToken[] {
  return TOKENS.map((spec) => ({ spec, mint: mintOf(seed, spec) }));
}
