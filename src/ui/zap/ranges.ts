import * as l10n from '@vscode/l10n';
import {
  type BinRange,
  checkBin,
  MAX_BINS_PER_POSITION,
  rangeAround,
  rangeEdges,
  sidesOf,
  uiPriceOfBin,
  widthOf,
} from '../../base/dlmm/bins';
import { price } from '../../base/format/amounts';
import { binRange } from '../../base/format/identifiers';
import { signedPercent } from '../../base/format/percent';
import type { Reading } from '../shell/prompts/prompts';
import type { ZapInTarget } from './zapInTarget';

/** Offered half widths, in bins on either side of the active one. */
export const HALF_WIDTHS: readonly number[] = [10, 34, 50];

const AROUND = /^(?:±|\+-|\+\/-)?\s*(\d{1,6})$/;
const FROM_TO = /^([+-]?\d{1,7})\s*(?:\.\.\.?|…|to|:)\s*([+-]?\d{1,7})$/;

/** "0.0212 to 0.0281 SOL per BONK (−3.34% to +3.46%)"; only the percentages where decimals are unknown. */
export function rangePrices(range: BinRange, target: ZapInTarget, activeBinId: number): string {
  const { binStepBps } = target;
  if (binStepBps === undefined) {
    return '';
  }
  const percents = percentsOf(range, activeBinId, binStepBps);
  const prices = pricesOf(range, target);
  return prices === undefined ? percents : `${prices} (${percents})`;
}

/** "0.0212 to 0.0281 SOL per BONK"; `undefined` where bin step or decimals are unknown. */
export function pricesOf(
  { fromBinId, toBinId }: BinRange,
  { binStepBps, decimalsX, decimalsY, symbolX, symbolY }: ZapInTarget,
): string | undefined {
  if (binStepBps === undefined || decimalsX === undefined || decimalsY === undefined) {
    return undefined;
  }
  const at = (binId: number) => price(uiPriceOfBin(binId, binStepBps, decimalsX, decimalsY));
  return l10n.t`${at(fromBinId)} to ${at(toBinId)} ${symbolY} per ${symbolX}`;
}

/** Parses a typed range: "34" or "±34" around the active bin, or "-420..-350" from bin to bin. */
export function readRange(text: string, target: ZapInTarget, activeBinId: number): Reading<BinRange> {
  const range = parseRange(text.trim().replaceAll('−', '-'), activeBinId);
  if (range === undefined) {
    return {
      ok: false,
      message: l10n.t`Enter the bins on either side of the active bin, such as 34, or the first and last bin, such as ${activeBinId - 20}..${activeBinId + 20}.`,
    };
  }
  const problem = problemOfRange(range, target);
  return problem === undefined
    ? { ok: true, value: range, note: describeRange(range, target, activeBinId) }
    : { ok: false, message: problem };
}

/** Why no position can have this range; `undefined` where one can. */
export function problemOfRange(range: BinRange, { binStepBps }: Pick<ZapInTarget, 'binStepBps'>): string | undefined {
  if (range.fromBinId > range.toBinId) {
    return l10n.t`The lower bin comes first: ${range.toBinId} to ${range.fromBinId}.`;
  }
  if (widthOf(range) > MAX_BINS_PER_POSITION) {
    return l10n.t`A position has at most ${MAX_BINS_PER_POSITION} bins; this range has ${widthOf(range)}.`;
  }
  return binStepBps === undefined ? undefined : binOutside(range, binStepBps);
}

/** "−386 to −376 (11 bins), −3.34% to +3.46%", and what it means where the price is outside. */
export function briefRange(range: BinRange, target: ZapInTarget, activeBinId: number): string {
  const percents = target.binStepBps === undefined ? '' : `, ${percentsOf(range, activeBinId, target.binStepBps)}`;
  const side = sidesOf(range, activeBinId) === 'both' ? '' : `. ${sidesText(range, target, activeBinId)}`;
  return `${binRange(range.fromBinId, range.toBinId)}${percents}${side}`;
}

/** "−386 to −376 (11 bins): 0.0212 to 0.0281 SOL per BONK (−3.34% to +3.46%). In range." */
export function describeRange(range: BinRange, target: ZapInTarget, activeBinId: number): string {
  const prices = rangePrices(range, target, activeBinId);
  return `${binRange(range.fromBinId, range.toBinId)}${prices === '' ? '' : `: ${prices}`}. ${sidesText(range, target, activeBinId)}`;
}

function percentsOf(range: BinRange, activeBinId: number, binStepBps: number): string {
  const { lowerPercent, upperPercent } = rangeEdges(range, activeBinId, binStepBps);
  return l10n.t`${signedPercent(lowerPercent)} to ${signedPercent(upperPercent)}`;
}

/** Where the price is relative to a range, and what that means: "In range." */
export function sidesText(range: BinRange, { symbolX, symbolY }: Pick<ZapInTarget, 'symbolX' | 'symbolY'>, activeBinId: number): string {
  switch (sidesOf(range, activeBinId)) {
    case 'both':
      return l10n.t('In range.');
    case 'onlyX':
      return l10n.t`Above the price: holds only ${symbolX} and earns no fees until the price rises into the range.`;
    case 'onlyY':
      return l10n.t`Below the price: holds only ${symbolY} and earns no fees until the price falls into the range.`;
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
