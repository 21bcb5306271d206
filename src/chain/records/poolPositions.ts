import { type Address, parseAddress } from '../../base/solana/address';
import type { PoolPositionsParameters, TopLpersParameters } from '../../engine/engine';
import { binPrice, type BinPriceScale } from '../../engine/records/binRecords';
import { type KnownOrNull, sumOf } from '../../engine/records/figures';
import { pageCount } from '../../engine/records/text';
import type { WireOnchainStats, WirePoolLper, WirePoolPositions, WirePositionState, WireTopLpers } from '../../engine/wire/pools';
import type { WireClosedPosition, WireOpenPosition } from '../../engine/wire/positions';
import type { IndexedPosition, HistoryIndex } from '../index/types';
import { readAccounts } from '../positions/accounts';
import { dlmmPositionBins, readDlmmPosition } from '../positions/dlmmAccounts';
import type { FoundPosition } from '../positions/findPositions';
import type { OnchainPosition } from '../positions/types';
import type { PriceSource } from '../prices/types';
import { BinReserves } from '../pools/binAmounts';
import { compared, isClosed, lpersOf, lpersPage, type PositionRecord } from '../../engine/records/lpers';
import { type PoolPositionList, type PoolPositionListOptions, PoolPositionLists } from '../pools/poolPositionList';
import type { PoolDetails } from '../pools/poolReader';
import { SharedAnswers } from '../pools/sharedAnswers';

/** What the records of a pool's positions need. */
export interface PoolPositionOptions extends PoolPositionListOptions {
  readonly index: Pick<HistoryIndex, 'positions' | 'progress' | 'catchUp'>;
  readonly positions: {
    openPositions(owner: Address): Promise<readonly OnchainPosition[]>;
    /** Reads positions that were found; those that are not there any more are left out. */
    read(found: readonly FoundPosition[]): Promise<readonly OnchainPosition[]>;
  };
  readonly records: {
    open(open: readonly OnchainPosition[]): Promise<readonly WireOpenPosition[]>;
    closed(closed: readonly IndexedPosition[]): Promise<readonly WireClosedPosition[]>;
  };
  readonly prices: PriceSource;
}

/** How long a request waits for the history of an owner that it names. */
const INDEX_WAIT_MS = 8_000;
const VALUED_GOOD_FOR_MS = 15_000;
/** Three hundred records are about half a megabyte. */
const MOST_VALUED = 20;

/** The listed positions of a pool with their records. Positions that have been closed since have none. */
interface ValuedPositions {
  readonly list: PoolPositionList;
  readonly records: readonly WireOpenPosition[];
}

/**
 * Records of the positions in a pool: the open ones from their accounts, valued now, with what the index knows of their transactions; and the closed
 * ones that the index knows. Of a pool with many positions only those of the largest owners are valued; see {@link PoolPositionLists}.
 */
export class PoolPositionRecords {
  readonly #options: PoolPositionOptions;
  readonly #lists: PoolPositionLists;
  readonly #valued: SharedAnswers<Address, ValuedPositions>;
  readonly #lpers: SharedAnswers<Address, readonly WirePoolLper[]>;

  constructor(options: PoolPositionOptions) {
    this.#options = options;
    this.#lists = new PoolPositionLists(options);
    const sharing = { most: MOST_VALUED, goodForMs: VALUED_GOOD_FOR_MS, now: options.now };
    this.#valued = new SharedAnswers(sharing);
    this.#lpers = new SharedAnswers(sharing);
  }

  /** One page of the positions of a pool; those without a known figure come last. With the bins of open positions. */
  async positions(pool: PoolDetails, parameters: PoolPositionsParameters): Promise<WirePoolPositions> {
    const { page, pageSize, orderBy, sortOrder, minPnlUsd, minPnlNative } = parameters;
    const direction = sortOrder === 'asc' ? 1 : -1;
    const fitting = (await this.#recordsOf(pool, parameters))
      .filter(({ pnl }) => isAtLeast(pnl.value, minPnlUsd) && isAtLeast(pnl.valueNative, minPnlNative))
      .sort((one, other) => compared(figureOf(one, orderBy), figureOf(other, orderBy), direction));
    const shown = fitting.slice((page - 1) * pageSize, page * pageSize);
    const { x, y, state } = pool;
    const [usd, bins] = await Promise.all([this.#options.prices.now([x.mint, y.mint]), this.#binsOf(pool, shown)]);
    return {
      pagination: { page, pageSize, total: fitting.length, totalPages: pageCount(fitting.length, pageSize) },
      positions: shown,
      positionState: bins,
      ...(state.activeBinId === undefined || state.binStep === undefined
        ? {}
        : { activeBin: binPrice({ binStepBps: state.binStep, token0: x, token1: y }, state.activeBinId) }),
      prices: Object.fromEntries(usd),
    };
  }

  /** One page of the owners of positions in the pool. */
  async topLpers(pool: PoolDetails, parameters: TopLpersParameters): Promise<WireTopLpers> {
    const lpers = await this.#lpers.of(pool.state.address, async () => {
      const [{ list, records }, closed] = await Promise.all([this.#valuedPositions(pool), this.#closedRecords(pool, undefined)]);
      return lpersOf([...records, ...closed], (owner) => list.unlisted(owner), this.#options.now());
    });
    return lpersPage(lpers, parameters);
  }

  /** Number of open positions, their owners, and their deposits if the index knows those of all. */
  async onchainStats(pool: PoolDetails): Promise<WireOnchainStats> {
    const { address } = pool.state;
    const list = await this.#lists.of(pool.state);
    const { count, owners } = list;
    const isKnown = (position: Address): boolean => this.#options.index.positions({ position }).some(({ complete }) => complete);
    const isAllKnown = count === list.listed.length && list.listed.every((position) => isKnown(position.address));
    const records = isAllKnown ? (await this.#valuedPositions(pool)).records : undefined;
    const total = (of: (record: WireOpenPosition) => KnownOrNull): KnownOrNull =>
      records?.length === count ? sumOf(0, ...records.map(of)) : null;
    return {
      poolStats: [
        {
          pool: address,
          total_open_positions: count,
          unique_owners: owners,
          total_input_value: total(({ inputValue }) => inputValue),
          total_input_native: total(({ inputNative }) => inputNative),
        },
      ],
    };
  }

  /** The open ones first; then the closed ones, the last opened before the others. */
  async #recordsOf(
    pool: PoolDetails,
    { owner, status }: Pick<PoolPositionsParameters, 'owner' | 'status'>,
  ): Promise<readonly PositionRecord[]> {
    const [open, closed] = await Promise.all([
      status === 'Close' ? [] : owner === undefined ? (await this.#valuedPositions(pool)).records : this.#openRecordsOf(owner, pool),
      status === 'Open' ? [] : this.#closedRecords(pool, owner),
    ]);
    return [...open, ...closed];
  }

  #valuedPositions({ state }: PoolDetails): Promise<ValuedPositions> {
    const { positions, records } = this.#options;
    return this.#valued.of(state.address, async () => {
      const list = await this.#lists.of(state);
      return { list, records: await records.open(await positions.read(list.listed)) };
    });
  }

  async #openRecordsOf(owner: Address, { state }: PoolDetails): Promise<readonly WireOpenPosition[]> {
    const { positions, records, index } = this.#options;
    const [open] = await Promise.all([positions.openPositions(owner), index.catchUp(owner, INDEX_WAIT_MS)]);
    return await records.open(open.filter(({ pool }) => pool === state.address));
  }

  async #closedRecords({ state: { address: pool } }: PoolDetails, owner: Address | undefined): Promise<readonly WireClosedPosition[]> {
    const { index, records } = this.#options;
    if (owner !== undefined) {
      await index.catchUp(owner, INDEX_WAIT_MS);
    }
    const closed = index.positions({ pool, ...(owner === undefined ? {} : { owner }) }).filter((position) => position.closed);
    return await records.closed(closed.reverse());
  }

  /** What open positions hold in each bin. Positions that have been closed since are left out. */
  async #binsOf({ state, x, y }: PoolDetails, shown: readonly PositionRecord[]): Promise<readonly WirePositionState[]> {
    const { address: pool, binStep } = state;
    const open = shown.filter((record) => !isClosed(record)).flatMap(({ position }) => parseAddress(position) ?? []);
    if (binStep === undefined || open.length === 0) {
      return [];
    }
    const { rpc } = this.#options;
    const accounts = await readAccounts(rpc, open);
    const positions = open.flatMap((address) => {
      const account = accounts.get(address);
      const position = account === undefined ? undefined : readDlmmPosition(account);
      return position === undefined ? [] : [{ address, position }];
    });
    const ranges = positions.map(({ position: { lowerBinId, upperBinId } }) => ({ fromBinId: lowerBinId, toBinId: upperBinId }));
    const amounts = await BinReserves.read(rpc, pool, ranges);
    const scale: BinPriceScale = { binStepBps: binStep, token0: x, token1: y };
    return positions.flatMap(({ address, position }): readonly WirePositionState[] => {
      const bins = dlmmPositionBins(position, (index) => amounts.array(index));
      const positionData = bins?.map(({ binId, amounts: own, unclaimedFees }) => {
        const all = amounts.of(binId);
        return {
          ...binPrice(scale, binId),
          binXAmount: all.x.toString(),
          binYAmount: all.y.toString(),
          positionXAmount: own.x.toString(),
          positionYAmount: own.y.toString(),
          feeX: unclaimedFees.x.toString(),
          feeY: unclaimedFees.y.toString(),
        };
      });
      return positionData === undefined ? [] : [{ positionId: address, positionData }];
    });
  }
}

function isAtLeast(figure: KnownOrNull, least: number | undefined): boolean {
  return least === undefined || (figure !== null && figure >= least);
}

function figureOf(record: PositionRecord, column: PoolPositionsParameters['orderBy']): KnownOrNull {
  const value = column === 'pnl' ? record.pnl.value : column === 'ageHour' ? (record.ageHour ?? hoursIn(record.age)) : record[column];
  if (typeof value !== 'string') {
    return value;
  }
  const figure = column === 'createdAt' || column === 'updatedAt' ? Date.parse(value) : Number(value);
  return Number.isNaN(figure) ? null : figure;
}

/** Open positions have their age in days alone. */
function hoursIn(days: string | null): KnownOrNull {
  return days === null ? null : 24 * Number(days);
}
