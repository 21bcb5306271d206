import { Buffer } from 'node:buffer';
import { addressBytes, addressFromBytes, type Address } from '../../base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { ChainAccount } from './types';

/** Size of a token account (SPL Token, `state.rs`). */
const TOKEN_ACCOUNT_BYTES = 165;
/** Size of a mint (SPL Token, `state.rs`). */
export const MINT_BYTES = 82;

const KEY_BYTES = 32;
const AMOUNT_OFFSET = 64;
const DELEGATE_OFFSET = 72;
const STATE_OFFSET = 108;
const IS_NATIVE_OFFSET = 109;
const NATIVE_RESERVE_OFFSET = 113;
const DELEGATED_AMOUNT_OFFSET = 121;
const CLOSE_AUTHORITY_OFFSET = 129;
const STATES = ['uninitialized', 'initialized', 'frozen'] as const;
const STATE_INITIALIZED = 1;

const MINT_SUPPLY_OFFSET = 36;
const MINT_DECIMALS_OFFSET = 44;
const MINT_IS_INITIALIZED_OFFSET = 45;
const FREEZE_AUTHORITY_OFFSET = 46;

/** In Token-2022, the byte with the type of the account; extensions follow it. */
const ACCOUNT_TYPE_OFFSET = 165;
const TYPE_MINT = 1;
const TYPE_TOKEN_ACCOUNT = 2;

/** Fields of a new token account. */
export interface NewTokenAccount {
  readonly mint: Address;
  readonly holder: Address;
  readonly amountRaw: bigint;
}

/** A parsed token account. */
export interface TokenAccount extends NewTokenAccount {
  readonly state: (typeof STATES)[number];
  readonly delegate: Address | undefined;
  readonly delegatedRaw: bigint;
  readonly closeAuthority: Address | undefined;
  /** Wrapped SOL only: lamports for the rent, which are not tokens. */
  readonly nativeReserve: bigint | undefined;
}

/** A parsed mint. */
export interface Mint {
  readonly decimals: number;
  readonly supplyRaw: bigint;
  readonly mintAuthority: Address | undefined;
  readonly freezeAuthority: Address | undefined;
}

/** Encodes a token account without delegate or close authority; `rentLamports` becomes the native reserve of wrapped SOL. */
export function encodeTokenAccount(account: NewTokenAccount, rentLamports: bigint): Uint8Array {
  const data = new Uint8Array(TOKEN_ACCOUNT_BYTES);
  data.set(addressBytes(account.mint), 0);
  data.set(addressBytes(account.holder), KEY_BYTES);
  data[STATE_OFFSET] = STATE_INITIALIZED;
  const view = viewOf(data);
  view.setBigUint64(AMOUNT_OFFSET, account.amountRaw, true);
  if (account.mint === WRAPPED_SOL_MINT) {
    view.setUint32(IS_NATIVE_OFFSET, 1, true);
    view.setBigUint64(NATIVE_RESERVE_OFFSET, rentLamports, true);
  }
  return data;
}

/** Sets the close authority in the data of a token account. @param authority 32 bytes */
export function setCloseAuthority(data: Uint8Array, authority: Uint8Array): void {
  viewOf(data).setUint32(CLOSE_AUTHORITY_OFFSET, 1, true);
  data.set(authority, CLOSE_AUTHORITY_OFFSET + 4);
}

/** Returns true for an initialized token account of Token or Token-2022. */
export function isTokenAccount({ program, data }: Readonly<ChainAccount>): boolean {
  return (data[STATE_OFFSET] ?? 0) !== 0 && hasShape(program, data, TOKEN_ACCOUNT_BYTES, TYPE_TOKEN_ACCOUNT);
}

/** Parses a token account; `undefined` for other accounts. */
export function readTokenAccount(account: Readonly<ChainAccount>): TokenAccount | undefined {
  if (!isTokenAccount(account)) {
    return undefined;
  }
  const { data } = account;
  const view = viewOf(data);
  return {
    ...readHolding(data),
    amountRaw: tokenAmount(data),
    state: STATES[data[STATE_OFFSET] ?? 0] ?? 'uninitialized',
    delegate: optionalKey(data, DELEGATE_OFFSET),
    delegatedRaw: view.getBigUint64(DELEGATED_AMOUNT_OFFSET, true),
    closeAuthority: optionalKey(data, CLOSE_AUTHORITY_OFFSET),
    nativeReserve: view.getUint32(IS_NATIVE_OFFSET, true) === 0 ? undefined : view.getBigUint64(NATIVE_RESERVE_OFFSET, true),
  };
}

/** Mint and holder in the data of a token account (see {@link isTokenAccount}). */
export function readHolding(data: Uint8Array): { readonly mint: Address; readonly holder: Address } {
  return { mint: addressFromBytes(data.subarray(0, KEY_BYTES)), holder: addressFromBytes(data.subarray(KEY_BYTES, 2 * KEY_BYTES)) };
}

/** Returns true if the holder in the data of a token account is this address. @param holder 32 bytes */
export function isHeldBy(data: Uint8Array, holder: Uint8Array): boolean {
  return Buffer.compare(data.subarray(KEY_BYTES, 2 * KEY_BYTES), holder) === 0;
}

/** The amount in the data of a token account, raw. */
export function tokenAmount(data: Uint8Array): bigint {
  return viewOf(data).getBigUint64(AMOUNT_OFFSET, true);
}

/** Sets the amount in the data of a token account. */
export function setTokenAmount(data: Uint8Array, amountRaw: bigint): void {
  viewOf(data).setBigUint64(AMOUNT_OFFSET, amountRaw, true);
}

/** Encodes a mint with a fixed supply: it has no mint or freeze authority. */
export function encodeMint(decimals: number, supplyRaw: bigint): Uint8Array {
  const data = new Uint8Array(MINT_BYTES);
  viewOf(data).setBigUint64(MINT_SUPPLY_OFFSET, supplyRaw, true);
  data[MINT_DECIMALS_OFFSET] = decimals;
  data[MINT_IS_INITIALIZED_OFFSET] = 1;
  return data;
}

/** Parses a mint; `undefined` for other accounts. */
export function readMint({ program, data }: Readonly<ChainAccount>): Mint | undefined {
  if (!hasShape(program, data, MINT_BYTES, TYPE_MINT) || data[MINT_IS_INITIALIZED_OFFSET] !== 1) {
    return undefined;
  }
  return {
    decimals: data[MINT_DECIMALS_OFFSET] ?? 0,
    supplyRaw: viewOf(data).getBigUint64(MINT_SUPPLY_OFFSET, true),
    mintAuthority: optionalKey(data, 0),
    freezeAuthority: optionalKey(data, FREEZE_AUTHORITY_OFFSET),
  };
}

/** The token programs distinguish accounts by their length, and Token-2022 also by the type byte before the extensions. */
function hasShape(program: Address, data: Uint8Array, bytes: number, type: number): boolean {
  if (data.length === bytes) {
    return program === PROGRAMS.token || program === PROGRAMS.token2022;
  }
  return data.length > ACCOUNT_TYPE_OFFSET && data[ACCOUNT_TYPE_OFFSET] === type && program === PROGRAMS.token2022;
}

/** A `COption<Pubkey>`: a u32 tag and the key. */
function optionalKey(data: Uint8Array, offset: number): Address | undefined {
  return data[offset] === 1 ? addressFromBytes(data.subarray(offset + 4, offset + 4 + KEY_BYTES)) : undefined;
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
