import type { Page } from '../../../src/service/common';
import { ListedLogs } from '../../../src/service/positionLogs';
import type { Pool } from '../../../src/service/pools';
import type { OpenPosition } from '../../../src/service/positions';
import type { LiquidityService } from '../../../src/service/service';
import { addressFromBytes, type Address } from '../../../src/base/solana/address';
import type { Subscription, Clock } from '../../../src/base/async/clock';

/** A real address, another one for each number. */
export function addressOf(number: number): Address {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(28, number + 1);
  return addressFromBytes(bytes);
}

export const OWNER = addressOf(1);
export const OTHER_OWNER = addressOf(2);

const UNKNOWN_MONEY = { usd: undefined, native: undefined };

/** Where the positions are. */
export const IN_POOL = {
  pool: addressOf(500),
  pairName: 'BONK/SOL',
  token0: { address: addressOf(600), symbol: 'BONK', name: 'Bonk', decimals: 5 },
  token1: { address: addressOf(601), symbol: 'SOL', name: 'Wrapped SOL', decimals: 9 },
  protocol: 'meteora',
  poolType: 'dlmm',
  strategy: 'Spot',
  lowerBinId: -386,
  upperBinId: -376,
  binStepBps: 100,
} as const;

/** An open position in range, worth 100 dollars. */
export function openPosition(number: number, part: Partial<OpenPosition> = {}): OpenPosition {
  const at = addressOf(1000 + number);
  return {
    key: at,
    address: at,
    id: `id-${number}`,
    owner: OWNER,
    ...IN_POOL,
    input: { usd: 90, native: 0.6 },
    output: UNKNOWN_MONEY,
    collectedFee: { usd: 1, native: 0.01 },
    collectedReward: UNKNOWN_MONEY,
    pnl: { usd: 10, native: 0.1 },
    pnlPercent: { usd: 11.1, native: 16.7 },
    dailyReturn: UNKNOWN_MONEY,
    ageHours: 5,
    createdAt: new Date('2026-11-20T00:00:00.000Z'),
    updatedAt: new Date('2026-11-20T05:00:00.000Z'),
    inRange: true,
    activeBinId: -381,
    priceRangeUsd: { lower: 1, upper: 2, current: 1.5 },
    value: { usd: 100, native: 0.7 },
    uncollectedFee: { usd: 2, native: 0.014 },
    amount0: 1000,
    amount1: 0.5,
    withdrawableShare: undefined,
    uncollectedFee0: 10,
    uncollectedFee1: 0.001,
    price0Usd: 0.00002,
    price1Usd: 150,
    aprPercent: undefined,
    logs: new ListedLogs([]),
    ...part,
  };
}

/** A pool as discover lists it. */
export function pool(number: number, part: Partial<Pool> = {}): Pool {
  const perInterval = { '5m': undefined, '1h': undefined, '6h': undefined, '24h': 1000 };
  return {
    address: addressOf(2000 + number),
    pairName: `P${number}/SOL`,
    token0: { address: addressOf(600), symbol: `P${number}`, name: undefined, decimals: 6 },
    token1: { address: addressOf(601), symbol: 'SOL', name: undefined, decimals: 9 },
    protocol: 'meteora',
    poolType: 'dlmm',
    tvlUsd: 1e6,
    volumeUsd: perInterval,
    volumeChangePercent: perInterval,
    baseFeePercent: 1,
    feeTvlRatio24h: 0.01,
    binStepBps: 100,
    price0Usd: 1,
    price1Usd: 150,
    priceChangePercent: perInterval,
    marketCapUsd: undefined,
    fdvUsd: undefined,
    organicScore: undefined,
    topHolderPercent: undefined,
    mintOrFreezeEnabled: undefined,
    holders: undefined,
    liquidity0: undefined,
    liquidity1: undefined,
    createdAt: undefined,
    updatedAt: undefined,
    ...part,
  };
}

/** A page of a ranking of so many pools. */
export function pageOf(ranking: readonly Pool[], page: number, pageSize: number): Page<Pool> {
  const items = ranking.slice((page - 1) * pageSize, page * pageSize);
  return {
    items,
    warnings: [],
    page,
    pageSize,
    totalCount: ranking.length,
    totalPages: undefined,
    hasNextPage: page * pageSize < ranking.length,
  };
}

/** A service of which only the given methods may be called. */
export function fakeService(methods: Partial<LiquidityService>): LiquidityService {
  return new Proxy(methods as LiquidityService, {
    get: (target, name, receiver): unknown => {
      // A promise may hold the service: it looks for `then`.
      if (name === 'then' || name in target) {
        return Reflect.get(target, name, receiver);
      }
      throw new Error(`The service was not expected to be asked for ${String(name)}`);
    },
  });
}

/** A promise that is settled from outside. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: Error): void;
}

export function deferred<Value>(): Deferred<Value> {
  let settle: Pick<Deferred<Value>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: (value) => settle?.resolve(value), reject: (error) => settle?.reject(error) };
}

/** Lets everything that is ready to run do so. */
export function settledMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A clock that moves only when it is told to. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 10, 20);
  #timers: { at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Subscription {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return {
      dispose: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.length;
  }

  /** How long it is until the next of them is due, milliseconds; 0 without any. */
  get nextInMs(): number {
    return this.#timers.length === 0 ? 0 : Math.min(...this.#timers.map(({ at }) => at)) - this.#now;
  }

  /** Sets the clock by so many milliseconds, as a system's is set: timers keep the time that is left. */
  setBy(ms: number): void {
    this.#now += ms;
    this.#timers.forEach((timer) => (timer.at += ms));
  }

  /** Moves on, calling what falls due in order, and lets everything run that this sets off. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settledMicrotasks();
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) {
        break;
      }
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(next.at, this.#now);
      next.run();
      await settledMicrotasks();
    }
    this.#now = end;
  }
}
