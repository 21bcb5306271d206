import { createHash } from 'node:crypto';
import { addressBytes, addressFromBytes, type Address } from '../../base/solana/address';
import { dammPosition, dammPositionNftAccount, dammVault, dlmmReserve } from '../../base/solana/pda';
import { DAMM_POOL_AUTHORITY, PROGRAMS } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import { ACCOUNT_TYPE, EXTENDED } from '../../base/solana/tokenAccount';
import { encodeMint, encodeTokenAccount } from '../chain/tokenAccount';
import { seededBytes } from './random';
import type { BinPool, MarketPool, ProductPool } from './types';

/** An account of a program that a stand-in replaces. */
export interface ProgramAccount {
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

/** An account at its address, with its name in messages. */
export interface PlacedAccount {
  readonly at: Address;
  readonly account: ProgramAccount;
  readonly what: string;
}

/** The token account of a pool, and its holder. */
export interface Vault {
  readonly at: Address;
  readonly holder: Address;
  readonly mint: Address;
}

const DISCRIMINATOR_BYTES = 8;
const KEY_BYTES = 32;
/** A position account of the sandbox. */
const SHORT_POSITION_BYTES = DISCRIMINATOR_BYTES + 2 * KEY_BYTES + 8;
/** Size of a DAMM v2 position account (DAMM v2 IDL), discriminator included. */
const PRODUCT_POSITION_BYTES = 408;
/** Size of the mint of its NFT: a mint, padded to the length of a token account, then the account type and extensions. */
const NFT_MINT_BYTES = 465;

/** The wallet of everyone who is not simulated individually: arbitrageurs, traders, holders. */
export function worldWallet(seed: number): Address {
  return addressFromBytes(seededBytes(seed, 'rest of the world'));
}

/** The vaults of a pool. Those of all DAMM v2 pools have the same holder. */
export function vaultsOf({ type, address, tokenX, tokenY }: Pick<MarketPool, 'type' | 'address' | 'tokenX' | 'tokenY'>): {
  readonly x: Vault;
  readonly y: Vault;
} {
  const vault = ({ mint }: MarketPool['tokenX']): Vault =>
    type === 'bins'
      ? { at: dlmmReserve(address, mint), holder: address, mint }
      : { at: dammVault(address, mint), holder: DAMM_POOL_AUTHORITY, mint };
  return { x: vault(tokenX), y: vault(tokenY) };
}

/**
 * The account of a new position in a bin pool: discriminator, pool, owner, lower and upper bin. It is short, because only the
 * market stores the holding; its rent is that of the real account.
 */
export function positionAccount(pool: Address, owner: Address, lowerBinId: number, upperBinId: number, rent: RentRate): ProgramAccount {
  const data = headed('PositionV2', SHORT_POSITION_BYTES);
  data.set(addressBytes(pool), DISCRIMINATOR_BYTES);
  data.set(addressBytes(owner), DISCRIMINATOR_BYTES + KEY_BYTES);
  data.writeInt32LE(lowerBinId, DISCRIMINATOR_BYTES + 2 * KEY_BYTES);
  data.writeInt32LE(upperBinId, DISCRIMINATOR_BYTES + 2 * KEY_BYTES + 4);
  return { owner: PROGRAMS.dlmm, lamports: rent.positionOf(upperBinId - lowerBinId + 1), data: new Uint8Array(data) };
}

/** Places in a real `PositionV2` (IDL): the bins lie between the owner and their ids, those above 70 behind everything else. */
const POSITION_V2 = { lowerBinId: 7_912, upperBinId: 7_916, bytes: 8_120, fixedBins: 70, moreBinBytes: 112 } as const;

/** The data of a position account as an RPC shows it: as long as the real one, of one owner alone, with zeros for the holding. Other accounts stay as they are. */
export function shownData(program: Address, data: Uint8Array): Uint8Array {
  if (
    program !== PROGRAMS.dlmm ||
    data.length !== SHORT_POSITION_BYTES ||
    Buffer.compare(data.subarray(0, DISCRIMINATOR_BYTES), headed('PositionV2', DISCRIMINATOR_BYTES)) !== 0
  ) {
    return data;
  }
  const short = Buffer.from(data);
  const [lowerBinId, upperBinId] = [short.readInt32LE(SHORT_POSITION_BYTES - 8), short.readInt32LE(SHORT_POSITION_BYTES - 4)];
  const moreBins = Math.max(0, upperBinId - lowerBinId + 1 - POSITION_V2.fixedBins);
  const whole = Buffer.alloc(POSITION_V2.bytes + moreBins * POSITION_V2.moreBinBytes);
  short.copy(whole, 0, 0, SHORT_POSITION_BYTES - 8);
  whole.writeInt32LE(lowerBinId, POSITION_V2.lowerBinId);
  whole.writeInt32LE(upperBinId, POSITION_V2.upperBinId);
  return new Uint8Array(whole);
}

/** The account of a new bin array: discriminator, index, version, pool; short for the same reason. */
export function binArrayAccount(pool: Address, index: number, rent: RentRate): ProgramAccount {
  const data = headed('BinArray', DISCRIMINATOR_BYTES + 16 + KEY_BYTES);
  data.writeBigInt64LE(BigInt(index), DISCRIMINATOR_BYTES);
  data.set(addressBytes(pool), DISCRIMINATOR_BYTES + 16);
  return { owner: PROGRAMS.dlmm, lamports: rent.binArray, data: new Uint8Array(data) };
}

/**
 * The accounts of a new position in a DAMM v2 pool, in order of creation: the mint of its NFT, the owner's account with the NFT, and
 * the position (discriminator, pool, mint).
 */
export function productPositionAccounts(pool: Address, owner: Address, nftMint: Address, rent: RentRate): readonly PlacedAccount[] {
  const mint = new Uint8Array(NFT_MINT_BYTES);
  mint.set(encodeMint(0, 1n));
  mint[EXTENDED.type] = ACCOUNT_TYPE.mint;
  const nft = encodeTokenAccount({ mint: nftMint, holder: owner, amountRaw: 1n }, rent.productNftAccount);
  const position = headed('Position', PRODUCT_POSITION_BYTES);
  position.set(addressBytes(pool), DISCRIMINATOR_BYTES);
  position.set(addressBytes(nftMint), DISCRIMINATOR_BYTES + KEY_BYTES);
  return [
    {
      at: nftMint,
      account: { owner: PROGRAMS.token2022, lamports: rent.productNftMint, data: mint },
      what: "the mint of the position's NFT",
    },
    {
      at: dammPositionNftAccount(nftMint),
      account: { owner: PROGRAMS.token2022, lamports: rent.productNftAccount, data: nft },
      what: "the account of the position's NFT",
    },
    {
      at: dammPosition(nftMint),
      account: { owner: PROGRAMS.dammV2, lamports: rent.productPosition, data: new Uint8Array(position) },
      what: 'the position',
    },
  ];
}

/**
 * The present account of a pool: its tokens, and active bin with bin step or the square root of the price, at the offsets of the
 * programs (IDLs: `LbPair`, `Pool`). Only the market stores the rest. Its rent is that of the real account.
 */
export function poolAccount(pool: BinPool | ProductPool, rent: RentRate): ProgramAccount {
  const isBins = pool.type === 'bins';
  const places = isBins ? LB_PAIR : DAMM_POOL;
  const data = headed(places.name, places.bytes);
  data.set(addressBytes(pool.tokenX.mint), places.tokenX);
  data.set(addressBytes(pool.tokenY.mint), places.tokenY);
  if (isBins) {
    data.writeInt32LE(pool.activeBinId, LB_PAIR.activeBinId);
    data.writeUInt16LE(pool.spec.binStepBps, LB_PAIR.binStepBps);
  } else {
    data.writeBigUInt64LE(BigInt.asUintN(64, pool.sqrtPriceQ64), DAMM_POOL.sqrtPrice);
    data.writeBigUInt64LE(pool.sqrtPriceQ64 >> 64n, DAMM_POOL.sqrtPrice + 8);
  }
  const lamports = rent.minimumBalance(places.bytes);
  return { owner: isBins ? PROGRAMS.dlmm : PROGRAMS.dammV2, lamports, data: new Uint8Array(data) };
}

const LB_PAIR = { name: 'LbPair', bytes: 904, activeBinId: 76, binStepBps: 80, tokenX: 88, tokenY: 120 } as const;
const DAMM_POOL = { name: 'Pool', bytes: 1_112, tokenX: 168, tokenY: 200, sqrtPrice: 456 } as const;

/** A buffer that starts with Anchor's account discriminator. */
function headed(name: string, bytes: number): Buffer {
  const data = Buffer.alloc(bytes);
  createHash('sha256').update(`account:${name}`).digest().copy(data, 0, 0, DISCRIMINATOR_BYTES);
  return data;
}
