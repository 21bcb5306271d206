import { AddressLookupTableAccount } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { addressOf, key } from './bundles';

/** The table that transactions of the tests take accounts from, where they say no other. */
export const TABLE = addressOf('table');

/** A lookup table that holds these, as the writer of a transaction sees it. */
export function tableOf(addresses: readonly Address[], of: Address = TABLE): AddressLookupTableAccount {
  return new AddressLookupTableAccount({
    key: key(of),
    state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: addresses.map(key) },
  });
}
