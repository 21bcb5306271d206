import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/numbers';
import type { Address } from '../../base/solana/address';
import { SigningError } from '../../wallet/errors';
import { wipe } from '../../wallet/keys';
import type { Prompts } from '../shell/prompts/prompts';
import { askToOpen } from './askPassphrase';
import type { KeyStore } from './keyStore';
import type { UnlockedKeys } from './unlockedKeys';

/** What keys are unlocked with. */
export interface UnlockingDependencies {
  readonly keys: KeyStore;
  /** Where they are until their time is over. */
  readonly unlocked: UnlockedKeys;
  readonly prompts: Prompts;
  /** How long a passphrase counts once it was entered. */
  readonly unlockMinutes: () => number;
  /** A key was unlocked. */
  readonly onDidUnlock: () => void;
}

/** Gives seeds for signing: asks for the passphrase where there is one, and not again before its time is over. */
export class Unlocking {
  /** Questions come one after the other: a second input would close the first. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly dependencies: UnlockingDependencies) {}

  /**
   * Gives the seed of a wallet, which the caller overwrites; `undefined`: nothing is stored.
   * @throws SigningError `locked` where the passphrase was not entered, KeyError where what is stored cannot be read.
   */
  seedOf(address: Address, cancelled?: AbortSignal): Promise<Uint8Array | undefined> {
    const mine = this.last.then(() => this.find(address, cancelled));
    // One that fails does not keep the next from being asked.
    this.last = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }

  private async find(address: Address, cancelled: AbortSignal | undefined): Promise<Uint8Array | undefined> {
    const { keys, unlocked, prompts, unlockMinutes, onDidUnlock } = this.dependencies;
    for (;;) {
      const kept = await keys.find(address);
      if (kept === undefined) {
        return undefined;
      }
      const seed = kept.isProtected ? unlocked.take(address, kept.record) : (await keys.open(kept, undefined)).seed;
      if (seed !== undefined) {
        return seed;
      }
      const key = await askToOpen(
        kept,
        {
          title: l10n.t('Unlock Wallet'),
          prompt: l10n.t`The passphrase of ${address}, to sign what you have just approved. It counts for ${counted(unlockMinutes(), 'minute')}. Escape signs nothing.`,
          cancelled,
        },
        prompts,
        keys,
      );
      if (key === undefined) {
        throw new SigningError('locked', l10n.t`The wallet ${address} is locked, and its passphrase was not entered. Nothing was signed.`);
      }
      // The key may have been forgotten, or put under another passphrase, while this one was typed: what is stored now decides.
      unlocked.hold(address, key.seed, kept.record);
      wipe(key);
      onDidUnlock();
    }
  }
}
