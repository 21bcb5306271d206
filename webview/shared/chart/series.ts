import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Figures } from '../figures';
import type { SeriesColour } from './theme';

/** A line or a row of bars. */
export interface TimeSeries {
  readonly label: string;
  /** One per time of the chart; `undefined`: not known. */
  readonly values: readonly (number | undefined)[];
  /** Default: blue. */
  readonly colour?: SeriesColour;
  /** Default: the chart's. */
  readonly kind?: 'line' | 'bars';
  /** A stepped line: values are constant until the next point, like sums. */
  readonly isStepped?: boolean;
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
export function seriesKey(chart: TimeChart, { label, colour = 'blue', kind, isDifference }: TimeSeries): TemplateResult<1> {
  if ((kind ?? chart.kind) === 'bars') {
    const tint = isDifference === true ? 'foreground' : colour;
    return html`<span class="chart-key"><svg class="chart-sample chart-series-${tint}" width="12" height="12" aria-hidden="true">${svg`<path d="M2.5 12V6M6 12V2M9.5 12V8"></path>`}</svg>${label}</span>`;
  }
  return html`<span class="chart-key"><svg class="chart-sample chart-series-${colour}" width="18" height="12" aria-hidden="true">${svg`<path d="M0 6H18" stroke-dasharray=${colour === 'blue' || chart.series.length === 1 ? nothing : '5 3'}></path>`}</svg>${label}</span>`;
}
