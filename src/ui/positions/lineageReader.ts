import { elapsedMs, type Clock, type Subscription } from '../../base/async/clock';
import type { Address } from '../../base/solana/address';
import { MINUTE_MS } from '../../base/time';
import type { PortfolioReader } from '../../portfolio/types';
import type { Money } from '../../service/common';
import type { LiquidityService } from '../../service/service';
import { chainOf } from '../../transactions/earnings/positionChain';
import type { OperationJournal, OperationRecord } from '../../transactions/journal/types';
import type { Lineage, Lineages } from '../shell/lineages';
import { describeError, type LogFunction } from '../shell/log';

export interface LineageReaderDependencies {
  readonly portfolio: Pick<PortfolioReader, 'snapshot' | 'onDidChange'>;
  readonly journal: () => Promise<Pick<OperationJournal, 'read'>>;
  readonly connect: () => Promise<Pick<LiquidityService, 'closedPositions'>>;
  readonly lineages: Pick<Lineages, 'set'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: LogFunction;
}

const PAGE_SIZE = 100;
/** The newest closed positions are looked at, pages: what was rebalanced longer ago stays unknown. */
const MOST_PAGES = 3;
/** A position that was closed just now may not be listed as such yet. */
const AGAIN_AFTER_MS = MINUTE_MS;

/** Finds out which closed positions rebalances turned into the open ones, by the journal, and their results, by the service. */
export class LineageReader {
  readonly #dependencies: LineageReaderDependencies;
  readonly #subscription: Subscription;
  /** Results of closed positions do not change. */
  readonly #results = new Map<Address, Money>();
  /** When results were missing that the service does not list yet. */
  #missedAtMs: number | undefined;
  #positions = '';
  #work: Promise<void> = Promise.resolve();

  constructor(dependencies: LineageReaderDependencies) {
    this.#dependencies = dependencies;
    this.#subscription = dependencies.portfolio.onDidChange(() => this.#positionsChanged());
    this.#positionsChanged();
  }

  /** Resolves once what changed until now has been looked at. */
  settled(): Promise<void> {
    return this.#work;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Only other positions have another past. */
  #positionsChanged(): void {
    const { clock, portfolio } = this.#dependencies;
    const { owner, positions } = portfolio.snapshot;
    const now = [owner, ...positions.map(({ key }) => key)].join(' ');
    const isAgain = this.#missedAtMs !== undefined && elapsedMs(this.#missedAtMs, clock.now()) >= AGAIN_AFTER_MS;
    if (now !== this.#positions || isAgain) {
      this.#missedAtMs = undefined;
      this.#positions = now;
      this.#work = this.#work.then(() => this.#look());
    }
  }

  async #look(): Promise<void> {
    const { journal, lineages, log } = this.#dependencies;
    try {
      const { records } = await (await journal()).read();
      const earlier = this.#earlier(records);
      await this.#readResults([...earlier.values()].flat());
      lineages.set(new Map([...earlier].map(([key, positions]) => [key, this.#lineageOf(positions)] as const)));
    } catch (error) {
      log('warn', `What open positions earned before their rebalances is not known: ${describeError(error)}`);
    }
  }

  /** The positions before each open one that a rebalance opened, by its key. */
  #earlier(records: readonly OperationRecord[]): ReadonlyMap<string, readonly Address[]> {
    const { owner, positions } = this.#dependencies.portfolio.snapshot;
    const made = new Set(records.flatMap(({ created: { parent }, built }) => (parent === undefined ? [] : (built?.position ?? []))));
    return new Map(
      positions.flatMap(({ key, address, pool, poolType }) => {
        if (owner === undefined || address === undefined || !made.has(address)) {
          return [];
        }
        const { positions: chain } = chainOf(address, { owner, pool, poolType }, records);
        const before = chain.slice(0, chain.indexOf(address));
        return before.length === 0 ? [] : [[key, before] as const];
      }),
    );
  }

  #lineageOf(positions: readonly Address[]): Lineage {
    const sum = (currency: keyof Money): number | undefined => {
      const total = positions.reduce((all, address) => all + (this.#results.get(address)?.[currency] ?? NaN), 0);
      return Number.isFinite(total) ? total : undefined;
    };
    return { rebalances: positions.length, earlierPnl: { usd: sum('usd'), native: sum('native') } };
  }

  async #readResults(wanted: readonly Address[]): Promise<void> {
    const { portfolio, connect, clock } = this.#dependencies;
    const { owner } = portfolio.snapshot;
    const isMissing = () => wanted.some((address) => !this.#results.has(address));
    if (owner === undefined || !isMissing()) {
      return;
    }
    const service = await connect();
    for (let page = 1; page <= MOST_PAGES && isMissing(); page += 1) {
      const { items, hasNextPage } = await service.closedPositions({ owner, page, pageSize: PAGE_SIZE });
      for (const { address, pnl } of items) {
        if (address !== undefined) {
          this.#results.set(address, pnl);
        }
      }
      if (!hasNextPage) {
        break;
      }
    }
    this.#missedAtMs = isMissing() ? clock.now() : undefined;
  }
}
