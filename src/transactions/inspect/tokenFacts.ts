import { addressFromBytes, type Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { MintRisk, TokenAccountFact, TokenAccountLimit, TokenAccountStatus } from '../../review/facts/facts';
import type { RpcAccount } from '../../rpc/types';

// Accounts of the token programs, as far as the review needs them. Layouts: SPL Token `state.rs`; Token-2022
// `extension/mod.rs` and the extensions' own modules (also in @solana/spl-token, src/extensions).

const KEY_BYTES = 32;
const TOKEN_ACCOUNT_BYTES = 165;
const DELEGATE_OFFSET = 72;
const STATE_OFFSET = 108;
const CLOSE_AUTHORITY_OFFSET = 129;
/** Indexed by `AccountState`. */
const STATES: readonly TokenAccountStatus[] = ['uninitialized', 'initialized', 'frozen'];

/** Token-2022 pads mints to the length of a token account; the account type follows, then the extensions. */
const ACCOUNT_TYPE_OFFSET = 165;
const TYPE_MINT = 1;
const TYPE_ACCOUNT = 2;
const EXTENSIONS_OFFSET = 166;
const MINT_BYTES = 82;
const MINT_DECIMALS_OFFSET = 44;
const MINT_INITIALIZED_OFFSET = 45;

/** Bytes of a token account that {@link tokenAccountFact} needs; all account extensions together take about 420. */
export const TOKEN_ACCOUNT_PREFIX_BYTES = EXTENSIONS_OFFSET + 1_024;

/**
 * Who holds a token account and who else has power over it; `undefined` if the account (or its first
 * {@link TOKEN_ACCOUNT_PREFIX_BYTES} bytes) is not an initialized one.
 */
export function tokenAccountFact({ program, data }: RpcAccount): TokenAccountFact | undefined {
  const isAccount =
    data.length === TOKEN_ACCOUNT_BYTES
      ? program === PROGRAMS.token || program === PROGRAMS.token2022
      : program === PROGRAMS.token2022 && data[ACCOUNT_TYPE_OFFSET] === TYPE_ACCOUNT;
  const state = STATES[data[STATE_OFFSET] ?? 0];
  if (!isAccount || state === undefined || state === 'uninitialized') {
    return undefined;
  }
  return {
    mint: addressFromBytes(data.slice(0, KEY_BYTES)),
    owner: addressFromBytes(data.slice(KEY_BYTES, 2 * KEY_BYTES)),
    state,
    delegate: optionalKey(data, DELEGATE_OFFSET),
    closeAuthority: optionalKey(data, CLOSE_AUTHORITY_OFFSET),
    ...limitsOf(data),
  };
}

/** Extensions of a Token-2022 account that restrict transfers. Each begins with a byte that is 1 if it is enabled. */
function limitsOf(data: Uint8Array): Pick<TokenAccountFact, 'limits'> {
  const isOn = (of: number): boolean => readExtensions(data)?.some(({ type, value }) => type === of && value[0] === 1) === true;
  const limits: TokenAccountLimit[] =
    data.length === TOKEN_ACCOUNT_BYTES
      ? []
      : [...(isOn(EXTENSION.memoTransfer) ? ['memoRequired' as const] : []), ...(isOn(EXTENSION.cpiGuard) ? ['cpiGuard' as const] : [])];
  return limits.length === 0 ? {} : { limits };
}

/** `COption<Pubkey>`: a u32, 0 for none, then 32 bytes that are present in both cases. */
function optionalKey(data: Uint8Array, offset: number): Address | null {
  const start = offset + 4;
  return viewOf(data).getUint32(offset, true) === 0 ? null : addressFromBytes(data.slice(start, start + KEY_BYTES));
}

/** The raw amount in a token account, a u64 after mint and owner; `undefined` if the account is not a token account. */
export function tokenAccountAmount(account: RpcAccount): bigint | undefined {
  const { data } = account;
  return tokenAccountFact(account) === undefined
    ? undefined
    : new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(2 * KEY_BYTES, true);
}

/** The decimals of a mint of either token program; `undefined` if the account is not a mint. */
export function mintDecimals({ program, data }: RpcAccount): number | undefined {
  const isMint =
    data.length === MINT_BYTES
      ? program === PROGRAMS.token || program === PROGRAMS.token2022
      : program === PROGRAMS.token2022 && data[ACCOUNT_TYPE_OFFSET] === TYPE_MINT;
  return isMint && data[MINT_INITIALIZED_OFFSET] === 1 ? data[MINT_DECIMALS_OFFSET] : undefined;
}

/** `ExtensionType` of Token-2022. */
const EXTENSION = {
  end: 0,
  transferFee: 1,
  mintCloseAuthority: 3,
  confidentialTransfer: 4,
  defaultAccountState: 6,
  memoTransfer: 8,
  nonTransferable: 9,
  interestBearing: 10,
  cpiGuard: 11,
  permanentDelegate: 12,
  transferHook: 14,
  confidentialTransferFee: 16,
  metadataPointer: 18,
  tokenMetadata: 19,
  groupPointer: 20,
  tokenGroup: 21,
  groupMemberPointer: 22,
  tokenGroupMember: 23,
  confidentialMintBurn: 24,
  scaledUiAmount: 25,
  pausable: 26,
} as const;

/** Extensions that give no one power over tokens. A mint can only be closed when its supply is 0. */
const HARMLESS: readonly number[] = [
  EXTENSION.mintCloseAuthority,
  EXTENSION.confidentialTransferFee,
  EXTENSION.metadataPointer,
  EXTENSION.tokenMetadata,
  EXTENSION.groupPointer,
  EXTENSION.tokenGroup,
  EXTENSION.groupMemberPointer,
  EXTENSION.tokenGroupMember,
];

/** For a mint that cannot be read completely: it may allow anything. */
const UNREADABLE: readonly MintRisk[] = [{ kind: 'unknown' }];

/** What a Token-2022 mint allows others to do; `undefined` if the account belongs to another program. */
export function mintRisks({ program, data }: RpcAccount): readonly MintRisk[] | undefined {
  if (program !== PROGRAMS.token2022) {
    return undefined;
  }
  if (data.length < MINT_BYTES || data[MINT_INITIALIZED_OFFSET] !== 1) {
    return UNREADABLE;
  }
  if (data.length === MINT_BYTES) {
    return [];
  }
  const extensions = data[ACCOUNT_TYPE_OFFSET] === TYPE_MINT ? readExtensions(data) : undefined;
  const risks: MintRisk[] = [];
  for (const { type, value } of extensions ?? []) {
    const risk = riskOf(type, value);
    if (risk === 'unreadable') {
      return UNREADABLE;
    }
    if (risk !== undefined) {
      risks.push(risk);
    }
  }
  return extensions === undefined ? UNREADABLE : risks;
}

interface Extension {
  readonly type: number;
  readonly value: Uint8Array;
}

/** A list of type (u16), length (u16), value; `undefined` if it ends neither with the data nor with a zero type. */
function readExtensions(data: Uint8Array): readonly Extension[] | undefined {
  const view = viewOf(data);
  const extensions: Extension[] = [];
  const headBytes = 4;
  let at = EXTENSIONS_OFFSET;
  while (at + headBytes <= data.length) {
    const type = view.getUint16(at, true);
    if (type === EXTENSION.end) {
      return extensions;
    }
    const end = at + headBytes + view.getUint16(at + 2, true);
    if (end > data.length) {
      return undefined;
    }
    extensions.push({ type, value: data.subarray(at + headBytes, end) });
    at = end;
  }
  // Zero padding that is too short for another entry is allowed.
  return data.subarray(at).every((byte) => byte === 0) ? extensions : undefined;
}

const FROZEN = 2;
/** Authorities (2 keys), withheld amount (u64), then two fees: epoch (u64), maximum (u64), basis points (u16). */
const FEES_OFFSET = 2 * KEY_BYTES + 8;
const FEE_BYTES = 18;
const FEE_BPS_OFFSET = 16;

function riskOf(type: number, value: Uint8Array): MintRisk | 'unreadable' | undefined {
  switch (type) {
    case EXTENSION.transferFee: {
      if (value.length < FEES_OFFSET + 2 * FEE_BYTES) {
        return 'unreadable';
      }
      const view = viewOf(value);
      // One fee applies now, the other from a later epoch: take the higher one.
      const bps = Math.max(...[0, 1].map((fee) => view.getUint16(FEES_OFFSET + fee * FEE_BYTES + FEE_BPS_OFFSET, true)));
      return { kind: 'transferFee', bps };
    }
    case EXTENSION.confidentialTransfer:
    case EXTENSION.confidentialMintBurn:
      return { kind: 'confidentialTransfer' };
    case EXTENSION.defaultAccountState:
      return value.length < 1 ? 'unreadable' : value[0] === FROZEN ? { kind: 'frozenByDefault' } : undefined;
    case EXTENSION.nonTransferable:
      return { kind: 'nonTransferable' };
    case EXTENSION.permanentDelegate:
      return value.length < KEY_BYTES ? 'unreadable' : isKey(value) ? { kind: 'permanentDelegate' } : undefined;
    case EXTENSION.transferHook: {
      // The authority that may set the program, then the program.
      if (value.length < 2 * KEY_BYTES) {
        return 'unreadable';
      }
      return isKey(value.subarray(KEY_BYTES)) ? { kind: 'transferHook' } : undefined;
    }
    case EXTENSION.pausable:
      // The authority, then whether it is paused.
      return { kind: value[KEY_BYTES] === 1 ? 'paused' : 'pausable' };
    case EXTENSION.interestBearing:
    case EXTENSION.scaledUiAmount:
      return { kind: 'scaledAmount' };
    default:
      return HARMLESS.includes(type) ? undefined : { kind: 'unknown' };
  }
}

/** An optional key is all zero where there is none. */
function isKey(bytes: Uint8Array): boolean {
  return bytes.subarray(0, KEY_BYTES).some((byte) => byte !== 0);
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
