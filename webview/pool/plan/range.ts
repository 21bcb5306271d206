import * as l10n from '@vscode/l10n';
import { isBinStep, MAX_BINS_PER_POSITION, rangeAround, widthOf, type BinRange } from '../../../src/base/dlmm/bins';
import type { PoolView } from '../../../src/protocol/pool';
import type { FigureTexts } from '../../shared/figures';
import { changePercent, mostBinOf } from './parseInput';

/** Half widths of the presets, in bins on either side of the active one; the same as in the Zap In command. */
const HALF_WIDTHS: readonly number[] = [10, 34, 50];

/** Half width of the initial range. */
const FIRST_HALF_WIDTH = 34;

/** Bins of one-sided presets: as many as the initial range has. */
const ONE_SIDED_BINS = 2 * FIRST_HALF_WIDTH + 1;

/** The part of a range that is moved: a bound, or all of it. */
export type RangeHandle = 'from' | 'to' | 'whole';

export interface Preset {
  readonly label: string;
  readonly range: BinRange;
}

/** The initial range of a plan. */
export function firstRange(activeBinId: number, binStepBps: number | undefined): BinRange {
  return within(rangeAround(activeBinId, FIRST_HALF_WIDTH), binStepBps);
}

/** Where a range lies: "−2.5% to +2.6% · 27 bins" from the displayed price; of an unknown pool "−384 to −316 (69 bins)". */
export function placeText(
  { fromBinId, toBinId }: BinRange,
  pool: Pick<PoolView, 'activeBinId' | 'binStepBps'> | undefined,
  isSwapped: boolean,
  text: FigureTexts,
): string {
  const { activeBinId, binStepBps } = pool ?? {};
  if (activeBinId === undefined || binStepBps === undefined || !isBinStep(binStepBps)) {
    return text.bins(fromBinId, toBinId);
  }
  const [least, most] = [fromBinId, toBinId]
    .map((bin) => changePercent(bin, activeBinId, binStepBps, isSwapped))
    .toSorted((one, other) => one - other);
  return `${l10n.t`${text.signedPercent(least)} to ${text.signedPercent(most)}`} · ${text.counted(widthOf({ fromBinId, toBinId }), 'bin')}`;
}

/** The range presets: around the active bin, and one-sided. */
export function presetsOf(activeBinId: number, binStepBps: number | undefined, symbolX: string, symbolY: string): readonly Preset[] {
  const around = HALF_WIDTHS.map((half) => ({ label: `±${half}`, range: rangeAround(activeBinId, half) }));
  const above = { fromBinId: activeBinId + 1, toBinId: activeBinId + ONE_SIDED_BINS };
  const below = { fromBinId: activeBinId - ONE_SIDED_BINS, toBinId: activeBinId - 1 };
  const presets = [
    ...around,
    { label: l10n.t`Only ${symbolX}, above`, range: above },
    { label: l10n.t`Only ${symbolY}, below`, range: below },
  ];
  return presets.filter(({ range }) => isWithin(range, binStepBps));
}

/** Moves a bound to a bin, or the whole range so that it starts there, within the limits of the program and of a position's width. */
export function moved(range: BinRange, handle: RangeHandle, bin: number, binStepBps: number | undefined): BinRange {
  const { least, most } = limitsOf(range, handle, binStepBps);
  const at = clamp(bin, least, most);
  switch (handle) {
    case 'from':
      return { fromBinId: at, toBinId: range.toBinId };
    case 'to':
      return { fromBinId: range.fromBinId, toBinId: at };
    case 'whole':
      return { fromBinId: at, toBinId: at + widthOf(range) - 1 };
  }
}

/** The bins between which {@link moved} keeps a handle. */
export function limitsOf(
  { fromBinId, toBinId }: BinRange,
  handle: RangeHandle,
  binStepBps: number | undefined,
): { readonly least: number; readonly most: number } {
  const most = mostBinOf(binStepBps);
  switch (handle) {
    case 'from':
      return { least: Math.max(-most, toBinId - MAX_BINS_PER_POSITION + 1), most: toBinId };
    case 'to':
      return { least: fromBinId, most: Math.min(most, fromBinId + MAX_BINS_PER_POSITION - 1) };
    case 'whole':
      return { least: -most, most: most - (toBinId - fromBinId) };
  }
}

export function isSameRange(one: BinRange | undefined, other: BinRange | undefined): boolean {
  return one?.fromBinId === other?.fromBinId && one?.toBinId === other?.toBinId;
}

function isWithin({ fromBinId, toBinId }: BinRange, binStepBps: number | undefined): boolean {
  const most = mostBinOf(binStepBps);
  return fromBinId >= -most && toBinId <= most;
}

function within({ fromBinId, toBinId }: BinRange, binStepBps: number | undefined): BinRange {
  const most = mostBinOf(binStepBps);
  return { fromBinId: clamp(fromBinId, -most, most), toBinId: clamp(toBinId, -most, most) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
