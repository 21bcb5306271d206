import type { Address } from '../solana/address';
import { formatRaw } from '../solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../solana/programs';
import { quoted } from './quoted';

/** Gives a token's ticker and decimals, where they are known; without them amounts are shown in raw units. */
export type TokenNames = (mint: Address) => { readonly symbol: string; readonly decimals: number | undefined } | undefined;

/**
 * Tickers that read as they are: they begin with a letter, and are no more digits or an exponent behind the amount. Of any other,
 * which is network text, only a quoted form is shown.
 */
const PLAIN_SYMBOL = /^(?!e[+-]?\d)\$?[a-z](?:[\w$.+-]{0,18}[a-z0-9])?$/i;
const LONGEST_SYMBOL = 20;
/** What a token that is not SOL must not be taken for, with whatever is around it, and a digit for a letter that looks like it. */
const SOL_SYMBOL = /^[^A-Za-z0-9]*w?[s5][o0][l1I][^A-Za-z0-9]*$/i;

/** Writes an amount with its token: "1,234.5 MEME", "0.1 SOL", or raw units where the token is not known. */
export function amountText(mint: Address | undefined, amountRaw: bigint, tokens: TokenNames): string {
  if (mint === undefined) {
    return `${amountRaw} raw units of a token that could not be determined`;
  }
  if (mint === WRAPPED_SOL_MINT) {
    return `${grouped(formatRaw(amountRaw, SOL_DECIMALS))} SOL`;
  }
  const token = tokens(mint);
  if (token === undefined) {
    return `${amountRaw} raw units of ${mint}`;
  }
  const symbol = tickerText(token.symbol, mint);
  return token.decimals === undefined ? `${amountRaw} raw units of ${symbol}` : `${grouped(formatRaw(amountRaw, token.decimals))} ${symbol}`;
}

/** Writes a token's ticker, quoted where it could be read as something else, and with its mint where it could be taken for SOL. */
export function tickerText(symbol: string, mint: Address): string {
  if (SOL_SYMBOL.test(symbol)) {
    return `${quoted(symbol.slice(0, LONGEST_SYMBOL))} (not SOL, but ${mint})`;
  }
  return PLAIN_SYMBOL.test(symbol) ? symbol : quoted(symbol.slice(0, LONGEST_SYMBOL));
}

/** Puts a comma before every three whole digits: "22,745,796.83322". */
function grouped(amount: string): string {
  return amount.replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',');
}
