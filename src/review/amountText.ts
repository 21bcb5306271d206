import type { Address } from '../solana/address';
import { formatRaw } from '../solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../solana/programs';
import { quoted } from './quoted';

/** Gives a token's ticker and decimals, where they are known; without them amounts are shown in raw units. */
export type TokenNames = (mint: Address) => { readonly symbol: string; readonly decimals: number | undefined } | undefined;

/** Tickers that read as they are; of any other, which is network text, only a quoted form is shown. */
const PLAIN_SYMBOL = /^[\w$.+-]{1,20}$/;
const LONGEST_SYMBOL = 20;
/** What a token that is not SOL must not be taken for. */
const SOL_SYMBOL = /^w?sol$/i;

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
  const symbol = symbolText(token.symbol, mint);
  return token.decimals === undefined ? `${amountRaw} raw units of ${symbol}` : `${grouped(formatRaw(amountRaw, token.decimals))} ${symbol}`;
}

function symbolText(symbol: string, mint: Address): string {
  if (SOL_SYMBOL.test(symbol)) {
    return `"${symbol}" (not SOL, but ${mint})`;
  }
  return PLAIN_SYMBOL.test(symbol) ? symbol : quoted(symbol.slice(0, LONGEST_SYMBOL));
}

/** Puts a comma before every three whole digits: "22,745,796.83322". */
function grouped(amount: string): string {
  return amount.replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',');
}
