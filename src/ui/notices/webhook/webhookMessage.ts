import * as l10n from '@vscode/l10n';
import { counted } from '../../../base/format/counted';
import { timeOfDay } from '../../../base/format/time';
import type { OutsideNotice } from '../noticeEvent';
import type { WebhookDetails } from './webhookDetails';
import type { WebhookTarget } from './webhookTarget';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A notice as it is sent: only what the user wants sent. */
export interface SentNotice {
  readonly kind: OutsideNotice['kind'];
  readonly pair?: string | undefined;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly text: string;
  readonly figures?: OutsideNotice['figures'] | undefined;
}

/** Older events are shown with their time. */
const OLD_MS = 300_000;
/** Events that a message lists. */
const MOST_LISTED = 20;
/** Discord's limit is 2,000 characters, Telegram's 4,096. */
const LONGEST_TEXT = 1_900;

/** Reduces a notice to what may be sent. */
export function sentNotice({ kind, pair, atMs, brief, full, figures, isSandbox }: OutsideNotice, details: WebhookDetails): SentNotice {
  const text = details === 'figures' ? full : brief;
  return {
    kind,
    ...(pair === undefined ? {} : { pair }),
    atMs,
    text: isSandbox ? `${l10n.t('Sandbox (pretend)')}: ${text}` : text,
    ...(details === 'figures' && Object.keys(figures).length > 0 ? { figures } : {}),
  };
}

export function webhookRequest(target: WebhookTarget, notices: readonly SentNotice[], nowMs: number): WebhookRequest {
  const headers = { 'content-type': 'application/json', 'user-agent': 'binsight' };
  const text = messageText(notices, nowMs);
  switch (target.preset) {
    case 'discord':
      return {
        url: target.address,
        headers,
        body: JSON.stringify({ username: 'Binsight', content: text, allowed_mentions: { parse: [] } }),
      };
    case 'telegram': {
      // Without parse_mode, the text is not read as markup.
      const entities = codeEntities(
        text,
        notices.flatMap(({ pair }) => pair ?? []),
      );
      return {
        url: new URL(`/bot${target.token}/sendMessage`, target.address).href,
        headers,
        body: JSON.stringify({
          chat_id: target.chat,
          text,
          ...(entities.length === 0 ? {} : { entities }),
          link_preview_options: { is_disabled: true },
        }),
      };
    }
    case 'json':
      return {
        url: target.address,
        headers: { ...headers, ...(target.token === '' ? {} : { authorization: `Bearer ${target.token}` }) },
        body: JSON.stringify({
          source: 'binsight',
          version: 1,
          text,
          notices: notices.map(({ atMs, ...notice }) => ({ ...notice, at: new Date(atMs).toISOString() })),
        }),
      };
  }
}

function messageText(notices: readonly SentNotice[], nowMs: number): string {
  const lines = notices
    .slice(0, MOST_LISTED)
    .map(({ atMs, text }) => (nowMs - atMs > OLD_MS ? `${timeOfDay(new Date(atMs))} ${text}` : text));
  const more = notices.length > MOST_LISTED ? [l10n.t`and ${notices.length - MOST_LISTED} more`] : [];
  const all =
    lines.length === 1 ? lines : [l10n.t`${counted(notices.length, 'notice')}:`, ...[...lines, ...more].map((line) => `• ${line}`)];
  return Array.from(all.join('\n')).slice(0, LONGEST_TEXT).join('');
}

/** A part of a message that Telegram shows as code. Offset and length count UTF-16 units (Bot API, `MessageEntity`). */
export interface CodeEntity {
  readonly type: 'code';
  readonly offset: number;
  readonly length: number;
}

/** The maximum number of entities that Telegram reads in a message. */
const MOST_ENTITIES = 100;

/** A name in which no client finds a link: two words of letters and digits, neither of them a number. */
const PLAIN_PAIR = /^[a-z][a-z\d]*(?:\/[a-z][a-z\d]*)?$/i;

/**
 * A word in which a client could find a link: a domain or a mail address, `@name`, `/command`, `#tag`, `$TAG`, a scheme, or a telephone number.
 * The slash between two names is none.
 */
const LINKED_WORD = /\S*(?:(?<![\p{L}\p{N}])[#$/][\p{L}_]|@[\p{L}\p{N}_]|[\p{L}\p{N}][.\u3002]\p{N}*\p{L}|:\/\/|\d[\d-]{6})\S*/gu;

/**
 * Returns the parts of a message that Telegram would turn into links, as code: links and mentions are not looked for in code. Names come from the
 * network, and anyone can name a token "t.me/somebody".
 * @param names the names in the text; all but plain ones become code as a whole
 */
export function codeEntities(text: string, names: readonly string[]): readonly CodeEntity[] {
  const suspicious = [...new Set(names)].filter((name) => name !== '' && !PLAIN_PAIR.test(name));
  const found = merged([...suspicious.flatMap((name) => placesOf(name, text)), ...[...text.matchAll(LINKED_WORD)].map(rangeOf)]);
  const ranges = found.length > MOST_ENTITIES ? [{ from: 0, to: text.length }] : found;
  return ranges.map(({ from, to }) => ({ type: 'code', offset: from, length: to - from }));
}

interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

function rangeOf({ index, 0: word }: RegExpMatchArray): Range {
  const from = index ?? 0;
  return { from, to: from + word.length };
}

function placesOf(name: string, text: string): Range[] {
  const places: Range[] = [];
  for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + name.length)) {
    places.push({ from, to: from + name.length });
  }
  return places;
}

/** In order, without overlaps: Telegram rejects a message whose code entities overlap. */
function merged(ranges: readonly Range[]): readonly Range[] {
  return [...ranges]
    .sort((one, other) => one.from - other.from)
    .reduce<readonly Range[]>((done, next) => {
      const last = done.at(-1);
      return last !== undefined && next.from <= last.to
        ? [...done.slice(0, -1), { from: last.from, to: Math.max(last.to, next.to) }]
        : [...done, next];
    }, []);
}
