import * as l10n from '@vscode/l10n';
import { checkBin, MAX_BINS_PER_POSITION, rangeAround, rangeEdges, uiPriceOfBin, widthOf, type BinRange } from '../../base/dlmm/bins';
import { sidesOf } from '../../base/dlmm/sides';
import { binRange } from '../../base/format/places';
import { price } from '../../base/format/price';
import { signedPercent } from '../../base/format/percent';
import type { Reading } from '../shell/prompts/prompts';
import type { ZapInTarget } from './zapInTarget';

/** Half widths that are offered, in bins on either side of the active one. */
export const HALF_WIDTHS: readonly number[] = [10, 34, 50];

const AROUND = /^(?:±|\+-|\+\/-)?\s*(\d{1,6})$/;
const FROM_TO = /^([+-]?\d{1,7})\s*(?:\.\.\.?|…|to|:)\s*([+-]?\d{1,7})$/;

/** "0.0212 … 0.0281 SOL per BONK (−3.34 % … +3.46 %)"; only the percentages where decimals are not known. */
export function rangePrices(range: BinRange, target: ZapInTarget, activeBinId: number): string {
  const { binStepBps } = target;
  if (binStepBps === undefined) {
    return '';
  }
  const percents = percentsOf(range, activeBinId, binStepBps);
  const prices = pricesOf(range, target);
  return prices === undefined ? percents : `${prices} (${percents})`;
}

/** "0.0212 … 0.0281 SOL per BONK"; `undefined` where the bin step or decimals are not known. */
export function pricesOf(
  { fromBinId, toBinId }: BinRange,
  { binStepBps, decimalsX, decimalsY, symbolX, symbolY }: ZapInTarget,
): string | undefined {
  if (binStepBps === undefined || decimalsX === undefined || decimalsY === undefined) {
    return undefined;
  }
  const at = (binId: number) => price(uiPriceOfBin(binId, binStepBps, decimalsX, decimalsY));
  return l10n.t`${at(fromBinId)} … ${at(toBinId)} ${symbolY} per ${symbolX}`;
}

/** Reads a range as it was typed: "34" or "±34" around the active bin, or "-420..-350" from bin to bin. */
export function readRange(text: string, target: ZapInTarget, activeBinId: number): Reading<BinRange> {
  const range = parseRange(text.trim().replaceAll('−', '-'), activeBinId);
  if (range === undefined) {
    return {
      ok: false,
      message: l10n.t`Type a number of bins on either side of the active bin, such as 34, or the first and the last bin, such as ${activeBinId - 20}..${activeBinId + 20}.`,
    };
  }
  const problem = problemOfRange(range, target);
  return problem === undefined
    ? { ok: true, value: range, note: describeRange(range, target, activeBinId) }
    : { ok: false, message: problem };
}

/** Why a position cannot have such a range, in words; `undefined`: it can. */
export function problemOfRange(range: BinRange, { binStepBps }: Pick<ZapInTarget, 'binStepBps'>): string | undefined {
  if (range.fromBinId > range.toBinId) {
    return l10n.t`The range begins above its end: the lower bin comes first (${range.toBinId}..${range.fromBinId}).`;
  }
  if (widthOf(range) > MAX_BINS_PER_POSITION) {
    return l10n.t`A position has at most ${MAX_BINS_PER_POSITION} bins, and this range has ${widthOf(range)}.`;
  }
  return binStepBps === undefined ? undefined : binOutside(range, binStepBps);
}

/** "−386 … −376 (11 bins), −3.34 % … +3.46 %"; with what it means where the price is not inside. */
export function briefRange(range: BinRange, target: ZapInTarget, activeBinId: number): string {
  const percents = target.binStepBps === undefined ? '' : `, ${percentsOf(range, activeBinId, target.binStepBps)}`;
  const side = sidesOf(range, activeBinId) === 'both' ? '' : `. ${sidesText(range, target, activeBinId)}`;
  return `${binRange(range.fromBinId, range.toBinId)}${percents}${side}`;
}

/** "−386 … −376 (11 bins): 0.0212 … 0.0281 SOL per BONK (−3.34 % … +3.46 %). The price is inside." */
export function describeRange(range: BinRange, target: ZapInTarget, activeBinId: number): string {
  const prices = rangePrices(range, target, activeBinId);
  return `${binRange(range.fromBinId, range.toBinId)}${prices === '' ? '' : `: ${prices}`}. ${sidesText(range, target, activeBinId)}`;
}

function percentsOf(range: BinRange, activeBinId: number, binStepBps: number): string {
  const { lowerPercent, upperPercent } = rangeEdges(range, activeBinId, binStepBps);
  return `${signedPercent(lowerPercent)} … ${signedPercent(upperPercent)}`;
}

/** Where a range lies, and what that means: "The price is inside." */
export function sidesText(range: BinRange, { symbolX, symbolY }: Pick<ZapInTarget, 'symbolX' | 'symbolY'>, activeBinId: number): string {
  switch (sidesOf(range, activeBinId)) {
    case 'both':
      return l10n.t('The price is inside.');
    case 'onlyX':
      return l10n.t`All of it lies above the price: it holds ${symbolX} only, and earns nothing until the price rises into it.`;
    case 'onlyY':
      return l10n.t`All of it lies below the price: it holds ${symbolY} only, and earns nothing until the price falls into it.`;
  }
}

function parseRange(text: string, activeBinId: number): BinRange | undefined {
  const around = AROUND.exec(text)?.[1];
  if (around !== undefined) {
    return rangeAround(activeBinId, Number(around));
  }
  const [, from, to] = FROM_TO.exec(text) ?? [];
  return from === undefined || to === undefined ? undefined : { fromBinId: Number(from), toBinId: Number(to) };
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
