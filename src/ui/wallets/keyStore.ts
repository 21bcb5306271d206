import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { KeyError } from '../../wallet/errors';
import type { SecretKeyMaterial } from '../../wallet/keys';
import { readRecord, writeProtectedRecord, writeRecord, type StoredKey } from '../../wallet/record';
import { WrongTries } from '../../wallet/passphrase';
import { UserError } from '../shell/userError';
import type { SecretStore } from '../shell/secretStore';
import { nameOfKey } from './keyNames';

/** A stored key as it was found. */
export interface KeptKey extends StoredKey {
  /** The text that is stored: tells whether it is still the same. */
  readonly record: string;
}

/** The keys of the wallets in the secret storage, which all windows share: nothing of it is remembered here but wrong passphrases. */
export class KeyStore {
  private readonly tries: WrongTries;

  /** @param nowMs milliseconds since 1970 */
  constructor(
    private readonly secrets: SecretStore,
    nowMs: () => number,
  ) {
    this.tries = new WrongTries(nowMs);
  }

  /**
   * Gives what is stored of a wallet's key; `undefined`: nothing.
   * @throws KeyError where it cannot be read; it is left as it is.
   */
  async find(address: Address): Promise<KeptKey | undefined> {
    const record = await this.read(address);
    if (record === undefined) {
      return undefined;
    }
    const stored = readRecord(record);
    if (stored.address !== address) {
      throw new KeyError('badRecord');
    }
    return { ...stored, record };
  }

  /** Whether anything is stored of a wallet's key, readable or not. */
  async has(address: Address): Promise<boolean> {
    return (await this.read(address)) !== undefined;
  }

  /**
   * Stores a key, under a passphrase where one is given, in the place of what was stored of it.
   * @throws KeyError `storage` where the secret storage did not take it.
   */
  async keep(key: SecretKeyMaterial, passphrase: string | undefined): Promise<void> {
    await this.write(key.address, await recordOf(key, passphrase));
  }

  /**
   * Stores a key anew, with another passphrase or without one.
   * @throws Refusal where something else is stored meanwhile, KeyError as {@link keep}.
   */
  async replace(kept: KeptKey, key: SecretKeyMaterial, passphrase: string | undefined): Promise<void> {
    const record = await recordOf(key, passphrase);
    if ((await this.read(kept.address)) !== kept.record) {
      throw new UserError(
        l10n.t`The key of ${kept.address} was changed or forgotten in another window meanwhile. Nothing was changed here.`,
      );
    }
    await this.write(kept.address, record);
  }

  /**
   * Opens a stored key; the caller wipes it.
   * @param passphrase not looked at where the key has none
   * @throws KeyError `wrongPassphrase`; `tooManyTries` before {@link waitMs} is over, and then nothing was tried.
   */
  async open(kept: KeptKey, passphrase: string | undefined): Promise<SecretKeyMaterial> {
    if (kept.isProtected && this.waitMs(kept.address) > 0) {
      throw new KeyError('tooManyTries');
    }
    try {
      const key = await kept.open(passphrase);
      this.tries.right(kept.address);
      return key;
    } catch (error) {
      if (error instanceof KeyError && error.kind === 'wrongPassphrase') {
        this.tries.wrong(kept.address);
      }
      throw error;
    }
  }

  /** How many milliseconds have to pass before another passphrase is tried. */
  waitMs(address: Address): number {
    return this.tries.waitMs(address);
  }

  /** Deletes a key. */
  async forget(address: Address): Promise<void> {
    await this.secrets.delete(nameOfKey(address)).then(undefined, unanswered);
  }

  private async read(address: Address): Promise<string | undefined> {
    return this.secrets.get(nameOfKey(address)).then(undefined, unanswered);
  }

  private async write(address: Address, record: string): Promise<void> {
    // Why it failed is left out: it may quote what was to be stored.
    await this.secrets.store(nameOfKey(address), record).then(undefined, () => {
      throw new KeyError('storage');
    });
    if ((await this.read(address)) !== record) {
      throw new KeyError('storage');
    }
  }
}

async function recordOf(key: SecretKeyMaterial, passphrase: string | undefined): Promise<string> {
  return passphrase === undefined ? writeRecord(key) : writeProtectedRecord(key, passphrase);
}

function unanswered(cause: unknown): never {
  throw new KeyError('storage', cause);
}
