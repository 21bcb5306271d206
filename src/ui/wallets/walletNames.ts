import { shortAddress } from '../../base/format/identifiers';
import type { Address } from '../../base/solana/address';
import { plainText } from '../shell/views/text';

/** Longest name of a wallet, in characters. */
export const LONGEST_WALLET_NAME = 32;

/** A wallet, and the user's name for it. */
export interface NamedWallet {
  readonly address: Address;
  readonly name?: string;
}

/** A name as it is stored and shown: one line without invisible characters, links and codicons. `undefined`: nothing is left. */
export function walletNameOf(text: unknown): string | undefined {
  const name = typeof text === 'string' ? plainText(text) : '';
  return name === '' || Array.from(name).length > LONGEST_WALLET_NAME ? undefined : name;
}

/** "Savings (7xKX…9fQ2)", or only the ends of the address. The address is always there: names are the user's, and two can look alike. */
export function walletLabel({ address, name }: NamedWallet): string {
  return name === undefined ? shortAddress(address) : `${name} (${shortAddress(address)})`;
}
