import { type Address, parseAddress } from '../../base/solana/address';
import {
  EngineError,
  type HistoricalParameters,
  type LogsParameters,
  type ProtocolNames,
  type RevenueParameters,
} from '../../engine/engine';
import { type KnownResults, overviewRecord, revenueRecord } from '../../engine/records/ownerResults';
import { historicalRecord, logsRecord, openingRecord, pageOfClosed } from '../../engine/records/ownerLists';
import { openRecord } from '../../engine/wire/positionRecord';
import type { WireHistorical, WireOpening, WirePositionLogs } from '../../engine/wire/positions';
import type { WireOverview, WireRevenue } from '../../engine/wire/overviewRecord';
import type { HistoryIndex, IndexedPosition } from '../index/types';
import { LruMap } from '../positions/lruMap';
import type { PublicPositions, PublicWallet } from '../positions/publicPositions';
import type { OnchainPosition, PositionReader } from '../positions/types';
import { coverageOf, type HistoryCoverage } from './coverage';
import { closedAtOf } from './positionHistory';
import type { PositionStates } from './positionStates';
import { protocolOf } from './recordPool';
import { positionOf, type ReportedPosition, withReported } from './reported';

/** What the answers about an owner are made from. */
export interface ChainRecordsOptions {
  readonly index: Pick<HistoryIndex, 'catchUp' | 'completePositions' | 'positions' | 'progress'>;
  readonly positions: PositionReader;
  readonly states: PositionStates;
  /** `undefined`: without public data. */
  readonly publicPositions?: Pick<PublicPositions, 'wallet' | 'events'> | undefined;
  readonly protocols: ProtocolNames;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How long a request waits until the index has read what is new. What it has not read by then is missing, and what follows from it unknown. */
const INDEX_WAIT_MS = 8_000;
/** The list of open positions is asked for often, and waits less. The past of a few positions is there soon. */
const OPENING_WAIT_MS = 2_000;
const COMPLETE_WAIT_MS = 6_000;
/** That of more takes longer: their rows are answered at once, and figures of the past come with the next answer. */
const FEW = 8;
/** How long a request waits for public data. */
const PUBLIC_WAIT_MS = 4_000;
/** A past that could not be read, because the RPC has it no more, is asked for again after this time. */
const COMPLETE_AGAIN_MS = 600_000;
const MOST_INCOMPLETE = 10_000;
const MOST_HOLDERS = 10_000;

/** The answers about an owner: which positions there are, from their accounts and the index, and how far what is known reaches. */
export class ChainRecords {
  readonly #options: ChainRecordsOptions;
  /** When the past of a position was asked for. */
  readonly #completedAt = new LruMap<Address, number>(MOST_INCOMPLETE);
  /** Whose closed positions were listed as they are reported. */
  readonly #listedAsReported = new LruMap<Address, Address>(MOST_INCOMPLETE);
  /** Owners with open positions at the last answer. */
  readonly #holders = new LruMap<Address, boolean>(MOST_HOLDERS);

  constructor(options: ChainRecordsOptions) {
    this.#options = options;
  }

  /** The open positions, the newest first. */
  async opening(owner: Address): Promise<WireOpening> {
    const { positions, index, publicPositions, now } = this.#options;
    const beganAtMs = now();
    const isRead = this.#isRead(owner);
    // With public data the rows are soon whole: a history that is not read begins after them. Without, all of it waits for the history.
    const isLater = publicPositions !== undefined && !isRead;
    const [{ positions: open, history }, wallet] = await Promise.all([
      positions.openPositions(owner),
      publicPositions?.wallet(owner, PUBLIC_WAIT_MS),
      isLater ? undefined : index.catchUp(owner, isRead ? OPENING_WAIT_MS : 0),
    ]);
    this.#holders.set(owner, open.length > 0);
    // Rows need their pools, so these go before the past, which takes requests for each position.
    await this.#options.states.prepare(open);
    if (isLater) {
      await index.catchUp(owner, 0);
    }
    await this.#completeOpen(open, wallet, Math.max(OPENING_WAIT_MS - (now() - beganAtMs), 0));
    // Block times are in seconds. What the index does not have yet is the newest.
    const orderOf = (position: Address): number => index.positions({ position }).at(-1)?.events[0]?.order ?? Infinity;
    const inOrder = open
      .map((position) => ({ position, order: orderOf(position.address) }))
      .sort((one, other) =>
        one.order === other.order ? (one.position.address < other.position.address ? -1 : 1) : other.order - one.order,
      );
    const states = await this.#options.states.open(
      inOrder.map(({ position }) => position),
      wallet,
    );
    return openingRecord(
      states.map((position) => openRecord(position, this.#options.now())),
      history === undefined ? undefined : coverageOf(history, index.positions({ owner }), open.length > 0).incomplete,
    );
  }

  /** Whether the history of an owner was read up to what is new. */
  #isRead(owner: Address): boolean {
    return this.#options.index.progress().find((known) => known.owner === owner)?.state === 'current';
  }

  /** Reads the past of open positions before the rest of the owner's history, which may take long. It goes on when the wait is over. @param mostMs for more than a few */
  async #completeOpen(open: readonly OnchainPosition[], wallet: PublicWallet | undefined, mostMs: number): Promise<void> {
    const { index, now } = this.#options;
    const incomplete = open
      .map(({ address }) => address)
      .filter(
        (position) =>
          now() - (this.#completedAt.get(position) ?? -Infinity) >= COMPLETE_AGAIN_MS &&
          !hasPricedPast(index.positions({ position }).at(-1)),
      );
    if (incomplete.length > 0) {
      incomplete.forEach((position) => this.#completedAt.set(position, now()));
      const isReported = incomplete.every((position) => wallet?.positions.has(position) === true);
      const waitMs = incomplete.length <= FEW ? COMPLETE_WAIT_MS : mostMs;
      await index.completePositions(incomplete, isReported ? 0 : waitMs);
    }
  }

  /** One page of the closed positions, the last closed first. */
  async historical({ owner, ...parameters }: HistoricalParameters): Promise<WireHistorical> {
    const { states } = this.#options;
    const { coverage, all } = await this.#known(owner);
    const closed = all.flatMap((position) =>
      position.closed ? [{ position, address: position.address, closedAt: closedAtOf(position) }] : [],
    );
    const { shown, pagination } = pageOfClosed(closed, parameters);
    shown.forEach(({ address, position: { complete } }) => complete || this.#listedAsReported.set(address, owner));
    return historicalRecord(await states.closed(shown.map(({ position }) => position)), pagination, coverage.incomplete);
  }

  /** Results with a protocol. @throws EngineError if the owner has had no position with it */
  async overview(owner: Address, protocol: string): Promise<WireOverview> {
    return overviewRecord(owner, protocol, await this.#results(owner, [protocol]), this.#options.now());
  }

  /** Profit by day, week or month. */
  async revenue(parameters: RevenueParameters): Promise<WireRevenue> {
    return revenueRecord(await this.#results(parameters.owner, parameters.protocols), parameters, this.#options.now());
  }

  /**
   * Events of one position, or of all of an owner's, oldest first. With `reported`, those of a position that is not read yet are as the public data has them.
   * @throws EngineError if the position is not known, or another owner's
   */
  async logs({ position, owner, reported = false }: LogsParameters): Promise<WirePositionLogs> {
    if (position === undefined) {
      if (owner === undefined) {
        throw new EngineError('invalid', 'position or owner parameter is required');
      }
      const progress = await this.#options.index.catchUp(owner, INDEX_WAIT_MS);
      const all = this.#options.index.positions({ owner });
      return logsRecord(await this.#options.states.logs(all), coverageOf(progress, all).incomplete);
    }
    const first = reported ? await this.#reportedLogs(position, owner) : undefined;
    if (first !== undefined) {
      return first;
    }
    const lives = (await this.#indexed(position, owner)).filter((life) => owner === undefined || life.owner === owner);
    if (lives.length === 0) {
      throw new EngineError('notFound', `Position ${position} not found`);
    }
    return logsRecord(await this.#options.states.logs(lives));
  }

  /**
   * What the public data has of a position whose past is not read: it is read meanwhile. Only if all of it is of this position, its pool and its owner, as the chain has
   * them, or of a closed one the list of its owner's; `undefined`: there is nothing of it, or nothing that may be shown.
   */
  async #reportedLogs(position: string, owner: Address | undefined): Promise<WirePositionLogs | undefined> {
    const { index, publicPositions, states } = this.#options;
    const address = parseAddress(position);
    const lives = address === undefined ? [] : index.positions({ position: address });
    if (address === undefined || publicPositions === undefined || lives.length > 1 || lives.at(-1)?.complete === true) {
      return undefined;
    }
    const [known, events = []] = await Promise.all([
      lives.at(-1) ?? this.#unreadPosition(address, owner),
      publicPositions.events(address, PUBLIC_WAIT_MS),
    ]);
    const isOfIt =
      known !== undefined &&
      (owner === undefined || known.owner === owner) &&
      events.every((event) => event.position === address && event.pool === known.pool && event.owner === known.owner);
    if (!isOfIt || events.length === 0) {
      return undefined;
    }
    await Promise.all([index.catchUp(known.owner, 0), index.completePositions([address], 0)]);
    const logs = await states.reportedLogs(known, events);
    return logs === undefined ? undefined : logsRecord(logs);
  }

  /** A position that the index does not know: as its account has it, or, closed, as the public data lists it among those of its owner. */
  async #unreadPosition(address: Address, owner: Address | undefined): Promise<OnchainPosition | ReportedPosition | undefined> {
    const { positions, publicPositions } = this.#options;
    const open = await positions.openPosition(address);
    const of = owner ?? this.#listedAsReported.get(address);
    if (open !== undefined || of === undefined) {
      return open;
    }
    const reported = (await publicPositions?.wallet(of, PUBLIC_WAIT_MS))?.positions.get(address);
    return reported?.isClosed === true ? positionOf(reported, of) : undefined;
  }

  /** The lives of a position by its address, with what is new. An owner that the index does not know is learned from the account. */
  async #indexed(position: string, owner: Address | undefined): Promise<readonly IndexedPosition[]> {
    const { index, positions } = this.#options;
    const address = parseAddress(position);
    if (address === undefined) {
      return [];
    }
    const find = (): readonly IndexedPosition[] => index.positions({ position: address });
    const known = owner ?? find().at(-1)?.owner ?? (await positions.openPosition(address))?.owner;
    if (known !== undefined) {
      await index.catchUp(known, INDEX_WAIT_MS);
    }
    return find();
  }

  async #results(owner: Address, protocols: readonly string[] | undefined): Promise<KnownResults> {
    const { protocols: names, states } = this.#options;
    const { coverage, all, wallet } = await this.#known(owner);
    const wanted = all.filter(({ program }) => protocols === undefined || protocols.includes(protocolOf(program, names)));
    // The public data has all positions in bins, as far as it goes back, and no others.
    const isReported = wallet !== undefined && protocols?.every((protocol) => protocol === names.bins) === true;
    const wholeSince = isReported ? Math.min(coverage.wholeSince, wallet.closedSince) : coverage.wholeSince;
    return { ...coverage, wholeSince, positions: await states.results(wanted) };
  }

  /** The positions of an owner, with what is new; while the history is not read, as they are reported. */
  async #known(
    owner: Address,
  ): Promise<{ readonly coverage: HistoryCoverage; readonly all: readonly ReportedPosition[]; readonly wallet: PublicWallet | undefined }> {
    const { index, publicPositions } = this.#options;
    const wallet = await publicPositions?.wallet(owner, PUBLIC_WAIT_MS);
    // A history that was read once is soon up to date; one that is being read is stood in for by what is reported.
    const isStoodInFor = wallet !== undefined && wallet.positions.size > 0;
    const progress = await index.catchUp(owner, isStoodInFor && !this.#isRead(owner) ? 0 : INDEX_WAIT_MS);
    const indexed = index.positions({ owner });
    const all = withReported(indexed, wallet, owner);
    return { coverage: coverageOf(progress, indexed, all.length > 0 || this.#holders.get(owner) === true), wallet, all };
  }
}

/** Whether the whole past of a position is read, with what the prices of its events depend on. */
function hasPricedPast(position: IndexedPosition | undefined): boolean {
  return position?.complete === true && position.events.some(({ rawPrice }) => rawPrice !== undefined);
}
