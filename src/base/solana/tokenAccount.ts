import { type Address, addressFromBytes } from './address';
import { PROGRAMS } from './programs';

// Accounts of the token programs. Layouts: SPL Token `state.rs`, Token-2022 `extension/mod.rs`. An optional value is a u32, 0 for none, then
// the value, which has its place in both cases.

const KEY_BYTES = 32;

/** Offsets in a token account, and its size without extensions. */
export const TOKEN_ACCOUNT = {
  mint: 0,
  owner: 32,
  amount: 64,
  delegate: 72,
  state: 108,
  nativeReserve: 109,
  delegatedAmount: 121,
  closeAuthority: 129,
  bytes: 165,
} as const;

/** Offsets in a mint, and its size without extensions. */
export const MINT = { mintAuthority: 0, supply: 36, decimals: 44, isInitialized: 45, freezeAuthority: 46, bytes: 82 } as const;

/** Token-2022 pads accounts with extensions to the size of a token account. The type of the account follows, then the extensions. */
export const EXTENDED = { type: 165, extensions: 166 } as const;

/** `AccountType` of Token-2022. */
export const ACCOUNT_TYPE = { mint: 1, tokenAccount: 2 } as const;

/** The state of a token account. */
export type TokenAccountStatus = 'uninitialized' | 'initialized' | 'frozen';

/** Indexed by `AccountState`. */
const STATES: readonly TokenAccountStatus[] = ['uninitialized', 'initialized', 'frozen'];

/** An account, or as much of it as was read. */
interface AccountData {
  readonly program: Address;
  readonly data: Uint8Array;
}

export interface TokenAccount extends HeldTokens {
  readonly state: TokenAccountStatus;
  /** The account besides its owner that can spend from it, and how much, raw units. */
  readonly delegate: Address | undefined;
  readonly delegatedRaw: bigint;
  /** The account that can close it instead of its owner. */
  readonly closeAuthority: Address | undefined;
  /** Wrapped SOL only: lamports for the rent, which are not tokens. */
  readonly nativeReserve: bigint | undefined;
}

/** The first fields of a token account. */
export interface HeldTokens {
  readonly mint: Address;
  readonly owner: Address;
  readonly amountRaw: bigint;
}

/** The bytes that {@link readHolding} needs. */
export const HOLDING_BYTES = 72;

export interface Mint {
  readonly decimals: number;
  readonly supplyRaw: bigint;
  readonly mintAuthority: Address | undefined;
  readonly freezeAuthority: Address | undefined;
}

/** Returns whether this is one of the two token programs. */
export function isTokenProgram(program: Address): boolean {
  return program === PROGRAMS.token || program === PROGRAMS.token2022;
}

/** Returns whether the account is an initialized token account. */
export function isTokenAccount(account: AccountData): boolean {
  const isInitialized = statusIn(account.data) !== 'uninitialized';
  return isInitialized && hasForm(account, TOKEN_ACCOUNT.bytes, ACCOUNT_TYPE.tokenAccount);
}

/** Reads a token account; `undefined` if the account is not an initialized one. */
export function readTokenAccount(account: AccountData): TokenAccount | undefined {
  return isTokenAccount(account) ? tokenAccountIn(account.data) : undefined;
}

/** Reads the data of a token account without asking whether it is one. @param data at least {@link TOKEN_ACCOUNT}`.bytes` */
export function tokenAccountIn(data: Uint8Array): TokenAccount {
  const view = viewOf(data);
  return {
    ...readHolding(data),
    state: statusIn(data),
    delegate: optionalKey(data, TOKEN_ACCOUNT.delegate),
    delegatedRaw: view.getBigUint64(TOKEN_ACCOUNT.delegatedAmount, true),
    closeAuthority: optionalKey(data, TOKEN_ACCOUNT.closeAuthority),
    nativeReserve:
      view.getUint32(TOKEN_ACCOUNT.nativeReserve, true) === 0 ? undefined : view.getBigUint64(TOKEN_ACCOUNT.nativeReserve + 4, true),
  };
}

/** Mint, owner and amount in the data of a token account. @param data at least {@link HOLDING_BYTES} */
export function readHolding(data: Uint8Array): HeldTokens {
  return { mint: keyAt(data, TOKEN_ACCOUNT.mint), owner: keyAt(data, TOKEN_ACCOUNT.owner), amountRaw: tokenAmount(data) };
}

/** The amount in the data of a token account, raw units. */
export function tokenAmount(data: Uint8Array): bigint {
  return viewOf(data).getBigUint64(TOKEN_ACCOUNT.amount, true);
}

/** Reads a mint of either token program; `undefined` if the account is not an initialized one. */
export function readMint(account: AccountData): Mint | undefined {
  const { data } = account;
  if (!hasForm(account, MINT.bytes, ACCOUNT_TYPE.mint) || data[MINT.isInitialized] !== 1) {
    return undefined;
  }
  return {
    decimals: data[MINT.decimals] ?? 0,
    supplyRaw: viewOf(data).getBigUint64(MINT.supply, true),
    mintAuthority: optionalKey(data, MINT.mintAuthority),
    freezeAuthority: optionalKey(data, MINT.freezeAuthority),
  };
}

/** The token programs tell accounts apart by their length, and Token-2022 those with extensions by their type. */
function hasForm({ program, data }: AccountData, bytes: number, type: number): boolean {
  return data.length === bytes ? isTokenProgram(program) : program === PROGRAMS.token2022 && data[EXTENDED.type] === type;
}

function statusIn(data: Uint8Array): TokenAccountStatus {
  return STATES[data[TOKEN_ACCOUNT.state] ?? 0] ?? 'uninitialized';
}

function optionalKey(data: Uint8Array, offset: number): Address | undefined {
  return viewOf(data).getUint32(offset, true) === 0 ? undefined : keyAt(data, offset + 4);
}

function keyAt(data: Uint8Array, offset: number): Address {
  return addressFromBytes(data.subarray(offset, offset + KEY_BYTES));
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
