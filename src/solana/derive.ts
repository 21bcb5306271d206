import { addressBytes, type Address } from './address';
import { programAddress } from './programAddress';
import { PROGRAMS } from './programs';

/**
 * The address of the owner's token account for a mint (the associated token account).
 * Seeds: owner, token program, mint; program: Associated Token Account.
 */
export function associatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address = PROGRAMS.token): Address {
  return programAddress(PROGRAMS.associatedToken, [addressBytes(owner), addressBytes(tokenProgram), addressBytes(mint)]);
}

/** The event authority of an Anchor program. Seed: "__event_authority" (Anchor). */
export function eventAuthority(program: Address): Address {
  return programAddress(program, [Buffer.from('__event_authority')]);
}

/** A pool's vault for a mint. Seeds: pool, mint (DLMM IDL). */
export function dlmmReserve(pool: Address, mint: Address): Address {
  return programAddress(PROGRAMS.dlmm, [addressBytes(pool), addressBytes(mint)]);
}

/** A pool's price oracle. Seeds: "oracle", pool (DLMM IDL). */
export function dlmmOracle(pool: Address): Address {
  return programAddress(PROGRAMS.dlmm, [Buffer.from('oracle'), addressBytes(pool)]);
}

/** The account of a pool's bin array. Seeds: "bin_array", pool, index as i64 little endian (DLMM IDL). */
export function dlmmBinArray(pool: Address, index: number): Address {
  const encoded = Buffer.alloc(8);
  encoded.writeBigInt64LE(BigInt(index));
  return programAddress(PROGRAMS.dlmm, [Buffer.from('bin_array'), addressBytes(pool), encoded]);
}

/** A DAMM v2 pool's vault for a mint. Seeds: "token_vault", mint, pool (DAMM v2 IDL). */
export function dammVault(pool: Address, mint: Address): Address {
  return programAddress(PROGRAMS.dammV2, [Buffer.from('token_vault'), addressBytes(mint), addressBytes(pool)]);
}

/** The position that an NFT mint stands for. Seeds: "position", mint (DAMM v2 IDL). */
export function dammPosition(nftMint: Address): Address {
  return programAddress(PROGRAMS.dammV2, [Buffer.from('position'), addressBytes(nftMint)]);
}

/** The token account that a position's NFT is minted into. Seeds: "position_nft_account", mint (DAMM v2 IDL). */
export function dammPositionNftAccount(nftMint: Address): Address {
  return programAddress(PROGRAMS.dammV2, [Buffer.from('position_nft_account'), addressBytes(nftMint)]);
}
