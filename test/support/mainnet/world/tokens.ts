import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { address, type Address, addressBytes } from '../../../../src/base/solana/address';
import { associatedTokenAddress, programAddress } from '../../../../src/base/solana/pda';
import { PROGRAMS, SOL_DECIMALS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { encodeMint, encodeTokenAccount } from '../../../../src/sandbox/chain/tokenAccount';
import type { LittleChain } from '../chain/littleChain';

/** A token of the little mainnet. */
export interface LittleToken {
  readonly symbol: string;
  readonly name: string;
  readonly mint: Address;
  readonly decimals: number;
  readonly program: Address;
  /** What Token-2022 keeps of each transfer, basis points. */
  readonly transferFeeBps: number;
}

const METAPLEX = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
const METAPLEX_BYTES = 679;
const SUPPLY_RAW = 10n ** 17n;
const ACCOUNT_BYTES = 165;
const TYPE_MINT = 1;
const TYPE_ACCOUNT = 2;
/** Types of extensions (spl-token-2022, `ExtensionType`). */
const EXTENSION = { transferFeeConfig: 1, transferFeeAmount: 2, immutableOwner: 7, metadataPointer: 18, tokenMetadata: 19 } as const;

/** A key pair that is the same in every run. */
export function keypairOf(name: string): Keypair {
  return Keypair.fromSeed(createHash('sha256').update(`little mainnet: ${name}`).digest());
}

/** The tokens. USDC and SOL have their real mints. */
export const TOKENS = {
  sol: { symbol: 'SOL', name: 'Wrapped SOL', mint: WRAPPED_SOL_MINT, decimals: SOL_DECIMALS, program: PROGRAMS.token, transferFeeBps: 0 },
  usdc: { symbol: 'USDC', name: 'USD Coin', mint: USDC_MINT, decimals: 6, program: PROGRAMS.token, transferFeeBps: 0 },
  meme: {
    symbol: 'MEME',
    name: 'A Meme',
    mint: address(keypairOf('MEME').publicKey.toBase58()),
    decimals: 5,
    program: PROGRAMS.token,
    transferFeeBps: 0,
  },
  /** Token-2022; each transfer costs 1 %. */
  toll: {
    symbol: 'TOLL',
    name: 'Toll Token',
    mint: address(keypairOf('TOLL').publicKey.toBase58()),
    decimals: 6,
    program: PROGRAMS.token2022,
    transferFeeBps: 100,
  },
} as const satisfies Record<string, LittleToken>;

/** Writes the mints and their metadata: Metaplex for Token, in the mint for Token-2022. */
export function putMints(chain: LittleChain): void {
  for (const token of Object.values<LittleToken>(TOKENS)) {
    if (token.program === PROGRAMS.token2022) {
      put(chain, token.mint, token.program, tollMint(token));
    } else {
      if (token.mint !== WRAPPED_SOL_MINT) {
        put(chain, token.mint, token.program, encodeMint(token.decimals, SUPPLY_RAW));
      }
      const seeds = [Buffer.from('metadata'), addressBytes(METAPLEX), addressBytes(token.mint)];
      put(chain, programAddress(METAPLEX, seeds), METAPLEX, metaplexMetadata(token));
    }
  }
}

/** Gives a wallet lamports, without any transaction. */
export function giveLamports(chain: LittleChain, wallet: Address, lamports: bigint): void {
  chain.put(wallet, { lamports, program: PROGRAMS.system, data: new Uint8Array(), executable: false });
}

/** Gives a wallet tokens in its associated account, without any transaction. */
export function giveTokens(chain: LittleChain, wallet: Address, token: LittleToken, amountRaw: bigint): Address {
  const at = associatedTokenAddress(wallet, token.mint, token.program);
  const plain = encodeTokenAccount({ mint: token.mint, holder: wallet, amountRaw }, chain.minimumBalance(ACCOUNT_BYTES));
  if (token.program === PROGRAMS.token) {
    put(chain, at, token.program, plain, token.mint === WRAPPED_SOL_MINT ? amountRaw : 0n);
  } else {
    const extensions = [extension(EXTENSION.immutableOwner, Buffer.alloc(0)), extension(EXTENSION.transferFeeAmount, Buffer.alloc(8))];
    put(chain, at, token.program, Buffer.concat([plain, Uint8Array.of(TYPE_ACCOUNT), ...extensions]));
  }
  return at;
}

function put(chain: LittleChain, at: Address, program: Address, data: Uint8Array, moreLamports = 0n): void {
  chain.put(at, { lamports: chain.minimumBalance(data.length) + moreLamports, program, data: new Uint8Array(data), executable: false });
}

/** A mint of Token-2022 with a transfer fee and metadata (spl-token-2022: TransferFeeConfig, MetadataPointer; spl-token-metadata). */
function tollMint({ mint, name, symbol, decimals, transferFeeBps }: LittleToken): Uint8Array {
  const fee = Buffer.alloc(18);
  fee.writeBigUInt64LE(2n ** 64n - 1n, 8);
  fee.writeUInt16LE(transferFeeBps, 16);
  const authorities = Buffer.alloc(64);
  const config = Buffer.concat([authorities, Buffer.alloc(8), fee, fee]);
  const pointer = Buffer.concat([Buffer.alloc(32), addressBytes(mint)]);
  const metadata = Buffer.concat([Buffer.alloc(32), addressBytes(mint), ...[name, symbol, ''].map(borshText), Buffer.alloc(4)]);
  return Buffer.concat([
    encodeMint(decimals, SUPPLY_RAW),
    Buffer.alloc(ACCOUNT_BYTES - encodeMint(0, 0n).length),
    Uint8Array.of(TYPE_MINT),
    extension(EXTENSION.transferFeeConfig, config),
    extension(EXTENSION.metadataPointer, pointer),
    extension(EXTENSION.tokenMetadata, metadata),
  ]);
}

/** Metadata of Metaplex (mpl-token-metadata, `Metadata`): key 4, authority, mint, name, symbol and address, each padded with zeros. */
function metaplexMetadata({ mint, name, symbol }: LittleToken): Uint8Array {
  const padded = (text: string, bytes: number): Buffer => Buffer.concat([Buffer.from(text), Buffer.alloc(bytes - text.length)]);
  const texts = [padded(name, 32), padded(symbol, 10), padded('', 200)].map((text) => Buffer.concat([u32(text.length), text]));
  const head = Buffer.concat([Uint8Array.of(4), Buffer.alloc(32), addressBytes(mint), ...texts]);
  return Buffer.concat([head, Buffer.alloc(METAPLEX_BYTES - head.length)]);
}

function extension(type: number, data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

function borshText(text: string): Uint8Array {
  return Buffer.concat([u32(text.length), Buffer.from(text)]);
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}
