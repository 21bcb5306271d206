import { addressFromBytes, type Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { AccountState } from './facts';

/** A decoded token account. Layout: spl-token `Account` (165 bytes), followed by extensions in Token-2022. */
export interface TokenAccountState {
  readonly mint: Address;
  readonly owner: Address;
  readonly amountRaw: bigint;
  /** The account besides its owner that can spend from it. */
  readonly delegate: Address | undefined;
  /** The account that can close it instead of its owner. */
  readonly closeAuthority: Address | undefined;
}

const ACCOUNT_BYTES = 165;
const KEY_BYTES = 32;
const PLACES = { mint: 0, owner: 32, amount: 64, delegate: 72, closeAuthority: 129 } as const;

/** Returns whether the account belongs to a token program. */
export function isOfTokenProgram({ program }: AccountState): boolean {
  return program === PROGRAMS.token || program === PROGRAMS.token2022;
}

/** Reads a token account; `undefined` if the account is not one. */
export function readTokenAccount(account: AccountState): TokenAccountState | undefined {
  const { data } = account;
  if (!isOfTokenProgram(account) || data.length < ACCOUNT_BYTES) {
    return undefined;
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const key = (place: number): Address => addressFromBytes(data.slice(place, place + KEY_BYTES));
  // An optional key is a number (0: none), followed by the key in either case.
  const optionalKey = (place: number): Address | undefined => (view.getUint32(place, true) === 0 ? undefined : key(place + 4));
  return {
    mint: key(PLACES.mint),
    owner: key(PLACES.owner),
    amountRaw: view.getBigUint64(PLACES.amount, true),
    delegate: optionalKey(PLACES.delegate),
    closeAuthority: optionalKey(PLACES.closeAuthority),
  };
}
