import { type BinRange, MAX_BINS_PER_POSITION, maxBinIdOf, priceOfBin, rangeAround } from '../dlmm/bins';
import { STRATEGIES, type Strategy } from '../dlmm/strategy';
import { DAY_S } from '../time';
import { type BinnedOutlook, binnedOutlook, plannedBins } from './outlook';

/** As for an outlook, with what is to be deposited instead of where. */
export interface WidthsInput extends Omit<BinnedOutlook, 'own' | 'range'> {
  /** Raw units. */
  readonly amountX: bigint;
  readonly amountY: bigint;
  /** Default: all. */
  readonly strategies?: readonly Strategy[] | undefined;
}

/** The outlook of one width and shape. `null`: fees are not known. */
export interface WidthRow {
  readonly halfWidthBins: number;
  readonly strategy: Strategy;
  readonly timeInRange: number;
  readonly fees: number | null;
  readonly loss: number;
  readonly net: number | null;
}

/** Outlooks of several widths around the price. */
export type Widths =
  | { readonly known: false; readonly why: 'noVolatility' | 'noAmount' }
  | {
      readonly known: true;
      readonly rows: readonly WidthRow[];
      /** The row that leaves the most; `null`: fees are not known. */
      readonly best: { readonly halfWidthBins: number; readonly strategy: Strategy } | null;
      /** Whether it leaves something, and more than all other widths by more than the error of its fees. */
      readonly isClear: boolean;
    };

/** Half-widths in expected moves of the price, σ√T. */
const HALF_WIDTHS = [0.5, 1, 1.5, 2, 3] as const;
const WIDEST = Math.floor((MAX_BINS_PER_POSITION - 1) / 2);
/** The share of its fees by which a width has to be ahead of the others. */
const CLEARLY_AHEAD = 0.3;

/**
 * Compares widths and shapes of a deposit around the active bin.
 * @throws RangeError if the program has no such bins
 */
export function compareWidths(input: WidthsInput): Widths {
  const { sigma, binStepBps, activeBinId, amountX, amountY, horizonS, strategies = STRATEGIES } = input;
  if (sigma === undefined) {
    return { known: false, why: 'noVolatility' };
  }
  if (amountX <= 0n && amountY <= 0n) {
    return { known: false, why: 'noAmount' };
  }
  const move = (sigma.value * Math.sqrt(horizonS / DAY_S)) / Math.log(priceOfBin(1, binStepBps));
  const widest = Math.min(WIDEST, maxBinIdOf(binStepBps) - Math.abs(activeBinId));
  const halves = new Set(HALF_WIDTHS.map((factor) => Math.max(Math.min(Math.round(factor * move), widest), Math.min(1, widest))));
  const rows = [...halves].flatMap((halfWidthBins) => strategies.map((strategy) => rowOf(input, halfWidthBins, strategy)));
  const best = bestOf(rows);
  return {
    known: true,
    rows,
    best: best === undefined ? null : { halfWidthBins: best.halfWidthBins, strategy: best.strategy },
    isClear: best !== undefined && isClearlyAhead(best, rows),
  };
}

function rowOf(input: WidthsInput, halfWidthBins: number, strategy: Strategy): WidthRow {
  const { binStepBps, activeBinId, amountX, amountY, sigma } = input;
  const range: BinRange = rangeAround(activeBinId, halfWidthBins);
  const own = plannedBins({ ...range, activeBinId, binStepBps, strategy, amountX, amountY });
  const outlook = binnedOutlook({ ...input, own, range, sigma: sigma === undefined ? undefined : onlyValue(sigma.value) });
  if (!outlook.known) {
    return { halfWidthBins, strategy, timeInRange: 0, fees: null, loss: 0, net: null };
  }
  const { timeInRange, loss, fees } = outlook;
  return {
    halfWidthBins,
    strategy,
    timeInRange: timeInRange.value,
    fees: fees?.value ?? null,
    loss: loss.value,
    net: fees === null ? null : fees.value + loss.value,
  };
}

function onlyValue(value: number): { readonly value: number; readonly low: number; readonly high: number } {
  return { value, low: value, high: value };
}

type KnownRow = WidthRow & { readonly fees: number; readonly net: number };

function isKnownRow(row: WidthRow): row is KnownRow {
  return row.net !== null && row.fees !== null;
}

function bestOf(rows: readonly WidthRow[]): KnownRow | undefined {
  return rows
    .filter(isKnownRow)
    .reduce<KnownRow | undefined>((best, row) => (best === undefined || row.net > best.net ? row : best), undefined);
}

function isClearlyAhead(best: KnownRow, rows: readonly WidthRow[]): boolean {
  const others = rows.filter(isKnownRow).filter(({ halfWidthBins }) => halfWidthBins !== best.halfWidthBins);
  return best.net > 0 && others.length > 0 && others.every(({ net }) => best.net - net > CLEARLY_AHEAD * best.fees);
}
