import * as l10n from '@vscode/l10n';
import { parseApiKey } from '../../service/apiKey';
import type { Reading } from '../shell/prompts/prompts';
import type { SecretStore } from '../shell/editorAccess';

/** Parses an API key as typed or pasted, and trims it. */
export function readApiKey(text: string): Reading<string> {
  const key = parseApiKey(text);
  return key === undefined ? { ok: false, message: l10n.t('This is not an API key. Copy only the key.') } : { ok: true, value: key };
}

/** The API keys. Each is stored under its service and used only for that service. */
export class ApiKeys {
  readonly #secrets: SecretStore;
  readonly #hide: (secret: string) => void;

  /** @param hide registers a key with the log's redactor. Every key passes it before it is used, so it is never logged. */
  constructor(secrets: SecretStore, hide: (secret: string) => void) {
    this.#secrets = secrets;
    this.#hide = hide;
  }

  /** Returns the key of a service, or `undefined` if none is set. */
  async get(serviceId: string): Promise<string | undefined> {
    const key = await this.#secrets.get(apiKeyName(serviceId));
    if (key !== undefined) {
      this.#hide(key);
    }
    return key;
  }

  /** Stores the key of a service and replaces the previous one. */
  async set(serviceId: string, key: string): Promise<void> {
    this.#hide(key);
    await this.#secrets.store(apiKeyName(serviceId), key);
  }

  async delete(serviceId: string): Promise<void> {
    await this.#secrets.delete(apiKeyName(serviceId));
  }

  /** Tells whether the secret with this name is the key of this service. */
  isKeyOf(serviceId: string, name: string): boolean {
    return name === apiKeyName(serviceId);
  }
}

/** The name of the secret with the API key of a service. */
export function apiKeyName(serviceId: string): string {
  return `binsight.apiKey:${serviceId}`;
}
