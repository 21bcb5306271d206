import { parseAddress, type Address } from '../../base/solana/address';

const SECRET_PREFIX = 'binsight.wallet:';

/** Name of a wallet's key in the secret storage. */
export function nameOfKey(address: Address): string {
  return SECRET_PREFIX + address;
}

/** Reverses {@link nameOfKey}; `undefined` for other secrets. */
export function walletOfName(name: string): Address | undefined {
  return name.startsWith(SECRET_PREFIX) ? parseAddress(name.slice(SECRET_PREFIX.length)) : undefined;
}
