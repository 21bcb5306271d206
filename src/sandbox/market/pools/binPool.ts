import type { BinCounters } from '../../../base/insight/replay';
import { binArrayIndex, type BinRange, BINS_PER_ARRAY, checkBin, priceOfBin } from '../../../base/dlmm/bins';
import type { FeeNumerators } from '../../../base/dlmm/fees';
import type { BinAmounts } from '../../../base/dlmm/strategy';
import type { Address } from '../../../base/solana/address';
import type { BinPoolSpec } from '../catalog';
import { wholePrice } from '../units';
import type { Amounts, BinHolding, BinPool, PoolOptions, PoolToken, TokenSide, Trade } from '../types';
import { type Bin, emptyBinArray } from './binArrays';
import { BinFees, feeVolatility } from './binFees';
import { BinPositions } from './binPositions';
import { BinTrading } from './binTrading';
import { BinPoolRows } from './poolStates';

/**
 * Opens a stored bin pool, or a new one without liquidity at its start price.
 * @throws RangeError if no bin has the start price; StoreError if its state cannot be read
 */
export function openBinPool(options: PoolOptions<BinPoolSpec>): BinPool {
  return new StoredBinPool(options);
}

/**
 * A bin pool like those of the DLMM program: bins of constant price, a dynamic fee on the input, shares in each bin.
 * Sources: MeteoraAg/dlmm-sdk, commons/src/extensions/{bin,lb_pair}.rs and quote.rs; the npm package @meteora-ag/dlmm, which
 * the tests compare with.
 */
class StoredBinPool implements BinPool {
  readonly type = 'bins';
  readonly spec: BinPoolSpec;
  readonly address: Address;
  readonly tokenX: PoolToken;
  readonly tokenY: PoolToken;
  readonly createdAt: number;
  readonly #rows: BinPoolRows;
  readonly #fees: BinFees;
  readonly #trading: BinTrading;
  readonly #positions: BinPositions;
  /** Cached price of the active bin. */
  #priced = { binId: NaN, price: NaN };

  constructor(options: PoolOptions<BinPoolSpec>) {
    this.spec = options.spec;
    this.address = options.address;
    this.tokenX = options.tokenX;
    this.tokenY = options.tokenY;
    this.createdAt = options.createdAt;
    this.#rows = new BinPoolRows(options);
    this.#fees = new BinFees(options.spec);
    this.#trading = new BinTrading(this.#rows, this.#fees, options.spec.binStepBps);
    this.#positions = new BinPositions(this.#rows, this.#fees, options.spec.binStepBps);
  }

  get pairName(): string {
    return `${this.tokenX.spec.symbol}/${this.tokenY.spec.symbol}`;
  }

  get activeBinId(): number {
    return this.#rows.state.activeBinId;
  }

  get price(): number {
    const { activeBinId } = this;
    if (activeBinId !== this.#priced.binId) {
      this.#priced = { binId: activeBinId, price: this.priceOf(activeBinId) };
    }
    return this.#priced.price;
  }

  get liquidity(): Amounts {
    const { liquidityX, liquidityY } = this.#rows.state;
    return { x: liquidityX, y: liquidityY };
  }

  get vaults(): Amounts {
    const { vaultX, vaultY } = this.#rows.state;
    return { x: vaultX, y: vaultY };
  }

  get protocolFees(): Amounts {
    const { protocolFeeX, protocolFeeY } = this.#rows.state;
    return { x: protocolFeeX, y: protocolFeeY };
  }

  get binArrayIndexes(): readonly number[] {
    return this.#rows.state.binArrays;
  }

  get maxFeeRate(): bigint {
    return this.#fees.highest;
  }

  priceOf(binId: number): number {
    return priceOfBin(binId, this.spec.binStepBps);
  }

  uiPriceOf(binId: number): number {
    return wholePrice(this.priceOf(binId), this.tokenX, this.tokenY);
  }

  feeRates(now: number): FeeNumerators {
    const { activeBinId, volatility } = this.#rows.state;
    return this.#fees.ratesAt(feeVolatility(volatility, activeBinId, now, this.#fees.maxVolatility).accumulator);
  }

  binAmounts(binId: number): Amounts {
    const { x, y } = this.#binAt(binId) ?? { x: 0n, y: 0n };
    return { x, y };
  }

  countersOf(binId: number): BinCounters {
    const { shares: supply, feeX, feeY } = this.#binAt(binId) ?? { shares: 0n, feeX: 0n, feeY: 0n };
    return { binId, supply, feeX, feeY };
  }

  #binAt(binId: number): Bin | undefined {
    const index = binArrayIndex(binId);
    return this.#rows.array(index)?.bins[binId - index * BINS_PER_ARRAY];
  }

  quote(sells: TokenSide, amountIn: bigint, now: number): Trade {
    return this.#trading.quote(sells, amountIn, now);
  }

  swap(sells: TokenSide, amountIn: bigint, now: number): Trade {
    return this.#trading.swap(sells, amountIn, now);
  }

  swapTo(price: number, now: number): Trade {
    return this.#trading.swapTo(price, now);
  }

  swapToBin(binId: number, now: number): Trade {
    return this.#trading.swapToBin(binId, now);
  }

  /** @throws RangeError if the array is outside the program's range */
  addBinArray(index: number): void {
    if (this.#rows.array(index) === undefined) {
      const nearestToZero = index * BINS_PER_ARRAY + (index < 0 ? BINS_PER_ARRAY - 1 : 0);
      checkBin(nearestToZero, this.spec.binStepBps);
      this.#rows.addArray(index, emptyBinArray());
    }
  }

  newHolding(range: BinRange): BinHolding {
    return this.#positions.newHolding(range);
  }

  extend(holding: BinHolding, upperBinId: number): void {
    this.#positions.extend(holding, upperBinId);
  }

  deposit(holding: BinHolding, bins: readonly BinAmounts[], now: number): Amounts {
    return this.#positions.deposit(holding, bins, now);
  }

  withdraw(holding: BinHolding, range: BinRange, shareBps: number): Amounts {
    return this.#positions.withdraw(holding, range, shareBps);
  }

  collect(holding: BinHolding, range?: BinRange): Amounts {
    return this.#positions.collect(holding, range);
  }

  amountsOf(holding: BinHolding): Amounts {
    return this.#positions.amountsOf(holding);
  }

  amountsInBin(holding: BinHolding, binId: number): Amounts {
    return this.#positions.amountsOf(holding, { fromBinId: binId, toBinId: binId });
  }

  feesOf(holding: BinHolding): Amounts {
    const earned = this.#positions.earnedBy(holding);
    return { x: holding.pendingX + earned.x, y: holding.pendingY + earned.y };
  }

  feesInBin(holding: BinHolding, binId: number): Amounts {
    return this.#positions.earnedBy(holding, { fromBinId: binId, toBinId: binId });
  }
}
