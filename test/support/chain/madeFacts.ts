import bs58 from 'bs58';
import { createHash } from 'node:crypto';
import { type Address, addressFromBytes } from '../../../src/base/solana/address';
import { PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { IndexedPosition, IndexedEvent } from '../../../src/chain/index/types';
import type { OnchainPool, MintInfo } from '../../../src/chain/pools/types';
import type { OnchainPosition } from '../../../src/chain/positions/types';

/** An address that depends on the name alone. */
export function addressOf(name: string): Address {
  return addressFromBytes(createHash('sha256').update(name).digest());
}

/** Seconds since 1970: 2026-03-02, a Monday, at noon. */
export const NOON_S = 1_772_452_800;

const token = (mint: Address, symbol: string, decimals: number): MintInfo => ({
  ...{ mint, symbol, name: symbol, decimals, tokenProgram: PROGRAMS.token, logo: undefined },
});
/** Tokens of made pools. */
export const MADE_TOKENS = {
  sol: token(WRAPPED_SOL_MINT, 'SOL', 9),
  usdc: token(USDC_MINT, 'USDC', 6),
  meme: token(addressOf('MEME'), 'MEME', 5),
  other: token(addressOf('OTHER'), 'OTHER', 8),
} as const;

/** A bin pool at a price of whole tokens Y for one X; without `binStep` a DAMM v2 pool. */
export function madePool(x: MintInfo, y: MintInfo, { price, binStep }: { readonly price: number; readonly binStep?: number }): OnchainPool {
  const rawPrice = price * 10 ** (y.decimals - x.decimals);
  return {
    address: addressOf(`pool ${x.symbol}/${y.symbol} ${binStep ?? ''}`),
    program: binStep === undefined ? 'damm' : 'dlmm',
    ...{ x, y, binStep, rawPrice },
    activeBinId: binStep === undefined ? undefined : Math.round(Math.log(rawPrice) / Math.log1p(binStep / 10_000)),
    reserves: { x: 10n ** 15n, y: 10n ** 15n },
    hasRewards: false,
    rewardTokens: [],
    fees: { basePercent: 0.25, maximumPercent: 10, protocolPercent: 20, dynamicPercent: 0.25 },
  };
}

/** An event of a made position. `price`: whole tokens Y for one X. */
export interface MadeEvent {
  readonly kind: IndexedEvent['kind'];
  /** After {@link NOON_S}. */
  readonly atS?: number;
  readonly x?: bigint;
  readonly y?: bigint;
  readonly price?: number;
  readonly signature?: string;
}

/** A position of the index. It is closed if its events say so. */
export function madePosition(pool: OnchainPool, events: readonly MadeEvent[], of: Partial<IndexedPosition> = {}): IndexedPosition {
  return {
    address: addressOf(`position in ${pool.address}`),
    pool: pool.address,
    program: pool.program,
    owner: addressOf('owner'),
    range: pool.binStep === undefined ? undefined : { lowerBinId: (pool.activeBinId ?? 0) - 10, upperBinId: (pool.activeBinId ?? 0) + 10 },
    strategy: pool.binStep === undefined ? undefined : 'Spot',
    closed: events.some(({ kind }) => kind === 'close'),
    complete: true,
    hasClaimedRewards: false,
    events: events.map(({ kind, atS = 0, x = 0n, y = 0n, price, signature }, order) => ({
      ...{ kind, order, slot: 1_000 + order, blockTimeS: NOON_S + atS, amounts: { x, y } },
      signature: signature ?? bs58.encode(createHash('sha512').update(`signature ${order}`).digest()),
      rawPrice: price === undefined ? undefined : price * 10 ** (pool.y.decimals - pool.x.decimals),
    })),
    ...of,
  };
}

/** The account of an indexed position. */
export function madeOpenPosition(position: IndexedPosition, holds: Partial<OnchainPosition> = {}): OnchainPosition {
  const nothing = { x: 0n, y: 0n };
  return {
    ...{ address: position.address, owner: position.owner, pool: position.pool, program: position.program, range: position.range },
    ...{ amounts: nothing, withdrawableShare: 1, unclaimedFees: nothing, rewards: [], liquidity: '0' },
    ...holds,
  };
}
