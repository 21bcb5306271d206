import { startTimer, type Subscription, type Timers } from '../../base/async/clock';
import { type Address, parseAddress } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { ProtocolNames } from '../../engine/engine';
import type { KnownOrNull } from '../../engine/state/figures';
import type { LoggedPosition } from '../../engine/wire/logRecord';
import type { ResultPosition } from '../../engine/records/ownerResults';
import type { ClosedPositionState, EventFacts, OpenPositionState } from '../../engine/state/positionState';
import type { DataPosition, DataPositionEvent } from '../dataApi/types';
import type { HistoryIndex, IndexedPosition } from '../index/types';
import type { OnchainPool, PoolReader } from '../pools/types';
import { LruMap } from '../positions/lruMap';
import type { PublicWallet } from '../positions/publicPositions';
import type { OnchainPosition } from '../positions/types';
import type { PriceSource } from '../prices/types';
import {
  closedAtOf,
  eventsOf,
  factsOf,
  historyOf,
  momentOfClosing,
  pricesNeeded,
  rangeOf,
  unknownHistoryOf,
  type PastPrices,
} from './positionHistory';
import { nearestPrices } from './nearestPrices';
import { recordPool } from './recordPool';
import { unclaimedRewards } from './rewards';
import { type ReportedPosition, positionOf, reportedEvents } from './reported';
import { anchorsOf, pairPrices, uiPriceOf, worthOf } from './valuation';

/** What positions are read from. */
export interface PositionStatesOptions {
  readonly index: Pick<HistoryIndex, 'positions'>;
  readonly pools: PoolReader;
  readonly prices: PriceSource;
  readonly protocols: ProtocolNames;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Default: the system's. */
  readonly timers?: Timers;
}

/** How long a request waits for prices of the past: a source may have to be asked day by day. Those that are late are there for the next request. */
const PRICES_WAIT_MS = 8_000;
const MOST_UNREADABLE = 1_000;

/** A position of the index with its pool. */
interface Known {
  readonly position: ReportedPosition;
  readonly pool: OnchainPool;
}

/** What is known of positions: each with its pool, the prices at the times of its events, and present prices. */
export class PositionStates {
  readonly #options: PositionStatesOptions;
  /** Pools that the log has named. */
  readonly #unreadable = new LruMap<Address, true>(MOST_UNREADABLE);
  /** Positions of which the log has said that the public data contradicts the chain. */
  readonly #contradicted = new LruMap<Address, true>(MOST_UNREADABLE);

  constructor(options: PositionStatesOptions) {
    this.#options = options;
  }

  /** Reads the pools of positions, so that they are known when the positions are asked for. */
  async prepare(positions: readonly { readonly pool: Address }[]): Promise<void> {
    await this.#poolsOf(positions);
  }

  /**
   * Open positions of any owner, in the given order, with what the index knows of them.
   * @param wallet what the public data has of their owner, in the place of what the index does not know yet
   */
  async open(open: readonly OnchainPosition[], wallet?: PublicWallet): Promise<readonly OpenPositionState[]> {
    const histories = new Map(
      open
        .flatMap(({ address }) => this.#options.index.positions({ position: address }).slice(-1))
        // An account that is there, of a closed position: it was created again, or the RPC lags behind.
        .flatMap((of) => (of.closed ? [] : [[of.address, of] as const])),
    );
    const pools = await this.#poolsOf(open);
    // A report adds up what all positions of an address did.
    const isFirst = (position: Address): boolean => this.#options.index.positions({ position }).every(({ closed }) => !closed);
    const known = withPools(open, pools).map(({ position: contents, pool }) => ({
      contents,
      position: pastOf(
        contents,
        histories.get(contents.address),
        isFirst(contents.address) ? wallet?.positions.get(contents.address) : undefined,
      ),
      pool,
    }));
    const [past, usdNow] = await Promise.all([
      this.#pricesAt(known),
      this.#pricesNow(
        [...pools.values()],
        open.flatMap(({ rewards }) => rewards?.map(({ mint }) => mint) ?? []),
      ),
    ]);
    return known.map(({ contents, ...of }) => this.#openState(contents, of, past, usdNow));
  }

  /** Closed positions of any owner, in the given order. */
  async closed(closed: readonly ReportedPosition[]): Promise<readonly ClosedPositionState[]> {
    const known = withPools(closed, await this.#poolsOf(closed));
    const past = await this.#pricesAt(known);
    const states = known.map((of) => this.#closedState(of, past));
    for (const { address, isContradicted } of states) {
      const position = isContradicted === true ? parseAddress(address) : undefined;
      if (position !== undefined && this.#contradicted.get(position) === undefined) {
        this.#contradicted.set(position, true);
        this.#options.log(
          `Meteora's public data says otherwise than the chain about what went in or out of the position ${position}. The chain's figures are used.`,
        );
      }
    }
    return states;
  }

  /** The events of positions, oldest first. */
  async logs(positions: readonly IndexedPosition[]): Promise<readonly { readonly position: LoggedPosition; readonly event: EventFacts }[]> {
    const known = withPools(positions, await this.#poolsOf(positions));
    const past = await this.#pricesAt(known);
    return known
      .flatMap(({ position, pool }) => {
        const { address, owner, strategy = null } = position;
        const logged = { address, owner, strategy, range: rangeOf(position), pool: recordPool(pool, this.#options.protocols) };
        return eventsOf(position, pool, past.usdAt).map((event) => ({ position: logged, event }));
      })
      .sort((one, other) => one.event.order - other.event.order);
  }

  /** The events of a position as the public data has them. `undefined`: they, or its pool, cannot be read. */
  async reportedLogs(
    position: Pick<IndexedPosition, 'address' | 'owner' | 'pool' | 'range'>,
    events: readonly DataPositionEvent[],
  ): Promise<readonly { readonly position: LoggedPosition; readonly event: EventFacts }[] | undefined> {
    const { address, owner } = position;
    const pool = (await this.#poolsOf([position])).get(position.pool);
    if (pool === undefined) {
      return undefined;
    }
    const logged = { address, owner, strategy: null, range: rangeOf(position), pool: recordPool(pool, this.#options.protocols) };
    return reportedEvents(events, pool)?.map((event) => ({ position: logged, event }));
  }

  /** What positions add to the results of their owner. Of those whose pool cannot be read, no amount is known. */
  async results(positions: readonly ReportedPosition[]): Promise<readonly ResultPosition[]> {
    const pools = await this.#poolsOf(positions);
    const past = await this.#pricesAt(withPools(positions, pools));
    return positions.map((position) => {
      const pool = pools.get(position.pool);
      return {
        pool: position.pool,
        closed: position.closed,
        closedAt: closedAtOf(position),
        ...(pool === undefined ? unknownHistoryOf(position) : historyOf(position, pool, past)),
      };
    });
  }

  /** Reads pools. One whose tokens are gone from the chain cannot be shown; it is logged once. */
  async #poolsOf(positions: readonly { readonly pool: Address }[]): Promise<ReadonlyMap<Address, OnchainPool>> {
    const wanted = [...new Set(positions.map(({ pool }) => pool))];
    const pools = await this.#options.pools.pools(wanted);
    for (const pool of wanted) {
      if (!pools.has(pool) && this.#unreadable.get(pool) === undefined) {
        this.#unreadable.set(pool, true);
        this.#options.log(
          `The pool ${pool} or its tokens cannot be read from the RPC: its positions are missing from lists, and sums with them are unknown.`,
        );
      }
    }
    return pools;
  }

  /** Prices at the times of all events, asked for once each. */
  async #pricesAt(known: readonly Known[]): Promise<PastPrices> {
    const prices = new Map<string, number | undefined>();
    const wanted = new Map(
      known.flatMap(({ position, pool }) => pricesNeeded(position, pool)).map((needed) => [`${needed.mint} ${needed.timeS}`, needed]),
    );
    const asking = [...wanted].map(async ([key, { mint, timeS }]) => {
      prices.set(key, await this.#options.prices.at(mint, timeS));
    });
    let timer: Subscription | undefined;
    const timeIsUp = new Promise<void>((resolve) => {
      timer = startTimer(PRICES_WAIT_MS, resolve, this.#options.timers);
    });
    await Promise.race([Promise.all(asking), timeIsUp]);
    timer?.dispose();
    return { usdAt: (mint, timeS) => prices.get(`${mint} ${timeS}`) ?? null, nearest: nearestPrices(this.#options.index) };
  }

  async #pricesNow(pools: readonly OnchainPool[], rewards: readonly Address[]): Promise<ReadonlyMap<Address, number>> {
    const mints = [...new Set([WRAPPED_SOL_MINT, ...pools.flatMap(anchorsOf), ...rewards])];
    return pools.length === 0 ? new Map() : await this.#options.prices.now(mints);
  }

  #openState(
    contents: OnchainPosition,
    { position, pool }: Known,
    past: PastPrices,
    usdNow: ReadonlyMap<Address, number>,
  ): OpenPositionState {
    const uiPrice = uiPriceOf(pool, pool.rawPrice);
    const usdOf = (mint: Address): KnownOrNull => usdNow.get(mint) ?? null;
    const prices = pairPrices(pool, uiPrice, usdOf);
    return {
      ...factsOf(position, pool, recordPool(pool, this.#options.protocols), historyOf(position, pool, past)),
      // Owner and range may have changed since the last event that is known.
      owner: contents.owner,
      range: rangeOf(contents),
      contents: {
        id: contents.address,
        amounts: contents.amounts,
        withdrawableShare: contents.withdrawableShare,
        fees: contents.unclaimedFees,
        value: worthOf(pool, contents.amounts, prices),
        fee: worthOf(pool, contents.unclaimedFees, prices),
        ...unclaimedRewards(contents, pool, prices, usdOf),
        liquidity: contents.program === 'damm' ? contents.liquidity : '0',
      },
      moment: { usd0: prices.x.usd, usd1: prices.y.usd, uiPrice, activeBinId: pool.activeBinId ?? null },
      events: eventsOf(position, pool, past.usdAt),
    };
  }

  #closedState({ position, pool }: Known, past: PastPrices): ClosedPositionState {
    return {
      ...factsOf(position, pool, recordPool(pool, this.#options.protocols), historyOf(position, pool, past)),
      closedAt: closedAtOf(position),
      moment: momentOfClosing(position, pool, past.usdAt),
    };
  }
}

/** Positions with their pools. Those without one are left out. */
function withPools<Position extends { readonly pool: Address }>(
  positions: readonly Position[],
  pools: ReadonlyMap<Address, OnchainPool>,
): readonly { readonly position: Position; readonly pool: OnchainPool }[] {
  return positions.flatMap((position) => {
    const pool = pools.get(position.pool);
    return pool === undefined ? [] : [{ position, pool }];
  });
}

/** The past of an open position: from the index, else as it is reported, else nothing. */
function pastOf(contents: OnchainPosition, indexed: IndexedPosition | undefined, reported: DataPosition | undefined): ReportedPosition {
  if (indexed?.complete === true || reported === undefined || reported.isClosed) {
    return indexed ?? unknownHistory(contents);
  }
  const { strategy, hasClaimedRewards = false } = indexed ?? {};
  return { ...positionOf(reported, contents.owner), strategy, hasClaimedRewards };
}

/** What is known of a position that is not in the index yet: nothing of its past. */
function unknownHistory({ address, pool, program, owner }: OnchainPosition): IndexedPosition {
  return {
    address,
    pool,
    program,
    owner,
    range: undefined,
    strategy: undefined,
    closed: false,
    complete: false,
    hasClaimedRewards: false,
    events: [],
  };
}
