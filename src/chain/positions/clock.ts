import { address } from '../../base/solana/address';
import type { RawAccount } from './accounts';
import { ChainRpcError } from '../rpc/errors';

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

/** Reads the clock. @throws ChainRpcError without its account: fees that depend on the time would be wrong */
export function readClock(account: RawAccount | undefined): ChainClock {
  if (account === undefined || account.data.length < UNIX_TIME_AT + 8) {
    throw new ChainRpcError('unavailable', 'getMultipleAccounts', "The RPC does not have the chain's clock. Try again.");
  }
  return { slot: account.data.readBigUInt64LE(0), unixTimeS: account.data.readBigInt64LE(UNIX_TIME_AT) };
}
