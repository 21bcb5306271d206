import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';
import type { DirectiveResult } from 'lit-html/directive.js';
import { dataTable } from '../dataTable';
import { unparted } from '../figures';
import { hosted } from '../mountable';
import { ChartContainer } from './chartContainer';
import type { TimeChart } from './series';

export type { TimeChart, TimeSeries } from './series';

class TimeChartDirective extends AsyncDirective {
  readonly #room = new ChartContainer();

  render(chart: TimeChart): TemplateResult<1> {
    this.#room.show(chart);
    return html`<figure class="chart" aria-labelledby="${chart.id}-label">
      <figcaption class="visually-hidden" id="${chart.id}-label">${chart.label}</figcaption>
      <div class="chart-room" ${hosted(this.#room)}></div>
      <p class="chart-summary" id="${chart.id}-summary">${unparted(chart.summary)}</p>
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
