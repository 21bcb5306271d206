import type { BinRange } from '../../base/dlmm/bins';
import type { FeeNumerators } from '../../base/dlmm/fees';
import type { BinAmounts, Strategy } from '../../base/dlmm/strategy';
import type { Address } from '../../base/solana/address';
import type { Database } from '../store/database';
import type { UnitOfWork } from '../store/unitOfWork';
import type { BinPoolSpec, PoolSpec, ProductPoolSpec, TokenSpec } from './catalog';
import type { PriceWalk } from './prices';

/** The two kinds of pool: bins of constant price (DLMM), and constant product over the full range (DAMM v2). */
export type PoolType = 'bins' | 'product';

/** One of a pool's two tokens. */
export type Side = 'x' | 'y';

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

/** What a trade in a pool does. Raw amounts. */
export interface Trade {
  readonly sells: Side;
  /** What the trader pays, fee included; less than was offered where the pool has no more to give. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** All fees, by token; the protocol's share is in it. */
  readonly fees: Amounts;
  readonly protocolFees: Amounts;
}

/** What a position has in one bin. */
export interface HeldBin {
  /** Part of the bin's `shares`, Q64. */
  shares: bigint;
  /** Where the bin's fee counters stood when this position's fees were last settled. */
  seenFeeX: bigint;
  seenFeeY: bigint;
}

/** What a position in a bin pool holds: one entry for each bin from `lowerBinId` on. */
export interface BinHolding {
  readonly type: 'bins';
  readonly lowerBinId: number;
  /** Grows at the upper end when the position is made longer. */
  readonly bins: HeldBin[];
  /** Fees, settled and not collected yet, raw. */
  pendingX: bigint;
  pendingY: bigint;
}

/** What a position in a constant-product pool holds. */
export interface ProductHolding {
  readonly type: 'product';
  /** The program's liquidity, Q64 of sqrt(x × y). */
  liquidity: bigint;
  seenFeeX: bigint;
  seenFeeY: bigint;
  pendingX: bigint;
  pendingY: bigint;
}

/** What a position holds in a pool of its type. */
export type Holding = BinHolding | ProductHolding;

/** What both kinds of pool do. All amounts are raw; methods that change something are named so. `now`: milliseconds since 1970. */
interface PoolBase<Type extends PoolType> {
  readonly type: Type;
  readonly spec: PoolSpec;
  readonly address: Address;
  readonly tokenX: PoolToken;
  readonly tokenY: PoolToken;
  readonly createdAt: number;
  /** "BONQ/SOL" */
  readonly pairName: string;
  /** Raw Y for one raw X at the margin, before fees: the active bin's price, or the square of the square root. */
  readonly price: number;
  /** What all positions together could take out now, without fees. */
  readonly liquidity: Amounts;
  /** What the vaults hold: liquidity, fees owed to positions, the protocol's share, what rounding left behind. */
  readonly vaults: Amounts;
  /** Fee rates of a trade now, over 1e9. */
  feeRates(now: number): FeeNumerators;
  /** The highest fee rate that this pool can get to, over 1e9. */
  readonly maxFeeRate: bigint;
  /** What selling `amountIn` would give. Changes nothing. */
  quote(sells: Side, amountIn: bigint, now: number): Trade;
  /** Sells `amountIn`, as much of it as finds liquidity. */
  swap(sells: Side, amountIn: bigint, now: number): Trade;
  /** Trades in the direction in which `price` (raw Y for one raw X, before fees) lies until the pool's price has reached it; nothing where it has. Bins are emptied whole while their price is not past it. Where there is no liquidity, the price goes there without a trade: also that of an empty constant-product pool. */
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
  /** The protocol's share of all fees so far; it stays in the vaults. */
  readonly protocolFees: Amounts;
  /** What all positions together have in a bin, without fees. */
  binAmounts(binId: number): Amounts;
  /** Bin arrays that exist on the chain, by index, ascending. */
  readonly binArrayIndexes: readonly number[];
  /** Makes a bin array exist. Does nothing where it does. */
  addBinArray(index: number): void;
  newHolding(range: BinRange): BinHolding;
  /** Makes the holding reach up to `upperBinId`; never shorter. */
  lengthen(holding: BinHolding, upperBinId: number): void;
  /** Puts amounts into bins of the holding; in the active bin a mix unlike the bin's own pays the composition fee. Gives what went in. @throws RangeError where a bin is outside the holding, its bin array does not exist, or it would get X below the active bin or Y above it. */
  deposit(holding: BinHolding, bins: readonly BinAmounts[], now: number): Amounts;
  /** Takes a share (basis points) of every bin of the range out; gives what came out. Fees stay to be collected. @throws RangeError where the share is not from 0 to 10000. */
  withdraw(holding: BinHolding, range: BinRange, shareBps: number): Amounts;
  /** Takes all fees out; gives them. */
  collect(holding: BinHolding): Amounts;
  amountsOf(holding: BinHolding): Amounts;
  /** What the holding has in one bin; nothing outside its range. */
  amountsInBin(holding: BinHolding, binId: number): Amounts;
  feesOf(holding: BinHolding): Amounts;
  /** Fees that the holding has earned in one bin since they were last settled. */
  feesInBin(holding: BinHolding, binId: number): Amounts;
  /** Moves the active bin to `binId`, trading away everything in between, whatever that costs the trader. */
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
  /** The most liquidity that these amounts make at the present price. */
  liquidityFor(amounts: Amounts): bigint;
  /** What that much liquidity costs now (rounded up) or gives (rounded down). */
  amountsFor(liquidity: bigint, rounding: 'up' | 'down'): Amounts;
  /** Adds liquidity; gives what went in. */
  deposit(holding: ProductHolding, liquidity: bigint): Amounts;
  /** Takes liquidity out; gives what came out. @throws RangeError where the holding has less. */
  withdraw(holding: ProductHolding, liquidity: bigint): Amounts;
  collect(holding: ProductHolding): Amounts;
  amountsOf(holding: ProductHolding): Amounts;
  feesOf(holding: ProductHolding): Amounts;
}

/** A pool of either type. */
export type Pool = BinPool | ProductPool;

/** A sum in both currencies, each at the price of its moment. Valuations, not balances. */
export interface Valuation {
  usd: number;
  native: number;
}

/** One event in the life of a position. Prices in US dollars for one whole token; raw amounts. */
export interface PositionEvent {
  readonly action: 'add_liquidity' | 'remove_liquidity' | 'claim_fee' | 'close_position';
  readonly at: number;
  readonly amountX: bigint;
  readonly amountY: bigint;
  readonly usdX: number;
  readonly usdY: number;
  readonly usdSol: number;
  readonly bps: number | null;
}

/** How things stood when a position was closed. */
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
  /** Opaque: what decrease-tx takes as `position_id`. */
  readonly id: string;
  readonly owner: Address;
  readonly pool: Address;
  readonly strategy: Strategy;
  /** Only in bin pools; both in the range. `upperBinId` grows. */
  readonly lowerBinId: number | null;
  upperBinId: number | null;
  /** Only in constant-product pools. */
  readonly nftMint: Address | null;
  readonly openedAt: number;
  updatedAt: number;
  /** Put in, taken out, fees collected. */
  readonly input: Valuation;
  readonly output: Valuation;
  readonly collectedFee: Valuation;
  /** How many events it has. */
  eventCount: number;
  closing: Closing | null;
  /** `null` once closed. */
  holding: Holding | null;
  readonly type: PoolType;
}

/** What a pool is made of. Its state is read from the table `pool`; where it has none there, it begins empty. */
export interface PoolOptions<Spec extends PoolSpec = PoolSpec> {
  readonly spec: Spec;
  readonly address: Address;
  readonly tokenX: PoolToken;
  readonly tokenY: PoolToken;
  readonly createdAt: number;
  readonly database: Database;
  /** The pool's state takes part in it. */
  readonly unit: UnitOfWork;
  /** Where an empty pool begins: raw Y for one raw X. */
  readonly startPrice: number;
}

/** Where positions are kept: the table `position`, and what of it is being worked with. */
export interface Positions {
  /** Open or closed. Not to be changed. */
  at(address: Address): Readonly<Position> | undefined;
  /** The address of the open position with that opaque id; as of the last commit. */
  addressOf(id: string): Address | undefined;
  /** To be changed in place. */
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

/** What a pool has traded, back to the hours of the last eight days. */
export interface TurnoverBook {
  record(now: number, turnover: VolumeAndFees, priceUsd: number): void;
  /** In the last `spanMs` before `now`. */
  within(now: number, spanMs: number): VolumeAndFees;
  /** In the span before that one: what a change is measured against. */
  before(now: number, spanMs: number): VolumeAndFees;
  /** US dollars for one whole X of `spanMs` ago; the oldest known where that is younger. */
  priceAgo(now: number, spanMs: number): number | undefined;
  /** One entry for each hour that had trades, oldest first; the last seven days. */
  hourly(now: number): readonly (VolumeAndFees & { readonly startsAt: number })[];
}

/**
 * What happens to positions, written down: the pool's shares, the position's sums and its events. Money moves elsewhere:
 * callers pay or take what these give, and vaults follow with {@link Market.settleVaults}.
 */
export interface Books {
  /** What amounts are worth at the market's present prices. */
  worthOf(pool: Pool, amounts: Amounts): Valuation;
  /** Makes an empty position and gives its row. `range`: in bin pools; `nftMint`: in the others. */
  open(of: {
    readonly address: Address;
    readonly owner: Address;
    readonly pool: Pool;
    readonly strategy: Strategy;
    readonly range: BinRange | undefined;
    readonly nftMint: Address | undefined;
  }): Position;
  depositBins(pool: BinPool, position: Address, bins: readonly BinAmounts[]): Amounts;
  depositLiquidity(pool: ProductPool, position: Address, liquidity: bigint): Amounts;
  withdrawBins(pool: BinPool, position: Address, range: BinRange, shareBps: number): Amounts;
  /** `shareBps`: what share of the position `liquidity` is, for the event. */
  withdrawLiquidity(pool: ProductPool, position: Address, liquidity: bigint, shareBps: number): Amounts;
  collect(pool: Pool, position: Address): Amounts;
  /** @throws RangeError where it is not empty. */
  close(pool: Pool, position: Address): void;
  amountsOf(pool: Pool, position: Readonly<Position>): Amounts;
  feesOf(pool: Pool, position: Readonly<Position>): Amounts;
  isEmpty(pool: Pool, position: Readonly<Position>): boolean;
}

/** Simulated people who live in a market. */
export interface MarketActors {
  /** Lets those who are due act; called by the market after each step, with its `now` moved on. Commits nothing. */
  act(): void;
}

/** Tokens, pools and positions, moving in time. */
export interface Market {
  readonly seed: number;
  /** When the sandbox was made, and up to when the market has been played. */
  readonly startedAt: number;
  readonly now: number;
  readonly tokens: readonly PoolToken[];
  readonly pools: readonly Pool[];
  readonly sol: PoolToken;
  readonly usdc: PoolToken;
  readonly positions: Positions;
  readonly books: Books;
  tokenByMint(mint: Address): PoolToken | undefined;
  poolAt(address: string): Pool | undefined;
  turnoverOf(pool: Pool): TurnoverBook;
  /** US dollars for one whole token. */
  usd(token: PoolToken): number;
  readonly usdSol: number;
  /** How restless a token is, as a yearly volatility. */
  volatilityOf(token: PoolToken): number;
  /** How many times faster than usual prices move and people trade; 0: the market stands still, while clocks and blocks go on. */
  speed: number;
  /** Plays the market up to `now`: second by second, or in longer steps after a pause. Never goes back. Commits nothing. */
  advance(now: number): void;
  /** One step, in seconds: prices move, trades follow, liquidity providers act. */
  step(seconds: number): void;
  /** From now on these people act after each step. */
  populate(actors: MarketActors): void;
  /** Moves the price of the pool's token X by a percentage, at once and for all pools that trade it. */
  shock(pool: Pool, percent: number): void;
  /** Moves the price of the pool's token X so that it lies in that bin, and trades the pool there. Other pools follow as far as it pays. */
  setActiveBin(pool: BinPool, binId: number): void;
  /**
   * Brings the vaults' token accounts to what the pools hold, against the account of the rest of the world: whoever pays into a
   * pool pays to that account, and whoever takes out is paid from it. Called before each commit, which fails without it.
   */
  settleVaults(): void;
  /** The wallet of the rest of the world. */
  readonly world: Address;
  /** What prices will be if they are moved by the same steps from now on (seconds times {@link speed}), whoever trades what: nothing but a shock changes that. */
  previewPrices(): PriceWalk;
  /** As the pool's own `swap`, and counted in its turnover: somebody's trade in the market. */
  trade(pool: Pool, sells: Side, amountIn: bigint): Trade;
}
