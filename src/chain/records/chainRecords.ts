import { startTimer, type Subscription, type Timers } from '../../base/async/clock';
import { type Address, parseAddress } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { EngineError, type HistoricalParameters, type ProtocolNames, type RevenueParameters } from '../../server/engine';
import { logRecord } from '../../server/records/logRecord';
import { overviewOf, periodStart, revenueRow } from '../../server/records/overviewRecord';
import type { PoolMoment } from '../../server/records/placement';
import type { PositionFacts } from '../../server/records/positionFacts';
import { closedRecord, openRecord } from '../../server/records/positionRecord';
import { pageCount } from '../../server/records/text';
import type { WireClosedPosition, WireHistorical, WireOpening, WirePositionLog, WirePositionLogs } from '../../server/wire/positions';
import type { WireOverview, WireRevenue } from '../../server/wire/results';
import type { IndexedPosition, IndexProgress, HistoryIndex } from '../index/types';
import type { PoolReader, OnchainPool } from '../pools/types';
import { Remembered } from '../positions/remembered';
import type { OnchainPosition, PositionReader } from '../positions/types';
import type { PriceSource } from '../prices/types';
import { eventsOf, factsOf, historyOf, momentOfClosing, pricesNeeded, rangeOf, type UsdAt } from './positionHistory';
import { protocolOf, recordPool } from './recordPool';
import { type KnownResults, overviewFigures, revenueFigures } from './results';
import { anchorsOf, pairPrices, uiPriceOf, worthOf } from './valuation';

/** What the records are made from. */
export interface ChainRecordsOptions {
  readonly index: Pick<HistoryIndex, 'catchUp' | 'completePositions' | 'positions'>;
  readonly positions: PositionReader;
  readonly pools: PoolReader;
  readonly prices: PriceSource;
  readonly protocols: ProtocolNames;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Default: the system's. */
  readonly timers?: Timers;
}

/** How long a request waits until the index has read what is new. What it has not read by then is missing, and what follows from it unknown. */
const INDEX_WAIT_MS = 8_000;
/** The list of open positions is asked for often, and waits less: first for what is new, then for the past of positions. */
const OPENING_WAIT_MS = 2_000;
const COMPLETE_WAIT_MS = 6_000;
/** A past that could not be read, because the RPC has it no more, is asked for again after this time. */
const COMPLETE_AGAIN_MS = 600_000;
const MOST_INCOMPLETE = 10_000;
/** A slot takes at least this long: how long ago the first known slot was, at least. */
const LEAST_SLOT_MS = 200;
/** How long a request waits for prices of the past: a source may have to be asked day by day. Those that are late are there for the next request. */
const PRICES_WAIT_MS = 8_000;

/** A position of the index with its pool. */
interface Known {
  readonly position: IndexedPosition;
  readonly pool: OnchainPool;
}

/** The records of an owner's positions, from their accounts, the index of their transactions, and prices. */
export class ChainRecords {
  readonly #options: ChainRecordsOptions;
  /** When the past of a position was asked for. */
  readonly #completedAt = new Remembered<Address, number>(MOST_INCOMPLETE);

  constructor(options: ChainRecordsOptions) {
    this.#options = options;
  }

  /** The open positions, the newest first. */
  async opening(owner: Address): Promise<WireOpening> {
    const { positions, index } = this.#options;
    const [open] = await Promise.all([positions.openPositions(owner), index.catchUp(owner, OPENING_WAIT_MS)]);
    await this.#completeOpen(open);
    // Block times are in seconds. What the index has not met yet is the newest.
    const orderOf = (position: Address): number => index.positions({ position })[0]?.events[0]?.order ?? Infinity;
    const inOrder = open
      .map((position) => ({ position, order: orderOf(position.address) }))
      .sort((one, other) =>
        one.order === other.order ? (one.position.address < other.position.address ? -1 : 1) : other.order - one.order,
      );
    const data = await this.openRecords(inOrder.map(({ position }) => position));
    return { count: data.length, data };
  }

  /** Reads the past of open positions before the rest of the owner's history, which may take long. */
  async #completeOpen(open: readonly OnchainPosition[]): Promise<void> {
    const { index, now } = this.#options;
    const incomplete = open
      .map(({ address }) => address)
      .filter(
        (position) =>
          now() - (this.#completedAt.get(position) ?? -Infinity) >= COMPLETE_AGAIN_MS &&
          index.positions({ position })[0]?.complete !== true,
      );
    if (incomplete.length > 0) {
      incomplete.forEach((position) => this.#completedAt.set(position, now()));
      await index.completePositions(incomplete, COMPLETE_WAIT_MS);
    }
  }

  /** Records of open positions of any owner, in the given order, with what the index knows of them. */
  async openRecords(open: readonly OnchainPosition[]): Promise<WireOpening['data']> {
    const histories = new Map(
      open.flatMap(({ address }) => this.#options.index.positions({ position: address })).map((of) => [of.address, of]),
    );
    const pools = await this.#options.pools.pools([...new Set(open.map(({ pool }) => pool))]);
    const known = open.flatMap((position) => {
      const pool = pools.get(position.pool);
      return pool === undefined ? [] : [{ open: position, position: histories.get(position.address) ?? unknownHistory(position), pool }];
    });
    const [usdAt, now] = await Promise.all([this.#pricesAt(known), this.#pricesNow([...pools.values()])]);
    return known.map(({ open: contents, position, pool }) => this.#openRecord(contents, position, pool, usdAt, now));
  }

  /** One page of the closed positions, the last closed first. */
  async historical({ owner, from, to, page, pageSize }: HistoricalParameters): Promise<WireHistorical> {
    await this.#options.index.catchUp(owner, INDEX_WAIT_MS);
    const dated = this.#options.index
      .positions({ owner })
      .filter(({ closed }) => closed)
      .map((position) => ({ position, at: closingTime(position) }))
      .filter(({ at }) => (from === undefined || at >= from) && (to === undefined || at <= to))
      .sort((one, other) => other.at - one.at || (one.position.address < other.position.address ? 1 : -1));
    return {
      data: await this.closedRecords(dated.slice((page - 1) * pageSize, page * pageSize).map(({ position }) => position)),
      pagination: { currentPage: page, totalPages: pageCount(dated.length, pageSize), totalCount: dated.length, pageSize },
    };
  }

  /** Records of closed positions of any owner, in the given order. */
  async closedRecords(closed: readonly IndexedPosition[]): Promise<WireHistorical['data']> {
    const known = await this.#withPools(closed);
    const usdAt = await this.#pricesAt(known);
    return known.map((of) => this.#closedRecord(of, usdAt));
  }

  /** Results with a protocol. @throws EngineError if the owner has had no position with it */
  async overview(owner: Address, protocol: string): Promise<WireOverview> {
    const results = await this.#results(owner, [protocol]);
    if (results.positions.length === 0) {
      throw results.isBeingRead
        ? new EngineError('unavailable', `The history of ${owner} is still being read. Try again later.`)
        : new EngineError('notFound', 'Owner overview not found');
    }
    return overviewOf({ owner, protocol, ...overviewFigures(results, this.#options.now()) });
  }

  /** Profit by day, week or month. */
  async revenue({ owner, period, range, protocols }: RevenueParameters): Promise<WireRevenue> {
    const results = await this.#results(owner, protocols);
    return { data: revenueFigures(results, period, periodStart(range ?? 'ALL', this.#options.now())).map(revenueRow) };
  }

  /** Events of one position, or of all of an owner's, oldest first. @throws EngineError if the position is not known, or another owner's */
  async logs({
    position,
    owner,
  }: {
    readonly position: string | undefined;
    readonly owner: Address | undefined;
  }): Promise<WirePositionLogs> {
    if (position === undefined) {
      if (owner === undefined) {
        throw new EngineError('invalid', 'position or owner parameter is required');
      }
      await this.#options.index.catchUp(owner, INDEX_WAIT_MS);
      return await this.#logsOf(this.#options.index.positions({ owner }));
    }
    const indexed = await this.#indexed(position, owner);
    if (indexed === undefined || (owner !== undefined && indexed.owner !== owner)) {
      throw new EngineError('notFound', `Position ${position} not found`);
    }
    return await this.#logsOf([indexed]);
  }

  /** A position by its address, with what is new. An owner that the index does not know is learned from the account. */
  async #indexed(position: string, owner: Address | undefined): Promise<IndexedPosition | undefined> {
    const { index, positions } = this.#options;
    const address = parseAddress(position);
    if (address === undefined) {
      return undefined;
    }
    const find = (): IndexedPosition | undefined => index.positions({ position: address })[0];
    const known = owner ?? find()?.owner ?? (await positions.openPosition(address))?.owner;
    if (known !== undefined) {
      await index.catchUp(known, INDEX_WAIT_MS);
    }
    return find();
  }

  async #logsOf(positions: readonly IndexedPosition[]): Promise<WirePositionLogs> {
    const known = await this.#withPools(positions);
    const usdAt = await this.#pricesAt(known);
    const events = known.flatMap((of) => {
      const facts = {
        address: of.position.address,
        owner: of.position.owner,
        pool: recordPool(of.pool, this.#options.protocols),
        strategy: of.position.strategy ?? null,
      };
      return eventsOf(of.position, of.pool, usdAt).map((event) => ({ event, facts: { ...facts, range: rangeOf(of.position) } }));
    });
    const data = events.sort((one, other) => one.event.order - other.event.order).map(({ facts, event }) => logRecord(facts, event));
    return { count: data.length, data };
  }

  async #results(owner: Address, protocols: readonly string[] | undefined): Promise<KnownResults & { readonly isBeingRead: boolean }> {
    const progress = await this.#options.index.catchUp(owner, INDEX_WAIT_MS);
    const all = this.#options.index.positions({ owner });
    const wanted = all.filter(({ program }) => protocols === undefined || protocols.includes(protocolOf(program, this.#options.protocols)));
    const known = await this.#withPools(wanted);
    const usdAt = await this.#pricesAt(known);
    return {
      positions: known.map(({ position, pool }) => ({
        pool: pool.address,
        hasRewards: pool.hasRewards,
        closed: position.closed,
        ...historyOf(position, pool, usdAt),
      })),
      wholeSince: wholeSince(progress, all),
      isBeingRead: progress.state !== 'current',
    };
  }

  /** Positions with their pools. */
  async #withPools(positions: readonly IndexedPosition[]): Promise<readonly Known[]> {
    const pools = await this.#options.pools.pools([...new Set(positions.map(({ pool }) => pool))]);
    return positions.flatMap((position) => {
      const pool = pools.get(position.pool);
      return pool === undefined ? [] : [{ position, pool }];
    });
  }

  /** Prices at the times of all events, asked for once each. */
  async #pricesAt(known: readonly Known[]): Promise<UsdAt> {
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
    return (mint, timeS) => prices.get(`${mint} ${timeS}`) ?? null;
  }

  async #pricesNow(pools: readonly OnchainPool[]): Promise<ReadonlyMap<Address, number>> {
    const mints = [...new Set([WRAPPED_SOL_MINT, ...pools.flatMap(anchorsOf)])];
    return pools.length === 0 ? new Map() : await this.#options.prices.now(mints);
  }

  #openRecord(
    contents: OnchainPosition,
    position: IndexedPosition,
    pool: OnchainPool,
    usdAt: UsdAt,
    usdNow: ReadonlyMap<Address, number>,
  ): WireOpening['data'][number] {
    const uiPrice = uiPriceOf(pool, pool.rawPrice);
    const prices = pairPrices(pool, uiPrice, (mint) => usdNow.get(mint) ?? null);
    const moment: PoolMoment = { usd0: prices.x.usd, usd1: prices.y.usd, uiPrice, activeBinId: pool.activeBinId ?? null };
    const history = factsOf(position, recordPool(pool, this.#options.protocols), historyOf(position, pool, usdAt), pool.hasRewards);
    // The account knows owner and range better than the history: positions are moved and lengthened.
    const facts: PositionFacts = { ...history, owner: contents.owner, range: rangeOf(contents) };
    const state = {
      id: contents.address,
      amounts: contents.amounts,
      withdrawableShare: contents.withdrawableShare,
      fees: contents.unclaimedFees,
      value: worthOf(pool, contents.amounts, prices),
      fee: worthOf(pool, contents.unclaimedFees, prices),
      liquidity: contents.program === 'damm' ? contents.liquidity : '0',
    };
    return openRecord(facts, state, moment, this.#options.now(), this.#positionLogs(facts, position, pool, usdAt));
  }

  #positionLogs(facts: PositionFacts, position: IndexedPosition, pool: OnchainPool, usdAt: UsdAt): readonly WirePositionLog[] {
    return eventsOf(position, pool, usdAt).map((event) => logRecord(facts, event));
  }

  #closedRecord({ position, pool }: Known, usdAt: UsdAt): WireClosedPosition {
    const history = historyOf(position, pool, usdAt);
    const facts = factsOf(position, recordPool(pool, this.#options.protocols), history, pool.hasRewards);
    return closedRecord(facts, momentOfClosing(position, pool, usdAt), history.closedAt, undefined);
  }
}

/** What is known of a position that the index has not met: nothing of its past. */
function unknownHistory({ address, pool, program, owner }: OnchainPosition): IndexedPosition {
  return { address, pool, program, owner, range: undefined, strategy: undefined, closed: false, complete: false, events: [] };
}

/** From when on all positions of an owner are known, milliseconds since 1970; 0: ever. Where the RPC's history begins is estimated, rather too late. */
function wholeSince({ state, prunedBeforeSlot }: IndexProgress, [first]: readonly IndexedPosition[]): number {
  if (state !== 'current') {
    return Infinity;
  }
  if (prunedBeforeSlot === undefined) {
    return 0;
  }
  const event = first?.events[0];
  return event?.blockTimeS === undefined ? Infinity : 1_000 * event.blockTimeS - Math.max(0, event.slot - prunedBeforeSlot) * LEAST_SLOT_MS;
}

/** When a position was closed; 0: not known. */
function closingTime({ events }: IndexedPosition): number {
  return 1_000 * ((events.findLast(({ kind }) => kind === 'close') ?? events.at(-1))?.blockTimeS ?? 0);
}
