import { Buffer } from 'node:buffer';
import { addressBytes, addressFromBytes, type Address } from '../../base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { ChainAccount } from './types';

/** Bytes of a token account (SPL Token, `state.rs`). */
export const TOKEN_ACCOUNT_BYTES = 165;
/** Bytes of a mint (the same). */
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

/** Token-2022 writes extensions behind this byte, which says what the account is. */
const ACCOUNT_TYPE_OFFSET = 165;
const TYPE_MINT = 1;
const TYPE_TOKEN_ACCOUNT = 2;

/** What a token account is made with. */
export interface NewTokenAccount {
  readonly mint: Address;
  readonly holder: Address;
  readonly amountRaw: bigint;
}

/** What a token account says. */
export interface TokenAccount extends NewTokenAccount {
  readonly state: (typeof STATES)[number];
  readonly delegate: Address | undefined;
  readonly delegatedRaw: bigint;
  readonly closeAuthority: Address | undefined;
  /** Of wrapped SOL: lamports that do not count as tokens. */
  readonly nativeReserve: bigint | undefined;
}

/** What a mint says. */
export interface Mint {
  readonly decimals: number;
  readonly supplyRaw: bigint;
  readonly mintAuthority: Address | undefined;
  readonly freezeAuthority: Address | undefined;
}

/** Writes a new token account without delegate or close authority; one of wrapped SOL remembers the rent that it holds. */
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

/** Lets somebody (32 bytes) close a token account instead of its owner; everything else stays as it is. */
export function setCloseAuthority(data: Uint8Array, authority: Uint8Array): void {
  viewOf(data).setUint32(CLOSE_AUTHORITY_OFFSET, 1, true);
  data.set(authority, CLOSE_AUTHORITY_OFFSET + 4);
}

/** Says whether this is an initialised account of Token or Token-2022. */
export function isTokenAccount({ program, data }: Readonly<ChainAccount>): boolean {
  return (data[STATE_OFFSET] ?? 0) !== 0 && hasShape(program, data, TOKEN_ACCOUNT_BYTES, TYPE_TOKEN_ACCOUNT);
}

/** Reads a token account, or gives `undefined` where the account is not one. */
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

/** Whose account it is, and of which token; of the data of what {@link isTokenAccount}. */
export function readHolding(data: Uint8Array): { readonly mint: Address; readonly holder: Address } {
  return { mint: addressFromBytes(data.subarray(0, KEY_BYTES)), holder: addressFromBytes(data.subarray(KEY_BYTES, 2 * KEY_BYTES)) };
}

/** Says whether the data of a token account name these 32 bytes as its holder. */
export function isHeldBy(data: Uint8Array, holder: Uint8Array): boolean {
  return Buffer.compare(data.subarray(KEY_BYTES, 2 * KEY_BYTES), holder) === 0;
}

/** The amount in the data of a token account, raw. */
export function tokenAmount(data: Uint8Array): bigint {
  return viewOf(data).getBigUint64(AMOUNT_OFFSET, true);
}

/** Writes another amount into the data of a token account; everything else stays as it is. */
export function setTokenAmount(data: Uint8Array, amountRaw: bigint): void {
  viewOf(data).setBigUint64(AMOUNT_OFFSET, amountRaw, true);
}

/** Writes a mint that nobody can mint from or freeze: its whole supply is there from the beginning. */
export function encodeMint(decimals: number, supplyRaw: bigint): Uint8Array {
  const data = new Uint8Array(MINT_BYTES);
  viewOf(data).setBigUint64(MINT_SUPPLY_OFFSET, supplyRaw, true);
  data[MINT_DECIMALS_OFFSET] = decimals;
  data[MINT_IS_INITIALIZED_OFFSET] = 1;
  return data;
}

/** Reads a mint, or gives `undefined` where the account is not one. */
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

/** As the token programs tell accounts apart: by their length, or in Token-2022 by the byte before the extensions. */
function hasShape(program: Address, data: Uint8Array, bytes: number, type: number): boolean {
  if (data.length === bytes) {
    return program === PROGRAMS.token || program === PROGRAMS.token2022;
  }
  return data.length > ACCOUNT_TYPE_OFFSET && data[ACCOUNT_TYPE_OFFSET] === type && program === PROGRAMS.token2022;
}

/** An address behind a u32 that says whether there is one. */
function optionalKey(data: Uint8Array, offset: number): Address | undefined {
  return data[offset] === 1 ? addressFromBytes(data.subarray(offset + 4, offset + 4 + KEY_BYTES)) : undefined;
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
