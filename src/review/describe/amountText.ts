import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { formatRaw } from '../../base/solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/text';

/** Returns a token's ticker and decimals; without them amounts are shown in raw units. */
export type TokenNames = (mint: Address) => { readonly symbol: string; readonly decimals: number | undefined } | undefined;

/** Formats an amount with its token: "1,234.5 MEME", "0.1 SOL", or raw units of an unknown token. */
export function amountText(mint: Address | undefined, amountRaw: bigint, tokens: TokenNames): string {
  if (mint === undefined) {
    return l10n.t`${String(amountRaw)} raw units of an unknown token`;
  }
  if (mint === WRAPPED_SOL_MINT) {
    return l10n.t`${grouped(formatRaw(amountRaw, SOL_DECIMALS))} SOL`;
  }
  const token = tokens(mint);
  if (token === undefined) {
    return l10n.t`${String(amountRaw)} raw units of ${mint}`;
  }
  const symbol = tickerText(token.symbol, mint);
  return token.decimals === undefined
    ? l10n.t`${String(amountRaw)} raw units of ${symbol}`
    : `${grouped(formatRaw(amountRaw, token.decimals))} ${symbol}`;
}

/** Adds thousands separators: "22,745,796.83322". */
function grouped(amount: string): string {
  return amount.replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',');
}
