import { PublicKey } from '@solana/web3.js';
import { address, type Address } from './address';
import { PROGRAMS } from './programs';

/**
 * The address of the owner's token account for a mint (the associated token account).
 * Seeds: owner, token program, mint; program: Associated Token Account.
 */
export function associatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address = PROGRAMS.token): Address {
  return derived(PROGRAMS.associatedToken, [bytes(owner), bytes(tokenProgram), bytes(mint)]);
}

/** The DLMM program's event authority. Seed: "__event_authority" (Anchor). */
export function eventAuthority(program: Address): Address {
  return derived(program, [Buffer.from('__event_authority')]);
}

/** A pool's vault for a mint. Seeds: pool, mint (DLMM IDL). */
export function dlmmReserve(pool: Address, mint: Address): Address {
  return derived(PROGRAMS.dlmm, [bytes(pool), bytes(mint)]);
}

/** A pool's price oracle. Seeds: "oracle", pool (DLMM IDL). */
export function dlmmOracle(pool: Address): Address {
  return derived(PROGRAMS.dlmm, [Buffer.from('oracle'), bytes(pool)]);
}

/** The account of a pool's bin array. Seeds: "bin_array", pool, index as i64 little endian (DLMM IDL). */
export function dlmmBinArray(pool: Address, index: number): Address {
  const encoded = Buffer.alloc(8);
  encoded.writeBigInt64LE(BigInt(index));
  return derived(PROGRAMS.dlmm, [Buffer.from('bin_array'), bytes(pool), encoded]);
}

function bytes(of: Address): Uint8Array {
  return new PublicKey(of).toBytes();
}

function derived(program: Address, seeds: Uint8Array[]): Address {
  const [key] = PublicKey.findProgramAddressSync(seeds, new PublicKey(program));
  return address(key.toBase58());
}
