import { parseAddress, type Address } from '../../solana/address';

/** A wallet that Binsight knows. */
export interface KnownOwner {
  readonly address: Address;
  /** Its key is in the secret storage; without it the wallet can only be watched. */
  readonly canSign: boolean;
  /** The sandbox's own wallet: its key lies in the sandbox's folder, so it is never offered to a real service. */
  readonly isSandbox: boolean;
}

/** The wallets that are known, and which of them is in use with which service. No secrets. */
export interface OwnerIndex {
  readonly owners: readonly KnownOwner[];
  /** By the id of the service. */
  readonly active: Readonly<Record<string, Address>>;
}

const VERSION = 1;

/** The form in which an index is kept. */
export function writeIndex({ owners, active }: OwnerIndex): unknown {
  return { v: VERSION, owners, active };
}

/** Reads what {@link writeIndex} gave; what cannot be read of it is left out. */
export function readIndex(stored: unknown): OwnerIndex {
  const record = asRecord(stored);
  if (record['v'] !== VERSION) {
    return { owners: [], active: {} };
  }
  const listed = Array.isArray(record['owners']) ? record['owners'].map(asRecord) : [];
  const owners = listed.flatMap((entry): KnownOwner[] => {
    const address = asAddress(entry['address']);
    return address === undefined ? [] : [{ address, canSign: entry['canSign'] === true, isSandbox: entry['isSandbox'] === true }];
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

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function asAddress(value: unknown): Address | undefined {
  return typeof value === 'string' ? parseAddress(value) : undefined;
}
