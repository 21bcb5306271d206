import * as l10n from '@vscode/l10n';
import type { Address } from './solana/address';
import { KNOWN_TOKENS } from './solana/programs';

/**
 * Defuses the links in a foreign text: "https[:]//example.org", "/[/]example.org", "www[.]example.org", "a[@]example.org". VS Code turns bare
 * addresses in Markdown, documents and the log into links, and `[text](address)` in notifications too, where it may even run a command. The
 * name of a token or service must not become a link.
 */
export function withoutLinks(text: string): string {
  if (!/[:@]|\/\/|\]\(|www\./i.test(text)) {
    return text;
  }
  return (
    text
      .replace(/\](?=\()/g, '] ')
      .replace(/([a-z][a-z\d+.-]*):(?=\/\/)/gi, '$1[:]')
      // Without a scheme it is one in rendered Markdown.
      .replace(/(?<![\w:\]/])\/\/(?=\w)/g, '/[/]')
      .replace(/\b(command|file|mailto|vscode(?:-insiders)?|data|javascript):(?=\S)/gi, '$1[:]')
      .replace(/\b(www)\.(?=\S)/gi, '$1[.]')
      .replace(/([\w.+-])@(?=[\w-]+\.\w)/g, '$1[@]')
  );
}

/** Controls and invisible formatting, such as marks that reverse the direction; the joiner inside emoji (U+200D) may stay. */
const UNSEEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/** Text in which {@link oneLine} has nothing to change: most names. */
const PLAIN_WORDS = /^[A-Za-z0-9]+(?:[ /_-][A-Za-z0-9]+)*$/;

/**
 * Makes foreign text fit for one line of a list, a message or the log: without control characters, invisible formatting and links, with
 * single spaces, and with at most `longest` characters.
 */
export function oneLine(text: string, longest: number): string {
  if (text.length <= longest && PLAIN_WORDS.test(text)) {
    return text;
  }
  const characters = Array.from(
    withoutLinks(
      text
        .slice(0, 4 * longest)
        .replace(UNSEEN, ' ')
        .trim(),
    ),
  );
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}

/** Quotes a value for a message: `"abc"`, `17`, `a list`. */
export function quoted(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `"${oneLine(value, 40)}"`;
    case 'number':
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'nothing';
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : l10n.t('an object');
  }
}

/**
 * Quotes a text from a transaction so it can't be mistaken for anything else: everything except printable ASCII, characters with a meaning in
 * Markdown, and those that make an address a link are escaped.
 */
export function quotedAscii(text: string): string {
  const escaped = text.replace(/[^\x20-\x7e]|["\\`*_<>[\]|#]|:(?=\/\/)|(?<=\bwww)\./giu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return `"${escaped}"`;
}

/**
 * Tickers that are shown without quotes. They begin with a letter, and cannot be taken for more digits or an exponent of the amount before them.
 */
const PLAIN_SYMBOL = /^(?!e[+-]?\d)\$?[a-z](?:[\w$.+-]{0,18}[a-z0-9])?$/i;
const LONGEST_SYMBOL = 20;
/** Characters that are easily taken for letters. */
const SEEN_AS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '|': 'l',
  '!': 'l',
  '3': 'e',
  '5': 's',
  $: 's',
  '7': 't',
  '8': 'b',
};

/** How a ticker reads at a glance: in lower case, and without characters around and between its letters. */
function glance(symbol: string): string {
  return Array.from(symbol.normalize('NFKC').toLowerCase(), (character) => SEEN_AS[character] ?? character)
    .join('')
    .replace(/[^a-z0-9]/g, '');
}

/** The well-known tickers by how they read. The wrapped forms read like the tokens themselves. */
const KNOWN_TICKERS: ReadonlyMap<string, string> = new Map(
  [...KNOWN_TOKENS.values()].flatMap(({ symbol }) => [symbol, `w${symbol}`].map((form): [string, string] => [glance(form), symbol])),
);

/** The well-known ticker that a symbol is or could be taken for; a dollar sign before a ticker may be a letter or an ornament. */
function imitated(symbol: string): string | undefined {
  return KNOWN_TICKERS.get(glance(symbol)) ?? KNOWN_TICKERS.get(glance(symbol.replace(/^[^a-z0-9]+/i, '')));
}

/**
 * Formats a token's ticker for a message: quoted if it could be read as something else, and with its mint if it looks like the ticker of a
 * well-known token, which it is not.
 * @param shownMint how the mint is shown: in full, unless there is little room
 */
export function tickerText(symbol: string, mint: Address | undefined, shownMint: string = mint ?? '?'): string {
  const known = mint && KNOWN_TOKENS.get(mint);
  if (known !== undefined) {
    return known.symbol;
  }
  const original = imitated(symbol);
  if (original !== undefined) {
    return `${quotedAscii(symbol.slice(0, LONGEST_SYMBOL))} (not ${original}, but ${shownMint})`;
  }
  return PLAIN_SYMBOL.test(symbol) ? symbol : quotedAscii(symbol.slice(0, LONGEST_SYMBOL));
}
