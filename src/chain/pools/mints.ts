import { type Address, address, addressBytes } from '../../base/solana/address';
import { programAddress } from '../../base/solana/pda';
import { PROGRAMS, USDC_MINT, USDT_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { EXTENDED, readMint } from '../../base/solana/tokenAccount';
import { oneLine } from '../../base/text';
import type { RawAccount } from '../positions/accounts';
import type { MintInfo } from './types';

/** A mint, its token, and further facts from its account. */
export interface MintFacts extends MintInfo {
  /** Smallest units. */
  readonly supply: bigint;
  /** The mint has a mint authority or a freeze authority. */
  readonly hasAuthority: boolean;
}

type AccountData = Pick<RawAccount, 'program' | 'data'>;

/** Metaplex Token Metadata. */
const METADATA_PROGRAM = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
const LONGEST_SYMBOL = 20;
const LONGEST_NAME = 60;
/** Of the mint, where there is no symbol. */
const SYMBOL_OF_MINT = 6;

/** Names of tokens that are often imitated. Their metadata on the chain could be changed. */
const KNOWN: ReadonlyMap<Address, { readonly symbol: string; readonly name: string }> = new Map([
  [WRAPPED_SOL_MINT, { symbol: 'SOL', name: 'Solana' }],
  [USDC_MINT, { symbol: 'USDC', name: 'USD Coin' }],
  [USDT_MINT, { symbol: 'USDT', name: 'USDT' }],
]);

/** `TokenMetadata` among the extensions of Token-2022. */
const METADATA_EXTENSION = 19;
const ADDRESS_BYTES = 32;
/** First byte of a Metaplex `MetadataV1`. */
const METADATA_V1 = 4;

/** The account with the metadata of a mint. Seeds: "metadata", program, mint (Metaplex Token Metadata). */
export function metadataAddress(mint: Address): Address {
  return programAddress(METADATA_PROGRAM, [Buffer.from('metadata'), addressBytes(METADATA_PROGRAM), addressBytes(mint)]);
}

/**
 * Reads a mint.
 * @param metadata the account at {@link metadataAddress}; `undefined`: there is none
 * @returns `undefined` if the account is no mint
 */
export function mintFacts(mint: Address, { program, data }: AccountData, metadata: AccountData | undefined): MintFacts | undefined {
  const account = readMint({ program, data });
  if (account === undefined) {
    return undefined;
  }
  const texts = KNOWN.get(mint) ?? ownTexts(mint, program, data) ?? metaplexTexts(mint, metadata);
  const symbol = oneLine(texts?.symbol ?? '', LONGEST_SYMBOL);
  const name = oneLine(texts?.name ?? '', LONGEST_NAME);
  return {
    mint,
    decimals: account.decimals,
    tokenProgram: program,
    symbol: symbol === '' ? mint.slice(0, SYMBOL_OF_MINT) : symbol,
    name: name === '' ? mint : name,
    // The image is named in a document somewhere else, which is not fetched.
    logo: undefined,
    supply: account.supplyRaw,
    hasAuthority: account.mintAuthority !== undefined || account.freezeAuthority !== undefined,
  };
}

interface Texts {
  readonly symbol: string;
  readonly name: string;
}

/** The texts in the mint itself: an extension of Token-2022. */
function ownTexts(mint: Address, program: Address, data: Buffer): Texts | undefined {
  if (program !== PROGRAMS.token2022) {
    return undefined;
  }
  let at: number = EXTENDED.extensions;
  while (at + 4 <= data.length) {
    const [type, length] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)];
    if (type === 0) {
      return undefined;
    }
    if (type === METADATA_EXTENSION) {
      return textsIn(mint, data.subarray(at + 4, at + 4 + length), ADDRESS_BYTES);
    }
    at += 4 + length;
  }
  return undefined;
}

function metaplexTexts(mint: Address, metadata: AccountData | undefined): Texts | undefined {
  return metadata?.program === METADATA_PROGRAM && metadata.data[0] === METADATA_V1
    ? textsIn(mint, metadata.data, 1 + ADDRESS_BYTES)
    : undefined;
}

/** Mint, name and symbol: that of another mint, and text that the account is too short for, is none. */
function textsIn(mint: Address, data: Buffer, at: number): Texts | undefined {
  const textsAt = at + ADDRESS_BYTES;
  if (data.length < textsAt || !data.subarray(at, textsAt).equals(addressBytes(mint))) {
    return undefined;
  }
  const name = textAt(data, textsAt);
  const symbol = name === undefined ? undefined : textAt(data, name.end);
  return name === undefined || symbol === undefined ? undefined : { name: name.text, symbol: symbol.text };
}

/** Text with its length in front (borsh); Metaplex fills it up with zeros. */
function textAt(data: Buffer, at: number): { readonly text: string; readonly end: number } | undefined {
  if (at + 4 > data.length) {
    return undefined;
  }
  const end = at + 4 + data.readUInt32LE(at);
  return end > data.length ? undefined : { text: data.toString('utf8', at + 4, end).replaceAll('\0', ''), end };
}
