import * as l10n from '@vscode/l10n';
import type { Clock, Subscription } from '../../base/async/clock';
import { lazily } from '../../base/async/concurrency';
import { Emitter } from '../../base/async/emitter';
import type { Address } from '../../base/solana/address';
import type { SignReviewed } from '../../review/types';
import type { SecretKeyMaterial } from '../../wallet/keys';
import type { Signer } from '../../wallet/signer';
import type { SecretStore, StateStore } from '../shell/editorAccess';
import { UserError } from '../shell/errors';
import { SYNCED_STATE } from '../shell/names';
import type { Prompts } from '../shell/prompts/prompts';
import { SANDBOX_ID, type ServiceChoice } from '../shell/serviceChoice';
import type { PassphraseQuestion } from './askPassphrase';
import type { KeyRing, KeyRingDependencies } from './keyRing';
import type { StoredKeyEntry } from './keyStore';
import {
  isFor,
  type KnownOwner,
  type OwnerIndex,
  type OwnerOrigin,
  readIndex,
  walletOfName,
  withActive,
  withName,
  withoutOwner,
  withOwner,
  writeIndex,
} from './ownerIndex';
import { UnlockedKeys } from './unlockedKeys';
import { mergeWatched, readWatched, SEEN_NAME, type WatchedAddress, withChange } from './watchedSync';

export interface OwnersDependencies {
  readonly secrets: SecretStore;
  /** Shared by all windows, so it is read again each time. */
  readonly state: StateStore;
  /** For passphrase prompts. */
  readonly prompts: Prompts;
  readonly clock: Clock;
  /** Reads the setting `binsight.wallet.unlockMinutes`. */
  readonly unlockMinutes: () => number;
  /** Loads the key ring when the first key is read or stored. */
  readonly createKeyRing: (dependencies: KeyRingDependencies) => Promise<KeyRing>;
  /** `signReviewed` of the review, loaded when something is signed. */
  readonly signReviewed: () => Promise<SignReviewed>;
  readonly onError: (error: unknown) => void;
}

/** The passphrase state of a wallet in this window. `none`: no key, or a key without a passphrase. */
export type WalletLock = { readonly kind: 'none' } | { readonly kind: 'locked' } | { readonly kind: 'unlocked'; readonly untilMs: number };

/** A wallet with pretend money, and its key in base58. */
interface PretendWallet {
  readonly owner: Address;
  readonly secretKey: string;
}

/** Where VS Code keeps the list of wallets. */
export const INDEX_NAME = 'binsight.owners';
/** Not a secret: written to the secret storage to signal the other windows to lock too. */
export const LOCK_NAME = 'binsight.walletsLockedAt';

/** The known wallets and the current one of each service. Keys are in the secret storage, addresses in the extension's state. */
export class Owners {
  readonly #changes: Emitter<undefined>;
  readonly #unlocked: UnlockedKeys;
  readonly #keys: () => Promise<KeyRing>;
  /** The wallet of the sandbox or of the test chain that this window has adopted. */
  #adopted: Address | undefined;

  readonly #dependencies: OwnersDependencies;

  constructor(dependencies: OwnersDependencies) {
    this.#dependencies = dependencies;

    const { secrets, prompts, clock, unlockMinutes, onError } = dependencies;
    this.#changes = new Emitter(onError);
    const changed = () => this.#changes.fire(undefined);
    const unlocked = new UnlockedKeys({ clock, unlockMinutes, onExpired: changed });
    this.#unlocked = unlocked;
    this.#keys = lazily(() => dependencies.createKeyRing({ secrets, prompts, clock, unlockMinutes, unlocked, onDidUnlock: changed }));
  }

  /** Fires when a wallet is added or removed, gains or loses its key, is locked or unlocked, or another one becomes current. */
  onDidChange(listener: () => void): Subscription {
    return this.#changes.on(listener);
  }

  /** The wallets that may be used with a service. */
  known(service: ServiceChoice): readonly KnownOwner[] {
    return this.#index.owners.filter((owner) => isFor(owner, service));
  }

  /** The current wallet of a service: the one that the user chose, or the first allowed one. */
  active(service: ServiceChoice): KnownOwner | undefined {
    if (service.kind === 'invalid') {
      return undefined;
    }
    const known = this.known(service);
    const chosen = this.#index.active[service.id];
    return known.find(({ address }) => address === chosen) ?? known[0];
  }

  /** The lock state of a wallet in this window. For display only. */
  lockOf({ address, canSign, hasPassphrase }: KnownOwner): WalletLock {
    if (!canSign || !hasPassphrase) {
      return { kind: 'none' };
    }
    const untilMs = this.#unlocked.untilMs(address);
    return untilMs === undefined ? { kind: 'locked' } : { kind: 'unlocked', untilMs };
  }

  /**
   * Stores a key and makes its wallet the current one of `service`. An earlier record of the key is replaced, including its passphrase.
   * The caller wipes `key`.
   * @throws UserError if it is a pretend wallet and the service a real one.
   */
  async importKey(key: SecretKeyMaterial, service: ServiceChoice, passphrase?: string): Promise<void> {
    const before = this.#find(key.address);
    assertNotPretend(before, service);
    await this.#keep(key, passphrase, before?.origin ?? 'user', service);
  }

  /**
   * Stores a key that was generated for the sandbox and makes its wallet the current one there. The caller wipes `key`.
   * @throws UserError if the service is a real one: the user has no backup of such a key.
   */
  async addGenerated(key: SecretKeyMaterial, service: ServiceChoice): Promise<void> {
    assertNotPretend({ origin: 'generated' }, service);
    await this.#keep(key, undefined, 'generated', service);
  }

  /**
   * Adds a watch-only wallet and makes it the current one of `service`. A wallet with a stored key keeps it.
   * @throws UserError if it is a pretend wallet and the service a real one.
   */
  async watch(address: Address, service: ServiceChoice): Promise<void> {
    const before = this.#find(address);
    assertNotPretend(before, service);
    const index =
      before === undefined ? withOwner(this.#index, { address, canSign: false, origin: 'user', hasPassphrase: false }) : this.#index;
    await this.#save(withCurrent(index, service, address));
  }

  /** Takes over what was watched or removed on other machines, if Settings Sync has brought something. */
  async takeSynced(): Promise<void> {
    const [synced, seen = []] = [this.#watched(SYNCED_STATE.watchedAddresses), this.#watched(SEEN_NAME)];
    if (JSON.stringify(synced) !== JSON.stringify(seen)) {
      const { index, watched } = mergeWatched(this.#index, synced, seen);
      await this.#write(index, watched, watched);
    }
  }

  /** Makes a known wallet the current one of a service. */
  async activate(address: Address, service: ServiceChoice): Promise<void> {
    await this.#save(withCurrent(this.#index, service, address));
  }

  /** Names a known wallet. @param name `undefined`: removes the name */
  async rename(address: Address, name: string | undefined): Promise<void> {
    await this.#save(withName(this.#index, address, name));
  }

  /** Deletes a key; its wallet becomes watch-only. */
  async forgetKey(address: Address): Promise<void> {
    await this.#deleteKey(address);
    const owner = this.#find(address);
    if (owner !== undefined) {
      await this.#save(withOwner(this.#index, { ...owner, canSign: false, hasPassphrase: false }));
    }
  }

  /** Deletes a wallet together with its key. */
  async remove(address: Address): Promise<void> {
    await this.#deleteKey(address);
    await this.#save(withoutOwner(this.#index, address));
  }

  /**
   * Reads the stored key of a wallet; `undefined`: none is stored.
   * @throws KeyError if the record cannot be read.
   */
  async storedKey(address: Address): Promise<StoredKeyEntry | undefined> {
    return (await this.#keys()).store.find(address);
  }

  /** Opens a stored key, asking for its passphrase if it has one. The caller wipes the key; `undefined`: the user cancelled. */
  async openKey(entry: StoredKeyEntry, question: PassphraseQuestion): Promise<SecretKeyMaterial | undefined> {
    return (await this.#keys()).open(entry, question);
  }

  /**
   * Stores an opened key with another passphrase, or without one, and locks it in every window.
   * @throws UserError if another window has changed the key since; then nothing is changed.
   */
  async setPassphrase(entry: StoredKeyEntry, key: SecretKeyMaterial, passphrase: string | undefined): Promise<void> {
    await (await this.#keys()).store.replace(entry, key, passphrase);
    this.#unlocked.lock(entry.address);
    await this.#noteProtection(entry.address, passphrase !== undefined);
    this.#changes.fire(undefined);
  }

  /**
   * Locks all keys in every window of this user.
   * @returns how many keys were unlocked in this window
   * @throws UserError if the other windows could not be signaled; this window is locked nevertheless.
   */
  async lock(): Promise<number> {
    const count = this.#lockHere();
    const { secrets, clock, onError } = this.#dependencies;
    try {
      await secrets.store(LOCK_NAME, String(clock.now()));
    } catch (error) {
      onError(error);
      throw new UserError(
        l10n.t('Wallets are locked in this window only: the others could not be notified. Lock them there too, or close them.'),
      );
    }
    return count;
  }

  /**
   * Adds the wallet of a running sandbox: stores its key, unless the user has forgotten it, and makes it the current wallet if there is
   * none. Wallets of earlier sandboxes are removed. Generated wallets stay, since their keys exist nowhere else; but their money belonged
   * to the earlier sandbox, so the new sandbox's own wallet becomes the current one.
   */
  adoptSandbox(wallet: PretendWallet): Promise<void> {
    return this.#adopt(wallet, 'sandbox', SANDBOX_ID);
  }

  /** Adds the wallet of the test chain that VS Code was started with, like that of a sandbox. */
  adoptTestWallet(wallet: PretendWallet, serviceId: string): Promise<void> {
    return this.#adopt(wallet, 'testChain', serviceId);
  }

  async #adopt({ owner, secretKey }: PretendWallet, from: 'sandbox' | 'testChain', serviceId: string): Promise<void> {
    if (this.#adopted === owner) {
      return;
    }
    const earlier = this.#index.owners.filter(({ origin, address }) => origin === from && address !== owner);
    for (const { address } of earlier) {
      await this.remove(address);
    }
    const known = this.#find(owner);
    const isRestored = known === undefined || (known.canSign && !(await (await this.#keys()).store.has(owner)));
    if (isRestored) {
      await (await this.#keys()).saveText(secretKey);
    }
    // Set before `save`: its listeners request the service, which calls this method again.
    this.#adopted = owner;
    const hasPassphrase = !isRestored && known.hasPassphrase;
    const index = withOwner(this.#index, { address: owner, canSign: known?.canSign ?? true, origin: from, hasPassphrase });
    const chosen = index.owners.find(({ address }) => address === index.active[serviceId]);
    const isOutdated = earlier.length > 0 && chosen?.origin === 'generated';
    await this.#save(chosen === undefined || isOutdated ? withActive(index, serviceId, owner) : index);
  }

  /**
   * Returns the signer of a wallet, asking for the passphrase if the key has one: call it after the user has approved what is to be
   * signed. The signer reads the key only while it signs.
   * @param cancelled closes the passphrase prompt
   * @throws SigningError `locked` if the passphrase was not entered; KeyError if the stored key cannot be read.
   */
  async signer(owner: Address, cancelled?: AbortSignal): Promise<Signer> {
    const [keys, signReviewed] = await Promise.all([this.#keys(), this.#dependencies.signReviewed()]);
    const signer = await keys.signer(owner, signReviewed, cancelled);
    await this.#noteProtection(owner, (await keys.store.find(owner))?.isProtected ?? false);
    return signer;
  }

  /** To be called when a secret was stored or deleted, possibly by another window. */
  secretChanged(name: string): void {
    const wallet = walletOfName(name);
    if (wallet !== undefined) {
      this.#unlocked.lock(wallet);
      this.#changes.fire(undefined);
    } else if (name === LOCK_NAME) {
      this.#lockHere();
    }
  }

  /** Overwrites the unlocked keys in memory. */
  dispose(): void {
    this.#unlocked.lockAll();
  }

  get #index(): OwnerIndex {
    return readIndex(this.#dependencies.state.get(INDEX_NAME));
  }

  #find(address: Address): KnownOwner | undefined {
    return this.#index.owners.find((owner) => owner.address === address);
  }

  async #save(index: OwnerIndex): Promise<void> {
    const synced = withChange(this.#watched(SYNCED_STATE.watchedAddresses) ?? [], this.#index, index);
    const seen = this.#watched(SEEN_NAME)?.filter((entry) => synced.some(({ address }) => address === entry.address));
    await this.#write(index, synced, seen);
  }

  async #write(index: OwnerIndex, synced: readonly WatchedAddress[], seen: readonly WatchedAddress[] | undefined): Promise<void> {
    const { state } = this.#dependencies;
    await state.update(INDEX_NAME, writeIndex(index));
    await state.update(SYNCED_STATE.watchedAddresses, synced);
    await state.update(SEEN_NAME, seen ?? null);
    this.#changes.fire(undefined);
  }

  #watched(name: string): readonly WatchedAddress[] | undefined {
    return readWatched(this.#dependencies.state.get(name));
  }

  async #keep(key: SecretKeyMaterial, passphrase: string | undefined, origin: OwnerOrigin, service: ServiceChoice): Promise<void> {
    const { address } = key;
    await (await this.#keys()).store.save(key, passphrase);
    this.#unlocked.lock(address);
    await this.#save(
      withCurrent(withOwner(this.#index, { address, canSign: true, origin, hasPassphrase: passphrase !== undefined }), service, address),
    );
  }

  async #deleteKey(address: Address): Promise<void> {
    await (await this.#keys()).store.forget(address);
    this.#unlocked.lock(address);
  }

  /** Corrects the displayed state, which may have missed a change by another window. */
  async #noteProtection(address: Address, hasPassphrase: boolean): Promise<void> {
    const owner = this.#find(address);
    if (owner !== undefined && owner.hasPassphrase !== hasPassphrase) {
      await this.#save(withOwner(this.#index, { ...owner, hasPassphrase }));
    }
  }

  #lockHere(): number {
    const count = this.#unlocked.lockAll();
    this.#changes.fire(undefined);
    return count;
  }
}

/** @throws UserError if a pretend wallet would be used with a real service. */
function assertNotPretend(owner: Pick<KnownOwner, 'origin'> | undefined, service: ServiceChoice): void {
  if (owner === undefined || isFor(owner, service)) {
    return;
  }
  throw new UserError(
    l10n.t('This wallet is for pretend money: its key is unprotected or has no backup. It cannot be used with this service.'),
  );
}

function withCurrent(index: OwnerIndex, service: ServiceChoice, address: Address): OwnerIndex {
  return service.kind === 'invalid' ? index : withActive(index, service.id, address);
}
