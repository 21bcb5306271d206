import { html, nothing, svg, type TemplateResult } from 'lit-html';
import uPlot from 'uplot';
import { DAY_MS } from '../../../src/base/time';
import type { Figures } from '../figures';
import { niceTicks } from '../geometry';
import { type ChartTheme, readTheme, type SeriesColor } from './theme';
import { calendarMarks, extentOf, timeLabels, timeMarks } from './timeAxis';

/** A line or a row of bars. */
export interface TimeSeries {
  readonly label: string;
  /** One per time of the chart; `undefined`: not known. */
  readonly values: readonly (number | undefined)[];
  /** Default: blue. */
  readonly color?: SeriesColor;
  /** Default: the chart's. */
  readonly kind?: 'line' | 'bars';
  /** A stepped line: values are constant until the next point, like sums. */
  readonly isStepped?: boolean;
  /** A line with a mark at each value: between them nothing is known. */
  readonly hasPoints?: boolean;
  /** Marks without a line between them. */
  readonly isMarks?: boolean;
  /** Bars of gains and losses, colored as such. */
  readonly isDifference?: boolean;
}

export interface TimeChart {
  /** Unique on the page. */
  readonly id: string;
  /** For example "PnL by day". */
  readonly label: string;
  /** A sentence that says what the chart shows: the text alternative. */
  readonly summary: string;
  /** Milliseconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly TimeSeries[];
  /** Formats a value; a difference with its sign. */
  readonly format: (value: number | undefined) => string;
  /** Short format for the axis. */
  readonly formatAxis?: (value: number) => string;
  /** Formats a time. Default: as a day. */
  readonly formatTime?: (atMs: number) => string;
  readonly kind: 'line' | 'bars';
  readonly figures: Figures;
}

/** The legend entry of a series. */
export function seriesKey(chart: TimeChart, { label, color = 'blue', kind, isDifference, isMarks }: TimeSeries): TemplateResult<1> {
  if ((kind ?? chart.kind) === 'bars') {
    const tint = isDifference === true ? 'foreground' : color;
    return html`<span class="chart-key"><svg class="chart-sample chart-series-${tint}" width="12" height="12" aria-hidden="true">${svg`<path d="M2.5 12V6M6 12V2M9.5 12V8"></path>`}</svg>${label}</span>`;
  }
  if (isMarks === true) {
    return html`<span class="chart-key"><svg class="chart-sample chart-series-${color}" width="12" height="12" aria-hidden="true">${svg`<path d="M6 5.5v1" stroke-width="6" stroke-linecap="round"></path>`}</svg>${label}</span>`;
  }
  return html`<span class="chart-key"><svg class="chart-sample chart-series-${color}" width="18" height="12" aria-hidden="true">${svg`<path d="M0 6H18" stroke-dasharray=${color === 'blue' || chart.series.length === 1 ? nothing : '5 3'}></path>`}</svg>${label}</span>`;
}

/** Margin above and below the values, as a share of their extent. */
const MARGIN = 0.06;
const BAR_SHARE = 0.7;
const MOST_BAR_WIDTH = 40;
const AXIS_HEIGHT = 26;
const ROOM_PER_TICK = 45;
const ROOM_PER_LABEL = 80;
/** Half the width of a label below the axis, so the last one is not clipped. On the left there is the other axis. */
const HALF_LABEL = 26;
const LETTER_WIDTH = 6.6;
const DASH: Readonly<Record<string, number[]>> = { yellow: [6, 3], purple: [2, 3], green: [8, 3, 2, 3] };

/**
 * Creates a uPlot in the theme's colors.
 * @param now the current chart; new values of the same series are passed to the plot by `setData`
 * @param onCursor called with the index of the point under the cursor; `null`: none
 */
export function makePlot(now: () => TimeChart, room: HTMLElement, onCursor: (index: number | null) => void): uPlot {
  const chart = now();
  const theme = readTheme();
  const { width, height } = sizeOf(room);
  const isBars = chart.series.some((series) => kindOf(chart, series) === 'bars');
  const options: uPlot.Options = {
    width,
    height,
    padding: [8, HALF_LABEL, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7, fill: theme.background } },
    hooks: { setCursor: [(plot) => onCursor(pointUnder(plot.cursor.idx ?? null, now()))], drawAxes: [(plot) => drawZero(plot, theme)] },
    scales: {
      x: { time: false, range: (_plot, least, most) => roomFor(now().times, least, most, isBars) },
      y: { range: (_plot, least, most) => margins(least, most, isBars) },
    },
    axes: [
      {
        ...axisLook(theme),
        size: AXIS_HEIGHT,
        grid: { show: false },
        splits: (plot) => timeSplits(plot, now().times, isBars),
        values: (_plot, splits) => [...timeLabels(splits, now().figures.text)],
      },
      {
        ...axisLook(theme),
        // uPlot passes null if there are no values, whatever its type says.
        size: (_plot, values: readonly string[] | null) =>
          Math.ceil(Math.max(0, ...(values ?? []).map((value) => value.length)) * LETTER_WIDTH) + 16,
        splits: (plot, _axis, least, most) => [...niceTicks(least, most, Math.max(Math.floor(plot.height / ROOM_PER_TICK), 2))],
        values: (_plot, splits) => distinctLabels(splits.map((value) => (now().formatAxis ?? now().format)(value))),
      },
    ],
    series: [{}, ...chart.series.flatMap((series) => seriesLook(chart, series, theme))],
  };
  return new uPlot(options, dataOf(chart), room);
}

/** Labels of an axis, bottom up. Values that are written alike, such as "<$0.01", are labeled once: repeated, they would look like one value. */
export function distinctLabels(labels: readonly string[]): string[] {
  return labels.map((label, index) => (labels.indexOf(label) === index ? label : ''));
}

/** A stepped line goes on for this share of its width after its last point, so its last step is seen. */
const LAST_STEP_SHARE = 0.03;

/** The data in uPlot's format. A signed bar series becomes two: gains and losses. Stepped lines get one more point at their end. */
export function dataOf(chart: TimeChart): uPlot.AlignedData {
  const columns = chart.series.flatMap((series) => {
    const values = chart.times.map((_, index) => series.values[index] ?? null);
    return isSplit(chart, series)
      ? [
          values.map((value) => (value !== null && value >= 0 ? value : null)),
          values.map((value) => (value !== null && value < 0 ? value : null)),
        ]
      : [values];
  });
  const [first, last] = [chart.times[0], chart.times.at(-1)];
  if (first === undefined || last === undefined || first === last || !chart.series.every((series) => series.isStepped === true)) {
    return [[...chart.times], ...columns];
  }
  const end = last + (last - first) * LAST_STEP_SHARE;
  return [[...chart.times, end], ...columns.map((values) => [...values, values.at(-1) ?? null])];
}

/** The point of the chart under the cursor: the end of a stepped line belongs to its last point. */
function pointUnder(index: number | null, { times }: TimeChart): number | null {
  return index === null ? null : Math.min(index, times.length - 1);
}

/** The size of a plot in its element. */
export function sizeOf(room: HTMLElement): { width: number; height: number } {
  return { width: Math.max(room.clientWidth, 1), height: Math.max(room.clientHeight, 1) };
}

function kindOf(chart: TimeChart, series: TimeSeries): 'line' | 'bars' {
  return series.kind ?? chart.kind;
}

function isSplit(chart: TimeChart, series: TimeSeries): boolean {
  return series.isDifference === true && kindOf(chart, series) === 'bars';
}

function seriesLook(chart: TimeChart, series: TimeSeries, theme: ChartTheme): uPlot.Series[] {
  const color = series.color ?? 'blue';
  if (kindOf(chart, series) === 'line') {
    const stroke = theme.series[color];
    const isAlone = chart.series.length === 1;
    const paths = series.isMarks === true ? () => null : series.isStepped === true ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    // Dashes distinguish series without relying on color.
    return [
      {
        stroke,
        width: theme.isHighContrast ? 2 : 1.5,
        dash: isAlone ? [] : (DASH[color] ?? []),
        points:
          series.hasPoints === true || series.isMarks === true ? { show: true, size: 6, fill: stroke } : { show: chart.times.length === 1 },
        spanGaps: true,
        ...(paths === undefined ? {} : { paths }),
      },
    ];
  }
  const paths = uPlot.paths.bars?.({ size: [BAR_SHARE, MOST_BAR_WIDTH], radius: 0 });
  const bars = (tint: string): uPlot.Series => ({
    stroke: tint,
    fill: tint,
    width: 0,
    points: { show: false },
    ...(paths === undefined ? {} : { paths }),
  });
  return isSplit(chart, series) ? [bars(theme.gain), bars(theme.loss)] : [bars(theme.series[color])];
}

function axisLook(theme: ChartTheme): uPlot.Axis {
  const line = withAlpha(theme.soft);
  return { stroke: theme.soft, font: theme.font, gap: 6, grid: { stroke: line, width: 1 }, ticks: { show: false } };
}

/** Draws a zero line if there are values on both sides of it. */
function drawZero(plot: uPlot, theme: ChartTheme): void {
  const { min, max } = plot.scales['y'] ?? {};
  if (min !== undefined && max !== undefined && min < 0 && max > 0) {
    const { ctx, bbox } = plot;
    const y = Math.round(plot.valToPos(0, 'y', true));
    ctx.save();
    ctx.strokeStyle = theme.soft;
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  }
}

/** A fainter color for grid lines. */
function withAlpha(color: string): string {
  return `color-mix(in srgb, ${color} 25%, transparent)`;
}

function margins(least: number | null, most: number | null, withZero: boolean): [number, number] {
  const [from, to] = extentOf([least ?? undefined, most ?? undefined], withZero) ?? [0, 1];
  const margin = from === to ? Math.abs(from) / 2 || 1 : (to - from) * MARGIN;
  return [withZero && from === 0 ? 0 : from - margin, withZero && to === 0 ? 0 : to + margin];
}

/** Adds half a bar at both ends, so none is clipped. */
function roomFor(times: readonly number[], least: number, most: number, isBars: boolean): [number, number] {
  const step = times.length > 1 ? (most - least) / (times.length - 1) : DAY_MS;
  return isBars || times.length === 1 ? [least - step / 2, most + step / 2] : [least, most];
}

/** Marks are at points if there are bars, so the label below a bar is its own day. On lines they are evenly spaced. */
function timeSplits(plot: uPlot, times: readonly number[], isBars: boolean): number[] {
  const { min = 0, max = 0 } = plot.scales['x'] ?? {};
  const leastApart = ((max - min) * ROOM_PER_LABEL * devicePixelRatio) / Math.max(plot.bbox.width, 1);
  const even = isBars ? [] : calendarMarks(times[0] ?? 0, times.at(-1) ?? 0, leastApart);
  return [...(even.length > 1 ? even : timeMarks(times, leastApart))];
}
