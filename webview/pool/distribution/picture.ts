import * as l10n from '@vscode/l10n';
import type { TemplateResult } from 'lit-html';
import { niceStep, niceTicks } from '../../shared/geometry';
import { barsOf, heightOf, mostIn, type Plot, scaleOf, visibleBins } from './bars';
import type { BarPainter } from './canvas';
import { AXIS_ROW, drawChart, topOf } from './drawing';
import { priceText, worthText } from './messages';
import type { DistributionModel, DistributionShown, LaneRange } from './model';
import type { Viewport } from './viewport';

/** Width that a label under the axis takes, CSS pixels. */
const LABEL_ROOM = 84;

/**
 * The bins to label on the axis: round numbers, far enough apart for their labels.
 * @param width of the plot, CSS pixels
 */
export function labelledBins({ from, to }: Viewport, width: number): readonly number[] {
  const most = Math.max(Math.floor(width / LABEL_ROOM), 2);
  const within = (step: number): [number, number] => [Math.ceil((from - 0.5) / step), Math.floor((to - 0.5) / step)];
  let step = Math.max(niceStep((to - from) / most), 1);
  let [first, last] = within(step);
  // A viewport between two round numbers has none of them, so the next smaller step.
  while (last < first && step > 1) {
    step = niceStep(step / 2.5);
    [first, last] = within(step);
  }
  // Adding 0 turns -0 into 0, which would be formatted with a sign.
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => (first + index) * step + 0);
}

/** Height of the plot with its axis, CSS pixels; the same as in distribution.css. */
export const PLOT_HEIGHT = 340;

/** More bars than this are painted on a canvas: SVG would not pan smoothly. */
const MOST_DRAWN_BARS = 400;

/** Height above the bars for an overlay's handles and labels, CSS pixels. */
const OVERLAY_ROW = 26;

/** Approximate number of horizontal lines. */
const LEVELS = 3;

export interface ChartPicture {
  readonly shown: DistributionShown;
  readonly model: DistributionModel;
  readonly viewport: Viewport;
  readonly width: number;
  readonly cursor: number | undefined;
  readonly binAt: (clientX: number) => number;
  readonly reveal: (binId: number) => void;
  readonly openPosition: (key: string) => void;
  readonly canvas: HTMLCanvasElement | null;
  readonly painter: BarPainter;
}

/** Paints the visible bins, on the canvas if they are many, and returns the rest as SVG. */
export function paintChart({
  shown,
  model,
  viewport,
  width,
  cursor,
  binAt,
  reveal,
  openPosition,
  canvas,
  painter,
}: ChartPicture): TemplateResult<2> {
  const { pool, figures, overlay } = shown;
  const { textContext: context, valued: weighed, own } = model;
  const above = topOf(own);
  const plot: Plot = { left: 0, right: width, top: above + (overlay === undefined ? 0 : OVERLAY_ROW), bottom: PLOT_HEIGHT - AXIS_ROW };
  const scale = scaleOf(viewport, plot);
  const bins = visibleBins(weighed.bins, viewport);
  const most = mostIn(bins);
  const bars = barsOf(bins, scale, plot, most);
  const isPainted = bars.length > MOST_DRAWN_BARS && canvas !== null;
  if (isPainted) {
    painter.paint(canvas, bars, width, PLOT_HEIGHT, colorsOf(canvas));
  } else if (canvas !== null) {
    painter.clear(canvas);
  }
  return drawChart({
    width,
    height: PLOT_HEIGHT,
    plot,
    viewport,
    scale,
    bars: isPainted ? undefined : bars,
    activeBinId: pool.activeBinId,
    activeLabel:
      pool.activeBinId === undefined
        ? ''
        : `${l10n.t('Active bin')} ${figures.text.bin(pool.activeBinId)} · ${priceText(pool.activeBinId, context)}`,
    own,
    ownLabel: (range) => ownLabel(range, shown),
    ticks: labelledBins(viewport, width).map((binId) => ({ binId, price: priceText(binId, context), bin: figures.text.bin(binId) })),
    levels:
      most > 0
        ? levelsOf(most, plot, inShownUnit(shown, weighed.unit)).map(({ worth, y }) => ({ y, label: levelText(worth, shown, model) }))
        : [],
    cursor,
    overlay,
    overlayFrame: {
      xOf: scale.xOf,
      binWidth: scale.binWidth,
      left: plot.left,
      right: plot.right,
      top: above,
      bottom: plot.bottom,
      binAt,
      reveal,
    },
    openOwn: ({ own: { key } }) => openPosition(key),
  });
}

/** Horizontal lines at round values of the displayed unit. @param unit value of one displayed unit, in the unit of the bins */
function levelsOf(most: number, plot: Plot, unit: number): readonly { readonly worth: number; readonly y: number }[] {
  return niceTicks(0, most / unit, LEVELS + 1)
    .filter((level) => level > 0)
    .map((level) => ({ worth: level * unit, y: plot.bottom - ((level * unit) / most) * heightOf(plot) }));
}

/** Short, for an axis: "$5,000". */
function levelText(
  worth: number,
  { figures, currency }: DistributionShown,
  { textContext: context, valued: weighed }: DistributionModel,
): string {
  return weighed.unit === 'usd' && currency === 'usd' ? figures.text.usdShort(worth) : worthText(worth, context);
}

function inShownUnit({ currency, solUsd }: Pick<DistributionShown, 'currency' | 'solUsd'>, unit: 'usd' | 'y'): number {
  return unit === 'usd' && currency === 'native' && solUsd !== undefined ? solUsd : 1;
}

/** For example "You · $120.50 · in range". */
export function ownLabel(
  { own: { inRange, value } }: Pick<LaneRange, 'own'>,
  { figures, currency }: Pick<DistributionShown, 'figures' | 'currency'>,
): string {
  return [
    l10n.t('You'),
    figures.text.money(value, currency),
    inRange === undefined ? undefined : inRange ? l10n.t('in range') : l10n.t('out of range'),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function colorsOf(canvas: HTMLCanvasElement): { readonly x: string; readonly y: string } {
  const style = getComputedStyle(canvas);
  const color = (name: string): string => style.getPropertyValue(name).trim() || style.color;
  return { x: color('--token-x'), y: color('--token-y') };
}
