import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/async/clock';
import { counted } from '../../base/format/counted';
import type { Address } from '../../base/solana/address';
import type { SignReviewed } from '../../review/types';
import { SigningError } from '../../wallet/errors';
import { readSecretKey, type SecretKeyMaterial, wipe } from '../../wallet/keys';
import { createSigner, type Signer } from '../../wallet/signer';
import type { Prompts } from '../shell/prompts/prompts';
import type { SecretStore } from '../shell/editorAccess';
import { askToOpen, type PassphraseQuestion } from './askPassphrase';
import { KeyStore, type StoredKeyEntry } from './keyStore';
import type { UnlockedKeys } from './unlockedKeys';

interface KeyUnlockerDependencies {
  readonly keys: KeyStore;
  readonly unlocked: UnlockedKeys;
  readonly prompts: Prompts;
  /** Minutes that a wallet stays unlocked after its passphrase was entered. */
  readonly unlockMinutes: () => number;
  readonly onDidUnlock: () => void;
}

/** Provides seeds for signing. Asks for the passphrase of a protected key, and not again while the key is unlocked. */
class KeyUnlocker {
  /** Prompts run one after the other: a second input box would close the first. */
  #last: Promise<unknown> = Promise.resolve();

  readonly #dependencies: KeyUnlockerDependencies;

  constructor(dependencies: KeyUnlockerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the seed of a wallet, which the caller overwrites; `undefined`: no key is stored.
   * @throws SigningError `locked` if the passphrase was not entered; KeyError if the stored key cannot be read.
   */
  seedOf(address: Address, cancelled?: AbortSignal): Promise<Uint8Array | undefined> {
    const mine = this.#last.then(() => this.#find(address, cancelled));
    // A failure must not block the next prompt.
    this.#last = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }

  async #find(address: Address, cancelled: AbortSignal | undefined): Promise<Uint8Array | undefined> {
    const { keys, unlocked, prompts, unlockMinutes, onDidUnlock } = this.#dependencies;
    for (;;) {
      const entry = await keys.find(address);
      if (entry === undefined) {
        return undefined;
      }
      const seed = entry.isProtected ? unlocked.take(address, entry.record) : (await keys.open(entry, undefined)).seed;
      if (seed !== undefined) {
        return seed;
      }
      const key = await askToOpen(
        entry,
        {
          title: l10n.t('Unlock Wallet'),
          prompt: l10n.t`Enter the passphrase of ${address} to unlock it for ${counted(unlockMinutes(), 'minute')}.`,
          cancelled,
        },
        prompts,
        keys,
      );
      if (key === undefined) {
        throw new SigningError('locked', l10n.t`The passphrase of ${address} was not entered. Nothing was signed.`);
      }
      // Read the record again: the key may have been forgotten, or got another passphrase, during the prompt.
      unlocked.hold(address, key.seed, entry.record);
      wipe(key);
      onDidUnlock();
    }
  }
}

export interface KeyRingDependencies {
  readonly secrets: SecretStore;
  readonly prompts: Prompts;
  readonly clock: Clock;
  /** Minutes that a wallet stays unlocked after its passphrase was entered. */
  readonly unlockMinutes: () => number;
  readonly unlocked: UnlockedKeys;
  readonly onDidUnlock: () => void;
}

/** Opens, stores and signs with keys. Loaded, together with the encryption code, when the first key is needed. */
export class KeyRing {
  readonly store: KeyStore;
  readonly #unlocking: KeyUnlocker;

  readonly #dependencies: KeyRingDependencies;

  constructor(dependencies: KeyRingDependencies) {
    this.#dependencies = dependencies;

    const { secrets, clock, prompts, unlockMinutes, unlocked, onDidUnlock } = dependencies;
    this.store = new KeyStore(secrets, () => clock.now());
    this.#unlocking = new KeyUnlocker({ keys: this.store, unlocked, prompts, unlockMinutes, onDidUnlock });
  }

  /** Opens a stored key, asking for its passphrase if it has one. The caller wipes the key; `undefined`: the user cancelled. */
  async open(entry: StoredKeyEntry, question: PassphraseQuestion): Promise<SecretKeyMaterial | undefined> {
    return askToOpen(entry, question, this.#dependencies.prompts, this.store);
  }

  /**
   * Stores a key that is given as text, without a passphrase.
   * @throws KeyError if the text is not a key, or could not be stored.
   */
  async saveText(secretKey: string): Promise<void> {
    const key = readSecretKey(secretKey);
    try {
      await this.store.save(key, undefined);
    } finally {
      wipe(key);
    }
  }

  /**
   * Unlocks a wallet's key and returns its signer.
   * @param cancelled closes the passphrase prompt
   * @throws SigningError `locked` if the passphrase was not entered; KeyError if the stored key cannot be read.
   */
  async signer(owner: Address, signReviewed: SignReviewed, cancelled: AbortSignal | undefined): Promise<Signer> {
    const readSeed = () => this.#unlocking.seedOf(owner, cancelled);
    // Ask for the passphrase before signing starts: a review expires soon.
    (await readSeed())?.fill(0);
    return createSigner({ owner, signReviewed, readSeed, nowMs: () => this.#dependencies.clock.now() });
  }
}
