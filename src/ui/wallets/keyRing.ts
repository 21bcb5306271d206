import type { Clock } from '../../base/async/clock';
import type { Address } from '../../base/solana/address';
import type { SignReviewed } from '../../review/types';
import { readSecretKey, type SecretKeyMaterial, wipe } from '../../wallet/keys';
import { createSigner, type Signer } from '../../wallet/signer';
import type { Prompts } from '../shell/prompts/prompts';
import type { SecretStore } from '../shell/secretStore';
import { askToOpen, type PassphraseQuestion } from './askPassphrase';
import { type KeptKey, KeyStore } from './keyStore';
import type { UnlockedKeys } from './unlockedKeys';
import { Unlocking } from './unlocking';

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
  readonly #unlocking: Unlocking;

  readonly #dependencies: KeyRingDependencies;

  constructor(dependencies: KeyRingDependencies) {
    this.#dependencies = dependencies;

    const { secrets, clock, prompts, unlockMinutes, unlocked, onDidUnlock } = dependencies;
    this.store = new KeyStore(secrets, () => clock.now());
    this.#unlocking = new Unlocking({ keys: this.store, unlocked, prompts, unlockMinutes, onDidUnlock });
  }

  /** Opens a stored key, asking for its passphrase if it has one. The caller wipes the key; `undefined`: the user cancelled. */
  async open(kept: KeptKey, question: PassphraseQuestion): Promise<SecretKeyMaterial | undefined> {
    return askToOpen(kept, question, this.#dependencies.prompts, this.store);
  }

  /**
   * Stores a key that is given as text, without a passphrase.
   * @throws KeyError if the text is not a key, or could not be stored.
   */
  async keepText(secretKey: string): Promise<void> {
    const key = readSecretKey(secretKey);
    try {
      await this.store.keep(key, undefined);
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
