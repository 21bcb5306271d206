import { type Address, parseAddress } from '../../base/solana/address';
import { type KnownOwner, type OwnerIndex, withName, withOwner, withoutOwner } from './ownerIndex';
import { walletNameOf } from './walletNames';

// Watched addresses follow the user to other machines by VS Code's Settings Sync, which knows whole values and the last writer only. So each machine
// keeps, beside the list that is synchronized, the list that it has taken over last: what is missing from the new one was removed elsewhere. What was
// added here since is not in it, and so is not lost if another machine writes at the same time. The list of wallets itself is never
// synchronized: it says which keys a machine has.

/** An address that a person watches, and its name. */
export interface WatchedAddress {
  readonly address: Address;
  readonly name?: string | undefined;
}

/** Where VS Code keeps the list as this machine has taken it over last. */
export const SEEN_NAME = 'binsight.watchedAddressesSeen';
/** More are not taken from the list: it may be damaged. */
const MOST_WATCHED = 200;

/** Reads a stored list; `undefined`: there is none. Entries that cannot be read are dropped. */
export function readWatched(stored: unknown): readonly WatchedAddress[] | undefined {
  if (!Array.isArray(stored)) {
    return undefined;
  }
  return stored.slice(0, MOST_WATCHED).flatMap((entry: unknown): WatchedAddress[] => {
    if (typeof entry !== 'object' || entry === null || !('address' in entry) || typeof entry.address !== 'string') {
      return [];
    }
    const address = parseAddress(entry.address);
    const name = 'name' in entry ? walletNameOf(entry.name) : undefined;
    return address === undefined ? [] : [entryOf({ address, name })];
  });
}

/** The synchronized list after a change of the wallets here, from `before` to `index`. */
export function withChange(synced: readonly WatchedAddress[], before: OwnerIndex, index: OwnerIndex): readonly WatchedAddress[] {
  const here = new Map(index.owners.map((owner) => [owner.address, owner]));
  const earlier = new Map(before.owners.map((owner) => [owner.address, owner]));
  const kept = synced
    .filter(({ address }) => here.has(address) || !earlier.has(address))
    .map((entry) => {
      const name = here.get(entry.address)?.name;
      return here.has(entry.address) && name !== earlier.get(entry.address)?.name ? entryOf({ address: entry.address, name }) : entry;
    });
  const listed = byAddress(kept);
  return [
    ...kept,
    ...index.owners
      .filter(isWatchedHere)
      .filter(({ address }) => !listed.has(address))
      .map(entryOf),
  ];
}

/**
 * Takes over what other machines have changed in the synchronized list.
 * @param synced `undefined`: nothing is synchronized yet, or the data was removed. Then nothing is taken from this machine either
 * @param seen the list as this machine has taken it over last
 * @returns the wallets, and the list to synchronize
 */
export function mergeWatched(
  index: OwnerIndex,
  synced: readonly WatchedAddress[] | undefined,
  seen: readonly WatchedAddress[],
): { readonly index: OwnerIndex; readonly watched: readonly WatchedAddress[] } {
  const before = byAddress(seen);
  const elsewhere = byAddress(synced ?? seen);
  let merged = index;
  for (const { address, name } of elsewhere.values()) {
    const known = merged.owners.find((owner) => owner.address === address);
    if (known === undefined && !before.has(address)) {
      merged = withName(withOwner(merged, { address, canSign: false, origin: 'user', hasPassphrase: false }), address, name);
    } else if (known?.origin === 'user' && before.has(address) && before.get(address)?.name !== name) {
      merged = withName(merged, address, name);
    }
  }
  for (const { address } of before.values()) {
    const known = merged.owners.find((owner) => owner.address === address);
    // A wallet whose key is here stays: it was removed where it was only watched.
    if (!elsewhere.has(address) && known !== undefined && isWatchedHere(known)) {
      merged = withoutOwner(merged, address);
    }
  }
  // An address that another machine watches stays in the list while its key is here.
  const watched = merged.owners.filter((owner) => isWatchedHere(owner) || (owner.origin === 'user' && elsewhere.has(owner.address)));
  return { index: merged, watched: watched.map(entryOf) };
}

function isWatchedHere({ canSign, origin }: KnownOwner): boolean {
  return !canSign && origin === 'user';
}

function entryOf({ address, name }: WatchedAddress): WatchedAddress {
  return { address, ...(name === undefined ? {} : { name }) };
}

function byAddress(list: readonly WatchedAddress[]): ReadonlyMap<Address, WatchedAddress> {
  return new Map(list.map((entry) => [entry.address, entry]));
}
