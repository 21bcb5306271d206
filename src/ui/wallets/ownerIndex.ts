import { parseAddress, type Address } from '../../base/solana/address';

/**
 * Where a wallet comes from: the user brought it in (a key or an address); it is the sandbox's own; it was made here, for the
 * sandbox. The last two are pretend wallets and are never offered to a real service: the sandbox's key lies in its folder, and of
 * one that was made here there is no copy that the user could keep.
 */
export type OwnerOrigin = 'user' | 'sandbox' | 'generated';

/** A wallet that Binsight knows. */
export interface KnownOwner {
  readonly address: Address;
  /** Its key is in the secret storage; without it the wallet can only be watched. */
  readonly canSign: boolean;
  readonly origin: OwnerOrigin;
  /** For what is shown: whether its key asks for a passphrase. When something is signed, the stored key itself decides. */
  readonly hasPassphrase: boolean;
}

/** The wallets that are known, and which of them is in use with which service. No secrets. */
export interface OwnerIndex {
  readonly owners: readonly KnownOwner[];
  /** By the id of the service. */
  readonly active: Readonly<Record<string, Address>>;
}

/** Version 1 had `isSandbox` in the place of `origin`. */
const VERSION = 2;

/** Whether a wallet holds pretend money, and is kept from real services. */
export function isPretend({ origin }: Pick<KnownOwner, 'origin'>): boolean {
  return origin !== 'user';
}

/** The form in which an index is kept. */
export function writeIndex({ owners, active }: OwnerIndex): unknown {
  return { v: VERSION, owners, active };
}

/** Reads what {@link writeIndex} gave, also of other versions; what cannot be read of it is left out. */
export function readIndex(stored: unknown): OwnerIndex {
  const record = asRecord(stored);
  const version = record['v'];
  if (typeof version !== 'number' || version < 1) {
    return { owners: [], active: {} };
  }
  const listed = Array.isArray(record['owners']) ? record['owners'].map(asRecord) : [];
  const owners = listed.flatMap((entry): KnownOwner[] => {
    const address = asAddress(entry['address']);
    const origin = version === 1 ? (entry['isSandbox'] === true ? 'sandbox' : 'user') : asOrigin(entry['origin']);
    return address === undefined
      ? []
      : [{ address, canSign: entry['canSign'] === true, origin, hasPassphrase: entry['hasPassphrase'] === true }];
  });
  const active = Object.entries(asRecord(record['active'])).flatMap(([service, text]): [string, Address][] => {
    const address = asAddress(text);
    return address === undefined ? [] : [[service, address]];
  });
  return { owners, active: Object.fromEntries(active) };
}

/** Adds a wallet, or puts it in the place of what was known of it. */
export function withOwner(index: OwnerIndex, owner: KnownOwner): OwnerIndex {
  const known = index.owners.some(({ address }) => address === owner.address);
  return { ...index, owners: known ? index.owners.map((one) => (one.address === owner.address ? owner : one)) : [...index.owners, owner] };
}

/** Takes a wallet out, and out of use. */
export function withoutOwner(index: OwnerIndex, gone: Address): OwnerIndex {
  return {
    owners: index.owners.filter(({ address }) => address !== gone),
    active: Object.fromEntries(Object.entries(index.active).filter(([, address]) => address !== gone)),
  };
}

/** Puts a wallet into use with a service. */
export function withActive(index: OwnerIndex, serviceId: string, address: Address): OwnerIndex {
  return { ...index, active: { ...index.active, [serviceId]: address } };
}

/** A wallet whose origin cannot be read is kept from real services, like those that have to be. */
function asOrigin(value: unknown): OwnerOrigin {
  return value === 'user' || value === 'sandbox' ? value : 'generated';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function asAddress(value: unknown): Address | undefined {
  return typeof value === 'string' ? parseAddress(value) : undefined;
}
