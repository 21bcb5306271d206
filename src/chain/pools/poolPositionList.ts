import { type Address, addressFromBytes, parseAddress } from '../../base/solana/address';
import type { HistoryIndex } from '../index/types';
import type { FoundPosition } from '../positions/findPositions';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc } from '../rpc/types';
import { NO_SEARCH } from './findPools';
import { type FoundPositions, MOST_WEIGHED, searchDammPositions, searchDlmmPositions, type WeighedPosition } from './positionSearch';
import { SharedAnswers } from '../positions/sharedAnswers';
import type { OnchainPool } from './types';

/** The open positions of a pool. */
export interface PoolPositionList {
  /** Null: the RPC does not search accounts. */
  readonly count: number | null;
  readonly owners: number | null;
  /**
   * At most {@link MOST_LISTED} of the largest owners, the largest first, and those that the index knows. Where the RPC does not search, only those that
   * the index knows.
   */
  readonly listed: readonly FoundPosition[];
  /** The number of open positions of an owner that are not listed; null: not known. */
  readonly unlisted: (owner: Address) => number | null;
}

/** What listing the positions of pools needs. */
export interface PoolPositionListOptions {
  readonly rpc: ChainRpc;
  readonly index: Pick<HistoryIndex, 'positions' | 'progress'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** Most positions of a pool that are listed for their size, and so valued. */
const MOST_LISTED = 300;
/** Of an owner with more positions than this, or than there is room for, only some are listed: the largest. */
const MOST_OF_OWNER = 100;
const SOME_OF_OWNER = 10;
const GOOD_FOR_MS = 30_000;
/** For lists of more than {@link MOST_WEIGHED} positions, which take long to make. */
const LONG_GOOD_FOR_MS = 600_000;
/** After this time a failed search is repeated. */
const REFUSAL_GOOD_FOR_MS = 60_000;
const MOST_POOLS = 50;

/** The part of a list that a search gives; `undefined`: the RPC does not search. */
type Searched = Omit<PoolPositionList, 'unlisted'> & {
  /** Open positions of the listed owners; `undefined`: not known. */
  readonly openOf: ReadonlyMap<Address, number> | undefined;
  /** All open positions are listed. */
  readonly isWhole: boolean;
};

/** Lists the open positions of pools. A list is shared for a while, because the search for it is large. */
export class PoolPositionLists {
  readonly #options: PoolPositionListOptions;
  readonly #searched: SharedAnswers<Address, Searched | undefined>;
  #isRefusalLogged = false;

  constructor(options: PoolPositionListOptions) {
    this.#options = options;
    const goodForMs = (list: Searched | undefined): number =>
      list === undefined ? REFUSAL_GOOD_FOR_MS : (list.count ?? 0) > MOST_WEIGHED ? LONG_GOOD_FOR_MS : GOOD_FOR_MS;
    this.#searched = new SharedAnswers({ most: MOST_POOLS, goodForMs, now: options.now });
  }

  async of(pool: Pick<OnchainPool, 'address' | 'program' | 'rawPrice'>): Promise<PoolPositionList> {
    const searched = await this.#searched.of(pool.address, () => this.#search(pool));
    const known = this.#known(pool.address);
    const found = new Set(searched?.listed.map(({ address }) => address));
    const listed = [...(searched?.listed ?? []), ...known.filter(({ address }) => !found.has(address))];
    // The index knows all positions of the owners that it follows.
    const followed = new Set(this.#options.index.progress().flatMap(({ owner, state }) => (state === 'current' ? [owner] : [])));
    const unlisted = (owner: Address): number | null => {
      const open = searched?.openOf?.get(owner);
      if (open !== undefined) {
        return Math.max(open - listed.filter((position) => position.owner === owner).length, 0);
      }
      return searched?.isWhole === true || followed.has(owner) ? 0 : null;
    };
    return { count: searched?.count ?? null, owners: searched?.owners ?? null, listed, unlisted };
  }

  /** The open positions that the index knows, the newest of them. */
  #known(pool: Address): readonly FoundPosition[] {
    return this.#options.index
      .positions({ pool })
      .filter(({ closed }) => !closed)
      .map(({ address, program, owner }) => ({ address, program, owner, pool }))
      .slice(-MOST_LISTED);
  }

  async #search({
    address: pool,
    program,
    rawPrice,
  }: Pick<OnchainPool, 'address' | 'program' | 'rawPrice'>): Promise<Searched | undefined> {
    const { rpc } = this.#options;
    try {
      if (program === 'dlmm') {
        return dlmmList(pool, await searchDlmmPositions(rpc, pool, rawPrice, MOST_LISTED));
      }
      return dammList(pool, await searchDammPositions(rpc, pool, MOST_LISTED));
    } catch (error) {
      if (!(error instanceof ChainRpcError) || !NO_SEARCH.has(error.kind)) {
        throw error;
      }
      if (!this.#isRefusalLogged) {
        this.#isRefusalLogged = true;
        this.#options.log(
          `The RPC does not search accounts: of the positions in a pool, only those of known owners are listed. ${error.message}`,
        );
      }
      return undefined;
    }
  }
}

function dlmmList(pool: Address, { count, positions }: FoundPositions): Searched {
  const byOwner = new Map<string, WeighedPosition[]>();
  for (const position of positions) {
    const own = byOwner.get(position.owner);
    if (own === undefined) {
      byOwner.set(position.owner, [position]);
    } else {
      own.push(position);
    }
  }
  const listed = count <= MOST_LISTED ? positions : ofLargestOwners([...byOwner.values()]);
  const openOf = new Map(listed.map(({ owner }) => [addressOf(owner), byOwner.get(owner)?.length ?? 0]));
  return { count, owners: byOwner.size, listed: foundPositions('dlmm', pool, listed), openOf, isWhole: listed.length === count };
}

/** The owners of positions that were not read are not known. */
function dammList(pool: Address, { count, positions }: FoundPositions): Searched {
  const isWhole = positions.length === count;
  return {
    count,
    owners: isWhole ? new Set(positions.map(({ owner }) => owner)).size : null,
    listed: foundPositions('damm', pool, positions),
    openOf: undefined,
    isWhole,
  };
}

function foundPositions(program: FoundPosition['program'], pool: Address, listed: readonly WeighedPosition[]): readonly FoundPosition[] {
  return listed.flatMap(({ address: text, owner }): readonly FoundPosition[] => {
    const address = parseAddress(text);
    return address === undefined ? [] : [{ address, program, owner: addressOf(owner), pool }];
  });
}

function addressOf(base64: string): Address {
  return addressFromBytes(Buffer.from(base64, 'base64'));
}

/** Positions of the owners with the largest sums, so that as many owners as possible are listed with all of their positions; the largest first. */
function ofLargestOwners(owners: readonly (readonly WeighedPosition[])[]): readonly WeighedPosition[] {
  const sorted = owners
    .map((own) => ({ own, sum: own.reduce((sum, { weight }) => sum + weight, 0) }))
    .sort((one, other) => other.sum - one.sum);
  const listed: WeighedPosition[] = [];
  for (const { own } of sorted) {
    const room = MOST_LISTED - listed.length;
    if (room === 0) {
      break;
    }
    const most = own.length <= Math.min(MOST_OF_OWNER, room) ? own.length : Math.min(SOME_OF_OWNER, room);
    listed.push(...largestFirst(own).slice(0, most));
  }
  return largestFirst(listed);
}

function largestFirst(positions: readonly WeighedPosition[]): readonly WeighedPosition[] {
  return [...positions].sort((one, other) => other.weight - one.weight);
}
