import { address } from '../../base/solana/address';
import type { RawAccount } from '../positions/accounts';

/** The account with the chain's clock. */
export const CLOCK_ADDRESS = address('SysvarC1ock11111111111111111111111111111111');

/** The chain's time. */
export interface ChainClock {
  readonly slot: bigint;
  /** Seconds since 1970. */
  readonly unixTimeS: bigint;
}

/** Slot, start of the epoch, epoch, next leader schedule, time: 8 bytes each. */
const UNIX_TIME_AT = 32;

/** Reads the clock; without its account it is this machine's time, and no slot. */
export function readClock(account: RawAccount | undefined, now: number): ChainClock {
  return account === undefined || account.data.length < UNIX_TIME_AT + 8
    ? { slot: 0n, unixTimeS: BigInt(Math.floor(now / 1_000)) }
    : { slot: account.data.readBigUInt64LE(0), unixTimeS: account.data.readBigInt64LE(UNIX_TIME_AT) };
}
