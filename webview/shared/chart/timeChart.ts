import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';
import type { DirectiveResult } from 'lit-html/directive.js';
import type uPlot from 'uplot';
import { nonBreaking } from '../figures';
import { mounted, type Mountable } from '../rendering';
import { dataOf, makePlot, seriesKey, sizeOf, type TimeChart } from './plot';
import { onThemeChange } from './theme';
import { indexAfterKey } from './timeAxis';

/** Draws a chart: the canvas with its cursor, and the readout of the values under it. */
class ChartContainer implements Mountable {
  #chart: TimeChart | undefined;
  #drawn: TimeChart | undefined;
  #plot: uPlot | undefined;
  #container: HTMLElement | undefined;
  #index: number | undefined;
  #frame: number | undefined;
  #resizes: ResizeObserver | undefined;
  #endTheme: (() => void) | undefined;

  /** Sets the chart to draw. */
  show(chart: TimeChart): void {
    this.#chart = chart;
  }

  attach(container: Element): void {
    if (!(container instanceof HTMLElement) || this.#chart === undefined) {
      return;
    }
    if (this.#container !== container) {
      this.detach();
      this.#container = container;
      this.#endTheme = onThemeChange(() => this.#soon(true));
      this.#resizes = new ResizeObserver(() => this.#soon(false));
      this.#resizes.observe(container);
    }
    if (this.#index !== undefined && this.#index >= this.#chart.times.length) {
      this.#index = undefined;
    }
    this.#describe();
    this.#soon(false);
  }

  detach(): void {
    this.#plot?.destroy();
    this.#resizes?.disconnect();
    this.#endTheme?.();
    if (this.#frame !== undefined) {
      cancelAnimationFrame(this.#frame);
    }
    this.#plot = this.#drawn = this.#container = this.#resizes = this.#endTheme = this.#frame = undefined;
  }

  /** Draws in the next frame: by then the element has its size. */
  #soon(isRedraw: boolean): void {
    if (isRedraw) {
      this.#drawn = undefined;
    }
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#draw();
    });
  }

  #draw(): void {
    const chart = this.#chart;
    const place = this.#container?.querySelector<HTMLElement>('.chart-plot');
    if (chart === undefined || place === undefined || place === null || place.clientWidth === 0) {
      return;
    }
    if (this.#plot !== undefined && this.#drawn !== undefined && isSameLook(this.#drawn, chart)) {
      const { width, height } = sizeOf(place);
      if (width !== this.#plot.width || height !== this.#plot.height) {
        this.#plot.setSize({ width, height });
      }
      if (!isSameData(this.#drawn, chart)) {
        this.#plot.setData(dataOf(chart));
      }
      this.#drawn = chart;
      return;
    }
    this.#plot?.destroy();
    this.#plot = makePlot(
      () => this.#chart ?? chart,
      place,
      (index) => this.#point(index ?? undefined),
    );
    this.#drawn = chart;
  }

  #point(index: number | undefined): void {
    if (index !== this.#index) {
      this.#index = index;
      this.#describe();
    }
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const chart = this.#chart;
    const next =
      chart === undefined || event.ctrlKey || event.metaKey || event.altKey
        ? undefined
        : indexAfterKey(event.key, this.#index, chart.times.length);
    if (next === undefined || chart === undefined) {
      return;
    }
    event.preventDefault();
    const at = chart.times[next];
    const plot = this.#plot;
    if (plot !== undefined && at !== undefined) {
      plot.setCursor({ left: plot.valToPos(at, 'x'), top: 0 });
    }
    this.#point(next);
  };

  #describe(): void {
    if (this.#container !== undefined && this.#chart !== undefined) {
      render(this.#template(this.#chart), this.#container);
    }
  }

  #template(chart: TimeChart): TemplateResult<1> {
    const index = this.#index ?? chart.times.length - 1;
    const atMs = chart.times[index];
    const time = atMs === undefined ? '' : (chart.formatTime ?? chart.figures.text.day)(atMs);
    const values = chart.series.map(({ label, values: of }) => `${label} ${chart.format(of[index])}`).join(', ');
    return html`<div class="chart-readout" aria-hidden="true">
        <span class="chart-readout-time">${time}</span>
        ${chart.series.map((series) => html`<span>${seriesKey(chart, series)} <strong>${chart.format(series.values[index])}</strong></span>`)}
      </div>
      <div
        class="chart-plot"
        role="slider"
        tabindex="0"
        aria-label=${chart.label}
        aria-describedby="${chart.id}-summary"
        aria-orientation="horizontal"
        aria-valuemin="0"
        aria-valuemax=${Math.max(chart.times.length - 1, 0)}
        aria-valuenow=${Math.max(index, 0)}
        aria-valuetext=${atMs === undefined ? l10n.t('not known') : `${time}: ${values}`}
        aria-disabled=${chart.times.length === 0 ? 'true' : nothing}
        @keydown=${this.#onKey}
      ></div>`;
  }
}

/** Whether the canvas can be kept because at most the values differ. */
function isSameLook(before: TimeChart, now: TimeChart): boolean {
  const lookOf = ({ kind, times, series }: TimeChart): string =>
    JSON.stringify([
      kind,
      times.length === 1,
      series.map(({ color, kind: own, isStepped, hasPoints, isMarks, isDifference }) => [
        color,
        own,
        isStepped,
        hasPoints,
        isMarks,
        isDifference,
      ]),
    ]);
  return before.figures === now.figures && lookOf(before) === lookOf(now);
}

/** Whether values and their format are the same. */
function isSameData(before: TimeChart, now: TimeChart): boolean {
  return before === now || (before.format(1) === now.format(1) && JSON.stringify(dataOf(before)) === JSON.stringify(dataOf(now)));
}

/** The figures of a chart as a table, for users who can't read the chart. */
interface DataTable {
  /** For example "PnL by day". */
  readonly label: string;
  readonly head: readonly string[];
  /** The first cell names the row. Called only while the table is open. */
  readonly rows: () => readonly (readonly string[])[];
}

class DataTableDirective extends AsyncDirective {
  #table: DataTable | undefined;
  #isOpen = false;

  render(table: DataTable): TemplateResult<1> {
    this.#table = table;
    return this.#template(table);
  }

  readonly #onToggle = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLDetailsElement && currentTarget.open !== this.#isOpen && this.#table !== undefined) {
      this.#isOpen = currentTarget.open;
      this.setValue(this.#template(this.#table));
    }
  };

  #template({ label, head, rows }: DataTable): TemplateResult<1> {
    return html`<details class="chart-data" @toggle=${this.#onToggle}>
      <summary>${l10n.t`${label} as a table`}</summary>
      ${
        this.#isOpen
          ? html`<div class="data-table-region" role="region" tabindex="0" aria-label=${l10n.t`${label} as a table`}>
            <table class="data-table">
              <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
              <tbody>${rows().map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
            </table>
          </div>`
          : nothing
      }
    </details>`;
  }
}

const dataTableDirective = directive(DataTableDirective);

/** A disclosure with a table of figures: html`${dataTable({ … })}`. Its rows are created when it is opened. */
function dataTable(table: DataTable): DirectiveResult {
  return dataTableDirective(table);
}

class TimeChartDirective extends AsyncDirective {
  readonly #chart = new ChartContainer();

  render(chart: TimeChart): TemplateResult<1> {
    this.#chart.show(chart);
    return html`<figure class="chart" aria-labelledby="${chart.id}-label">
      <figcaption class="visually-hidden" id="${chart.id}-label">${chart.label}</figcaption>
      <div class="chart-room" ${mounted(this.#chart)}></div>
      <p class="chart-summary" id="${chart.id}-summary">${nonBreaking(chart.summary)}</p>
      ${dataTable({ label: chart.label, head: [l10n.t('Time'), ...chart.series.map(({ label }) => label)], rows: () => rowsOf(chart) })}
    </figure>`;
  }
}

const timeChartDirective = directive(TimeChartDirective);

/** A chart of figures over time: html`${timeChart({ … })}`. Keeps its canvas while it stays in the same place of the template. */
export function timeChart(chart: TimeChart): DirectiveResult {
  return timeChartDirective(chart);
}

/** The figures as text, newest first. */
function rowsOf(chart: TimeChart): readonly (readonly string[])[] {
  const time = chart.formatTime ?? chart.figures.text.day;
  return chart.times.map((atMs, index) => [time(atMs), ...chart.series.map(({ values }) => chart.format(values[index]))]).reverse();
}
