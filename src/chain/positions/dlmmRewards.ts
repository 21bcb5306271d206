import { type Address, addressBytes } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { ChainClock } from './clock';
import type { RawAccount } from './accounts';
import { addressAt, binAt, BIN_LAYOUT, type DlmmPosition, isDlmmAccount, offsetsOf, u128 } from './dlmmAccounts';
import type { WaitingReward } from './types';

// Rewards ("liquidity mining") of DLMM: a pool may give two tokens besides its fees, to positions in its active bin. The arithmetic is that of the
// SDK's `processPosition`; a test compares the amounts (test/chain/rewards.test.ts), and the offsets with the SDK's IDL.

/** First bytes of an LbPair: its Anchor discriminator. */
export const PAIR_DISCRIMINATOR = Buffer.from('210b3162b565b10d', 'hex');

/** Offsets in the data of an LbPair, and in each of its rewards. */
export const PAIR_LAYOUT = { functionType: 35, activeBinId: 76, rewards: 264, bytes: 904 } as const;
export const PAIR_REWARD_LAYOUT = { mint: 0, vault: 32, end: 104, rate: 112, lastUpdate: 128, bytes: 144 } as const;

/** Rewards of a pool, and of each bin. */
const REWARDS = [0, 1] as const;

/** `function_type` of an LbPair. Where it is not determined, a pool with rewards has no limit orders. */
const FUNCTION_TYPES = { undetermined: 0, liquidityMining: 1, limitOrders: 2 } as const;

const SHIFT = 64n;
/** The SDK shares what the active bin earns by time among so many bins. */
const BINS_PAID = 15n;
const NO_MINT = Buffer.from(addressBytes(PROGRAMS.system));

/** What a pool says of one of its rewards. */
interface PairReward {
  readonly index: number;
  readonly mint: Address;
  /** Seconds since 1970. */
  readonly endS: bigint;
  readonly lastUpdateS: bigint;
  /** Smallest units a second, Q64.64. */
  readonly rate: bigint;
}

/**
 * Computes what waits as rewards of a position.
 * @param pool the account of its pool
 * @param arrayAt the account of the pool's bin array with that index
 * @returns `undefined` if it is not known: an account is missing, or the pool is of an unknown type
 */
export function dlmmWaitingRewards(
  position: DlmmPosition,
  pool: RawAccount | undefined,
  arrayAt: (index: number) => RawAccount | undefined,
  { unixTimeS }: Pick<ChainClock, 'unixTimeS'>,
): readonly WaitingReward[] | undefined {
  if (pool === undefined || !isDlmmAccount(pool, PAIR_DISCRIMINATOR) || pool.data.length < PAIR_LAYOUT.bytes) {
    return undefined;
  }
  const rewards = REWARDS.flatMap((index) => pairReward(pool.data, index));
  const functionType = pool.data[PAIR_LAYOUT.functionType];
  if (rewards.length === 0 || functionType === FUNCTION_TYPES.limitOrders) {
    return [];
  }
  if (functionType !== FUNCTION_TYPES.undetermined && functionType !== FUNCTION_TYPES.liquidityMining) {
    return undefined;
  }
  const activeBinId = pool.data.readInt32LE(PAIR_LAYOUT.activeBinId);
  const { data, lowerBinId, upperBinId } = position;
  const waiting = new Map(rewards.map((reward) => [reward, 0n]));
  for (let binId = lowerBinId; binId <= upperBinId; binId += 1) {
    const at = offsetsOf(binId - lowerBinId);
    const share = u128(data, at.share) >> SHIFT;
    const bin = share === 0n ? undefined : binAt(binId, arrayAt);
    if (share > 0n && bin === undefined) {
      return undefined;
    }
    for (const reward of rewards) {
      const settled = u128(data, at.rewards + reward.index * 16);
      const counter = bin === undefined ? settled : counterOf(bin, reward, binId === activeBinId ? unixTimeS : undefined);
      // A bin array that was read before the position may have a counter from before the settlement.
      const earned = counter > settled ? (share * (counter - settled)) >> SHIFT : 0n;
      waiting.set(reward, (waiting.get(reward) ?? 0n) + earned + data.readBigUInt64LE(at.rewards + 32 + reward.index * 8));
    }
  }
  return [...waiting].flatMap(([{ index, mint }, amount]) => (amount === 0n ? [] : [{ index, mint, amount }]));
}

/** A reward of a pool; empty if it has none at that place. */
function pairReward(pair: Buffer, index: number): readonly PairReward[] {
  const at = PAIR_LAYOUT.rewards + index * PAIR_REWARD_LAYOUT.bytes;
  return pair.subarray(at, at + NO_MINT.length).equals(NO_MINT)
    ? []
    : [
        {
          index,
          mint: addressAt(pair, at + PAIR_REWARD_LAYOUT.mint),
          endS: pair.readBigUInt64LE(at + PAIR_REWARD_LAYOUT.end),
          lastUpdateS: pair.readBigUInt64LE(at + PAIR_REWARD_LAYOUT.lastUpdate),
          rate: u128(pair, at + PAIR_REWARD_LAYOUT.rate),
        },
      ];
}

/**
 * The reward per share of a bin, Q64.64.
 * @param nowS in the active bin: the chain's time, because what it has earned since its last update is not in the bin yet
 */
function counterOf(
  { data, at }: { readonly data: Buffer; readonly at: number },
  { index, endS, lastUpdateS, rate }: PairReward,
  nowS: bigint | undefined,
): bigint {
  const stored = u128(data, at + BIN_LAYOUT.rewards + index * 16);
  const supply = u128(data, at + BIN_LAYOUT.supply) >> SHIFT;
  if (nowS === undefined || supply === 0n) {
    return stored;
  }
  const until = nowS < endS ? nowS : endS;
  return until > lastUpdateS ? stored + (rate * (until - lastUpdateS)) / BINS_PAID / supply : stored;
}
