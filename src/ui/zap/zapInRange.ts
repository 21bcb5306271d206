import * as l10n from '@vscode/l10n';
import { type BinRange, checkBin, MAX_BINS_PER_POSITION, rangeEdges, sidesOf, uiPriceOfBin, widthOf } from '../../base/dlmm/bins';
import { price } from '../../base/format/amounts';
import { binRange } from '../../base/format/identifiers';
import { signedPercent } from '../../base/format/percent';
import type { Address } from '../../base/solana/address';
import { tickerText } from '../../base/solana/tickers';
import { tokenOf, type TokenNames } from '../../review/describe/tokenNames';
import type { OpenPosition } from '../../service/positions';
import { tokenNames } from './operationDependencies';
import type { ZapInTarget } from './zapInDraft';

/** What prices of bins follow from. */
export type PricedPool = Pick<ZapInTarget, 'binStepBps' | 'decimalsX' | 'decimalsY' | 'symbolX' | 'symbolY'>;

/** The same of a listed position. */
export function pricedPoolOf({ binStepBps, token0, token1 }: Pick<OpenPosition, 'binStepBps' | 'token0' | 'token1'>): PricedPool {
  return pricedPoolOfMints([token0.address, token1.address], binStepBps, tokenNames([token0, token1]));
}

/** The same of two tokens by their mints; without prices if one has no name. */
export function pricedPoolOfMints(
  [mintX, mintY]: readonly (Address | undefined)[],
  binStepBps: number | undefined,
  names: TokenNames,
): PricedPool {
  const [x, y] = [tokenOf(mintX, names), tokenOf(mintY, names)];
  return {
    binStepBps,
    decimalsX: x?.decimals,
    decimalsY: y?.decimals,
    symbolX: x === undefined ? '' : tickerText(x.symbol, mintX),
    symbolY: y === undefined ? '' : tickerText(y.symbol, mintY),
  };
}

/** "0.0212 to 0.0281 SOL per BONK (−3.34% to +3.46%)"; only the percentages where decimals are unknown. */
function rangePrices(range: BinRange, target: PricedPool, activeBinId: number): string {
  const { binStepBps } = target;
  if (binStepBps === undefined) {
    return '';
  }
  const percents = percentsOf(range, activeBinId, binStepBps);
  const prices = pricesOf(range, target);
  return prices === undefined ? percents : `${prices} (${percents})`;
}

/** "0.0212 to 0.0281 SOL per BONK"; `undefined` if bin step or decimals are unknown. */
export function pricesOf(
  { fromBinId, toBinId }: BinRange,
  { binStepBps, decimalsX, decimalsY, symbolX, symbolY }: PricedPool,
): string | undefined {
  if (binStepBps === undefined || decimalsX === undefined || decimalsY === undefined) {
    return undefined;
  }
  const at = (binId: number) => price(uiPriceOfBin(binId, binStepBps, decimalsX, decimalsY));
  return l10n.t`${at(fromBinId)} to ${at(toBinId)} ${symbolY} per ${symbolX}`;
}

/** Why no position can have this range; `undefined` if one can. */
export function problemOfRange(range: BinRange, { binStepBps }: Pick<ZapInTarget, 'binStepBps'>): string | undefined {
  if (range.fromBinId > range.toBinId) {
    return l10n.t`The lower bin comes first: ${range.toBinId} to ${range.fromBinId}.`;
  }
  if (widthOf(range) > MAX_BINS_PER_POSITION) {
    return l10n.t`The range has ${widthOf(range)} bins; a position holds at most ${MAX_BINS_PER_POSITION}.`;
  }
  return binStepBps === undefined ? undefined : binOutside(range, binStepBps);
}

/**
 * Where a range lies: "0.0212 to 0.0281 SOL per BONK (−3.34% to +3.46%)"; without prices "−3.34% to +3.46%", and without a bin step
 * "−386 to −376 (11 bins)".
 */
export function rangePlace(range: BinRange, target: PricedPool, activeBinId: number): string {
  const prices = rangePrices(range, target, activeBinId);
  return prices === '' ? binRange(range.fromBinId, range.toBinId) : prices;
}

/** What it means for a new position that the price is outside its range; `undefined` if it is within. */
export function outsideText(
  range: BinRange,
  { symbolX, symbolY }: Pick<ZapInTarget, 'symbolX' | 'symbolY'>,
  activeBinId: number,
): string | undefined {
  switch (sidesOf(range, activeBinId)) {
    case 'both':
      return undefined;
    case 'onlyX':
      return l10n.t`Above the price: holds only ${symbolX} and earns no fees until the price rises into the range.`;
    case 'onlyY':
      return l10n.t`Below the price: holds only ${symbolY} and earns no fees until the price falls into the range.`;
  }
}

function percentsOf(range: BinRange, activeBinId: number, binStepBps: number): string {
  const { lowerPercent, upperPercent } = rangeEdges(range, activeBinId, binStepBps);
  return l10n.t`${signedPercent(lowerPercent)} to ${signedPercent(upperPercent)}`;
}

function binOutside(range: BinRange, binStepBps: number): string | undefined {
  try {
    checkBin(range.fromBinId, binStepBps);
    checkBin(range.toBinId, binStepBps);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) {
      return `${error.message}.`;
    }
    throw error;
  }
}
