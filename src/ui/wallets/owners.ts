import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/async/emitter';
import type { SignReviewed } from '../../review/types';
import type { Address } from '../../base/solana/address';
import type { SecretKeyMaterial } from '../../wallet/keys';
import type { Signer } from '../../wallet/signer';
import { lazily } from '../shell/lazily';
import type { Prompts } from '../shell/prompts/prompts';
import { UserError } from '../shell/userError';
import type { SecretStore, StateStore } from '../shell/secretStore';
import { SANDBOX_ID, type ServiceChoice } from '../shell/serviceChoice';
import type { PassphraseQuestion } from './askPassphrase';
import { walletOfName } from './keyNames';
import type { KeyRing } from './keyRing';
import type { KeptKey } from './keyStore';
import {
  isPretend,
  readIndex,
  withActive,
  withoutOwner,
  withOwner,
  writeIndex,
  type KnownOwner,
  type OwnerIndex,
  type OwnerOrigin,
} from './ownerIndex';
import { UnlockedKeys } from './unlockedKeys';
import type { Subscription, Clock } from '../../base/async/clock';

/** What the wallets are kept in, and by what they are unlocked. */
export interface OwnersDependencies {
  readonly secrets: SecretStore;
  /** Shared by all windows; read afresh each time. */
  readonly state: StateStore;
  /** Ask for passphrases. */
  readonly prompts: Prompts;
  readonly clock: Clock;
  /** The setting `binsight.wallet.unlockMinutes`; read afresh each time. */
  readonly unlockMinutes: () => number;
  /** The review's half of signing; loaded when something is signed. */
  readonly signReviewed: () => Promise<SignReviewed>;
  readonly onError: (error: unknown) => void;
}

/** What stands between a wallet's key and a signature. */
export type WalletLock = { readonly kind: 'none' } | { readonly kind: 'locked' } | { readonly kind: 'unlocked'; readonly untilMs: number };

const INDEX_NAME = 'binsight.owners';
/** No secret: written when the wallets are locked, so that the other windows hear of it. */
const LOCK_NAME = 'binsight.walletsLockedAt';

/** The wallets that are known: their keys in the secret storage, their addresses beside them, and which is in use where. */
export class Owners {
  private readonly changes: Emitter<undefined>;
  private readonly unlocked: UnlockedKeys;
  /** Loaded when the first key is read or kept. */
  private readonly keys: () => Promise<KeyRing>;
  /** The sandbox's wallet that was taken in by this window. */
  private adopted: Address | undefined;

  constructor(private readonly dependencies: OwnersDependencies) {
    const { secrets, prompts, clock, unlockMinutes, onError } = dependencies;
    this.changes = new Emitter(onError);
    const changed = () => this.changes.fire(undefined);
    const unlocked = new UnlockedKeys({ clock, unlockMinutes, onExpired: changed });
    this.unlocked = unlocked;
    this.keys = lazily(async () => {
      const { KeyRing } = await import('./keyRing');
      return new KeyRing({ secrets, prompts, clock, unlockMinutes, unlocked, onDidUnlock: changed });
    });
  }

  /** Calls `listener` when a wallet came, went, gained or lost its key, was locked or unlocked, or another one is in use. */
  onDidChange(listener: () => void): Subscription {
    return this.changes.on(listener);
  }

  /** The wallets that may be used with a service. Pretend ones are kept from all but the sandbox. */
  known(service: ServiceChoice): readonly KnownOwner[] {
    return this.index.owners.filter((owner) => !isPretend(owner) || service.kind === 'sandbox');
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

  /** Whether a passphrase stands before a key, and whether it was entered in this window. For what is shown. */
  lockOf({ address, canSign, hasPassphrase }: KnownOwner): WalletLock {
    if (!canSign || !hasPassphrase) {
      return { kind: 'none' };
    }
    const untilMs = this.unlocked.untilMs(address);
    return untilMs === undefined ? { kind: 'locked' } : { kind: 'unlocked', untilMs };
  }

  /**
   * Keeps a key, and puts its wallet into use with `service`. What was stored of it before is replaced, with its passphrase. The
   * caller wipes `key`.
   * @throws Refusal where it is a pretend wallet and the service is a real one.
   */
  async importKey(key: SecretKeyMaterial, service: ServiceChoice, passphrase?: string): Promise<void> {
    const before = this.find(key.address);
    refusePretend(before, service);
    await this.keep(key, passphrase, before?.origin ?? 'user', service);
  }

  /**
   * Keeps a key that was made here for the sandbox, and puts its wallet into use there. The caller wipes `key`.
   * @throws Refusal where the service is a real one: of such a key the user has no copy.
   */
  async keepGenerated(key: SecretKeyMaterial, service: ServiceChoice): Promise<void> {
    refusePretend({ origin: 'generated' }, service);
    await this.keep(key, undefined, 'generated', service);
  }

  /**
   * Watches a wallet, and puts it into use with `service`; one whose key is known keeps it.
   * @throws Refusal where it is a pretend wallet and the service is a real one.
   */
  async watch(address: Address, service: ServiceChoice): Promise<void> {
    const before = this.find(address);
    refusePretend(before, service);
    const index =
      before === undefined ? withOwner(this.index, { address, canSign: false, origin: 'user', hasPassphrase: false }) : this.index;
    await this.save(inUse(index, service, address));
  }

  /** Puts a known wallet into use with a service. */
  async activate(address: Address, service: ServiceChoice): Promise<void> {
    await this.save(inUse(this.index, service, address));
  }

  /** Forgets a key; its wallet is only watched from then on. */
  async forgetKey(address: Address): Promise<void> {
    await this.deleteKey(address);
    const owner = this.find(address);
    if (owner !== undefined) {
      await this.save(withOwner(this.index, { ...owner, canSign: false, hasPassphrase: false }));
    }
  }

  /** Forgets a wallet altogether, with its key. */
  async remove(address: Address): Promise<void> {
    await this.deleteKey(address);
    await this.save(withoutOwner(this.index, address));
  }

  /**
   * Gives what is stored of a wallet's key; `undefined`: nothing.
   * @throws KeyError where it cannot be read.
   */
  async storedKey(address: Address): Promise<KeptKey | undefined> {
    return (await this.keys()).store.find(address);
  }

  /** Opens a stored key, and asks for its passphrase where it has one; `undefined`: the user has left. The caller wipes it. */
  async openKey(kept: KeptKey, question: PassphraseQuestion): Promise<SecretKeyMaterial | undefined> {
    return (await this.keys()).open(kept, question);
  }

  /**
   * Stores an opened key under another passphrase, or without one; it is locked then. Other windows ask for the new one too.
   * @throws Refusal where another window has changed it meanwhile; nothing was changed then.
   */
  async setPassphrase(kept: KeptKey, key: SecretKeyMaterial, passphrase: string | undefined): Promise<void> {
    await (await this.keys()).store.replace(kept, key, passphrase);
    this.unlocked.lock(kept.address);
    await this.noteProtection(kept.address, passphrase !== undefined);
    this.changes.fire(undefined);
  }

  /**
   * Locks all keys, in every window of this user.
   * @returns how many were unlocked in this one
   * @throws Refusal where the other windows cannot be told; this one is locked then.
   */
  async lock(): Promise<number> {
    const count = this.lockHere();
    const { secrets, clock, onError } = this.dependencies;
    try {
      await secrets.store(LOCK_NAME, String(clock.now()));
    } catch (error) {
      onError(error);
      throw new UserError(
        l10n.t('All wallets are locked in this window. The others could not be told: lock them there too, or close them.'),
      );
    }
    return count;
  }

  /**
   * Takes in the wallet of a sandbox that runs: keeps its key, unless the user has forgotten it before, and puts it into
   * use where no other is. Wallets of earlier sandboxes go. Those that were made here stay, for nothing else has their keys; but
   * their money was that of the earlier sandbox, so the new one's own wallet takes their place.
   */
  async adoptSandbox({ owner, secretKey }: { readonly owner: Address; readonly secretKey: string }): Promise<void> {
    if (this.adopted === owner) {
      return;
    }
    const earlier = this.index.owners.filter(({ origin, address }) => origin === 'sandbox' && address !== owner);
    for (const { address } of earlier) {
      await this.remove(address);
    }
    const known = this.find(owner);
    const isRestored = known === undefined || (known.canSign && !(await (await this.keys()).store.has(owner)));
    if (isRestored) {
      await (await this.keys()).keepText(secretKey);
    }
    // First, since who hears of the change asks for the service, and so comes here again.
    this.adopted = owner;
    const hasPassphrase = !isRestored && known.hasPassphrase;
    const index = withOwner(this.index, { address: owner, canSign: known?.canSign ?? true, origin: 'sandbox', hasPassphrase });
    const chosen = index.owners.find(({ address }) => address === index.active[SANDBOX_ID]);
    const isOutdated = earlier.length > 0 && chosen?.origin === 'generated';
    await this.save(chosen === undefined || isOutdated ? withActive(index, SANDBOX_ID, owner) : index);
  }

  /**
   * Gives what signs for a wallet. Where a passphrase stands before its key, this asks for it: call it when there is something to
   * sign, after the user has approved. The key is read only while something is signed.
   * @param cancelled takes the question back
   * @throws SigningError `locked` where the passphrase was not entered, KeyError where the stored key cannot be read.
   */
  async signer(owner: Address, cancelled?: AbortSignal): Promise<Signer> {
    const [keys, signReviewed] = await Promise.all([this.keys(), this.dependencies.signReviewed()]);
    const signer = await keys.signer(owner, signReviewed, cancelled);
    await this.noteProtection(owner, (await keys.store.find(owner))?.isProtected ?? false);
    return signer;
  }

  /** A secret was stored or deleted, maybe in another window: tells those who listen where it is about the wallets. */
  secretChanged(name: string): void {
    const wallet = walletOfName(name);
    if (wallet !== undefined) {
      this.unlocked.lock(wallet);
      this.changes.fire(undefined);
    } else if (name === LOCK_NAME) {
      this.lockHere();
    }
  }

  /** Overwrites the keys that are unlocked. */
  dispose(): void {
    this.unlocked.lockAll();
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

  private async keep(key: SecretKeyMaterial, passphrase: string | undefined, origin: OwnerOrigin, service: ServiceChoice): Promise<void> {
    const { address } = key;
    await (await this.keys()).store.keep(key, passphrase);
    this.unlocked.lock(address);
    await this.save(
      inUse(withOwner(this.index, { address, canSign: true, origin, hasPassphrase: passphrase !== undefined }), service, address),
    );
  }

  private async deleteKey(address: Address): Promise<void> {
    await (await this.keys()).store.forget(address);
    this.unlocked.lock(address);
  }

  /** What is stored decides; what is shown may have missed a change in another window. */
  private async noteProtection(address: Address, hasPassphrase: boolean): Promise<void> {
    const owner = this.find(address);
    if (owner !== undefined && owner.hasPassphrase !== hasPassphrase) {
      await this.save(withOwner(this.index, { ...owner, hasPassphrase }));
    }
  }

  private lockHere(): number {
    const count = this.unlocked.lockAll();
    this.changes.fire(undefined);
    return count;
  }
}

/** @throws Refusal where a pretend wallet would come into use with a real service. */
function refusePretend(owner: Pick<KnownOwner, 'origin'> | undefined, service: ServiceChoice): void {
  if (owner === undefined || !isPretend(owner) || service.kind === 'sandbox') {
    return;
  }
  throw new UserError(
    owner.origin === 'sandbox'
      ? l10n.t("This is the sandbox's own wallet, whose key lies on this machine for anybody to read. It is not used with a real service.")
      : l10n.t('This wallet was made here for the sandbox, and you have no copy of its key. It is not used with a real service.'),
  );
}

function inUse(index: OwnerIndex, service: ServiceChoice, address: Address): OwnerIndex {
  return service.kind === 'invalid' ? index : withActive(index, service.id, address);
}
