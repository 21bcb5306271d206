import type { Address } from '../../base/solana/address';
import type { BinPool, Pool, PoolToken, ProductPool, Trade } from './types';

/** Fees are at most a tenth of what is paid; and counting in floats is a little uneven. */
const ALLOWANCE = 1.12;
/** So much of each token (raw) is never traded with: each bin rounds what is paid up, and that many of them do not add up to it. */
const KEPT = 1_000_000;

/**
 * What the rest of the world can trade with: nobody sells tokens that nobody has, however far a price goes. Counted anew for each
 * step, and within it as trades go on.
 */
export class WorldReserves {
  readonly #counted = new Map<Address, number>();

  readonly #count: (mint: Address) => bigint;

  /** `count`: what there is of a token, raw. */
  constructor(count: (mint: Address) => bigint) {
    this.#count = count;
  }

  /** Starts counting again. */
  renew(): void {
    this.#counted.clear();
  }

  /** The rest of the world has that much of a token (raw), fees included. */
  covers(token: PoolToken, amount: number): boolean {
    return ALLOWANCE * amount <= this.#left(token);
  }

  /** How far on the way to a price (raw Y for one raw X) a pool can be traded: there, or to a price before it; its present one where nothing can be paid. */
  reach(pool: Pool, price: number): number {
    return pool.type === 'bins' ? this.#reachInBins(pool, price) : this.#reachOnCurve(pool, price);
  }

  /** Takes note of a trade of the rest of the world. */
  spend({ tokenX, tokenY }: Pool, { sells, amountIn, amountOut }: Trade): void {
    const [paid, got] = sells === 'x' ? [tokenX, tokenY] : [tokenY, tokenX];
    this.#adjust(paid, -Number(amountIn));
    this.#adjust(got, Number(amountOut));
  }

  /** What has not been counted yet is counted when it is asked for, and then with this trade in it. */
  #adjust({ mint }: PoolToken, by: number): void {
    const before = this.#counted.get(mint);
    if (before !== undefined) {
      this.#counted.set(mint, before + by);
    }
  }

  /** What is paid grows with the square root of the price: to reach k times the price takes √k − 1 times what the pool has of it. */
  #reachOnCurve(pool: ProductPool, price: number): number {
    const { liquidity, tokenX, tokenY } = pool;
    const falls = price < pool.price;
    const [paid, has] = falls ? [tokenX, Number(liquidity.x)] : [tokenY, Number(liquidity.y)];
    const most = (1 + Math.max(0, this.#left(paid)) / (ALLOWANCE * has)) ** 2;
    return falls ? Math.max(price, pool.price / most) : Math.min(price, pool.price * most);
  }

  #reachInBins(pool: BinPool, price: number): number {
    const { liquidity, tokenX, tokenY } = pool;
    const falls = price < pool.price;
    const paid = falls ? tokenX : tokenY;
    // Mostly all that there is can be bought even at the last price; only where not, bins are gone through.
    if (this.covers(paid, falls ? Number(liquidity.y) / price : Number(liquidity.x) * price)) {
      return price;
    }
    const step = falls ? -1 : 1;
    let reached = pool.price;
    let cost = 0;
    for (let binId = pool.activeBinId; ; binId += step) {
      const at = pool.priceOf(binId);
      if (falls ? at < price : at > price) {
        return price;
      }
      const { x, y } = pool.binAmounts(binId);
      cost += falls ? Number(y) / at : Number(x) * at;
      if (!this.covers(paid, cost)) {
        return reached;
      }
      reached = at;
    }
  }

  #left({ mint }: PoolToken): number {
    let left = this.#counted.get(mint);
    if (left === undefined) {
      left = Math.max(0, Number(this.#count(mint)) - KEPT);
      this.#counted.set(mint, left);
    }
    return left;
  }
}
