import { BINS_PER_ARRAY, binArrayIndex } from '../../base/dlmm/bins';
import { type Address, addressFromBytes } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { TokenAmounts } from '../index/types';
import type { RawAccount } from './accounts';

// The DLMM accounts that the contents of a position depend on. The structs are packed (bytemuck, IDL 0.12.0), so each field has a fixed offset.
// They are read in place, because the SDK's way is too slow for a list: it decodes whole bin arrays into big number objects and computes
// each bin's price as a decimal, about 10 ms a position. The arithmetic is that of its `processPosition`; a test compares all figures with
// the SDK's, and the offsets with its IDL (test/chain/positions.test.ts, test/unit/chain/positions/layouts.test.ts).

/** First bytes of a PositionV2: its Anchor discriminator. */
export const POSITION_DISCRIMINATOR = Buffer.from('75b0d4c7f5b485b6', 'hex');
const BIN_ARRAY_DISCRIMINATOR = Buffer.from('5c8e5cdc059446b5', 'hex');

/** Offsets in the data of a PositionV2, bytes from the start of the account. */
export const POSITION_LAYOUT = {
  pool: 8,
  owner: 40,
  shares: 72,
  rewards: 1_192,
  fees: 4_552,
  lowerBinId: 7_912,
  upperBinId: 7_916,
  claimedX: 7_928,
  claimedY: 7_936,
  /** Where the bins after the first 70 follow. */
  moreBins: 8_120,
} as const;

/** Bins in the fixed part of a position. */
const FIXED_BINS = 70;
const SHARE_BYTES = 16;
/** Of rewards and of fees: two counters per share at the last settlement (u128), two pending amounts (u64). */
const EARNED_BYTES = 48;
/** A bin after the first 70: share, rewards (48 bytes), fees. */
const MORE_BIN_BYTES = 112;
const MORE_BIN_REWARDS = 16;
const MORE_BIN_FEES = 64;

/** Offsets in the data of a BinArray, and in each of its bins. In pools with limit orders, theirs are at the place of the rewards. */
export const BIN_LAYOUT = { bins: 56, bytes: 144, amountX: 0, amountY: 8, supply: 32, rewards: 48, feeX: 80, feeY: 96 } as const;

const ADDRESS_BYTES = 32;
const SHIFT = 64n;

/** A PositionV2. */
export interface DlmmPosition {
  readonly pool: Address;
  readonly owner: Address;
  readonly lowerBinId: number;
  readonly upperBinId: number;
  readonly data: Buffer;
}

/** What a position holds. */
export interface DlmmContents {
  readonly amounts: TokenAmounts;
  readonly unclaimedFees: TokenAmounts;
  /** Sum of the shares of all bins. */
  readonly liquidity: bigint;
}

/** Reads a position; `undefined` if the account is none. */
export function readDlmmPosition(account: RawAccount): DlmmPosition | undefined {
  const { data } = account;
  if (!isDlmmAccount(account, POSITION_DISCRIMINATOR) || data.length < POSITION_LAYOUT.moreBins) {
    return undefined;
  }
  const lowerBinId = data.readInt32LE(POSITION_LAYOUT.lowerBinId);
  const upperBinId = data.readInt32LE(POSITION_LAYOUT.upperBinId);
  const moreBins = Math.max(0, upperBinId - lowerBinId + 1 - FIXED_BINS);
  if (upperBinId < lowerBinId || data.length < POSITION_LAYOUT.moreBins + moreBins * MORE_BIN_BYTES) {
    return undefined;
  }
  return { pool: addressAt(data, POSITION_LAYOUT.pool), owner: addressAt(data, POSITION_LAYOUT.owner), lowerBinId, upperBinId, data };
}

/** What a position holds in one bin. */
export interface DlmmPositionBin {
  readonly binId: number;
  readonly share: bigint;
  readonly amounts: TokenAmounts;
  readonly unclaimedFees: TokenAmounts;
}

/**
 * Computes what a position holds in each bin, ascending, rounded down like the program.
 * @param arrayAt the account of the pool's bin array with that index
 * @returns `undefined` if the account of a bin with liquidity is missing: it exists as long as the liquidity, so the RPC's answer is incomplete
 */
export function dlmmPositionBins(
  position: DlmmPosition,
  arrayAt: (index: number) => RawAccount | undefined,
): readonly DlmmPositionBin[] | undefined {
  const { data, lowerBinId, upperBinId } = position;
  const bins: DlmmPositionBin[] = [];
  for (let binId = lowerBinId; binId <= upperBinId; binId += 1) {
    const at = offsetsOf(binId - lowerBinId);
    const share = u128(data, at.share);
    const pending: TokenAmounts = { x: data.readBigUInt64LE(at.fees + 32), y: data.readBigUInt64LE(at.fees + 40) };
    if (share === 0n) {
      bins.push({ binId, share, amounts: { x: 0n, y: 0n }, unclaimedFees: pending });
      continue;
    }
    const bin = binAt(binId, arrayAt);
    if (bin === undefined) {
      return undefined;
    }
    const supply = u128(bin.data, bin.at + BIN_LAYOUT.supply);
    const part = (amount: bigint): bigint => (supply === 0n ? 0n : (share * amount) / supply);
    bins.push({
      binId,
      share,
      amounts: {
        x: part(bin.data.readBigUInt64LE(bin.at + BIN_LAYOUT.amountX)),
        y: part(bin.data.readBigUInt64LE(bin.at + BIN_LAYOUT.amountY)),
      },
      unclaimedFees: {
        x: pending.x + earned(share, u128(bin.data, bin.at + BIN_LAYOUT.feeX), u128(data, at.fees)),
        y: pending.y + earned(share, u128(bin.data, bin.at + BIN_LAYOUT.feeY), u128(data, at.fees + 16)),
      },
    });
  }
  return bins;
}

/** The shares of a position in each of its bins, ascending. */
export function dlmmShares({ data, lowerBinId, upperBinId }: DlmmPosition): readonly Pick<DlmmPositionBin, 'binId' | 'share'>[] {
  return Array.from({ length: upperBinId - lowerBinId + 1 }, (_, number) => ({
    binId: lowerBinId + number,
    share: u128(data, offsetsOf(number).share),
  }));
}

/** Computes what a position holds; `undefined` like {@link dlmmPositionBins}. */
export function dlmmContents(position: DlmmPosition, arrayAt: (index: number) => RawAccount | undefined): DlmmContents | undefined {
  const bins = dlmmPositionBins(position, arrayAt);
  if (bins === undefined) {
    return undefined;
  }
  const sum = (of: (bin: DlmmPositionBin) => bigint): bigint => bins.reduce((total, bin) => total + of(bin), 0n);
  return {
    amounts: { x: sum(({ amounts }) => amounts.x), y: sum(({ amounts }) => amounts.y) },
    unclaimedFees: { x: sum(({ unclaimedFees }) => unclaimedFees.x), y: sum(({ unclaimedFees }) => unclaimedFees.y) },
    liquidity: sum(({ share }) => share),
  };
}

/** Whether the account is a whole bin array. */
export function isBinArray(account: RawAccount): boolean {
  return isDlmmAccount(account, BIN_ARRAY_DISCRIMINATOR) && account.data.length >= BIN_LAYOUT.bins + BINS_PER_ARRAY * BIN_LAYOUT.bytes;
}

/**
 * Fees of one bin since the last settlement. Shares and the counter of fees per share are Q64.64. A bin array that was read before the position
 * may have a counter from before the settlement: then nothing was earned since.
 */
function earned(share: bigint, counter: bigint, settled: bigint): bigint {
  return counter > settled ? ((share >> SHIFT) * (counter - settled)) >> SHIFT : 0n;
}

/** Offsets of a bin of a position, by its number from the lower end. */
export function offsetsOf(number: number): { readonly share: number; readonly rewards: number; readonly fees: number } {
  if (number < FIXED_BINS) {
    return {
      share: POSITION_LAYOUT.shares + number * SHARE_BYTES,
      rewards: POSITION_LAYOUT.rewards + number * EARNED_BYTES,
      fees: POSITION_LAYOUT.fees + number * EARNED_BYTES,
    };
  }
  const offset = POSITION_LAYOUT.moreBins + (number - FIXED_BINS) * MORE_BIN_BYTES;
  return { share: offset, rewards: offset + MORE_BIN_REWARDS, fees: offset + MORE_BIN_FEES };
}

/** Where a bin begins in its array; `undefined` if the array is missing. */
export function binAt(
  binId: number,
  arrayAt: (index: number) => RawAccount | undefined,
): { readonly data: Buffer; readonly at: number } | undefined {
  const index = binArrayIndex(binId);
  const array = arrayAt(index);
  return array === undefined || !isBinArray(array)
    ? undefined
    : { data: array.data, at: BIN_LAYOUT.bins + (binId - index * BINS_PER_ARRAY) * BIN_LAYOUT.bytes };
}

/** Whether an account is one of DLMM of that kind. */
export function isDlmmAccount({ program, data }: RawAccount, discriminator: Buffer): boolean {
  return program === PROGRAMS.dlmm && data.subarray(0, discriminator.length).equals(discriminator);
}

/** The address at a place. */
export function addressAt(data: Buffer, offset: number): Address {
  return addressFromBytes(data.subarray(offset, offset + ADDRESS_BYTES));
}

/** A u128, little-endian. */
export function u128(data: Buffer, offset: number): bigint {
  return (data.readBigUInt64LE(offset + 8) << SHIFT) | data.readBigUInt64LE(offset);
}
