import { html, nothing, type TemplateResult } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';
import type { DirectiveResult } from 'lit-html/directive.js';

/** The figures of a chart as a table, for whoever does not look at charts. */
export interface DataTable {
  /** What the figures are: "PnL by day". */
  readonly label: string;
  readonly head: readonly string[];
  /** The first cell names the row. Asked for when the table is open, not before. */
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
      <summary>${label} as a table</summary>
      ${
        this.#isOpen
          ? html`<div class="data-table-region" role="region" tabindex="0" aria-label="${label}, table">
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

/** A line that opens a table of figures: html`${dataTable({ … })}`. The rows are made when it is opened. */
export function dataTable(table: DataTable): DirectiveResult {
  return dataTableDirective(table);
}
