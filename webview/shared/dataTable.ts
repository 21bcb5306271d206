import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';
import type { DirectiveResult } from 'lit-html/directive.js';

/** The figures of a chart as a table, for users who can't read the chart. */
export interface DataTable {
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
          ? html`<div class="data-table-region" role="region" tabindex="0" aria-label=${l10n.t`${label}, table`}>
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
export function dataTable(table: DataTable): DirectiveResult {
  return dataTableDirective(table);
}
