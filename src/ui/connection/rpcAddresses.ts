import * as l10n from '@vscode/l10n';
import { parseRpcUrl, type RpcUrl, RpcUrlError, secretsOf } from '../../base/solana/rpcUrl';
import type { SecretStore } from '../shell/editorAccess';
import { rpcAddressName } from '../shell/serviceChoice';
import type { Reading } from '../shell/prompts/prompts';

/**
 * Parses the address of an RPC while it is typed.
 * @param stored the address that an empty text stands for; `undefined`: none
 */
export function readRpcAddress(text: string, stored: RpcUrl | undefined): Reading<RpcUrl> {
  if (text.trim() === '') {
    return stored === undefined ? { ok: false, message: l10n.t('Enter the address of a Solana RPC.') } : { ok: true, value: stored };
  }
  try {
    return { ok: true, value: parseRpcUrl(text) };
  } catch (error) {
    if (error instanceof RpcUrlError) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}

/**
 * The addresses of the Solana RPCs that are used as a service, one for each chain. Addresses carry keys, so they are stored in the secret
 * storage and nowhere else.
 */
export class RpcAddresses {
  readonly #secrets: SecretStore;
  readonly #hide: (secret: string) => void;
  readonly #inherited: string | undefined;

  /**
   * @param hide registers a secret with the log's redactor. Every address passes it before it is used, so it is never logged.
   * @param inherited the address where none is stored: from the environment of VS Code, as `npm start -- --chain` sets it
   */
  constructor(secrets: SecretStore, hide: (secret: string) => void, inherited?: string) {
    this.#secrets = secrets;
    this.#hide = hide;
    this.#inherited = inherited;
  }

  /** Returns the address for this service (`solana`, `solana:CHAIN`), or `undefined` if none is set. */
  async get(serviceId: string): Promise<RpcUrl | undefined> {
    const stored = (await this.#secrets.get(rpcAddressName(serviceId))) ?? this.#inherited;
    const reading = stored === undefined ? undefined : readRpcAddress(stored, undefined);
    if (reading?.ok !== true) {
      return undefined;
    }
    this.hide(reading.value);
    return reading.value;
  }

  /** Stores the address and replaces the previous one. */
  async set(serviceId: string, url: RpcUrl): Promise<void> {
    this.hide(url);
    await this.#secrets.store(rpcAddressName(serviceId), url);
  }

  async delete(serviceId: string): Promise<void> {
    await this.#secrets.delete(rpcAddressName(serviceId));
  }

  /** Keeps the address, and every part of it that can be a key, out of the log. */
  hide(url: RpcUrl): void {
    [url, ...secretsOf(url)].forEach(this.#hide);
  }
}
