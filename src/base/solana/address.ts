import bs58 from 'bs58';

declare const addressBrand: unique symbol;

/** A Solana address: base58 text of exactly 32 bytes. Made only by {@link parseAddress} and {@link addressFromBytes}. */
export type Address = string & { readonly [addressBrand]: true };

const ADDRESS_BYTES = 32;
/** 32 to 44 characters of base58. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** The digit 0. Each leading one stands for a byte of zeros. */
const ZERO_CODE = '1'.charCodeAt(0);

/**
 * By the number of leading zero bytes: the smallest and the largest number, in base58, that needs all remaining bytes. Numbers of the same length
 * compare like their texts, because the digits of base58 are in the order of ASCII.
 */
const BOUNDS: readonly { readonly least: string; readonly most: string }[] = Array.from({ length: ADDRESS_BYTES }, (_, zeros) => {
  const most = new Uint8Array(ADDRESS_BYTES - zeros).fill(0xff);
  return { least: bs58.encode(most.map((_byte, place) => (place === 0 ? 1 : 0))), most: bs58.encode(most) };
});

/**
 * Returns `text` as an address; `undefined` if it is not base58 of 32 bytes. Compares with bounds instead of decoding, which takes ten times as
 * long: journals and lists contain thousands of addresses.
 */
export function parseAddress(text: string): Address | undefined {
  return BASE58.test(text) && isOfAddressBytes(text) ? (text as Address) : undefined;
}

function isOfAddressBytes(text: string): boolean {
  let zeros = 0;
  while (text.charCodeAt(zeros) === ZERO_CODE) {
    zeros += 1;
  }
  const number = text.slice(zeros);
  const bounds = BOUNDS[zeros];
  return bounds === undefined
    ? zeros === ADDRESS_BYTES && number === ''
    : isAtLeast(number, bounds.least) && isAtLeast(bounds.most, number);
}

/** Compares numbers in base58 that have no leading zeros. */
function isAtLeast(number: string, least: string): boolean {
  return number.length === least.length ? number >= least : number.length > least.length;
}

/**
 * Returns `text` as an address, for constants in the code.
 * @throws RangeError if it is not one
 */
export function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) {
    throw new RangeError(`Not a Solana address: ${JSON.stringify(text.slice(0, 60))}`);
  }
  return parsed;
}

/**
 * Encodes the 32 bytes of an address.
 * @throws RangeError for another number of bytes
 */
export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== ADDRESS_BYTES) {
    throw new RangeError(`An address has ${ADDRESS_BYTES} bytes, not ${bytes.length}`);
  }
  return bs58.encode(bytes) as Address;
}

/** Decodes the 32 bytes of an address. */
export function addressBytes(of: Address): Uint8Array {
  return bs58.decode(of);
}
