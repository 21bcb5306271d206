import { type Address, parseAddress } from '../../base/solana/address';
import type { PoolPositionsParameters, TopLpersParameters } from '../../engine/engine';
import { lpersOf, topLpersRecord } from '../../engine/records/lpers';
import { onchainStatsRecord, pageOfPositions, poolPositionsRecord } from '../../engine/records/poolPositions';
import type { ClosedPositionState, OpenPositionState, PositionBins, RecordedPosition } from '../../engine/state/positionState';
import type { WireOnchainStats, WirePoolLper, WirePoolPositions, WireTopLpers } from '../../engine/wire/pools';
import type { IndexedPosition, HistoryIndex } from '../index/types';
import { readAccounts } from '../positions/accounts';
import { dlmmPositionBins, readDlmmPosition } from '../positions/dlmmAccounts';
import type { FoundPosition } from '../positions/findPositions';
import type { OnchainPosition, OwnPositions } from '../positions/types';
import type { PriceSource } from '../prices/types';
import { BinReserves } from '../pools/binAmounts';
import { type PoolPositionList, type PoolPositionListOptions, PoolPositionLists } from '../pools/poolPositionList';
import type { PoolDetails } from '../pools/poolReader';
import { SharedAnswers } from '../positions/sharedAnswers';

/** What the records of a pool's positions need. */
export interface PoolPositionOptions extends PoolPositionListOptions {
  readonly index: Pick<HistoryIndex, 'positions' | 'progress' | 'catchUp'>;
  readonly positions: {
    openPositions(owner: Address): Promise<OwnPositions>;
    /** Reads positions that were found; those that are not there any more are left out. */
    read(found: readonly FoundPosition[]): Promise<readonly OnchainPosition[]>;
  };
  readonly states: {
    open(open: readonly OnchainPosition[]): Promise<readonly OpenPositionState[]>;
    closed(closed: readonly IndexedPosition[]): Promise<readonly ClosedPositionState[]>;
  };
  readonly prices: PriceSource;
}

/** How long a request waits for the history of an owner that it names. */
const INDEX_WAIT_MS = 8_000;
const VALUED_GOOD_FOR_MS = 15_000;
/** Three hundred positions are about half a megabyte. */
const MOST_VALUED = 20;

/** The listed positions of a pool, and what they are worth. Positions that have been closed since are left out there. */
interface ValuedPositions {
  readonly list: PoolPositionList;
  readonly valued: readonly OpenPositionState[];
}

/**
 * The positions in a pool: the open ones from their accounts, valued now, with what the index knows of their transactions; and the closed
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
    const page = pageOfPositions(await this.#positionsOf(pool, parameters), parameters, this.#options.now());
    const { x, y, state } = pool;
    const [prices, contents] = await Promise.all([this.#options.prices.now([x.mint, y.mint]), this.#binsOf(pool, page.open)]);
    const bins =
      state.activeBinId === undefined || state.binStep === undefined
        ? undefined
        : { binStepBps: state.binStep, token0: x, token1: y, activeBinId: state.activeBinId };
    return poolPositionsRecord(page, { bins, prices }, contents, parameters);
  }

  /** One page of the owners of positions in the pool. */
  async topLpers(pool: PoolDetails, parameters: TopLpersParameters): Promise<WireTopLpers> {
    const lpers = await this.#lpers.of(pool.state.address, async () => {
      const [{ list, valued }, closed] = await Promise.all([this.#valuedPositions(pool), this.#closed(pool, undefined)]);
      return lpersOf([...valued, ...closed], (owner) => list.unlisted(owner), this.#options.now());
    });
    return topLpersRecord(lpers, parameters);
  }

  /** Number of open positions, their owners, and their deposits if the index knows those of all. */
  async onchainStats(pool: PoolDetails): Promise<WireOnchainStats> {
    const { address } = pool.state;
    const list = await this.#lists.of(pool.state);
    const { count, owners } = list;
    const isKnown = (position: Address): boolean => this.#options.index.positions({ position }).at(-1)?.complete === true;
    const isAllKnown = count === list.listed.length && list.listed.every((position) => isKnown(position.address));
    const valued = isAllKnown ? (await this.#valuedPositions(pool)).valued : undefined;
    const inputs = valued?.length === count ? valued.map(({ input }) => input) : undefined;
    return onchainStatsRecord({ pool: address, positions: count, owners, inputs });
  }

  /** The open ones first; then the closed ones, the last opened before the others. */
  async #positionsOf(
    pool: PoolDetails,
    { owner, status }: Pick<PoolPositionsParameters, 'owner' | 'status'>,
  ): Promise<readonly RecordedPosition[]> {
    const [open, closed] = await Promise.all([
      status === 'Close' ? [] : owner === undefined ? (await this.#valuedPositions(pool)).valued : this.#openOf(owner, pool),
      status === 'Open' ? [] : this.#closed(pool, owner),
    ]);
    return [...open, ...closed];
  }

  #valuedPositions({ state }: PoolDetails): Promise<ValuedPositions> {
    const { positions, states } = this.#options;
    return this.#valued.of(state.address, async () => {
      const list = await this.#lists.of(state);
      return { list, valued: await states.open(await positions.read(list.listed)) };
    });
  }

  async #openOf(owner: Address, { state }: PoolDetails): Promise<readonly OpenPositionState[]> {
    const { positions, states, index } = this.#options;
    const [open] = await Promise.all([positions.openPositions(owner), index.catchUp(owner, INDEX_WAIT_MS)]);
    return await states.open(open.positions.filter(({ pool }) => pool === state.address));
  }

  async #closed({ state: { address: pool } }: PoolDetails, owner: Address | undefined): Promise<readonly ClosedPositionState[]> {
    const { index, states } = this.#options;
    if (owner !== undefined) {
      await index.catchUp(owner, INDEX_WAIT_MS);
    }
    const closed = index.positions({ pool, ...(owner === undefined ? {} : { owner }) }).filter((position) => position.closed);
    return await states.closed(closed.reverse());
  }

  /** What open positions hold in each bin. Positions that have been closed since are left out. */
  async #binsOf({ state }: PoolDetails, shown: readonly OpenPositionState[]): Promise<readonly PositionBins[]> {
    const { address: pool, binStep } = state;
    const open = shown.flatMap((position) => parseAddress(position.address) ?? []);
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
    return positions.flatMap(({ address, position }): readonly PositionBins[] => {
      const bins = dlmmPositionBins(position, (index) => amounts.array(index))?.map(({ binId, amounts: own, unclaimedFees: fees }) => ({
        binId,
        all: amounts.of(binId),
        own,
        fees,
      }));
      return bins === undefined ? [] : [{ position: address, bins }];
    });
  }
}
