import * as l10n from '@vscode/l10n';
import { parseApiKey } from '../../service/apiKey';
import type { Reading } from '../shell/prompts/prompts';
import type { SecretStore } from '../shell/secretStore';

/** Reads an API key as it was typed or pasted; spaces around it are dropped. */
export function readApiKey(text: string): Reading<string> {
  const key = parseApiKey(text);
  if (key !== undefined) {
    return { ok: true, value: key };
  }
  return text.trim() === ''
    ? { ok: false, message: l10n.t('Paste the API key that the service gave you.') }
    : {
        ok: false,
        message: l10n.t('This cannot be an API key: it has spaces or special characters in it, or is too long. Copy the key alone.'),
      };
}

/** The API keys, each kept under the service that it was entered for, and handed out for that service alone. */
export class ApiKeys {
  /** @param hide is told every key before anybody else sees it, so that it is never logged. */
  constructor(
    private readonly secrets: SecretStore,
    private readonly hide: (secret: string) => void,
  ) {}

  /** Gives the key of a service, or `undefined` where none was entered. */
  async get(serviceId: string): Promise<string | undefined> {
    const key = await this.secrets.get(secretName(serviceId));
    if (key !== undefined) {
      this.hide(key);
    }
    return key;
  }

  /** Keeps the key of a service; the last one is gone. */
  async set(serviceId: string, key: string): Promise<void> {
    this.hide(key);
    await this.secrets.store(secretName(serviceId), key);
  }

  /** Forgets the key of a service. */
  async delete(serviceId: string): Promise<void> {
    await this.secrets.delete(secretName(serviceId));
  }

  /** Whether a secret of this name is the key of this service. */
  isKeyOf(serviceId: string, name: string): boolean {
    return name === secretName(serviceId);
  }
}

function secretName(serviceId: string): string {
  return `binsight.apiKey:${serviceId}`;
}
