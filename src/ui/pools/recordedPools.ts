import { type Clock, elapsedMs } from '../../base/async/clock';
import { type BinRange, MAX_BINS_PER_POSITION, widthOf } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { HOUR_MS, SECOND_MS } from '../../base/time';
import type { PortfolioReader } from '../../portfolio/types';
import type { LiquidityService } from '../../service/service';
import { isOwnService, type ServiceChoice } from '../shell/serviceChoice';
import { describeError, type LogFunction } from '../shell/log';
import type { FavoritePool } from './favoriteRow';

/** A service of our own records as many pools (`src/engine/counters`). */
const MOST_RECORDED = 20;
/** It may have been started again since, and have forgotten what it was asked for. */
const ASKED_EVERY_MS = HOUR_MS;

export interface RecordedPoolsDependencies {
  readonly service: () => ServiceChoice;
  readonly connect: () => Promise<Pick<LiquidityService, 'counters'>>;
  readonly portfolio: PortfolioReader;
  readonly favorites: () => readonly FavoritePool[];
  readonly clock: Pick<Clock, 'now'>;
  readonly log: LogFunction;
}

/**
 * Asks a service of our own to record the fee counters of pools with own positions and of favorites: it records those that it was asked for. What they
 * earned cannot be had later.
 */
export class RecordedPools {
  readonly #dependencies: RecordedPoolsDependencies;
  /** When a pool of a service was asked for, by both. */
  readonly #asked = new Map<string, number>();
  #isAsking = false;

  constructor(dependencies: RecordedPoolsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Asks for the pools that the service was not asked for lately. Never rejects. */
  async look(): Promise<void> {
    const { service, portfolio, connect, log } = this.#dependencies;
    const { positionsState, poolsState } = portfolio.snapshot;
    const isAnswering = [positionsState, poolsState].some(({ kind }) => kind === 'ready');
    if (this.#isAsking || !isOwnService(service()) || !isAnswering) {
      return;
    }
    this.#isAsking = true;
    const { id } = service();
    try {
      for (const { pool, range } of this.#due()) {
        const opened = await connect();
        if (service().id !== id) {
          return;
        }
        this.#asked.set(this.#keyOf(pool), this.#dependencies.clock.now());
        await opened.counters({ pool, range, fromS: Math.ceil(this.#dependencies.clock.now() / SECOND_MS) }, { pace: 'poll' });
      }
    } catch (error) {
      log('debug', `The service was not asked to record a pool: ${describeError(error)}`);
    } finally {
      this.#isAsking = false;
    }
  }

  /** Pools with bins, those with own positions first. */
  #due(): readonly { readonly pool: Address; readonly range: BinRange | undefined }[] {
    const { portfolio, favorites, clock } = this.#dependencies;
    const ranges = new Map<Address, BinRange | undefined>();
    for (const { pool, poolType, lowerBinId, upperBinId } of portfolio.snapshot.positions) {
      if (pool !== undefined && poolType === 'dlmm' && lowerBinId !== undefined && upperBinId !== undefined) {
        const before = ranges.get(pool);
        ranges.set(pool, {
          fromBinId: Math.min(lowerBinId, before?.fromBinId ?? lowerBinId),
          toBinId: Math.max(upperBinId, before?.toBinId ?? upperBinId),
        });
      }
    }
    for (const { pool, state } of favorites()) {
      if (pool.poolType === 'dlmm' && state !== 'notFound' && !ranges.has(pool.address)) {
        ranges.set(pool.address, undefined);
      }
    }
    return [...ranges]
      .slice(0, MOST_RECORDED)
      .filter(([pool]) => elapsedMs(this.#asked.get(this.#keyOf(pool)) ?? -Infinity, clock.now()) >= ASKED_EVERY_MS)
      .map(([pool, range]) => ({ pool, range: range === undefined || widthOf(range) > MAX_BINS_PER_POSITION ? undefined : range }));
  }

  #keyOf(pool: Address): string {
    return `${this.#dependencies.service().id ?? ''} ${pool}`;
  }
}
