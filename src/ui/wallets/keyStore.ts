import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { KeyError } from '../../wallet/errors';
import type { SecretKeyMaterial } from '../../wallet/keys';
import { readRecord, writeProtectedRecord, writeRecord, type StoredKey } from '../../wallet/record';
import { WrongTries } from '../../wallet/passphrase';
import { UserError } from '../shell/errors';
import type { SecretStore } from '../shell/editorAccess';
import { nameOfKey } from './ownerIndex';

/** A stored key, together with the text it was read from. */
export interface StoredKeyEntry extends StoredKey {
  /** The stored text. Compared with the current one to detect changes by another window. */
  readonly record: string;
}

/** The wallet keys in the secret storage, which all windows share. It caches nothing; it only counts wrong passphrases. */
export class KeyStore {
  readonly #tries: WrongTries;

  readonly #secrets: SecretStore;

  /** @param nowMs milliseconds since 1970 */
  constructor(secrets: SecretStore, nowMs: () => number) {
    this.#secrets = secrets;

    this.#tries = new WrongTries(nowMs);
  }

  /**
   * Reads the stored key of a wallet; `undefined`: none is stored.
   * @throws KeyError if the record cannot be read. The record is left unchanged.
   */
  async find(address: Address): Promise<StoredKeyEntry | undefined> {
    const record = await this.#read(address);
    if (record === undefined) {
      return undefined;
    }
    const stored = readRecord(record);
    if (stored.address !== address) {
      throw new KeyError('badRecord');
    }
    return { ...stored, record };
  }

  /** True if a record exists for the wallet, readable or not. */
  async has(address: Address): Promise<boolean> {
    return (await this.#read(address)) !== undefined;
  }

  /**
   * Stores a key, encrypted if a passphrase is given. It replaces an earlier record of the same wallet.
   * @throws KeyError `storage` if the secret storage did not store it.
   */
  async save(key: SecretKeyMaterial, passphrase: string | undefined): Promise<void> {
    await this.#write(key.address, await recordOf(key, passphrase));
  }

  /**
   * Stores an opened key again with another passphrase, or without one.
   * @throws UserError if the record has changed since `entry` was read; KeyError as {@link save}.
   */
  async replace(entry: StoredKeyEntry, key: SecretKeyMaterial, passphrase: string | undefined): Promise<void> {
    const record = await recordOf(key, passphrase);
    if ((await this.#read(entry.address)) !== entry.record) {
      throw new UserError(l10n.t`The key of ${entry.address} was changed or forgotten in another window. Nothing was changed here.`);
    }
    await this.#write(entry.address, record);
  }

  /**
   * Opens a stored key; the caller wipes it.
   * @param passphrase ignored if the key has none
   * @throws KeyError `wrongPassphrase`; `tooManyTries` while {@link waitMs} is above zero, without trying the passphrase.
   */
  async open(entry: StoredKeyEntry, passphrase: string | undefined): Promise<SecretKeyMaterial> {
    if (entry.isProtected && this.waitMs(entry.address) > 0) {
      throw new KeyError('tooManyTries');
    }
    try {
      const key = await entry.open(passphrase);
      this.#tries.right(entry.address);
      return key;
    } catch (error) {
      if (error instanceof KeyError && error.kind === 'wrongPassphrase') {
        this.#tries.wrong(entry.address);
      }
      throw error;
    }
  }

  /** Milliseconds until the next passphrase may be tried. */
  waitMs(address: Address): number {
    return this.#tries.waitMs(address);
  }

  async forget(address: Address): Promise<void> {
    await this.#secrets.delete(nameOfKey(address)).then(undefined, unanswered);
  }

  async #read(address: Address): Promise<string | undefined> {
    return this.#secrets.get(nameOfKey(address)).then(undefined, unanswered);
  }

  async #write(address: Address, record: string): Promise<void> {
    // Drop the cause: it may quote the key.
    await this.#secrets.store(nameOfKey(address), record).then(undefined, () => {
      throw new KeyError('storage');
    });
    if ((await this.#read(address)) !== record) {
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
