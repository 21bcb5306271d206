import bs58 from 'bs58';

declare const addressBrand: unique symbol;

/** A Solana address: base58 text of exactly 32 bytes. Made only by {@link parseAddress} and {@link addressFromBytes}. */
export type Address = string & { readonly [addressBrand]: true };

const ADDRESS_BYTES = 32;
const SHORTEST_ADDRESS = 32;
const LONGEST_ADDRESS = 44;

/** Gives `text` as an address, or `undefined` where it is not base58 of 32 bytes. */
export function parseAddress(text: string): Address | undefined {
  if (text.length < SHORTEST_ADDRESS || text.length > LONGEST_ADDRESS) {
    return undefined;
  }
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === ADDRESS_BYTES ? (text as Address) : undefined;
}

/**
 * Gives `text` as an address; for texts that the program itself wrote.
 * @throws RangeError where it is not one.
 */
export function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) {
    throw new RangeError(`Not a Solana address: ${JSON.stringify(text.slice(0, 60))}`);
  }
  return parsed;
}

/**
 * Gives the address whose 32 bytes these are.
 * @throws RangeError where there are not 32 of them.
 */
export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== ADDRESS_BYTES) {
    throw new RangeError(`An address has ${ADDRESS_BYTES} bytes, not ${bytes.length}`);
  }
  return bs58.encode(bytes) as Address;
}

/** Gives the 32 bytes of an address. */
export function addressBytes(of: Address): Uint8Array {
  return bs58.decode(of);
}
