import * as l10n from '@vscode/l10n';
import { price } from '../../base/format/amounts';
import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import type { DepositPrices } from '../types';
import type { TokenNames } from './tokenNames';

/** Words that follow "lands only while": "the price is between 0.0212 and 0.0217 SOL per BONK"; `undefined` if nothing is known. */
export function depositPricesText(prices: DepositPrices, tokens: TokenNames): string | undefined {
  return pricesText(prices, tokens) ?? binsText(prices);
}

function pricesText({ lowestPrice, highestPrice, tokenX, tokenY }: DepositPrices, tokens: TokenNames): string | undefined {
  const [x, y] = [tokenX, tokenY].map((mint) => unitOf(mint, tokens));
  if (x === undefined || y === undefined) {
    return undefined;
  }
  const unit = l10n.t`${y.symbol} per ${x.symbol}`;
  const write = (raw: number): string => price(raw * 10 ** (x.decimals - y.decimals));
  if (lowestPrice !== undefined && highestPrice !== undefined) {
    return l10n.t`the price is between ${write(lowestPrice)} and ${write(highestPrice)} ${unit}`;
  }
  if (lowestPrice !== undefined) {
    return l10n.t`the price is at least ${write(lowestPrice)} ${unit}`;
  }
  return highestPrice === undefined ? undefined : l10n.t`the price is at most ${write(highestPrice)} ${unit}`;
}

function binsText({ lowestBinId, highestBinId }: DepositPrices): string | undefined {
  if (lowestBinId !== undefined && highestBinId !== undefined) {
    return l10n.t`the active bin is between ${lowestBinId} and ${highestBinId}`;
  }
  if (lowestBinId !== undefined) {
    return l10n.t`the active bin is at least ${lowestBinId}`;
  }
  return highestBinId === undefined ? undefined : l10n.t`the active bin is at most ${highestBinId}`;
}

function unitOf(mint: Address | undefined, tokens: TokenNames): { readonly symbol: string; readonly decimals: number } | undefined {
  if (mint === WRAPPED_SOL_MINT) {
    return { symbol: 'SOL', decimals: SOL_DECIMALS };
  }
  const token = mint === undefined ? undefined : tokens(mint);
  return mint === undefined || token?.decimals === undefined
    ? undefined
    : { symbol: tickerText(token.symbol, mint), decimals: token.decimals };
}
