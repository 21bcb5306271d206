import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Figures } from '../figures';
import type { SeriesColour } from './theme';

/** One line, or one row of bars. */
export interface TimeSeries {
  readonly label: string;
  /** One for each of the chart's times; `undefined`: not known. */
  readonly values: readonly (number | undefined)[];
  /** Absent: blue. */
  readonly colour?: SeriesColour;
  /** Absent: the chart's. */
  readonly kind?: 'line' | 'bars';
  /** A line of what stays as it is until the next point, as sums do. */
  readonly isStepped?: boolean;
  /** Bars of gains and losses: up in the colour of gains, down in that of losses. */
  readonly isDifference?: boolean;
}

/** Figures over time. */
export interface TimeChart {
  /** Not used twice on the page. */
  readonly id: string;
  /** What it shows: "PnL by day". */
  readonly label: string;
  /** What there is to see, in a sentence: the text in place of the picture. */
  readonly summary: string;
  /** Milliseconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly TimeSeries[];
  /** How a value is written; a difference with its sign. */
  readonly format: (value: number | undefined) => string;
  /** The same beside the axis, short. */
  readonly formatAxis?: (value: number) => string;
  /** How a time is written; absent: as a day. */
  readonly formatTime?: (atMs: number) => string;
  readonly kind: 'line' | 'bars';
  readonly figures: Figures;
}

/** The key to a series: its sign and its name. */
export function seriesKey(chart: TimeChart, { label, colour = 'blue', kind, isDifference }: TimeSeries): TemplateResult<1> {
  if ((kind ?? chart.kind) === 'bars') {
    const tint = isDifference === true ? 'foreground' : colour;
    return html`<span class="chart-key"><svg class="chart-sample chart-series-${tint}" width="12" height="12" aria-hidden="true">${svg`<path d="M2.5 12V6M6 12V2M9.5 12V8"></path>`}</svg>${label}</span>`;
  }
  return html`<span class="chart-key"><svg class="chart-sample chart-series-${colour}" width="18" height="12" aria-hidden="true">${svg`<path d="M0 6H18" stroke-dasharray=${colour === 'blue' || chart.series.length === 1 ? nothing : '5 3'}></path>`}</svg>${label}</span>`;
}
