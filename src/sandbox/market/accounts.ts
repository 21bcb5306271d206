import { createHash } from 'node:crypto';
import { addressBytes, type Address } from '../../solana/address';
import { PROGRAMS, RENT_LAMPORTS } from '../../solana/programs';
import { BINS_PER_DEFAULT_POSITION } from '../../dlmm/bins';

/** An account that the DLMM program would own. */
interface ProgramAccount {
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

const DISCRIMINATOR_BYTES = 8;
const KEY_BYTES = 32;

/**
 * The account of a new position: discriminator, pool, owner, lower and upper bin. What it holds is in the market's books
 * alone, so that the account is short; its rent is that of the real one.
 */
export function positionAccount(pool: Address, owner: Address, lowerBinId: number, upperBinId: number): ProgramAccount {
  const data = headed('PositionV2', 2 * KEY_BYTES + 8);
  data.set(addressBytes(pool), DISCRIMINATOR_BYTES);
  data.set(addressBytes(owner), DISCRIMINATOR_BYTES + KEY_BYTES);
  data.writeInt32LE(lowerBinId, DISCRIMINATOR_BYTES + 2 * KEY_BYTES);
  data.writeInt32LE(upperBinId, DISCRIMINATOR_BYTES + 2 * KEY_BYTES + 4);
  const extra = BigInt(Math.max(0, upperBinId - lowerBinId + 1 - BINS_PER_DEFAULT_POSITION));
  return { owner: PROGRAMS.dlmm, lamports: RENT_LAMPORTS.position + extra * RENT_LAMPORTS.positionPerBinAbove70, data: new Uint8Array(data) };
}

/** The account of a new bin array: discriminator, index, pool. */
export function binArrayAccount(pool: Address, index: number): ProgramAccount {
  const data = headed('BinArray', 8 + 8 + KEY_BYTES);
  data.writeBigInt64LE(BigInt(index), DISCRIMINATOR_BYTES);
  data.set(addressBytes(pool), DISCRIMINATOR_BYTES + 16);
  return { owner: PROGRAMS.dlmm, lamports: RENT_LAMPORTS.binArray, data: new Uint8Array(data) };
}

/** Anchor's account discriminator, and room behind it. */
function headed(name: string, bytes: number): Buffer {
  const data = Buffer.alloc(DISCRIMINATOR_BYTES + bytes);
  createHash('sha256').update(`account:${name}`).digest().copy(data, 0, 0, DISCRIMINATOR_BYTES);
  return data;
}
