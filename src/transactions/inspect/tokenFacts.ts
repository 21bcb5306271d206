import { PROGRAMS } from '../../base/solana/programs';
import { ACCOUNT_TYPE, EXTENDED, MINT, TOKEN_ACCOUNT, readMint, readTokenAccount } from '../../base/solana/tokenAccount';
import type { MintRisk, TokenAccountFact, TokenAccountLimit } from '../../review/facts/facts';
import type { RpcAccount } from '../../rpc/types';

// Accounts of the token programs, as far as the review needs them. Layouts: SPL Token `state.rs`; Token-2022
// `extension/mod.rs` and the extensions' own modules (also in @solana/spl-token, src/extensions).

const KEY_BYTES = 32;

/** Bytes of a token account that {@link tokenAccountFact} needs; all account extensions together take about 420. */
export const TOKEN_ACCOUNT_PREFIX_BYTES = EXTENDED.extensions + 1_024;

/**
 * Who holds a token account and who else has power over it; `undefined` if the account (or its first
 * {@link TOKEN_ACCOUNT_PREFIX_BYTES} bytes) is not an initialized one.
 */
export function tokenAccountFact(account: RpcAccount): TokenAccountFact | undefined {
  const token = readTokenAccount(account);
  return token === undefined
    ? undefined
    : {
        mint: token.mint,
        owner: token.owner,
        state: token.state,
        delegate: token.delegate ?? null,
        closeAuthority: token.closeAuthority ?? null,
        ...limitsOf(account.data),
      };
}

/** Extensions of a Token-2022 account that restrict transfers. Each begins with a byte that is 1 if it is enabled. */
function limitsOf(data: Uint8Array): Pick<TokenAccountFact, 'limits'> {
  const isOn = (of: number): boolean => readExtensions(data)?.some(({ type, value }) => type === of && value[0] === 1) === true;
  const limits: TokenAccountLimit[] =
    data.length === TOKEN_ACCOUNT.bytes
      ? []
      : [...(isOn(EXTENSION.memoTransfer) ? ['memoRequired' as const] : []), ...(isOn(EXTENSION.cpiGuard) ? ['cpiGuard' as const] : [])];
  return limits.length === 0 ? {} : { limits };
}

/** The raw amount in a token account; `undefined` if the account is not a token account. */
export function tokenAccountAmount(account: RpcAccount): bigint | undefined {
  return readTokenAccount(account)?.amountRaw;
}

/** The decimals of a mint of either token program; `undefined` if the account is not a mint. */
export function mintDecimals(account: RpcAccount): number | undefined {
  return readMint(account)?.decimals;
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
  if (data.length < MINT.bytes || data[MINT.isInitialized] !== 1) {
    return UNREADABLE;
  }
  if (data.length === MINT.bytes) {
    return [];
  }
  const extensions = data[EXTENDED.type] === ACCOUNT_TYPE.mint ? readExtensions(data) : undefined;
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
  let at: number = EXTENDED.extensions;
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
