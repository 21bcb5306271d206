import { createHash } from 'node:crypto';
import { consentText } from '../../autoRebalance/consentFile';
import type { AutoRebalanceConsent, ConsentFile } from '../../autoRebalance/types';
import type { SecretStore } from '../shell/secretStore';
import type { Subscription } from '../../base/async/clock';

/** Under which name it is kept which grant was confirmed last. */
export const SEAL_NAME = 'binsight.automation.confirmed';

/** Automation that is written down as on, and whether it was confirmed in this VS Code. */
export interface StoredConsent {
  readonly grant: AutoRebalanceConsent;
  readonly isConfirmed: boolean;
}

/**
 * The switch of all windows, which counts as on only where the user has confirmed just these rules in this VS Code: the file can be
 * written or brought back by anybody who can write files, what the secret storage has of it cannot. Off is off where either says so.
 */
export class ConsentStore implements ConsentFile {
  constructor(
    private readonly file: ConsentFile,
    private readonly secrets: SecretStore,
  ) {}

  /** What was confirmed and is on; `undefined` also where it is on and was not confirmed here. */
  async read(): Promise<AutoRebalanceConsent | undefined> {
    const written = await this.written();
    return written?.isConfirmed === true ? written.grant : undefined;
  }

  /** What is on, whoever confirmed it; `undefined`: it is off. */
  async written(): Promise<StoredConsent | undefined> {
    const grant = await this.file.read();
    return grant === undefined ? undefined : { grant, isConfirmed: (await this.secrets.get(SEAL_NAME)) === sealOf(grant) };
  }

  async turnOn(grant: AutoRebalanceConsent): Promise<void> {
    await this.secrets.store(SEAL_NAME, sealOf(grant));
    await this.file.turnOn(grant);
  }

  async turnOff(): Promise<void> {
    const [seal, file] = await Promise.allSettled([this.secrets.delete(SEAL_NAME), this.file.turnOff()]);
    // Without the one or the other nothing goes on: what could not be taken away says so only where neither could.
    if (seal.status === 'rejected' && file.status === 'rejected') {
      throw file.reason instanceof Error ? file.reason : new Error(String(file.reason));
    }
  }

  onDidChange(listener: () => void): Subscription {
    return this.file.onDidChange(listener);
  }

  dispose(): void {
    this.file.dispose();
  }
}

function sealOf(grant: AutoRebalanceConsent): string {
  return createHash('sha256').update(consentText(grant)).digest('hex');
}
