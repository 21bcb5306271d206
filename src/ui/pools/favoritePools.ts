import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { Emitter } from '../../base/async/emitter';
import { type Clock, elapsedMs, type Subscription } from '../../base/async/clock';
import { type Address, parseAddress } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import { ServiceError } from '../../service/errors';
import type { PoolInfo } from '../../service/poolInfo';
import type { Pool } from '../../service/pools';
import type { LiquidityService } from '../../service/service';
import { pairNameOf } from '../../service/tokens';
import type { StateStore } from '../shell/editorAccess';
import { UserError } from '../shell/errors';
import { SYNCED_STATE } from '../shell/names';
import type { ServiceChoice } from '../shell/serviceChoice';
import type { FavoritePool } from './favoriteRow';

/** Favorites of one service. */
const MOST_FAVORITES = 50;
const MOST_SERVICES = 20;
const LONGEST_NAME = 80;
/** A favorite that is not listed is read this often, while the view is visible. */
const FRESH_MS = 10 * 60_000;
/** Reads in a row: the service may allow only five requests a minute. */
const MOST_READS = 3;

const favorite = z.object({
  address: z.string(),
  pairName: z.string().max(LONGEST_NAME),
  poolType: z.enum(['dlmm', 'dammV2', 'other']),
  binStepBps: z.number().int().positive().exactOptional(),
});

/** What is kept of a favorite: enough to name it before the service has answered. */
type StoredFavorite = z.output<typeof favorite> & { readonly address: Address };

/** What was read of a favorite that is not listed. */
type Reading = { readonly kind: 'read'; readonly pool: Pool; readonly atMs: number } | { readonly kind: 'notFound'; readonly atMs: number };

export interface FavoritePoolsDependencies {
  /** Shared by all windows, so it is read again each time. */
  readonly state: StateStore;
  /** The service in use. Each service has its own favorites: a pool of the sandbox is never one of a real service. */
  readonly service: () => ServiceChoice;
  readonly connect: () => Promise<LiquidityService>;
  readonly portfolio: PortfolioReader;
  readonly clock: Pick<Clock, 'now'>;
  readonly isVisible: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** The favorite pools of the service in use. Their figures come from the list, or from the service where they are not listed. */
export class FavoritePools {
  readonly #dependencies: FavoritePoolsDependencies;
  readonly #changes: Emitter<undefined>;
  readonly #subscription: Subscription;
  /** By service and address. */
  readonly #readings = new Map<string, Reading>();
  #isReading = false;
  #isDisposed = false;

  constructor(dependencies: FavoritePoolsDependencies) {
    this.#dependencies = dependencies;
    this.#changes = new Emitter(dependencies.onError);
    this.#subscription = dependencies.portfolio.onDidChange(({ summaryChanged, pools: { added, changed, removed } }) => {
      if (summaryChanged || added.length + changed.length + removed.length > 0) {
        this.look();
      }
    });
  }

  /** Fires when favorites may look different. */
  onDidChange(listener: () => void): Subscription {
    return this.#changes.on(listener);
  }

  /** The favorites of the service in use, in the order of adding, or that the user has given them. */
  get all(): readonly FavoritePool[] {
    const listed = new Map(this.#dependencies.portfolio.snapshot.pools.map((pool) => [pool.address, pool]));
    return this.#stored().map((stored): FavoritePool => {
      const reading = this.#readings.get(this.#keyOf(stored.address));
      const pool = listed.get(stored.address) ?? (reading?.kind === 'read' ? reading.pool : undefined);
      return pool === undefined
        ? { pool: unread(stored), state: reading?.kind === 'notFound' ? 'notFound' : 'unread' }
        : { pool, state: 'known' };
    });
  }

  has(address: string): boolean {
    return this.#stored().some((stored) => stored.address === address);
  }

  /**
   * Adds a pool of the service in use.
   * @throws UserError if there is no room, or no service; any error of the service if the pool is neither listed nor known to it
   */
  async add(address: Address): Promise<void> {
    const { portfolio, connect, clock } = this.#dependencies;
    if (this.has(address)) {
      return;
    }
    if (this.#stored().length >= MOST_FAVORITES) {
      throw new UserError(l10n.t`At most ${MOST_FAVORITES} favorites. Remove one first.`);
    }
    const key = this.#keyOf(address);
    const service = this.#serviceId();
    const listed = portfolio.snapshot.pools.find((pool) => pool.address === address);
    const pool = listed ?? poolOf(address, await (await connect()).poolInfo(address, { pace: 'user' }));
    if (service !== this.#dependencies.service().id) {
      throw new UserError(l10n.t('The wallet or service has changed.'));
    }
    if (listed === undefined) {
      this.#readings.set(key, { kind: 'read', pool, atMs: clock.now() });
    }
    await this.#write(service, [...this.#stored(service), stored(pool)]);
  }

  async remove(address: string): Promise<void> {
    const service = this.#serviceId();
    await this.#write(
      service,
      this.#stored(service).filter((one) => one.address !== address),
    );
  }

  /** Moves favorites, in their order, before another one; `undefined`: to the end. Does nothing with pools that are no favorites. */
  async move(addresses: readonly string[], before: string | undefined): Promise<void> {
    const service = this.#serviceId();
    const all = this.#stored(service);
    const moved = all.filter(({ address }) => addresses.includes(address));
    const rest = all.filter(({ address }) => !addresses.includes(address));
    const place = rest.findIndex(({ address }) => address === before);
    if (moved.length > 0 && (before === undefined || place >= 0)) {
      await this.#write(service, place < 0 ? [...rest, ...moved] : rest.toSpliced(place, 0, ...moved));
    }
  }

  /** Shows the favorites as they are now, and reads those that are not listed and whose figures are old. */
  look(): void {
    this.#changes.fire(undefined);
    this.#readMore().catch(this.#dependencies.onError);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  async #readMore(): Promise<void> {
    if (this.#isReading) {
      return;
    }
    this.#isReading = true;
    try {
      for (let reads = 0; reads < MOST_READS; reads += 1) {
        const address = this.#oldest();
        if (address === undefined || !(await this.#read(address))) {
          return;
        }
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** The favorite whose figures are the oldest; `undefined`: none needs to be read now. */
  #oldest(): Address | undefined {
    const { portfolio, isVisible, clock } = this.#dependencies;
    const { pools, poolsState } = portfolio.snapshot;
    if (this.#isDisposed || !isVisible() || poolsState.kind !== 'ready') {
      return undefined;
    }
    const listed = new Set<string>(pools.map(({ address }) => address));
    const atMs = (address: Address) => this.#readings.get(this.#keyOf(address))?.atMs ?? -Infinity;
    const [oldest] = this.#stored()
      .map(({ address }) => address)
      .filter((address) => !listed.has(address) && elapsedMs(atMs(address), clock.now()) >= FRESH_MS)
      .sort((a, b) => (atMs(a) < atMs(b) ? -1 : 1));
    return oldest;
  }

  /** @returns false if the service can't be asked at the moment */
  async #read(address: Address): Promise<boolean> {
    const { connect, clock } = this.#dependencies;
    const key = this.#keyOf(address);
    let reading: Reading;
    try {
      const info = await (await connect()).poolInfo(address, { pace: 'poll' });
      reading = { kind: 'read', pool: poolOf(address, info), atMs: clock.now() };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'notFound') {
        // The list of pools shows why the service can't be asked. The next look tries again.
        return false;
      }
      reading = { kind: 'notFound', atMs: clock.now() };
    }
    if (key !== this.#keyOf(address)) {
      // The answer can be of the service before or after the change.
      return false;
    }
    this.#readings.set(key, reading);
    this.#changes.fire(undefined);
    return true;
  }

  #keyOf(address: Address): string {
    return `${this.#dependencies.service().id ?? ''} ${address}`;
  }

  #serviceId(): string {
    const { id } = this.#dependencies.service();
    if (id === undefined) {
      throw new UserError(l10n.t('No service is selected. Connect to a service first.'), {
        label: l10n.t('Connect to Service…'),
        command: 'binsight.connectService',
      });
    }
    return id;
  }

  #stored(service = this.#dependencies.service().id): readonly StoredFavorite[] {
    const entries: unknown = service === undefined ? undefined : new Map(this.#services()).get(service);
    const read = (Array.isArray(entries) ? entries : []).slice(0, MOST_FAVORITES).flatMap((entry: unknown) => {
      const { data } = favorite.safeParse(entry);
      const address = parseAddress(data?.address ?? '');
      return data === undefined || address === undefined ? [] : { ...data, address };
    });
    return [...new Map(read.map((entry) => [entry.address, entry])).values()];
  }

  #services(): readonly (readonly [string, unknown])[] {
    const all = z.record(z.string(), z.unknown()).safeParse(this.#dependencies.state.get(SYNCED_STATE.favorites)).data ?? {};
    return Object.entries(all);
  }

  async #write(service: string, favorites: readonly StoredFavorite[]): Promise<void> {
    const others = this.#services().filter(([id]) => id !== service);
    const all = favorites.length === 0 ? others : [...others, [service, favorites] as const];
    await this.#dependencies.state.update(SYNCED_STATE.favorites, Object.fromEntries(all.slice(-MOST_SERVICES)));
    this.look();
  }
}

function stored({ address, pairName, poolType, binStepBps }: Pool): StoredFavorite {
  const whole = binStepBps !== undefined && Number.isInteger(binStepBps) ? { binStepBps } : {};
  return { address, pairName: pairName.slice(0, LONGEST_NAME), poolType, ...whole };
}

const UNKNOWN_TOKEN = { address: undefined, symbol: '?', name: undefined, decimals: undefined };
const NO_INTERVALS = { '5m': undefined, '1h': undefined, '6h': undefined, '24h': undefined };

/** A pool of which only the name is known. */
function unread({ address, pairName, poolType, binStepBps }: StoredFavorite): Pool {
  return {
    address,
    pairName,
    poolType,
    binStepBps,
    protocol: undefined,
    token0: UNKNOWN_TOKEN,
    token1: UNKNOWN_TOKEN,
    tvlUsd: undefined,
    volumeUsd: NO_INTERVALS,
    volumeChangePercent: NO_INTERVALS,
    priceChangePercent: NO_INTERVALS,
    baseFeePercent: undefined,
    feeTvlRatio24h: undefined,
    price0Usd: undefined,
    price1Usd: undefined,
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
  };
}

/** A pool as discover would list it, from its details. */
function poolOf(address: Address, { poolType, protocol, tokens, fees, amountX, amountY, statistics }: PoolInfo): Pool {
  const [token0, token1] = tokens;
  const { tvlUsd, volumeUsd = NO_INTERVALS, fees24hUsd, binStepBps, createdAt } = statistics;
  const isRatioKnown = fees24hUsd !== undefined && tvlUsd !== undefined && tvlUsd > 0;
  return {
    ...unread({ address, pairName: pairNameOf(undefined, token0 ?? UNKNOWN_TOKEN, token1 ?? UNKNOWN_TOKEN, address), poolType }),
    protocol,
    token0: token0 ?? UNKNOWN_TOKEN,
    token1: token1 ?? UNKNOWN_TOKEN,
    tvlUsd,
    volumeUsd,
    binStepBps,
    createdAt,
    baseFeePercent: fees.basePercent,
    feeTvlRatio24h: isRatioKnown ? fees24hUsd / tvlUsd : undefined,
    price0Usd: token0?.priceUsd,
    price1Usd: token1?.priceUsd,
    liquidity0: amountX,
    liquidity1: amountY,
    marketCapUsd: token0?.marketCapUsd,
    fdvUsd: token0?.fdvUsd,
    organicScore: token0?.organicScore,
    holders: token0?.holders,
  };
}
