import bs58 from 'bs58';
import * as z from 'zod';
import { type Address, addressFromBytes } from '../../base/solana/address';
import { dammPositionNftAccount } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';
import { COMMITMENT, readAccounts } from '../positions/accounts';
import { POSITION_DISCRIMINATOR, POSITION_LAYOUT } from '../positions/dlmmAccounts';
import type { ChainRpc } from '../rpc/types';

/** A position that a search has found, and a figure that grows with its size; positions of one pool compare by it. */
export interface WeighedPosition {
  /** As the RPC writes it; not checked. */
  readonly address: string;
  /** The bytes of the owner's address, base64. */
  readonly owner: string;
  readonly weight: number;
}

/** The open positions that a search has found. */
export interface FoundPositions {
  readonly count: number;
  /** All of them, or the largest whose owners were read. */
  readonly positions: readonly WeighedPosition[];
}

/**
 * Up to this many positions are compared by their liquidity: about 9 MB of JSON. Those of a pool with more are compared by the fees that they have
 * claimed: 50,000 of them are about 15 MB.
 */
export const MOST_WEIGHED = 5_000;

const ADDRESS_BYTES = 32;
const U64_BYTES = 8;
/** Bins in the fixed part of a position, and bytes of a share: Q64.64, the liquidity of the bin in token Y. */
const FIXED_BINS = 70;
const SHARE_BYTES = 16;
/** The fees claimed in X, then those in Y: u64 each. */
const CLAIMED_FEES = { offset: POSITION_LAYOUT.claimedX, length: 2 * U64_BYTES } as const;
const SHARES = { offset: POSITION_LAYOUT.shares, length: FIXED_BINS * SHARE_BYTES } as const;

const DAMM_DISCRIMINATOR = Buffer.from('aabc8fe47a40f7d0', 'hex');
/** Places in a DAMM v2 position; the three kinds of liquidity are u128, one after the other. */
const DAMM = { pool: 8, nftMint: 40, liquidity: 152, end: 200 } as const;
/** Places in a token account. */
const TOKEN = { owner: 32, amount: 64, end: 72 } as const;

interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

/** The part of an account in a slice. */
interface FoundSlice {
  readonly address: string;
  /** Base64. */
  readonly data: string;
}

/**
 * The answer of a search in its own texts: to decode the addresses of fifty thousand positions would block the process for a second, and only a few
 * of them are listed.
 */
const FoundSlices = z.array(z.object({ pubkey: z.string(), account: z.object({ data: z.tuple([z.string(), z.literal('base64')]) }) }));

/**
 * Finds the open positions of a DLMM pool: one search for their owners alone, and a second one to compare them if there are more than are needed.
 * @param enough so many need no comparison
 * @param rawPrice token Y per token X in smallest units
 */
export async function searchDlmmPositions(rpc: ChainRpc, pool: Address, rawPrice: number, enough: number): Promise<FoundPositions> {
  const search = (slice: DataSlice): Promise<readonly FoundSlice[]> =>
    searchPositions(rpc, { program: PROGRAMS.dlmm, discriminator: POSITION_DISCRIMINATOR, poolAt: POSITION_LAYOUT.pool, pool, slice });
  const found = await search({ offset: POSITION_LAYOUT.owner, length: ADDRESS_BYTES });
  const count = found.length;
  const weights = count <= enough ? new Map<string, number>() : await weightsOf(search, count > MOST_WEIGHED, rawPrice);
  return { count, positions: found.map(({ address, data }) => ({ address, owner: data, weight: weights.get(address) ?? 0 })) };
}

async function weightsOf(
  search: (slice: DataSlice) => Promise<readonly FoundSlice[]>,
  isByFees: boolean,
  rawPrice: number,
): Promise<ReadonlyMap<string, number>> {
  const found = await search(isByFees ? CLAIMED_FEES : SHARES);
  return new Map(
    found.map(({ address, data: text }) => {
      const data = Buffer.from(text, 'base64');
      const weight = isByFees
        ? Number(data.readBigUInt64LE(0)) * rawPrice + Number(data.readBigUInt64LE(U64_BYTES))
        : sumOfHighHalves(data, 0, FIXED_BINS);
      return [address, weight];
    }),
  );
}

/**
 * Finds the open positions of a DAMM v2 pool. The owner of a position is the holder of its NFT, which is nearly always in the token account that the program
 * made for it.
 * @param most of so many the owners are read, the largest
 */
export async function searchDammPositions(rpc: ChainRpc, pool: Address, most: number): Promise<FoundPositions> {
  const { nftMint, liquidity, end } = DAMM;
  const found = await searchPositions(rpc, {
    program: PROGRAMS.dammV2,
    discriminator: DAMM_DISCRIMINATOR,
    poolAt: DAMM.pool,
    pool,
    slice: { offset: nftMint, length: end - nftMint },
  });
  const largest = found
    .map(({ address, data: text }) => {
      const data = Buffer.from(text, 'base64');
      return { address, data, weight: sumOfHighHalves(data, liquidity - nftMint, 3) };
    })
    .sort((one, other) => other.weight - one.weight)
    .slice(0, most)
    .map(({ address, data, weight }) => ({
      address,
      weight,
      nftAccount: dammPositionNftAccount(addressFromBytes(data.subarray(0, ADDRESS_BYTES))),
    }));
  const accounts = await readAccounts(
    rpc,
    largest.map(({ nftAccount }) => nftAccount),
  );
  const positions = largest.flatMap(({ address, weight, nftAccount }): readonly WeighedPosition[] => {
    const data = accounts.get(nftAccount)?.data;
    return data === undefined || data.length < TOKEN.end || data.readBigUInt64LE(TOKEN.amount) !== 1n
      ? []
      : [{ address, owner: data.toString('base64', TOKEN.owner, TOKEN.amount), weight }];
  });
  return { count: found.length, positions };
}

interface PositionSearch {
  readonly program: Address;
  readonly discriminator: Buffer;
  /** Where the pool is in a position's account. */
  readonly poolAt: number;
  readonly pool: Address;
  readonly slice: DataSlice;
}

async function searchPositions(
  rpc: ChainRpc,
  { program, discriminator, poolAt, pool, slice }: PositionSearch,
): Promise<readonly FoundSlice[]> {
  const filters = [{ memcmp: { offset: 0, bytes: bs58.encode(discriminator) } }, { memcmp: { offset: poolAt, bytes: pool } }];
  const found = await rpc.call(
    'getProgramAccounts',
    [program, { encoding: 'base64', commitment: COMMITMENT, dataSlice: slice, filters }],
    FoundSlices,
  );
  const textLength = 4 * Math.ceil(slice.length / 3);
  return found.flatMap(({ pubkey, account: { data } }) =>
    data[0].length === textLength && Buffer.byteLength(data[0], 'base64') === slice.length ? [{ address: pubkey, data: data[0] }] : [],
  );
}

/** The sum of u128 values, without their lower halves: it only gives an order. */
function sumOfHighHalves(data: Buffer, at: number, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    sum += Number(data.readBigUInt64LE(at + index * SHARE_BYTES + U64_BYTES));
  }
  return sum;
}
