import type { Address } from './address';
import { quotedAscii } from '../text';

/**
 * Tickers that read as they are: they begin with a letter, and are no more digits or an exponent behind the amount. Of any other,
 * which is network text, only a quoted form is shown.
 */
const PLAIN_SYMBOL = /^(?!e[+-]?\d)\$?[a-z](?:[\w$.+-]{0,18}[a-z0-9])?$/i;
const LONGEST_SYMBOL = 20;
/** What a token that is not SOL must not be taken for, with whatever is around it, and a digit for a letter that looks like it. */
const SOL_SYMBOL = /^[^A-Za-z0-9]*w?[s5][o0][l1I][^A-Za-z0-9]*$/i;

/** Writes a token's ticker, quoted where it could be read as something else, and with its mint where it could be taken for SOL. */
export function tickerText(symbol: string, mint: Address): string {
  if (SOL_SYMBOL.test(symbol)) {
    return `${quotedAscii(symbol.slice(0, LONGEST_SYMBOL))} (not SOL, but ${mint})`;
  }
  return PLAIN_SYMBOL.test(symbol) ? symbol : quotedAscii(symbol.slice(0, LONGEST_SYMBOL));
}
