import { Emitter } from '../../portfolio/emitter';
import type { Subscription } from '../../portfolio/types';
import type { SignReviewed } from '../../review/types';
import type { Address } from '../../solana/address';
import { readSecretKey, wipe, type SecretKeyMaterial } from '../../wallet/keys';
import { readRecord, writeRecord } from '../../wallet/record';
import { createSigner } from '../../wallet/signer';
import type { Signer } from '../../wallet/types';
import { Refusal } from '../refusal';
import type { SecretStore, StateStore } from '../secretStore';
import { SANDBOX_ID, type ServiceChoice } from '../service/serviceChoice';
import { readIndex, withActive, withoutOwner, withOwner, writeIndex, type KnownOwner, type OwnerIndex } from './ownerIndex';

/** What the wallets are kept in. */
export interface OwnersDependencies {
  readonly secrets: SecretStore;
  /** Shared by all windows; read afresh each time. */
  readonly state: StateStore;
  /** The review's half of signing; loaded when something is signed. */
  readonly signReviewed: () => Promise<SignReviewed>;
  readonly onError: (error: unknown) => void;
}

const INDEX_NAME = 'binsight.owners';

/** The wallets that are known: their keys in the secret storage, their addresses beside them, and which is in use where. */
export class Owners {
  private readonly changes: Emitter<undefined>;
  /** The sandbox's wallet that was taken in by this window. */
  private adopted: Address | undefined;

  constructor(private readonly dependencies: OwnersDependencies) {
    this.changes = new Emitter(dependencies.onError);
  }

  /** Calls `listener` when a wallet came, went, gained or lost its key, or another one is in use. */
  onDidChange(listener: () => void): Subscription {
    return this.changes.on(listener);
  }

  /** The wallets that may be used with a service. The sandbox's own is kept from all others. */
  known(service: ServiceChoice): readonly KnownOwner[] {
    return this.index.owners.filter(({ isSandbox }) => !isSandbox || service.kind === 'sandbox');
  }

  /** The wallet in use with a service: the one that was chosen, else the first that may be. */
  active(service: ServiceChoice): KnownOwner | undefined {
    if (service.kind === 'invalid') {
      return undefined;
    }
    const known = this.known(service);
    const chosen = this.index.active[service.id];
    return known.find(({ address }) => address === chosen) ?? known[0];
  }

  /** Keeps a key, and puts its wallet into use with `service`. The caller wipes `key`. */
  async importKey(key: SecretKeyMaterial, service: ServiceChoice): Promise<void> {
    const before = this.find(key.address);
    if (before?.isSandbox === true && service.kind !== 'sandbox') {
      throw new Refusal("This is the sandbox's own key, which lies on this machine for anybody to read. It is not used with a real service.");
    }
    await this.dependencies.secrets.store(secretName(key.address), writeRecord(key));
    const owner = { address: key.address, canSign: true, isSandbox: before?.isSandbox ?? false };
    await this.save(inUse(withOwner(this.index, owner), service, key.address));
  }

  /** Watches a wallet, and puts it into use with `service`; one whose key is known keeps it. */
  async watch(address: Address, service: ServiceChoice): Promise<void> {
    const index = this.find(address) === undefined ? withOwner(this.index, { address, canSign: false, isSandbox: false }) : this.index;
    await this.save(inUse(index, service, address));
  }

  /** Puts a known wallet into use with a service. */
  async activate(address: Address, service: ServiceChoice): Promise<void> {
    await this.save(inUse(this.index, service, address));
  }

  /** Forgets a key; its wallet is only watched from then on. */
  async forgetKey(address: Address): Promise<void> {
    await this.dependencies.secrets.delete(secretName(address));
    const owner = this.find(address);
    if (owner !== undefined) {
      await this.save(withOwner(this.index, { ...owner, canSign: false }));
    }
  }

  /** Forgets a wallet altogether, with its key. */
  async remove(address: Address): Promise<void> {
    await this.dependencies.secrets.delete(secretName(address));
    await this.save(withoutOwner(this.index, address));
  }

  /**
   * Takes in the wallet of a sandbox that runs: keeps its key, unless the user has forgotten it before, and puts it into
   * use where no other is. Wallets of earlier sandboxes go.
   */
  async adoptSandbox({ owner, secretKey }: { readonly owner: Address; readonly secretKey: string }): Promise<void> {
    if (this.adopted === owner) {
      return;
    }
    for (const old of this.index.owners.filter(({ isSandbox, address }) => isSandbox && address !== owner)) {
      await this.remove(old.address);
    }
    const known = this.find(owner);
    if (known === undefined || (known.canSign && (await this.dependencies.secrets.get(secretName(owner))) === undefined)) {
      await this.keepSandboxKey(secretKey);
    }
    // First, since who hears of the change asks for the service, and so comes here again.
    this.adopted = owner;
    const index = withOwner(this.index, { address: owner, canSign: known?.canSign ?? true, isSandbox: true });
    await this.save(index.active[SANDBOX_ID] === undefined ? withActive(index, SANDBOX_ID, owner) : index);
  }

  /** Gives what signs for a wallet. The key is read only while something is signed. */
  async signer(owner: Address): Promise<Signer> {
    return createSigner({
      owner,
      signReviewed: await this.dependencies.signReviewed(),
      readSeed: async () => {
        const record = await this.dependencies.secrets.get(secretName(owner));
        return record === undefined ? undefined : readRecord(record).seed;
      },
    });
  }

  /** Another window may have changed something: tells those who listen where the secret is a wallet's. */
  secretChanged(name: string): void {
    if (name.startsWith(SECRET_PREFIX)) {
      this.changes.fire(undefined);
    }
  }

  private get index(): OwnerIndex {
    return readIndex(this.dependencies.state.get(INDEX_NAME));
  }

  private find(address: Address): KnownOwner | undefined {
    return this.index.owners.find((owner) => owner.address === address);
  }

  private async save(index: OwnerIndex): Promise<void> {
    await this.dependencies.state.update(INDEX_NAME, writeIndex(index));
    this.changes.fire(undefined);
  }

  private async keepSandboxKey(secretKey: string): Promise<void> {
    const key = readSecretKey(secretKey);
    try {
      await this.dependencies.secrets.store(secretName(key.address), writeRecord(key));
    } finally {
      wipe(key);
    }
  }
}

const SECRET_PREFIX = 'binsight.wallet:';

function secretName(address: Address): string {
  return `${SECRET_PREFIX}${address}`;
}

function inUse(index: OwnerIndex, service: ServiceChoice, address: Address): OwnerIndex {
  return service.kind === 'invalid' ? index : withActive(index, service.id, address);
}
