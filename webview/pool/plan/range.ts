import * as l10n from '@vscode/l10n';
import { MAX_BINS_PER_POSITION, rangeAround, widthOf, type BinRange } from '../../../src/base/dlmm/bins';
import { mostBinOf } from './parseInput';

/** Half widths that are offered, in bins on either side of the active one: as the palette's Zap In does. */
export const HALF_WIDTHS: readonly number[] = [10, 34, 50];

/** The half width that a plan begins with. */
const FIRST_HALF_WIDTH = 34;

/** The bins that one-sided ranges are offered with: as many as the plan begins with. */
const ONE_SIDED_BINS = 2 * FIRST_HALF_WIDTH + 1;

/** What of a range is moved: an end, or all of it. */
export type RangeHandle = 'from' | 'to' | 'whole';

/** A range that is offered. */
export interface Preset {
  readonly label: string;
  readonly title: string;
  readonly range: BinRange;
}

/** The range that a plan begins with. */
export function firstRange(activeBinId: number, binStepBps: number | undefined): BinRange {
  return within(rangeAround(activeBinId, FIRST_HALF_WIDTH), binStepBps);
}

/** The ranges that are offered: around the active bin, and those of one token alone. */
export function presetsOf(activeBinId: number, binStepBps: number | undefined, symbolX: string, symbolY: string): readonly Preset[] {
  const around = HALF_WIDTHS.map((half) => ({
    label: `±${half}`,
    title: l10n.t`${half} bins on either side of the active bin`,
    range: rangeAround(activeBinId, half),
  }));
  const above = { fromBinId: activeBinId + 1, toBinId: activeBinId + ONE_SIDED_BINS };
  const below = { fromBinId: activeBinId - ONE_SIDED_BINS, toBinId: activeBinId - 1 };
  const presets = [
    ...around,
    {
      label: l10n.t`Only ${symbolX}, above`,
      title: l10n.t`${ONE_SIDED_BINS} bins above the price: ${symbolX} only, sold while the price rises`,
      range: above,
    },
    {
      label: l10n.t`Only ${symbolY}, below`,
      title: l10n.t`${ONE_SIDED_BINS} bins below the price: ${symbolY} only, spent while the price falls`,
      range: below,
    },
  ];
  return presets.filter(({ range }) => isWithin(range, binStepBps));
}

/** Moves an end to a bin, or the whole range so that its lower end is there: never further than the program has bins, nor ends apart. */
export function moved(range: BinRange, grip: RangeHandle, bin: number, binStepBps: number | undefined): BinRange {
  const { least, most } = limitsOf(range, grip, binStepBps);
  const at = clamp(bin, least, most);
  switch (grip) {
    case 'from':
      return { fromBinId: at, toBinId: range.toBinId };
    case 'to':
      return { fromBinId: range.fromBinId, toBinId: at };
    case 'whole':
      return { fromBinId: at, toBinId: at + widthOf(range) - 1 };
  }
}

/** The bins between which {@link moved} takes what is held at this grip. */
export function limitsOf(
  { fromBinId, toBinId }: BinRange,
  grip: RangeHandle,
  binStepBps: number | undefined,
): { readonly least: number; readonly most: number } {
  const most = mostBinOf(binStepBps);
  switch (grip) {
    case 'from':
      return { least: Math.max(-most, toBinId - MAX_BINS_PER_POSITION + 1), most: toBinId };
    case 'to':
      return { least: fromBinId, most: Math.min(most, fromBinId + MAX_BINS_PER_POSITION - 1) };
    case 'whole':
      return { least: -most, most: most - (toBinId - fromBinId) };
  }
}

/** Whether two ranges are the same. */
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
