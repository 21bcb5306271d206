import * as l10n from '@vscode/l10n';
import { price } from '../../base/format/amounts';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import type { DepositPrices } from '../types';
import { boundsText } from '../rules/words';
import { tokenOf, type TokenNames } from './tokenNames';

/** Where a deposit lands: "0.0212 to 0.0217 SOL per BONK"; `undefined` if nothing is known. */
export function depositPricesText(prices: DepositPrices, tokens: TokenNames): string | undefined {
  return pricesText(prices, tokens) ?? binsText(prices);
}

/** The same in two figures, whose unit is in the line about the position: "0.0212–0.0217"; `undefined` unless both are known. */
export function depositPricesBriefly(prices: DepositPrices, tokens: TokenNames): string | undefined {
  const ends = endsOf(prices, tokens);
  return ends?.lowest === undefined || ends.highest === undefined ? undefined : `${ends.lowest}–${ends.highest}`;
}

function pricesText(prices: DepositPrices, tokens: TokenNames): string | undefined {
  const ends = endsOf(prices, tokens);
  if (ends === undefined) {
    return undefined;
  }
  const { lowest, highest, unit } = ends;
  return lowest === undefined && highest === undefined ? undefined : `${boundsText(lowest, highest)} ${unit}`;
}

/** The ends in whole tokens, and their unit; `undefined` if the tokens are not known. */
function endsOf(
  { lowestPrice, highestPrice, tokenX, tokenY }: DepositPrices,
  tokens: TokenNames,
): { readonly lowest: string | undefined; readonly highest: string | undefined; readonly unit: string } | undefined {
  const [x, y] = [tokenX, tokenY].map((mint) => unitOf(mint, tokens));
  if (x === undefined || y === undefined) {
    return undefined;
  }
  const write = (raw: number | undefined) => (raw === undefined ? undefined : price(raw * 10 ** (x.decimals - y.decimals)));
  return { lowest: write(lowestPrice), highest: write(highestPrice), unit: l10n.t`${y.symbol} per ${x.symbol}` };
}

function binsText({ lowestBinId, highestBinId }: DepositPrices): string | undefined {
  return lowestBinId === undefined && highestBinId === undefined ? undefined : l10n.t`active bin ${boundsText(lowestBinId, highestBinId)}`;
}

function unitOf(mint: Address | undefined, tokens: TokenNames): { readonly symbol: string; readonly decimals: number } | undefined {
  const token = tokenOf(mint, tokens);
  return mint === undefined || token?.decimals === undefined
    ? undefined
    : { symbol: mint === WRAPPED_SOL_MINT ? token.symbol : tickerText(token.symbol, mint), decimals: token.decimals };
}
