import { addressFromBytes, type Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { AccountState } from './facts';

/** What the bytes of a token account say. Layout: spl-token `Account` (165 bytes); Token-2022 puts its extensions behind it. */
export interface TokenAccountState {
  readonly mint: Address;
  readonly owner: Address;
  readonly amountRaw: bigint;
  /** Who may spend from it besides its owner. */
  readonly delegate: Address | undefined;
  /** Who may close it instead of its owner. */
  readonly closeAuthority: Address | undefined;
}

const ACCOUNT_BYTES = 165;
const KEY_BYTES = 32;
const PLACES = { mint: 0, owner: 32, amount: 64, delegate: 72, closeAuthority: 129 } as const;

/** Says whether the account belongs to one of the token programs. */
export function isOfTokenProgram({ program }: AccountState): boolean {
  return program === PROGRAMS.token || program === PROGRAMS.token2022;
}

/** Reads a token account; `undefined` where the bytes are none. */
export function readTokenAccount(account: AccountState): TokenAccountState | undefined {
  const { data } = account;
  if (!isOfTokenProgram(account) || data.length < ACCOUNT_BYTES) {
    return undefined;
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const key = (place: number): Address => addressFromBytes(data.slice(place, place + KEY_BYTES));
  // An optional key is a number, 0 for none, and then the key in either case.
  const optionalKey = (place: number): Address | undefined => (view.getUint32(place, true) === 0 ? undefined : key(place + 4));
  return {
    mint: key(PLACES.mint),
    owner: key(PLACES.owner),
    amountRaw: view.getBigUint64(PLACES.amount, true),
    delegate: optionalKey(PLACES.delegate),
    closeAuthority: optionalKey(PLACES.closeAuthority),
  };
}
