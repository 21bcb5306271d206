import type { BinCounters } from '../../base/insight/replay';
import type { BinRange } from '../../base/dlmm/bins';
import type { FeeNumerators } from '../../base/dlmm/fees';
import type { BinAmounts, Strategy } from '../../base/dlmm/strategy';
import type { Address } from '../../base/solana/address';
import type { Database } from '../store/database';
import type { UnitOfWork } from '../store/unitOfWork';
import type { BinPoolSpec, PoolSpec, ProductPoolSpec, TokenSpec } from './catalog';
import type { PriceWalk } from './prices';

/** The two kinds of pool: bins of constant price (DLMM), and constant product over the full range (DAMM v2). */
export type PoolKind = 'bins' | 'product';

/** One of a pool's two tokens. */
export type TokenSide = 'x' | 'y';

/** Raw amounts of both tokens. */
export interface Amounts {
  readonly x: bigint;
  readonly y: bigint;
}

/** A token with the mint that it has in this market. */
export interface PoolToken {
  readonly spec: TokenSpec;
  readonly mint: Address;
}

/** A trade in a pool. Raw amounts. */
export interface Trade {
  readonly sells: TokenSide;
  /** Paid by the trader, including the fee; less than offered if the pool runs out of liquidity. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** All fees by token, including the protocol's share. */
  readonly fees: Amounts;
  readonly protocolFees: Amounts;
}

/** A position's part of one bin. */
export interface HeldBin {
  /** Part of the bin's `shares`, Q64. */
  shares: bigint;
  /** The bin's fee counters when this position's fees were last settled. */
  seenFeeX: bigint;
  seenFeeY: bigint;
}

/** Holding of a position in a bin pool: one entry for each bin from `lowerBinId` on. */
export interface BinHolding {
  readonly type: 'bins';
  readonly lowerBinId: number;
  /** Grows at the upper end when the position is extended. */
  readonly bins: HeldBin[];
  /** Settled, uncollected fees, raw. */
  pendingX: bigint;
  pendingY: bigint;
}

/** Holding of a position in a constant-product pool. */
export interface ProductHolding {
  readonly type: 'product';
  /** The program's liquidity, Q64 of sqrt(x × y). */
  liquidity: bigint;
  seenFeeX: bigint;
  seenFeeY: bigint;
  pendingX: bigint;
  pendingY: bigint;
}

/** Holding of a position in a pool of its type. */
export type Holding = BinHolding | ProductHolding;

/** Members of both pool types. Amounts are raw; `now` is in milliseconds since 1970. */
interface PoolBase<Type extends PoolKind> {
  readonly type: Type;
  readonly spec: PoolSpec;
  readonly address: Address;
  readonly tokenX: PoolToken;
  readonly tokenY: PoolToken;
  readonly createdAt: number;
  /** "BONQ/SOL" */
  readonly pairName: string;
  /** Marginal price before fees, raw Y per raw X: the price of the active bin or of the curve. */
  readonly price: number;
  /** Total that positions could withdraw now, without fees. */
  readonly liquidity: Amounts;
  /** Contents of the vaults: liquidity, fees owed to positions, the protocol's share, dust of rounding. */
  readonly vaults: Amounts;
  /** Present fee rates, over 1e9. */
  feeRates(now: number): FeeNumerators;
  /** Highest possible fee rate, over 1e9. */
  readonly maxFeeRate: bigint;
  /** Quotes a sale of `amountIn` without making it. */
  quote(sells: TokenSide, amountIn: bigint, now: number): Trade;
  /** Sells as much of `amountIn` as the liquidity allows. */
  swap(sells: TokenSide, amountIn: bigint, now: number): Trade;
  /**
   * Trades until the pool's price reaches `price` (raw Y per raw X, before fees). Bins are emptied completely as long as their price is
   * not past it. Without liquidity, the price moves without a trade, also in an empty constant-product pool.
   */
  swapTo(price: number, now: number): Trade;
}

/** A bin pool (DLMM). */
export interface BinPool extends PoolBase<'bins'> {
  readonly spec: BinPoolSpec;
  readonly activeBinId: number;
  /** Raw Y for one raw X. */
  priceOf(binId: number): number;
  /** Whole Y for one whole X. */
  uiPriceOf(binId: number): number;
  /** The protocol's share of all fees so far, which stays in the vaults. */
  readonly protocolFees: Amounts;
  /** Total of all positions in a bin, without fees. */
  binAmounts(binId: number): Amounts;
  /** Liquidity and fee counters of a bin, as its account has them. */
  countersOf(binId: number): BinCounters;
  /** Bin arrays that exist on the chain, by index, ascending. */
  readonly binArrayIndexes: readonly number[];
  /** Creates a bin array unless it exists. */
  addBinArray(index: number): void;
  newHolding(range: BinRange): BinHolding;
  /** Extends the holding up to `upperBinId`; never shortens it. */
  extend(holding: BinHolding, upperBinId: number): void;
  /**
   * Deposits into bins of the holding, and returns the deposited amounts. In the active bin, amounts in another ratio than the bin's pay
   * the composition fee.
   * @throws RangeError if a bin is outside the holding, its bin array does not exist, or it would get X below or Y above the active bin
   */
  deposit(holding: BinHolding, bins: readonly BinAmounts[], now: number): Amounts;
  /** Withdraws a share of every bin of the range, and returns the amounts. Fees stay uncollected. @throws RangeError unless `shareBps` is from 0 to 10000 */
  withdraw(holding: BinHolding, range: BinRange, shareBps: number): Amounts;
  /** Collects settled fees and those of the bins, or of all bins, and returns them. */
  collect(holding: BinHolding, range?: BinRange): Amounts;
  amountsOf(holding: BinHolding): Amounts;
  /** Amounts of the holding in one bin; zero outside its range. */
  amountsInBin(holding: BinHolding, binId: number): Amounts;
  feesOf(holding: BinHolding): Amounts;
  /** Fees earned in one bin since the last settlement. */
  feesInBin(holding: BinHolding, binId: number): Amounts;
  /** Moves the active bin to `binId` by trading away everything in between, at any cost. */
  swapToBin(binId: number, now: number): Trade;
}

/** A constant-product pool (DAMM v2). */
export interface ProductPool extends PoolBase<'product'> {
  readonly spec: ProductPoolSpec;
  /** Q64.64, as the program has it. */
  readonly sqrtPriceQ64: bigint;
  /** Of all positions. */
  readonly totalLiquidity: bigint;
  newHolding(): ProductHolding;
  /** Largest liquidity of these amounts at the present price. */
  liquidityFor(amounts: Amounts): bigint;
  /** Amounts that the liquidity costs (rounded up) or returns (rounded down) now. */
  amountsFor(liquidity: bigint, rounding: 'up' | 'down'): Amounts;
  /** Adds liquidity, and returns the deposited amounts. */
  deposit(holding: ProductHolding, liquidity: bigint): Amounts;
  /** Removes liquidity, and returns the withdrawn amounts. @throws RangeError if the holding has less */
  withdraw(holding: ProductHolding, liquidity: bigint): Amounts;
  collect(holding: ProductHolding): Amounts;
  amountsOf(holding: ProductHolding): Amounts;
  feesOf(holding: ProductHolding): Amounts;
}

/** A pool of either type. */
export type MarketPool = BinPool | ProductPool;

/** A value in both currencies, at the prices of its time; not a balance. */
export interface Valuation {
  usd: number;
  native: number;
}

/** An event of a position. Prices in US dollars per whole token; raw amounts. */
export interface MarketPositionEvent {
  readonly action: 'add_liquidity' | 'remove_liquidity' | 'claim_fee' | 'close_position';
  readonly at: number;
  readonly amountX: bigint;
  readonly amountY: bigint;
  readonly usdX: number;
  readonly usdY: number;
  readonly usdSol: number;
  readonly bps: number | null;
}

/** Time and prices of a closing. */
export interface Closing {
  readonly at: number;
  /** `null` in constant-product pools. */
  readonly activeBinId: number | null;
  readonly usdX: number;
  readonly usdY: number;
  readonly usdSol: number;
}

/** A position, open or closed: a row of the table `position`. */
export interface Position {
  readonly address: Address;
  /** Opaque id, the `position_id` of decrease-tx. */
  readonly id: string;
  readonly owner: Address;
  readonly pool: Address;
  readonly strategy: Strategy;
  /** First and last bin; `null` in constant-product pools. `upperBinId` can grow. */
  readonly lowerBinId: number | null;
  upperBinId: number | null;
  /** `null` in bin pools. */
  readonly nftMint: Address | null;
  readonly openedAt: number;
  updatedAt: number;
  /** Sums of deposits, withdrawals and collected fees. */
  readonly input: Valuation;
  readonly output: Valuation;
  readonly collectedFee: Valuation;
  /** Number of events. */
  eventCount: number;
  closing: Closing | null;
  /** `null` once closed. */
  holding: Holding | null;
  readonly type: PoolKind;
}

/** Options of a pool. Its state is in the table `pool`; without a row it starts empty. */
export interface PoolOptions<Spec extends PoolSpec = PoolSpec> {
  readonly spec: Spec;
  readonly address: Address;
  readonly tokenX: PoolToken;
  readonly tokenY: PoolToken;
  readonly createdAt: number;
  readonly database: Database;
  /** The pool's state is part of it. */
  readonly unit: UnitOfWork;
  /** Price of a new pool, raw Y per raw X. */
  readonly startPrice: number;
}

/** The positions: table `position` and its working set. */
export interface Positions {
  /** An open or closed position, read only. */
  at(address: Address): Readonly<Position> | undefined;
  /** The address of the open position with that opaque id; as of the last commit. */
  addressOf(id: string): Address | undefined;
  /** A position that the caller changes in place. */
  edit(address: Address): Position | undefined;
  add(position: Position): void;
  /** Oldest first; as of the last commit. */
  openOf(owner: Address): readonly Readonly<Position>[];
  openIn(pool: Address): readonly Readonly<Position>[];
}

/** Volume and fees, US dollars. */
export interface VolumeAndFees {
  readonly volumeUsd: number;
  readonly feeUsd: number;
}

/** Volume and fees of a pool during the last eight days. */
export interface TurnoverBook {
  record(now: number, turnover: VolumeAndFees, priceUsd: number): void;
  /** Sum of the last `spanMs` before `now`. */
  within(now: number, spanMs: number): VolumeAndFees;
  /** Sum of the equally long span before {@link within}. */
  before(now: number, spanMs: number): VolumeAndFees;
  /** Price of one whole X in US dollars `spanMs` ago, or the oldest known one. */
  priceAgo(now: number, spanMs: number): number | undefined;
  /** Intervals with trades, at most as long as `longestMs` (a minute or more), as far back as they are kept, oldest first. */
  recorded(longestMs: number): readonly (VolumeAndFees & { readonly startsAt: number; readonly priceUsd: number })[];
  /** Hours with trades during the last seven days, oldest first. */
  hourly(now: number): readonly (VolumeAndFees & { readonly startsAt: number })[];
}

/**
 * Changes positions and records the changes: shares in the pool, sums of the position, events. Callers move the returned
 * amounts between accounts; {@link Market.settleVaults} updates the vaults.
 */
export interface Books {
  /** Notes the signature of a transaction with the events that `apply` causes. */
  during(signature: string, apply: () => void): void;
  /** Value of raw amounts at the market's present prices. */
  worthOf(pool: MarketPool, amounts: Amounts): Valuation;
  /** Opens an empty position. Bin pools need a `range`, others an `nftMint`. */
  open(of: {
    readonly address: Address;
    readonly owner: Address;
    readonly pool: MarketPool;
    readonly strategy: Strategy;
    readonly range: BinRange | undefined;
    readonly nftMint: Address | undefined;
  }): Position;
  depositBins(pool: BinPool, position: Address, bins: readonly BinAmounts[]): Amounts;
  depositLiquidity(pool: ProductPool, position: Address, liquidity: bigint): Amounts;
  withdrawBins(pool: BinPool, position: Address, range: BinRange, shareBps: number): Amounts;
  /** `shareBps` is recorded in the event: the share of the position that `liquidity` is. */
  withdrawLiquidity(pool: ProductPool, position: Address, liquidity: bigint, shareBps: number): Amounts;
  /** @param range pools without bins have none; `undefined`: all bins */
  collect(pool: MarketPool, position: Address, range?: BinRange): Amounts;
  /** @throws RangeError if the position is not empty */
  close(pool: MarketPool, position: Address): void;
  amountsOf(pool: MarketPool, position: Readonly<Position>): Amounts;
  feesOf(pool: MarketPool, position: Readonly<Position>): Amounts;
  isEmpty(pool: MarketPool, position: Readonly<Position>): boolean;
}

/** Simulated participants of a market. */
export interface MarketActors {
  /** Runs all actions that are due; called by the market after each step. Commits nothing. */
  act(): void;
}

/** A simulated market: tokens, pools and positions over time. */
export interface Market {
  readonly seed: number;
  /** Creation of the sandbox, and the market's present time; milliseconds since 1970. */
  readonly startedAt: number;
  readonly now: number;
  readonly tokens: readonly PoolToken[];
  readonly pools: readonly MarketPool[];
  readonly sol: PoolToken;
  readonly usdc: PoolToken;
  readonly positions: Positions;
  readonly books: Books;
  tokenByMint(mint: Address): PoolToken | undefined;
  poolAt(address: string): MarketPool | undefined;
  turnoverOf(pool: MarketPool): TurnoverBook;
  /** US dollars for one whole token. */
  usd(token: PoolToken): number;
  readonly usdSol: number;
  /** Present yearly volatility of a token. */
  volatilityOf(token: PoolToken): number;
  /** Speed of prices and trading as a multiple of the usual one; 0 stops the market, but not clock and blocks. */
  speed: number;
  /** Advances the market to `now` in steps of a second, or longer ones after a pause. Never goes back. Commits nothing. */
  advance(now: number): void;
  /** Makes one step: prices move, trades follow, participants act. */
  step(seconds: number): void;
  /** Adds participants that act after each step. */
  populate(actors: MarketActors): void;
  /** Changes the price of the pool's token X by a percentage, in all pools that trade it. */
  shock(pool: MarketPool, percent: number): void;
  /** Sets the price of the pool's token X to a bin, and trades the pool there. Arbitrage moves other pools. */
  setActiveBin(pool: BinPool, binId: number): void;
  /**
   * Moves tokens between the vaults and the wallet of the rest of the world, so that the vaults match the pools: deposits are paid to
   * that wallet, and withdrawals from it. Has to be called before each commit, which fails otherwise.
   */
  settleVaults(): void;
  /** The wallet of the rest of the world. */
  readonly world: Address;
  /** A copy of the price walk: the same steps (seconds times {@link speed}) lead to the same prices, whatever is traded, unless there is a shock. */
  previewPrices(): PriceWalk;
  /** Like the pool's `swap`, and recorded in its turnover. */
  trade(pool: MarketPool, sells: TokenSide, amountIn: bigint): Trade;
}
