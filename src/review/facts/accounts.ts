import { type Address, addressFromBytes } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { TOKEN_ACCOUNT, isTokenProgram, tokenAccountIn, type TokenAccount } from '../../base/solana/tokenAccount';
import type { AccountState, PositionFact } from './facts';

/**
 * Reads the account of a token program as a token account, initialized or not; `undefined` if it belongs to another program or is too
 * short for one.
 */
export function tokenAccountState({ program, data }: Pick<AccountState, 'program' | 'data'>): TokenAccount | undefined {
  return isTokenProgram(program) && data.length >= TOKEN_ACCOUNT.bytes ? tokenAccountIn(data) : undefined;
}

// Reads accounts of positions. Layouts: `PositionV2` in the DLMM IDL, `Position` in the DAMM v2 IDL.

const DISCRIMINATOR_BYTES = 8;
const KEY_BYTES = 32;

/** First bytes of a `PositionV2` and of a DAMM v2 `Position` (IDLs, `accounts`). */
const DLMM_DISCRIMINATOR = Buffer.from('75b0d4c7f5b485b6', 'hex');
const DAMM_DISCRIMINATOR = Buffer.from('aabc8fe47a40f7d0', 'hex');

/**
 * Offsets in a `PositionV2`. Liquidity (16 bytes a bin), rewards (48) and fees (48) of 70 bins lie between the owner and the bin ids. A
 * longer position has its bins above 70 after all of this.
 */
const DLMM = {
  pool: 8,
  owner: 40,
  lowerBinId: 7_912,
  upperBinId: 7_916,
  operator: 7_960,
  lockReleasePoint: 7_992,
  feeOwner: 8_001,
  permissions: 8_034,
} as const;

/** Offsets in a DAMM v2 `Position`: the permissions of the NFT's delegate precede the last 12 bytes. */
const DAMM = { pool: 8, nftMint: 40, permissions: 392 } as const;
const DAMM_BYTES = 408;

/** The program's key for "none" (Anchor's default key). */
const NO_OPERATOR = PROGRAMS.system;

/** The number of bytes that {@link dlmmPositionFact} and {@link dammPositionState} need. */
export const POSITION_PREFIX_BYTES = DLMM.permissions + 1;

/** The account of a DAMM v2 position. Its owner is in the account that holds its NFT. */
export interface DammPositionState {
  readonly pool: Address;
  readonly nftMint: Address;
  /** Permissions of the NFT account's delegate, one bit each. */
  readonly delegatePermissions: number;
}

/** Reads a DLMM position, or its first {@link POSITION_PREFIX_BYTES} bytes; `undefined` if the account is not one. */
export function dlmmPositionFact({ program, data }: Pick<AccountState, 'program' | 'data'>): PositionFact | undefined {
  if (program !== PROGRAMS.dlmm || data.length < POSITION_PREFIX_BYTES || !begins(data, DLMM_DISCRIMINATOR)) {
    return undefined;
  }
  const view = viewOf(data);
  const owner = keyAt(data, DLMM.owner);
  return {
    pool: keyAt(data, DLMM.pool),
    owner,
    powers: others([keyAt(data, DLMM.operator), keyAt(data, DLMM.feeOwner)], owner),
    isRestricted: view.getBigUint64(DLMM.lockReleasePoint, true) !== 0n || data[DLMM.permissions] !== 0,
    lowerBinId: view.getInt32(DLMM.lowerBinId, true),
    upperBinId: view.getInt32(DLMM.upperBinId, true),
  };
}

/** Reads a DAMM v2 position; `undefined` if the account is not one. */
export function dammPositionState({ program, data }: Pick<AccountState, 'program' | 'data'>): DammPositionState | undefined {
  if (program !== PROGRAMS.dammV2 || data.length !== DAMM_BYTES || !begins(data, DAMM_DISCRIMINATOR)) {
    return undefined;
  }
  return {
    pool: keyAt(data, DAMM.pool),
    nftMint: keyAt(data, DAMM.nftMint),
    delegatePermissions: viewOf(data).getUint32(DAMM.permissions, true),
  };
}

/**
 * Combines the facts about a DAMM v2 position: the holder of its NFT controls it, and so does the delegate of the NFT's account as far as
 * the position permits.
 * @param nftAccount the account that the program mints the NFT into
 * @returns `undefined` if that account is not a token account or does not hold the NFT
 */
export function dammPositionFact(
  { pool, nftMint, delegatePermissions }: DammPositionState,
  nftAccount: Pick<AccountState, 'program' | 'data'>,
): PositionFact | undefined {
  const token = tokenAccountState(nftAccount);
  if (token === undefined || token.mint !== nftMint || token.amountRaw !== 1n) {
    return undefined;
  }
  const powers = [token.delegate, token.closeAuthority].filter((power) => power !== undefined);
  return {
    pool,
    owner: token.owner,
    powers: others(powers, token.owner),
    isRestricted: delegatePermissions !== 0 || token.state !== 'initialized',
  };
}

/** The named accounts other than the owner, without duplicates. */
function others(powers: readonly Address[], owner: Address): Address[] {
  return [...new Set(powers)].filter((power) => power !== NO_OPERATOR && power !== owner);
}

function begins(data: Uint8Array, discriminator: Uint8Array): boolean {
  return Buffer.compare(data.subarray(0, DISCRIMINATOR_BYTES), discriminator) === 0;
}

function keyAt(data: Uint8Array, offset: number): Address {
  return addressFromBytes(data.slice(offset, offset + KEY_BYTES));
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
