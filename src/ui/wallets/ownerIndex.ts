import { type Address, parseAddress } from '../../base/solana/address';
import { type ServiceChoice, SOLANA_ID } from '../shell/serviceChoice';
import { walletNameOf } from './walletNames';

/**
 * The origin of a wallet. `user`: a key or address that the user added. `sandbox`: the sandbox's own wallet. `generated`: created by
 * *New Sandbox Wallet*. `testChain`: the wallet of `npm start -- --chain`. All but the first are pretend wallets and never used with a
 * real service: the sandbox's key is a plain file in its folder, the user has no backup of a generated key, and the key of the test
 * chain is public.
 */
export type OwnerOrigin = 'user' | 'sandbox' | 'generated' | 'testChain';

/** A wallet that Binsight knows. */
export interface KnownOwner {
  readonly address: Address;
  /** False for a watch-only wallet, whose key is not in the secret storage. */
  readonly canSign: boolean;
  readonly origin: OwnerOrigin;
  /** For display only. When something is signed, the stored key decides whether a passphrase is needed. */
  readonly hasPassphrase: boolean;
  /** The user's name for it. Absent: none. */
  readonly name?: string;
}

/** The known wallets, and the current wallet of each service. It holds no secrets. */
export interface OwnerIndex {
  readonly owners: readonly KnownOwner[];
  /** Current wallet by service id. */
  readonly active: Readonly<Record<string, Address>>;
}

/** Of the stored form. A later one is read as far as it is known; nothing was published with an earlier one. */
const VERSION = 2;

/** Tells whether a wallet may be used with a service. Wallets with pretend money must not be used with a real one. */
export function isFor({ origin }: Pick<KnownOwner, 'origin'>, { kind, id }: ServiceChoice): boolean {
  switch (origin) {
    case 'user':
      return true;
    case 'sandbox':
    case 'generated':
      return kind === 'sandbox';
    case 'testChain':
      return kind === 'solanaRpc' && id !== SOLANA_ID;
  }
}

/**
 * Tells whether the key of a wallet may be used in a browser window: only keys to pretend money, because keys are stored in the browser
 * and used on the machine that serves it.
 */
export function mayUseInBrowser(owner: Pick<KnownOwner, 'origin'> | undefined, { kind }: ServiceChoice): boolean {
  return kind === 'sandbox' || owner?.origin === 'testChain';
}

/** Whether a wallet is only watched, and can be removed: the own wallet of the sandbox or the test chain would come back with it. */
export function isWatched({ canSign, origin }: KnownOwner): boolean {
  return !canSign && origin !== 'sandbox' && origin !== 'testChain';
}

/** The stored form of an index. */
export function writeIndex({ owners, active }: OwnerIndex): unknown {
  return { v: VERSION, owners, active };
}

/** Reads the stored form; entries that cannot be read are dropped. */
export function readIndex(stored: unknown): OwnerIndex {
  const record = asRecord(stored);
  const version = record['v'];
  if (typeof version !== 'number' || version < VERSION) {
    return { owners: [], active: {} };
  }
  const listed = Array.isArray(record['owners']) ? record['owners'].map(asRecord) : [];
  const owners = listed.flatMap((entry): KnownOwner[] => {
    const address = asAddress(entry['address']);
    const origin = asOrigin(entry['origin']);
    return address === undefined
      ? []
      : [{ address, canSign: entry['canSign'] === true, origin, hasPassphrase: entry['hasPassphrase'] === true, ...named(entry['name']) }];
  });
  const active = Object.entries(asRecord(record['active'])).flatMap(([service, text]): [string, Address][] => {
    const address = asAddress(text);
    return address === undefined ? [] : [[service, address]];
  });
  return { owners, active: Object.fromEntries(active) };
}

/** Adds a wallet or replaces the one with the same address, whose name it keeps. */
export function withOwner(index: OwnerIndex, owner: KnownOwner): OwnerIndex {
  const known = index.owners.some(({ address }) => address === owner.address);
  return {
    ...index,
    owners: known
      ? index.owners.map((one) => (one.address === owner.address ? { ...named(one.name), ...owner } : one))
      : [...index.owners, owner],
  };
}

/** Names a known wallet. @param name `undefined` or empty: removes the name */
export function withName(index: OwnerIndex, address: Address, name: string | undefined): OwnerIndex {
  return {
    ...index,
    owners: index.owners.map(({ name: before, ...owner }) => ({ ...owner, ...named(owner.address === address ? name : before) })),
  };
}

/** Removes a wallet, also where it is the current one. */
export function withoutOwner(index: OwnerIndex, gone: Address): OwnerIndex {
  return {
    owners: index.owners.filter(({ address }) => address !== gone),
    active: Object.fromEntries(Object.entries(index.active).filter(([, address]) => address !== gone)),
  };
}

/** Makes a wallet the current one of a service. */
export function withActive(index: OwnerIndex, serviceId: string, address: Address): OwnerIndex {
  return { ...index, active: { ...index.active, [serviceId]: address } };
}

/** An unreadable origin counts as `generated`, which keeps the wallet away from real services. */
function asOrigin(value: unknown): OwnerOrigin {
  return value === 'user' || value === 'sandbox' || value === 'testChain' ? value : 'generated';
}

function named(text: unknown): Pick<KnownOwner, 'name'> {
  const name = walletNameOf(text);
  return name === undefined ? {} : { name };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function asAddress(value: unknown): Address | undefined {
  return typeof value === 'string' ? parseAddress(value) : undefined;
}

const SECRET_PREFIX = 'binsight.wallet:';

/** Name of a wallet's key in the secret storage. */
export function nameOfKey(address: Address): string {
  return SECRET_PREFIX + address;
}

/** Reverses {@link nameOfKey}; `undefined` for other secrets. */
export function walletOfName(name: string): Address | undefined {
  return name.startsWith(SECRET_PREFIX) ? parseAddress(name.slice(SECRET_PREFIX.length)) : undefined;
}
