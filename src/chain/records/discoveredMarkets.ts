import type { Clock } from '../../base/async/clock';
import { answeredWithin } from '../../base/async/waiting';
import type { Address } from '../../base/solana/address';
import { MINUTE_MS, SECOND_MS } from '../../base/time';
import type { DiscoverParameters } from '../../engine/engine';
import type { IntervalFigures, ListedPoolState, PoolTokenState } from '../../engine/state/poolState';
import { DataLog } from '../dataApi/dataLog';
import { DataApiError, type DiscoveredPool, type DiscoveryApi, type DiscoveryWindow } from '../dataApi/types';
import { SharedAnswers } from '../positions/sharedAnswers';

/** What the figures of pool discovery are read from. */
export interface DiscoveredMarketsOptions {
  readonly api: DiscoveryApi;
  /** One that never goes back. */
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

type ByWindow = Readonly<Record<DiscoveryWindow, ReadonlyMap<Address, DiscoveredPool>>>;

/** It has none of six hours. */
const WINDOWS: readonly DiscoveryWindow[] = ['5m', '1h', '24h'];
const PAGE_SIZE = 100;
/** Answers are used again for this long; failures for less. */
const GOOD_FOR_MS = MINUTE_MS;
const FAILED_FOR_MS = 10 * SECOND_MS;
const MOST_ANSWERS = 300;
/** How long a list of pools waits. What comes later is there for the next one. */
const WAIT_MS = 1_500;
/** Pools of a list that are asked for one by one, because pool discovery does not list them first. */
const MOST_ALONE = 5;

/**
 * What Meteora's pool discovery says of pools and their tokens: figures that neither the chain nor the data APIs have. It adds them where nothing is
 * known; without it, everything else stays as it is.
 */
export class DiscoveredMarkets {
  readonly #options: DiscoveredMarketsOptions;
  readonly #answers: SharedAnswers<string, readonly DiscoveredPool[] | undefined>;
  readonly #failures: DataLog;

  constructor(options: DiscoveredMarketsOptions) {
    this.#options = options;
    this.#failures = new DataLog(options.log);
    this.#answers = new SharedAnswers({
      most: MOST_ANSWERS,
      goodForMs: (answer) => (answer === undefined ? FAILED_FOR_MS : GOOD_FOR_MS),
      now: () => options.clock.now(),
    });
  }

  /** The pools with what the API lists of them first. @param parameters which of them are wanted */
  async withListed(pools: readonly ListedPoolState[], parameters: Pick<DiscoverParameters, 'bounds'>): Promise<readonly ListedPoolState[]> {
    const bound = parameters.bounds.find(({ of }) => of === 'organic_score');
    const filters = [...condition('>=', bound?.min), ...condition('<=', bound?.max)];
    return pools.length === 0 ? pools : filled(pools, await this.#within(this.#listed(filters)));
  }

  /** The pools of a page with what the API knows of them. */
  async withFigures(pools: readonly ListedPoolState[]): Promise<readonly ListedPoolState[]> {
    return pools.length === 0 ? pools : filled(pools, await this.#within(this.#ofPage(pools.map(({ address }) => address as Address))));
  }

  async #within(answer: Promise<ByWindow>): Promise<ByWindow | undefined> {
    return await answeredWithin(answer, WAIT_MS, this.#options.clock);
  }

  async #ofPage(pools: readonly Address[]): Promise<ByWindow> {
    const listed = await this.#listed([]);
    const missing = pools.filter((pool) => !listed['24h'].has(pool)).slice(0, MOST_ALONE);
    const alone = await Promise.all(missing.map((pool) => this.#of('24h', 1, [`pool_address=${pool}`])));
    return { ...listed, '24h': new Map([...listed['24h'], ...byAddress(alone.flatMap((answer) => answer ?? []))]) };
  }

  async #listed(filters: readonly string[]): Promise<ByWindow> {
    const [last5m, last1h, last24h] = await Promise.all(WINDOWS.map((window) => this.#of(window, PAGE_SIZE, filters)));
    return { '5m': byAddress(last5m ?? []), '1h': byAddress(last1h ?? []), '24h': byAddress(last24h ?? []) };
  }

  async #of(window: DiscoveryWindow, pageSize: number, filters: readonly string[]): Promise<readonly DiscoveredPool[] | undefined> {
    return await this.#answers.of([window, pageSize, ...filters].join(' '), async () => {
      try {
        const pools = await this.#options.api.pools(window, pageSize, filters);
        this.#failures.succeeded();
        return pools;
      } catch (error) {
        if (!(error instanceof DataApiError)) {
          throw error;
        }
        this.#failures.failed(error, 'scores and warnings of tokens, and trading of five minutes, are not known');
        return undefined;
      }
    });
  }
}

/** The conditions of the API take plain figures only. */
function condition(operator: '>=' | '<=', value: number | undefined): readonly string[] {
  return value === undefined || !/^\d+(?:\.\d+)?$/.test(String(value)) ? [] : [`base_token_organic_score${operator}${value}`];
}

function byAddress(pools: readonly DiscoveredPool[]): ReadonlyMap<Address, DiscoveredPool> {
  return new Map(pools.map((pool) => [pool.address, pool]));
}

/** What is known already stays. */
function filled(pools: readonly ListedPoolState[], figures: ByWindow | undefined): readonly ListedPoolState[] {
  return figures === undefined ? pools : pools.map((pool) => withMarket(pool, (window) => figures[window].get(pool.address as Address)));
}

function withMarket(pool: ListedPoolState, of: (window: DiscoveryWindow) => DiscoveredPool | undefined): ListedPoolState {
  const inWindows = (figure: (market: DiscoveredPool) => number | undefined): IntervalFigures =>
    Object.fromEntries(
      WINDOWS.flatMap((window) => {
        const market = of(window);
        const value = market === undefined ? undefined : figure(market);
        return value === undefined ? [] : [[window, value]];
      }),
    );
  const tokens = WINDOWS.flatMap((window) => of(window)?.tokens ?? []);
  return {
    ...pool,
    token0: withFacts(pool.token0, tokens),
    token1: withFacts(pool.token1, tokens),
    volumeUsd: joined(
      inWindows(({ volumeUsd }) => volumeUsd),
      pool.volumeUsd,
    ),
    feesUsd: joined(
      inWindows(({ feesUsd }) => feesUsd),
      pool.feesUsd,
    ),
    feesOverTvl: joined(inWindows(feesOverTvl), pool.feesOverTvl),
    priceChangePercent: joined(
      inWindows(({ priceChangePercent }) => priceChangePercent),
      pool.priceChangePercent ?? {},
    ),
  };
}

function feesOverTvl({ feesUsd, tvlUsd }: DiscoveredPool): number | undefined {
  return feesUsd === undefined || tvlUsd === undefined || tvlUsd === 0 ? undefined : feesUsd / tvlUsd;
}

function joined(added: IntervalFigures, known: IntervalFigures): IntervalFigures {
  return { ...added, ...Object.fromEntries(Object.entries(known).filter(([, figure]) => figure !== null)) };
}

/** Warnings of tokens of which more can be minted, or whose accounts can be frozen. */
const AUTHORITY = /^HAS_(?:MINT|FREEZE)_AUTHORITY$/;

function withFacts(token: PoolTokenState, listed: DiscoveredPool['tokens']): PoolTokenState {
  const own = listed.filter(({ mint }) => mint === token.mint);
  const warnings = own.find((one) => one.warnings !== undefined)?.warnings;
  const isWarned = warnings?.some(({ type }) => AUTHORITY.test(type)) === true;
  return {
    ...token,
    holders: token.holders ?? own.find(({ holders }) => holders !== undefined)?.holders ?? null,
    organicScore: token.organicScore ?? own.find(({ organicScore }) => organicScore !== undefined)?.organicScore ?? null,
    mintOrFreezeEnabled: token.mintOrFreezeEnabled ?? (isWarned ? true : null),
    hasCriticalWarning: token.hasCriticalWarning ?? warnings?.some(({ isCritical }) => isCritical) ?? null,
  };
}
