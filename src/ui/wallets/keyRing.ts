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

/** What keys are kept in, and by what they are unlocked. */
export interface KeyRingDependencies {
  readonly secrets: SecretStore;
  readonly prompts: Prompts;
  readonly clock: Clock;
  /** How long a passphrase counts once it was entered. */
  readonly unlockMinutes: () => number;
  /** Where the keys are whose passphrase was entered. */
  readonly unlocked: UnlockedKeys;
  /** A key was unlocked. */
  readonly onDidUnlock: () => void;
}

/** All that is done with the stored keys. Its code, and the encryption below it, is loaded when the first key is needed. */
export class KeyRing {
  readonly store: KeyStore;
  private readonly unlocking: Unlocking;

  constructor(private readonly dependencies: KeyRingDependencies) {
    const { secrets, clock, prompts, unlockMinutes, unlocked, onDidUnlock } = dependencies;
    this.store = new KeyStore(secrets, () => clock.now());
    this.unlocking = new Unlocking({ keys: this.store, unlocked, prompts, unlockMinutes, onDidUnlock });
  }

  /** Opens a stored key, and asks for its passphrase where it has one; `undefined`: the user has left. The caller wipes it. */
  async open(kept: KeptKey, question: PassphraseQuestion): Promise<SecretKeyMaterial | undefined> {
    return askToOpen(kept, question, this.dependencies.prompts, this.store);
  }

  /**
   * Stores a key that is there as text, without a passphrase.
   * @throws KeyError where it is not a key, or was not stored.
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
   * Gives what signs for a wallet, once its key is unlocked.
   * @param cancelled takes the question for the passphrase back
   * @throws SigningError `locked` where the passphrase was not entered, KeyError where the stored key cannot be read.
   */
  async signer(owner: Address, signReviewed: SignReviewed, cancelled: AbortSignal | undefined): Promise<Signer> {
    const readSeed = () => this.unlocking.seedOf(owner, cancelled);
    // Asked for now, and not while the signer works: what is reviewed may be signed for a short while only.
    (await readSeed())?.fill(0);
    return createSigner({ owner, signReviewed, readSeed, nowMs: () => this.dependencies.clock.now() });
  }
}
