import { html, nothing, type TemplateResult } from 'lit-html';
import { isInverted, type OverviewActions, type OverviewState } from '../state';

const NAMES = { csv: 'CSV', json: 'JSON' } as const;

/** Writes all closed positions of the days that are chosen into a file: not only those that are loaded or found. */
export function exportControls({ exporting, range, figures }: OverviewState, { post }: OverviewActions): TemplateResult<1> {
  if (exporting !== undefined) {
    const { rows, totalCount, format } = exporting;
    const of = totalCount === undefined ? figures.text.counted(rows, 'row') : `${figures.text.count(rows)} of ${figures.text.counted(totalCount, 'row')}`;
    return html`<div class="export-progress" role="group" aria-label="Export">
      <span class="figure">Exporting ${NAMES[format]}: ${of}</span>
      <progress class="progress" aria-label="Exported rows" max=${totalCount === undefined || totalCount === 0 ? nothing : totalCount} value=${totalCount === undefined || totalCount === 0 ? nothing : Math.min(rows, totalCount)}></progress>
      <vscode-button appearance="secondary" @click=${() => post({ kind: 'cancelExport' })}>Cancel Export</vscode-button>
    </div>`;
  }
  const button = (format: 'csv' | 'json'): TemplateResult<1> =>
    html`<vscode-button appearance="secondary" ?disabled=${isInverted(range)} title="Save all closed positions of these days as ${NAMES[format]}, whatever is searched for" @click=${() => post({ kind: 'export', format, range })}>Export ${NAMES[format]}</vscode-button>`;
  return html`<div class="toolbar" role="group" aria-label="Export">${button('csv')}${button('json')}</div>`;
}
