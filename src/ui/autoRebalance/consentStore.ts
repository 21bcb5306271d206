import { createHash } from 'node:crypto';
import { consentText } from '../../autoRebalance/consentFile';
import type { AutoRebalanceConsent, ConsentFile } from '../../autoRebalance/types';
import type { SecretStore } from '../shell/secretStore';
import type { Subscription } from '../../base/async/clock';

/** Name of the secret that holds a hash of the consent that was confirmed last. */
export const SEAL_NAME = 'binsight.automation.confirmed';

/** The consent on disk, and whether it was confirmed in this VS Code. */
export interface StoredConsent {
  readonly grant: AutoRebalanceConsent;
  readonly isConfirmed: boolean;
}

/**
 * The consent file of all windows, sealed: it counts as on only if the user confirmed exactly this consent in this VS Code. Any program
 * that can write files could write or restore the file, but not the hash of it in the secret storage. Removing either turns it off.
 */
export class ConsentStore implements ConsentFile {
  readonly #file: ConsentFile;
  readonly #secrets: SecretStore;

  constructor(file: ConsentFile, secrets: SecretStore) {
    this.#file = file;
    this.#secrets = secrets;
  }

  /** The consent; `undefined` also if it is on but was not confirmed here. */
  async read(): Promise<AutoRebalanceConsent | undefined> {
    const written = await this.written();
    return written?.isConfirmed === true ? written.grant : undefined;
  }

  /** The consent on disk, confirmed or not; `undefined` if it is off. */
  async written(): Promise<StoredConsent | undefined> {
    const grant = await this.#file.read();
    return grant === undefined ? undefined : { grant, isConfirmed: (await this.#secrets.get(SEAL_NAME)) === sealOf(grant) };
  }

  async turnOn(grant: AutoRebalanceConsent): Promise<void> {
    await this.#secrets.store(SEAL_NAME, sealOf(grant));
    await this.#file.turnOn(grant);
  }

  async turnOff(): Promise<void> {
    const [seal, file] = await Promise.allSettled([this.#secrets.delete(SEAL_NAME), this.#file.turnOff()]);
    // Removing one of them turns it off, so this fails only if neither could be removed.
    if (seal.status === 'rejected' && file.status === 'rejected') {
      throw file.reason instanceof Error ? file.reason : new Error(String(file.reason));
    }
  }

  onDidChange(listener: () => void): Subscription {
    return this.#file.onDidChange(listener);
  }

  dispose(): void {
    this.#file.dispose();
  }
}

function sealOf(grant: AutoRebalanceConsent): string {
  return createHash('sha256').update(consentText(grant)).digest('hex');
}
