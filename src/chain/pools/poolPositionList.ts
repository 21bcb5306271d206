import bs58 from 'bs58';
import { type Address, addressFromBytes } from '../../base/solana/address';
import { dammPositionNftAccount } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';
import type { IndexedPosition } from '../index/types';
import { COMMITMENT, ProgramAccounts, readAccounts } from '../positions/accounts';
import { POSITION_DISCRIMINATOR, POSITION_LAYOUT } from '../positions/dlmmAccounts';
import type { FoundPosition } from '../positions/findPositions';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc } from '../rpc/types';
import { NO_SEARCH } from './findPools';
import { SharedAnswers } from './sharedAnswers';
import type { OnchainPool } from './types';

/** The open positions of a pool. */
export interface PoolPositionList {
  /** Null: the RPC does not tell. */
  readonly count: number | null;
  readonly owners: number | null;
  /** The largest first, at most {@link MOST_LISTED}. Where the RPC does not tell, those that the index knows. */
  readonly largest: readonly FoundPosition[];
}

/** What listing the positions of pools needs. */
export interface PoolPositionListOptions {
  readonly rpc: ChainRpc;
  readonly index: { positions(filter: { readonly pool: Address }): readonly IndexedPosition[] };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** Most positions of a pool that are valued. */
export const MOST_LISTED = 300;
const GOOD_FOR_MS = 30_000;
const MOST_POOLS = 50;
const ADDRESS_BYTES = 32;

/** Bins in the fixed part of a position, and bytes of a share: Q64.64, the liquidity of the bin in token Y. */
const FIXED_BINS = 70;
const SHARE_BYTES = 16;

const DAMM_DISCRIMINATOR = Buffer.from('aabc8fe47a40f7d0', 'hex');
/** Places in a DAMM v2 position; the three kinds of liquidity are u128, one after the other. */
const DAMM = { pool: 8, nftMint: 40, liquidity: 152, end: 200 } as const;
/** Places in a token account. */
const TOKEN = { owner: 32, amount: 64, end: 72 } as const;

/** A position and a figure that grows with its liquidity. */
interface Weighed<Position> {
  readonly position: Position;
  readonly weight: number;
}

/** Lists the open positions of pools: a search for the few bytes that tell owner and liquidity, shared for half a minute. */
export class PoolPositionLists {
  readonly #options: PoolPositionListOptions;
  readonly #lists: SharedAnswers<Address, PoolPositionList>;
  #hasSaidRefused = false;

  constructor(options: PoolPositionListOptions) {
    this.#options = options;
    this.#lists = new SharedAnswers({ most: MOST_POOLS, goodForMs: GOOD_FOR_MS, now: options.now });
  }

  /** The positions of a pool. */
  async of({ address, program }: Pick<OnchainPool, 'address' | 'program'>): Promise<PoolPositionList> {
    try {
      return await this.#lists.of(address, () => (program === 'dlmm' ? this.#dlmm(address) : this.#damm(address)));
    } catch (error) {
      if (!(error instanceof ChainRpcError) || !NO_SEARCH.has(error.kind)) {
        throw error;
      }
      if (!this.#hasSaidRefused) {
        this.#hasSaidRefused = true;
        this.#options.log(
          `The RPC does not search accounts: of the positions in a pool, only those of known owners are listed. ${error.message}`,
        );
      }
      return { count: null, owners: null, largest: this.#known(address) };
    }
  }

  #known(pool: Address): readonly FoundPosition[] {
    return this.#options.index
      .positions({ pool })
      .filter(({ closed }) => !closed)
      .map(({ address, program, owner }) => ({ address, program, owner, pool }))
      .slice(-MOST_LISTED);
  }

  async #dlmm(pool: Address): Promise<PoolPositionList> {
    const { owner, shares } = POSITION_LAYOUT;
    const length = shares - owner + FIXED_BINS * SHARE_BYTES;
    const found = await this.#search(PROGRAMS.dlmm, POSITION_DISCRIMINATOR, POSITION_LAYOUT.pool, pool, { offset: owner, length });
    const weighed = found
      .filter(({ data }) => data.length === length)
      .map(({ address, data }): Weighed<FoundPosition> => ({
        position: { address, program: 'dlmm', owner: addressFromBytes(data.subarray(0, ADDRESS_BYTES)), pool },
        weight: sumOfHighHalves(data, shares - owner, FIXED_BINS),
      }));
    const owners = new Set(weighed.map(({ position }) => position.owner)).size;
    return { count: weighed.length, owners, largest: largestOf(weighed) };
  }

  /** The owner of a position is whoever holds its NFT, which is nearly always where the program has put it. */
  async #damm(pool: Address): Promise<PoolPositionList> {
    const { nftMint, liquidity, end } = DAMM;
    const slice = { offset: nftMint, length: end - nftMint };
    const found = await this.#search(PROGRAMS.dammV2, DAMM_DISCRIMINATOR, DAMM.pool, pool, slice);
    const largest = largestOf(
      found
        .filter(({ data }) => data.length === slice.length)
        .map(({ address, data }) => ({
          position: { address, nftAccount: dammPositionNftAccount(addressFromBytes(data.subarray(0, ADDRESS_BYTES))) },
          weight: sumOfHighHalves(data, liquidity - nftMint, 3),
        })),
    );
    const accounts = await readAccounts(
      this.#options.rpc,
      largest.map(({ nftAccount }) => nftAccount),
    );
    const held = largest.flatMap(({ address, nftAccount }): readonly FoundPosition[] => {
      const data = accounts.get(nftAccount)?.data;
      return data === undefined || data.length < TOKEN.end || data.readBigUInt64LE(TOKEN.amount) !== 1n
        ? []
        : [{ address, program: 'damm', owner: addressFromBytes(data.subarray(TOKEN.owner, TOKEN.amount)), pool }];
    });
    const isWhole = held.length === found.length;
    return { count: found.length, owners: isWhole ? new Set(held.map(({ owner }) => owner)).size : null, largest: held };
  }

  async #search(
    program: Address,
    discriminator: Buffer,
    offset: number,
    pool: Address,
    dataSlice: { readonly offset: number; readonly length: number },
  ): Promise<readonly { readonly address: Address; readonly data: Buffer }[]> {
    const filters = [{ memcmp: { offset: 0, bytes: bs58.encode(discriminator) } }, { memcmp: { offset, bytes: pool } }];
    const found = await this.#options.rpc.call(
      'getProgramAccounts',
      [program, { encoding: 'base64', commitment: COMMITMENT, dataSlice, filters }],
      ProgramAccounts,
    );
    return found.map(({ pubkey, account: { data } }) => ({ address: pubkey, data }));
  }
}

function largestOf<Position>(weighed: readonly Weighed<Position>[]): readonly Position[] {
  return [...weighed]
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MOST_LISTED)
    .map(({ position }) => position);
}

/** The sum of u128 values, without their lower halves: it only gives an order. */
function sumOfHighHalves(data: Buffer, at: number, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    sum += Number(data.readBigUInt64LE(at + index * SHARE_BYTES + 8));
  }
  return sum;
}
