import * as z from 'zod';
import { STRATEGIES, type BinAmounts } from '../../dlmm/strategy';
import { type Address, parseAddress } from '../../solana/address';
import { Whole } from './codecs';
import type { Pool, TrackedBin } from './pool';

/** An address, checked when it is read from the store. */
export const StoredAddress = z.custom<Address>((value) => typeof value === 'string' && parseAddress(value) !== undefined, 'not an address');

const PositionBin = z.object({
  /** Price × x + y in raw Y, Q64. */
  liquidity: Whole,
  /** Where the bin's fee counters stood when this position's fees were last settled. */
  seenFeeX: Whole,
  seenFeeY: Whole,
});

/** A sum in both currencies, each at the price of its moment. */
export const Sum = z.object({ usd: z.number(), native: z.number() });
export type Sum = z.output<typeof Sum>;

/** One event in the life of a position. Prices in US dollars; raw amounts. */
export const PositionEvent = z.object({
  action: z.enum(['add_liquidity', 'remove_liquidity', 'claim_fee', 'close_position']),
  at: z.number(),
  amountX: Whole,
  amountY: Whole,
  usdX: z.number(),
  usdY: z.number(),
  usdSol: z.number(),
  bps: z.int().nullable(),
});
export type PositionEvent = z.output<typeof PositionEvent>;

/** A position that the market keeps books of, open or closed. */
export const PositionState = z.object({
  address: StoredAddress,
  owner: StoredAddress,
  pool: StoredAddress,
  strategy: z.enum(STRATEGIES),
  /** Both in the range. */
  lowerBinId: z.int(),
  upperBinId: z.int(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** One for each bin, from the lowest. */
  bins: z.array(PositionBin),
  /** Settled and not collected yet, raw. */
  unclaimedX: Whole,
  unclaimedY: Whole,
  /** Put in, taken out, fees collected. */
  input: Sum,
  output: Sum,
  collectedFee: Sum,
  events: z.array(PositionEvent),
  /** How things stood when it was closed: time, active bin and prices. */
  closed: z.object({ at: z.number(), activeBinId: z.int(), usdX: z.number(), usdY: z.number() }).nullable(),
});
export type PositionState = z.output<typeof PositionState>;

/** Raw amounts of both tokens. */
export interface Amounts {
  readonly x: bigint;
  readonly y: bigint;
}

const BASIS_POINTS = 10_000n;
const FILL_BITS = 32n;
const Q64 = 64n;
const Q96 = 96n;

/** What a position begins as: a range with nothing in it. */
export function emptyPosition(of: Pick<PositionState, 'address' | 'owner' | 'pool' | 'strategy' | 'lowerBinId' | 'upperBinId' | 'createdAt'>): PositionState {
  const nothing = { usd: 0, native: 0 };
  return {
    ...of,
    updatedAt: of.createdAt,
    bins: emptyBins(of.upperBinId - of.lowerBinId + 1),
    unclaimedX: 0n,
    unclaimedY: 0n,
    input: { ...nothing },
    output: { ...nothing },
    collectedFee: { ...nothing },
    events: [],
    closed: null,
  };
}

/** Makes the range reach up to `upperBinId`; never shorter. */
export function lengthen(position: PositionState, upperBinId: number): void {
  if (upperBinId > position.upperBinId) {
    position.bins.push(...emptyBins(upperBinId - position.upperBinId));
    position.upperBinId = upperBinId;
  }
}

/** What the position's liquidity consists of at the pool's present price, without fees. */
export function amountsOf(pool: Pool, position: PositionState): Amounts {
  return sum(position.bins.map((bin, index) => inBin(pool, position.lowerBinId + index, bin.liquidity)));
}

/** What it has in one bin; nothing outside its range. */
export function binAmounts(pool: Pool, position: PositionState, binId: number): Amounts {
  return inBin(pool, binId, position.bins[binId - position.lowerBinId]?.liquidity ?? 0n);
}

/** Fees that have not been collected. */
export function feesOf(pool: Pool, position: PositionState): Amounts {
  const unsettled = sum(position.bins.map((bin, index) => unsettledIn(pool, position.lowerBinId + index, bin)));
  return { x: position.unclaimedX + unsettled.x, y: position.unclaimedY + unsettled.y };
}

/** Puts amounts into bins of the range. @throws RangeError where a bin is outside it. */
export function deposit(pool: Pool, position: PositionState, amounts: readonly BinAmounts[]): void {
  for (const { binId, amountX, amountY } of amounts) {
    const bin = position.bins[binId - position.lowerBinId];
    if (bin === undefined) {
      throw new RangeError(`Bin ${binId} is outside the position`);
    }
    const liquidity = pool.priceQ64(binId) * amountX + (amountY << Q64);
    if (liquidity > 0n) {
      settle(pool, position, binId);
      const tracked = trackedBin(pool, binId);
      tracked.liquidity += liquidity;
      bin.liquidity += liquidity;
      bin.seenFeeX = tracked.feeX;
      bin.seenFeeY = tracked.feeY;
    }
  }
}

/** Takes a share of every bin of a range out of the position; gives what came out. Fees stay to be collected. */
export function withdraw(pool: Pool, position: PositionState, fromBinId: number, toBinId: number, shareBps: number): Amounts {
  const taken: Amounts[] = [];
  for (const [index, bin] of position.bins.entries()) {
    const binId = position.lowerBinId + index;
    const tracked = pool.state.bins[binId];
    if (binId < fromBinId || binId > toBinId || tracked === undefined) {
      continue;
    }
    settle(pool, position, binId);
    const liquidity = (bin.liquidity * BigInt(shareBps)) / BASIS_POINTS;
    taken.push(inBin(pool, binId, liquidity));
    bin.liquidity -= liquidity;
    tracked.liquidity -= liquidity;
    if (tracked.liquidity === 0n) {
      // Nobody is owed anything by this bin: its counters may begin anew.
      Reflect.deleteProperty(pool.state.bins, binId);
    }
  }
  return sum(taken);
}

/** Collects all fees; gives them. */
export function collect(pool: Pool, position: PositionState): Amounts {
  for (const index of position.bins.keys()) {
    settle(pool, position, position.lowerBinId + index);
  }
  const fees = { x: position.unclaimedX, y: position.unclaimedY };
  position.unclaimedX = 0n;
  position.unclaimedY = 0n;
  return fees;
}

/** Says whether neither liquidity nor fees are left. */
export function isEmpty(pool: Pool, position: PositionState): boolean {
  const fees = feesOf(pool, position);
  return fees.x === 0n && fees.y === 0n && position.bins.every((bin) => bin.liquidity === 0n);
}

/** Says whether the active bin lies in the range. */
export function isInRange(position: PositionState, activeBinId: number): boolean {
  return position.lowerBinId <= activeBinId && activeBinId <= position.upperBinId;
}

function emptyBins(count: number): PositionState['bins'] {
  return Array.from({ length: count }, () => ({ liquidity: 0n, seenFeeX: 0n, seenFeeY: 0n }));
}

/** Below the active bin liquidity is Y, above it X, and both in it. */
function inBin(pool: Pool, binId: number, liquidity: bigint): Amounts {
  if (liquidity === 0n) {
    return { x: 0n, y: 0n };
  }
  const fill = binId < pool.activeBinId ? 1 : binId > pool.activeBinId ? 0 : pool.fillY;
  const partY = (liquidity * BigInt(Math.floor(fill * Number(1n << FILL_BITS)))) >> FILL_BITS;
  return { x: (liquidity - partY) / pool.priceQ64(binId), y: partY >> Q64 };
}

function unsettledIn(pool: Pool, binId: number, bin: PositionState['bins'][number]): Amounts {
  const tracked = pool.state.bins[binId];
  if (tracked === undefined || bin.liquidity === 0n) {
    return { x: 0n, y: 0n };
  }
  const earned = (counter: bigint, seen: bigint): bigint => ((bin.liquidity >> Q64) * (counter - seen)) >> Q96;
  return { x: earned(tracked.feeX, bin.seenFeeX), y: earned(tracked.feeY, bin.seenFeeY) };
}

function trackedBin(pool: Pool, binId: number): TrackedBin {
  const known = pool.state.bins[binId];
  if (known !== undefined) {
    return known;
  }
  const fresh = { liquidity: 0n, feeX: 0n, feeY: 0n };
  pool.state.bins[binId] = fresh;
  return fresh;
}

function settle(pool: Pool, position: PositionState, binId: number): void {
  const bin = position.bins[binId - position.lowerBinId];
  const tracked = pool.state.bins[binId];
  if (bin === undefined || tracked === undefined) {
    return;
  }
  const fees = unsettledIn(pool, binId, bin);
  position.unclaimedX += fees.x;
  position.unclaimedY += fees.y;
  bin.seenFeeX = tracked.feeX;
  bin.seenFeeY = tracked.feeY;
}

function sum(amounts: readonly Amounts[]): Amounts {
  return amounts.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0n, y: 0n });
}
