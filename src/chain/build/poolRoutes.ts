import { WHOLE_BPS } from '../../base/basisPoints';
import type { SwapPlan } from '../../engine/assembly/types';
import type { Address } from '../../base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { type LivePool, sideOf, type PoolSide, type PoolTrade } from './livePool';
import type { PoolSource } from './poolSearch';

/** A swap through pools, and what it gives. Raw amounts. */
export interface PoolRoute {
  readonly trades: readonly PoolTrade[];
  readonly inAmount: bigint;
  readonly out: bigint;
}

/** A detour through a third token is looked for if the best pool gives less than this share of its own price. */
const GOOD_BPS = 9_700n;

export interface RouteWish {
  readonly sell: Address;
  readonly buy: Address;
  readonly inAmount: bigint;
}

/** Finds routes for one operation: each swap meets the pools as those before it leave them. */
export class PoolRouter {
  readonly #source: PoolSource;
  /** The pool of the operation, in the state in which the swaps meet it. `undefined`: it has none. */
  readonly #own: LivePool | undefined;
  /** What earlier swaps of the operation have sold, by pool and side. */
  readonly #sold = new Map<string, bigint>();

  constructor(source: PoolSource, own: LivePool | undefined) {
    this.#source = source;
    this.#own = own;
  }

  /**
   * The best swap of one token for another through Meteora's pools: in one pool, or through USDC or SOL in two. Each pool takes the whole
   * amount. `undefined` if there is no way.
   */
  async best({ sell, buy, inAmount }: RouteWish): Promise<PoolRoute | undefined> {
    if (sell === buy || inAmount <= 0n) {
      return undefined;
    }
    const direct = await this.#bestTrade(sell, buy, inAmount);
    const routes: PoolRoute[] = direct === undefined ? [] : [{ trades: [direct.trade], inAmount, out: direct.trade.out }];
    if (direct === undefined || direct.trade.out * BigInt(WHOLE_BPS) < direct.atPrice * GOOD_BPS) {
      for (const between of [USDC_MINT, WRAPPED_SOL_MINT]) {
        const first = between === sell || between === buy ? undefined : await this.#bestTrade(sell, between, inAmount);
        const second = first === undefined ? undefined : await this.#bestTrade(between, buy, first.trade.out);
        if (first !== undefined && second !== undefined && second.trade.hop.via.pool !== first.trade.hop.via.pool) {
          routes.push({ trades: [first.trade, second.trade], inAmount, out: second.trade.out });
        }
      }
    }
    return routes.reduce<PoolRoute | undefined>((most, one) => (one.out > (most?.out ?? 0n) ? one : most), undefined);
  }

  /** Later swaps come after this one. */
  follow({ trades }: PoolRoute): void {
    for (const { hop, sells, inAmount } of trades) {
      const key = keyOf(hop.via.pool, sells);
      this.#sold.set(key, (this.#sold.get(key) ?? 0n) + inAmount);
    }
  }

  /** What the swaps so far sell in the operation's own pool. */
  soldInOwn(side: PoolSide): bigint {
    return (this.#own && this.#sold.get(keyOf(this.#own.accounts.pool, side))) ?? 0n;
  }

  async #bestTrade(sell: Address, buy: Address, amount: bigint): Promise<Traded | undefined> {
    const own = this.#own;
    const others = (await this.#source.pools(sell, buy)).filter(({ accounts }) => accounts.pool !== own?.accounts.pool);
    const isOwn = own !== undefined && sideOf(own, sell) !== undefined && sideOf(own, buy) !== undefined;
    const traded = await Promise.all([...(isOwn ? [own] : []), ...others].map((pool) => this.#tradeIn(pool, sell, amount)));
    return traded.reduce((most, one) => (one !== undefined && one.trade.out > (most?.trade.out ?? 0n) ? one : most), undefined);
  }

  async #tradeIn(pool: LivePool, sell: Address, amount: bigint): Promise<Traded | undefined> {
    const side = sideOf(pool, sell);
    if (side === undefined) {
      return undefined;
    }
    const sold = this.#sold.get(keyOf(pool.accounts.pool, side)) ?? 0n;
    const [all, before] = await Promise.all([pool.trade(side, sold + amount), sold === 0n ? undefined : pool.trade(side, sold)]);
    if (all === undefined) {
      return undefined;
    }
    const trade = { ...all, inAmount: amount, out: all.out - (before?.out ?? 0n) };
    const value = Number(amount) * (side === 'x' ? pool.rawPrice : 1 / pool.rawPrice);
    return { trade, atPrice: Number.isFinite(value) ? BigInt(Math.floor(value)) : 0n };
  }
}

interface Traded {
  readonly trade: PoolTrade;
  /** What the pool's price alone would give: without fees, and if the price did not move. */
  readonly atPrice: bigint;
}

function keyOf(pool: Address, side: PoolSide): string {
  return `${pool} ${side}`;
}

/** The plan of a swap through pools. */
export function swapPlanOf({ trades, inAmount, out }: PoolRoute, slippageBps: number): SwapPlan {
  return { hops: trades.map(({ hop }) => hop), inAmount, quotedOut: out, slippageBps };
}
