import { Buffer } from 'node:buffer';
import { addressBytes, addressFromBytes, type Address } from '../../solana/address';
import { WRAPPED_SOL_MINT } from '../../solana/programs';

/** Bytes of a token account (SPL Token, `state.rs`). */
const TOKEN_ACCOUNT_BYTES = 165;
/** Bytes of a mint (the same). */
export const MINT_BYTES = 82;

const OWNER_OFFSET = 32;
const AMOUNT_OFFSET = 64;
const STATE_OFFSET = 108;
const IS_NATIVE_OFFSET = 109;
const NATIVE_RESERVE_OFFSET = 113;
const STATE_INITIALIZED = 1;

const MINT_DECIMALS_OFFSET = 44;
const MINT_IS_INITIALIZED_OFFSET = 45;

/** What a token account says that counts here. */
export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly amountRaw: bigint;
}

/** Writes a new token account without delegate or close authority; one of wrapped SOL remembers the rent that it holds. */
export function encodeTokenAccount(account: TokenAccount, rentLamports: bigint): Uint8Array {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES);
  data.set(addressBytes(account.mint), 0);
  data.set(addressBytes(account.owner), OWNER_OFFSET);
  data.writeBigUInt64LE(account.amountRaw, AMOUNT_OFFSET);
  data.writeUInt8(STATE_INITIALIZED, STATE_OFFSET);
  if (account.mint === WRAPPED_SOL_MINT) {
    data.writeUInt32LE(1, IS_NATIVE_OFFSET);
    data.writeBigUInt64LE(rentLamports, NATIVE_RESERVE_OFFSET);
  }
  return new Uint8Array(data);
}

/** Reads a token account, or gives `undefined` where the data is not an initialised one. */
export function decodeTokenAccount(data: Uint8Array): TokenAccount | undefined {
  if (data.length !== TOKEN_ACCOUNT_BYTES || data[STATE_OFFSET] === 0) {
    return undefined;
  }
  return {
    mint: addressFromBytes(data.slice(0, OWNER_OFFSET)),
    owner: addressFromBytes(data.slice(OWNER_OFFSET, AMOUNT_OFFSET)),
    amountRaw: Buffer.from(data).readBigUInt64LE(AMOUNT_OFFSET),
  };
}

/** Gives the data of a token account with another amount in it; everything else stays as it is. */
export function withAmount(data: Uint8Array, amountRaw: bigint): Uint8Array {
  const changed = Buffer.from(data);
  changed.writeBigUInt64LE(amountRaw, AMOUNT_OFFSET);
  return new Uint8Array(changed);
}

/** Writes a mint that nobody can mint from or freeze: tokens come into being by `credit` alone. */
export function encodeMint(decimals: number): Uint8Array {
  const data = Buffer.alloc(MINT_BYTES);
  data.writeUInt8(decimals, MINT_DECIMALS_OFFSET);
  data.writeUInt8(1, MINT_IS_INITIALIZED_OFFSET);
  return new Uint8Array(data);
}
