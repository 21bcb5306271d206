import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isLoopback } from '../../../base/loopback';
import type { Reading } from '../../shell/prompts/prompts';
import type { SecretStore } from '../../shell/editorAccess';

const PRESETS = ['json', 'telegram', 'discord'] as const;
export type WebhookPreset = (typeof PRESETS)[number];

/** Where messages are sent. All of it is secret: an address can contain a key. */
export interface WebhookTarget {
  readonly preset: WebhookPreset;
  /** https, or http on this machine. */
  readonly address: string;
  /** Telegram: the bot's token. JSON: sent as `Authorization: Bearer`; empty: none. Discord has it in the address. */
  readonly token: string;
  /** Telegram only. */
  readonly chat: string;
}

/** Where Telegram's bots are. Others can run the same server themselves. */
export const TELEGRAM_ADDRESS = 'https://api.telegram.org';

export const WEBHOOK_SECRET_NAME = 'binsight.webhook';
const LONGEST_ADDRESS = 2_000;
const DISCORD_HOST = /^(?:(?:canary|ptb)\.)?discord(?:app)?\.com$/;
const DISCORD_PATH = /^\/api\/(?:v\d{1,2}\/)?webhooks\/\d{5,25}\/[\w-]{20,200}$/;
const TELEGRAM_TOKEN = /^\d{5,20}:[\w-]{30,80}$/;
const TELEGRAM_CHAT = /^(?:-?\d{1,20}|@\w{4,64})$/;
/** RFC 6750, and nothing that could end a header. */
const BEARER_TOKEN = /^[\w.~+/=-]{1,1000}$/;

const TARGET = z.object({ preset: z.enum(PRESETS), address: z.string(), token: z.string(), chat: z.string() });

/** The webhook of this machine, in SecretStorage. */
export class WebhookStore {
  readonly #secrets: SecretStore;
  readonly #hide: (secret: string) => void;

  /** @param hide registers a secret with the log's redactor */
  constructor(secrets: SecretStore, hide: (secret: string) => void) {
    this.#secrets = secrets;
    this.#hide = hide;
  }

  /** `undefined`: none is set. What is stored is checked again. */
  async get(): Promise<WebhookTarget | undefined> {
    const text = await this.#secrets.get(WEBHOOK_SECRET_NAME);
    if (text === undefined) {
      return undefined;
    }
    const target = readTarget(text);
    if (target !== undefined) {
      this.#hideAll(target);
    }
    return target;
  }

  async set(target: WebhookTarget): Promise<void> {
    this.#hideAll(target);
    await this.#secrets.store(WEBHOOK_SECRET_NAME, JSON.stringify(target));
  }

  async delete(): Promise<void> {
    await this.#secrets.delete(WEBHOOK_SECRET_NAME);
  }

  #hideAll({ address, token }: WebhookTarget): void {
    const { pathname, search } = new URL(address);
    [address, pathname + search, token].filter((secret) => secret.length > 1).forEach(this.#hide);
  }
}

function readTarget(text: string): WebhookTarget | undefined {
  try {
    const target = TARGET.parse(JSON.parse(text));
    const isUsable =
      readWebhookAddress(target.address, target.preset).ok &&
      readWebhookToken(target.token, target.preset).ok &&
      (target.preset !== 'telegram' || readTelegramChat(target.chat).ok);
    return isUsable ? target : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the address of a webhook. No message quotes it. */
export function readWebhookAddress(text: string, preset: WebhookPreset): Reading<string> {
  const typed = text.trim();
  if (typed === '' || typed.length > LONGEST_ADDRESS || !URL.canParse(typed)) {
    return { ok: false, message: incompleteText('https://example.com/path') };
  }
  const url = new URL(typed);
  const isHere = isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) {
    return { ok: false, message: l10n.t('The address must start with https://. Only a program on this machine may use http://.') };
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return { ok: false, message: l10n.t`The address must not contain “${url.hash === '' ? 'name:password@' : '#'}”.` };
  }
  if (preset === 'discord' && !(DISCORD_PATH.test(url.pathname) && (DISCORD_HOST.test(url.hostname) || isHere))) {
    return { ok: false, message: incompleteText('https://discord.com/api/webhooks/NUMBER/TOKEN') };
  }
  if (preset === 'telegram' && (url.pathname !== '/' || url.search !== '')) {
    return { ok: false, message: incompleteText(TELEGRAM_ADDRESS) };
  }
  return { ok: true, value: url.href };
}

/** Reads the token of a webhook. No message quotes it. */
export function readWebhookToken(text: string, preset: WebhookPreset): Reading<string> {
  const token = text.trim();
  switch (preset) {
    case 'telegram':
      return TELEGRAM_TOKEN.test(token) ? { ok: true, value: token } : { ok: false, message: telegramTokenText() };
    // Discord has the token in the address.
    case 'discord':
    case 'json':
      return token === '' || (preset === 'json' && BEARER_TOKEN.test(token))
        ? { ok: true, value: token }
        : { ok: false, message: l10n.t('A token contains only letters, digits and . _ ~ + / = -.') };
  }
}

/** Reads the chat that a Telegram bot writes to. */
export function readTelegramChat(text: string): Reading<string> {
  const chat = text.trim();
  return TELEGRAM_CHAT.test(chat) ? { ok: true, value: chat } : { ok: false, message: telegramChatText() };
}

function incompleteText(example: string): string {
  return l10n.t`Enter a complete address, such as ${example}.`;
}

export function telegramTokenText(): string {
  return l10n.t('Enter the token of the bot from @BotFather, such as 123456:ABC-DEF….');
}

export function telegramChatText(): string {
  return l10n.t('Enter the number of the chat, such as -1001234567890, or the @name of a channel.');
}

/** The host of a webhook, which is no secret. */
export function hostOf({ address }: WebhookTarget): string {
  return new URL(address).host;
}

export function presetName(preset: WebhookPreset): string {
  return { json: 'JSON', telegram: 'Telegram', discord: 'Discord' }[preset];
}
