import { parseAddress, type Address } from '../../base/solana/address';

const SECRET_PREFIX = 'binsight.wallet:';

/** The name under which the key of a wallet is kept in the secret storage. */
export function nameOfKey(address: Address): string {
  return SECRET_PREFIX + address;
}

/** The wallet whose key is kept under this name; `undefined`: it is another secret. */
export function walletOfName(name: string): Address | undefined {
  return name.startsWith(SECRET_PREFIX) ? parseAddress(name.slice(SECRET_PREFIX.length)) : undefined;
}
