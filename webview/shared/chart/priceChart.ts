import * as l10n from '@vscode/l10n';
import type { DirectiveResult } from 'lit-html/directive.js';
import type { Figures } from '../figures';
import type { TimeSeries } from './plot';
import type { SeriesColor } from './theme';
import { timeChart } from './timeChart';

/** A price, and the kinds of marks at it. */
export interface MarkedPrice<Mark extends string> {
  readonly atMs: number;
  readonly price: number;
  readonly marks: readonly Mark[];
}

/** What happened at a time, at its own price or, where that is not known, at the last one before. */
export interface PriceMark<Mark extends string> {
  readonly atMs: number;
  readonly price: number | undefined;
  readonly mark: Mark;
}

/**
 * Prices with marks on them, each time once, ascending. Marks that have no price, nor one before them, are left out.
 * @param prices of two with one time the later one counts; a mark's own price comes before both
 */
export function markedPrices<Mark extends string>(
  prices: readonly { readonly atMs: number; readonly price: number }[],
  marks: readonly PriceMark<Mark>[],
): readonly MarkedPrice<Mark>[] {
  const ordered = [...prices].sort((one, other) => one.atMs - other.atMs);
  const points = new Map<number, MarkedPrice<Mark>>(ordered.map(({ atMs, price }) => [atMs, { atMs, price, marks: [] }]));
  for (const { atMs, price: own, mark } of marks) {
    const price = own ?? points.get(atMs)?.price ?? ordered.findLast((point) => point.atMs <= atMs)?.price;
    const before = points.get(atMs)?.marks ?? [];
    if (price !== undefined) {
      points.set(atMs, { atMs, price, marks: before.includes(mark) ? before : [...before, mark] });
    }
  }
  return [...points.values()].sort((one, other) => one.atMs - other.atMs);
}

/** The bounds of a range in the unit of the prices. */
export interface PriceBounds {
  readonly lower: number;
  readonly upper: number;
}

export interface PriceChart<Mark extends string> {
  /** Unique on the page. */
  readonly id: string;
  readonly summary: string;
  /** Ascending by time. */
  readonly points: readonly MarkedPrice<Mark>[];
  /** Each point is marked: between them nothing is known. */
  readonly hasPoints: boolean;
  /** Those that are drawn, where points have them. */
  readonly marks: readonly { readonly mark: Mark; readonly label: string; readonly color: SeriesColor }[];
  readonly ranges: readonly { readonly lowerLabel: string; readonly upperLabel: string; readonly bounds: PriceBounds }[];
  readonly figures: Figures;
}

/** The price over time, with marks and with ranges as pairs of lines. */
export function priceChart<Mark extends string>({
  id,
  summary,
  points,
  hasPoints,
  marks,
  ranges,
  figures,
}: PriceChart<Mark>): DirectiveResult {
  const { text } = figures;
  const lineAt = (label: string, value: number, color: SeriesColor): TimeSeries => ({ label, values: points.map(() => value), color });
  return timeChart({
    id,
    label: l10n.t('Price'),
    summary,
    times: points.map(({ atMs }) => atMs),
    series: [
      { label: l10n.t('Price'), values: points.map(({ price }) => price), hasPoints },
      ...marks
        .filter(({ mark }) => points.some((point) => point.marks.includes(mark)))
        .map(({ mark, label, color }): TimeSeries => ({
          label,
          values: points.map((point) => (point.marks.includes(mark) ? point.price : undefined)),
          color,
          isMarks: true,
        })),
      ...ranges.flatMap(({ lowerLabel, upperLabel, bounds }) => [
        lineAt(lowerLabel, bounds.lower, 'yellow'),
        lineAt(upperLabel, bounds.upper, 'purple'),
      ]),
    ],
    format: text.price,
    formatTime: text.exact,
    kind: 'line',
    figures,
  });
}
