import { quotedAscii } from '../text';
import type { Address } from './address';
import { KNOWN_TOKENS } from './programs';

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
  return Array.from(
    symbol
      .slice(0, 2 * LONGEST_SYMBOL)
      .normalize('NFKC')
      .toLowerCase(),
    (character) => SEEN_AS[character] ?? character,
  )
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
