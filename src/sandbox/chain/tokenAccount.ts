import { Buffer } from 'node:buffer';
import { addressBytes, type Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { MINT, TOKEN_ACCOUNT } from '../../base/solana/tokenAccount';

const KEY_BYTES = 32;
const STATE_INITIALIZED = 1;

/** Fields of a new token account. */
export interface NewTokenAccount {
  readonly mint: Address;
  readonly holder: Address;
  readonly amountRaw: bigint;
}

/** Encodes a token account without delegate or close authority; `rentLamports` becomes the native reserve of wrapped SOL. */
export function encodeTokenAccount(account: NewTokenAccount, rentLamports: bigint): Uint8Array {
  const data = new Uint8Array(TOKEN_ACCOUNT.bytes);
  data.set(addressBytes(account.mint), TOKEN_ACCOUNT.mint);
  data.set(addressBytes(account.holder), TOKEN_ACCOUNT.owner);
  data[TOKEN_ACCOUNT.state] = STATE_INITIALIZED;
  const view = viewOf(data);
  view.setBigUint64(TOKEN_ACCOUNT.amount, account.amountRaw, true);
  if (account.mint === WRAPPED_SOL_MINT) {
    view.setUint32(TOKEN_ACCOUNT.nativeReserve, 1, true);
    view.setBigUint64(TOKEN_ACCOUNT.nativeReserve + 4, rentLamports, true);
  }
  return data;
}

/** Sets the close authority in the data of a token account. @param authority 32 bytes */
export function setCloseAuthority(data: Uint8Array, authority: Uint8Array): void {
  viewOf(data).setUint32(TOKEN_ACCOUNT.closeAuthority, 1, true);
  data.set(authority, TOKEN_ACCOUNT.closeAuthority + 4);
}

/** Returns true if the holder in the data of a token account is this address. @param holder 32 bytes */
export function isHeldBy(data: Uint8Array, holder: Uint8Array): boolean {
  return Buffer.compare(data.subarray(TOKEN_ACCOUNT.owner, TOKEN_ACCOUNT.owner + KEY_BYTES), holder) === 0;
}

export function setTokenAmount(data: Uint8Array, amountRaw: bigint): void {
  viewOf(data).setBigUint64(TOKEN_ACCOUNT.amount, amountRaw, true);
}

/** Encodes a mint with a fixed supply: it has no mint or freeze authority. */
export function encodeMint(decimals: number, supplyRaw: bigint): Uint8Array {
  const data = new Uint8Array(MINT.bytes);
  viewOf(data).setBigUint64(MINT.supply, supplyRaw, true);
  data[MINT.decimals] = decimals;
  data[MINT.isInitialized] = 1;
  return data;
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
