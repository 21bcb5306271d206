import type { FeeNumerators } from '../../../base/dlmm/fees';
import type { Address } from '../../../base/solana/address';
import type { WorkingSet } from '../../store/workingSet';
import type { ProductPoolSpec } from '../catalog';
import type { Amounts, PoolOptions, PoolToken, ProductHolding, ProductPool, TokenSide, Trade } from '../types';
import { required, type ProductState, productStates } from './poolStates';
import {
  amountsAt,
  amountX,
  amountY,
  liquidityFrom,
  MAX_SQRT_PRICE,
  MIN_SQRT_PRICE,
  priceOfSqrt,
  ProductFees,
  sqrtPriceAfterX,
  sqrtPriceAfterY,
  sqrtPriceOf,
} from './productMath';

const FEE_BITS = 128n;

/**
 * Opens a stored constant-product pool, or a new one without liquidity at its start price.
 * @throws StoreError if its state cannot be read
 */
export function openProductPool(options: PoolOptions<ProductPoolSpec>): ProductPool {
  const states = productStates(options.database, options.spec.key);
  options.unit.enlist(states);
  if (states.get(options.address) === undefined) {
    states.put(options.address, emptyAt(sqrtPriceOf(options.startPrice)));
  }
  return new StoredProductPool(options, states);
}

/** Price after a trade, and its raw amounts before fees. */
interface Step {
  readonly sells: TokenSide;
  readonly nextSqrtPrice: bigint;
  readonly amountIn: bigint;
  readonly grossOut: bigint;
}

/**
 * A full-range pool of DAMM v2 (cp-amm) with collect fee mode 0: the fee is taken from the output of a trade.
 * Sources: the program's state/pool.rs, state/fee.rs, curve.rs; the npm package @meteora-ag/cp-amm-sdk, which the tests compare with.
 */
class StoredProductPool implements ProductPool {
  readonly type = 'product';
  readonly spec: ProductPoolSpec;
  readonly address: Address;
  readonly tokenX: PoolToken;
  readonly tokenY: PoolToken;
  readonly createdAt: number;
  readonly #fees: ProductFees;

  readonly #states: WorkingSet<Address, ProductState>;

  constructor(options: PoolOptions<ProductPoolSpec>, states: WorkingSet<Address, ProductState>) {
    this.#states = states;

    this.spec = options.spec;
    this.address = options.address;
    this.tokenX = options.tokenX;
    this.tokenY = options.tokenY;
    this.createdAt = options.createdAt;
    this.#fees = new ProductFees(options.spec);
  }

  get pairName(): string {
    return `${this.tokenX.spec.symbol}/${this.tokenY.spec.symbol}`;
  }

  get price(): number {
    return priceOfSqrt(this.#state.sqrtPriceQ64);
  }

  get sqrtPriceQ64(): bigint {
    return this.#state.sqrtPriceQ64;
  }

  get totalLiquidity(): bigint {
    return this.#state.liquidity;
  }

  get liquidity(): Amounts {
    return this.amountsFor(this.#state.liquidity, 'down');
  }

  get vaults(): Amounts {
    return { x: this.#state.vaultX, y: this.#state.vaultY };
  }

  get maxFeeRate(): bigint {
    return this.#fees.highest;
  }

  /** The program uses the volatility of the last trade, however long ago it was. */
  feeRates(): FeeNumerators {
    return this.#fees.rates(this.#state.volatilityAccumulator);
  }

  quote(sells: TokenSide, amountIn: bigint): Trade {
    return this.#tradeOf(this.#stepFor(sells, amountIn));
  }

  swap(sells: TokenSide, amountIn: bigint, now: number): Trade {
    return this.#carryOut(this.#stepFor(sells, amountIn), now);
  }

  swapTo(price: number, now: number): Trade {
    const to = sqrtPriceOf(price);
    const { sqrtPriceQ64, liquidity } = this.#state;
    if (liquidity === 0n && to !== sqrtPriceQ64) {
      // An empty pool takes any price, like at its creation.
      this.#edit().sqrtPriceQ64 = to;
    }
    return this.#carryOut(this.#stepTo(to < sqrtPriceQ64 ? 'x' : 'y', to), now);
  }

  newHolding(): ProductHolding {
    const { feeX, feeY } = this.#state;
    return { type: 'product', liquidity: 0n, seenFeeX: feeX, seenFeeY: feeY, pendingX: 0n, pendingY: 0n };
  }

  liquidityFor(amounts: Amounts): bigint {
    return liquidityFrom(amounts, this.#state.sqrtPriceQ64);
  }

  amountsFor(liquidity: bigint, rounding: 'up' | 'down'): Amounts {
    return amountsAt(liquidity, this.#state.sqrtPriceQ64, rounding);
  }

  deposit(holding: ProductHolding, liquidity: bigint): Amounts {
    if (liquidity < 0n) {
      throw new RangeError('Liquidity to add must not be negative');
    }
    const amounts = this.amountsFor(liquidity, 'up');
    this.#settle(holding);
    const state = this.#edit();
    holding.liquidity += liquidity;
    state.liquidity += liquidity;
    state.vaultX += amounts.x;
    state.vaultY += amounts.y;
    return amounts;
  }

  withdraw(holding: ProductHolding, liquidity: bigint): Amounts {
    if (liquidity < 0n || liquidity > holding.liquidity) {
      throw new RangeError('The position has less liquidity than is taken out');
    }
    const amounts = this.amountsFor(liquidity, 'down');
    this.#settle(holding);
    const state = this.#edit();
    holding.liquidity -= liquidity;
    state.liquidity -= liquidity;
    state.vaultX -= amounts.x;
    state.vaultY -= amounts.y;
    return amounts;
  }

  collect(holding: ProductHolding): Amounts {
    this.#settle(holding);
    const fees = { x: holding.pendingX, y: holding.pendingY };
    const state = this.#edit();
    holding.pendingX = 0n;
    holding.pendingY = 0n;
    state.vaultX -= fees.x;
    state.vaultY -= fees.y;
    return fees;
  }

  amountsOf(holding: ProductHolding): Amounts {
    return this.amountsFor(holding.liquidity, 'down');
  }

  feesOf({ liquidity, seenFeeX, seenFeeY, pendingX, pendingY }: ProductHolding): Amounts {
    const { feeX, feeY } = this.#state;
    return { x: pendingX + ((liquidity * (feeX - seenFeeX)) >> FEE_BITS), y: pendingY + ((liquidity * (feeY - seenFeeY)) >> FEE_BITS) };
  }

  get #state(): Readonly<ProductState> {
    return required(this.#states.get(this.address));
  }

  #edit(): ProductState {
    return required(this.#states.edit(this.address));
  }

  #settle(holding: ProductHolding): void {
    const { x, y } = this.feesOf(holding);
    holding.pendingX = x;
    holding.pendingY = y;
    holding.seenFeeX = this.#state.feeX;
    holding.seenFeeY = this.#state.feeY;
  }

  /** A trade of as much of `amountIn` as the range allows; nothing in an empty pool. */
  #stepFor(sells: TokenSide, amountIn: bigint): Step {
    if (amountIn < 0n) {
      throw new RangeError('An amount to sell must not be negative');
    }
    const { sqrtPriceQ64: from, liquidity } = this.#state;
    const toTheEnd = this.#stepTo(sells, sells === 'x' ? MIN_SQRT_PRICE : MAX_SQRT_PRICE);
    if (liquidity === 0n || amountIn >= toTheEnd.amountIn) {
      return toTheEnd;
    }
    const to = sells === 'x' ? sqrtPriceAfterX(from, liquidity, amountIn) : sqrtPriceAfterY(from, liquidity, amountIn);
    return { ...this.#stepTo(sells, to), amountIn };
  }

  /** A trade that ends at a price; the input is rounded up, and the output down. */
  #stepTo(sells: TokenSide, to: bigint): Step {
    const { sqrtPriceQ64: from, liquidity } = this.#state;
    if (liquidity === 0n) {
      return { sells, nextSqrtPrice: from, amountIn: 0n, grossOut: 0n };
    }
    return sells === 'x'
      ? { sells, nextSqrtPrice: to, amountIn: amountX(liquidity, to, from, 'up'), grossOut: amountY(liquidity, to, from, 'down') }
      : { sells, nextSqrtPrice: to, amountIn: amountY(liquidity, from, to, 'up'), grossOut: amountX(liquidity, from, to, 'down') };
  }

  #tradeOf({ sells, amountIn, grossOut }: Step): Trade {
    const { fee, protocolFee } = this.#fees.within(grossOut, this.feeRates().total);
    const ofBought = (amount: bigint): Amounts => (sells === 'x' ? { x: 0n, y: amount } : { x: amount, y: 0n });
    return { sells, amountIn, amountOut: grossOut - fee, fees: ofBought(fee), protocolFees: ofBought(protocolFee) };
  }

  #carryOut(step: Step, now: number): Trade {
    const trade = this.#tradeOf(step);
    if (step.amountIn === 0n && step.nextSqrtPrice === this.#state.sqrtPriceQ64) {
      return trade;
    }
    const { sells, amountIn, amountOut, fees, protocolFees } = trade;
    const state = this.#edit();
    const from = state.sqrtPriceQ64;
    state.sqrtPriceQ64 = step.nextSqrtPrice;
    state.feeX += ((fees.x - protocolFees.x) << FEE_BITS) / state.liquidity;
    state.feeY += ((fees.y - protocolFees.y) << FEE_BITS) / state.liquidity;
    state.protocolFeeX += protocolFees.x;
    state.protocolFeeY += protocolFees.y;
    state.vaultX += sells === 'x' ? amountIn : -amountOut;
    state.vaultY += sells === 'y' ? amountIn : -amountOut;
    this.#fees.follow(state, from, step.nextSqrtPrice, now);
    return trade;
  }
}

function emptyAt(sqrtPriceQ64: bigint): ProductState {
  return {
    sqrtPriceQ64,
    liquidity: 0n,
    feeX: 0n,
    feeY: 0n,
    protocolFeeX: 0n,
    protocolFeeY: 0n,
    vaultX: 0n,
    vaultY: 0n,
    volatilityAccumulator: 0n,
    volatilityReference: 0n,
    sqrtPriceReference: sqrtPriceQ64,
    volatilityUpdatedAt: 0,
  };
}
