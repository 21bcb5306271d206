import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type DateRange, HISTORY_FORMATS, type HistoryFormat } from '../../src/protocol/overview';
import { icon, iconButton } from '../shared/controls';
import { isInverted, type OverviewActions, type OverviewState } from './state';

/** Value of a date field. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Solana started in 2020. While a year is typed, the field holds years such as 0002: those are not requested. */
const FIRST_DAY = '2020-01-01';

/** The days for which closed positions are shown; an empty field leaves its end open. */
export function dateFields(range: DateRange, { choose }: Pick<OverviewActions, 'choose'>): TemplateResult<1> {
  const isWrong = isInverted(range);
  const field = (end: 'from' | 'to', label: string): TemplateResult<1> =>
    html`<label class="labeled"><span>${label}</span>
      <input class="field" type="date" min=${FIRST_DAY} max="9999-12-31" .value=${range[end] ?? ''} aria-invalid=${isWrong ? 'true' : nothing} aria-describedby=${isWrong ? 'dates-error' : nothing}
        @change=${(event: Event) => withField(event, (input) => input.validity.valid && choose({ range: changed(range, end, input.value) }))}
        @blur=${(event: Event) => withField(event, (input) => (input.value = input.validity.valid ? input.value : (range[end] ?? '')))} /></label>`;
  return html`<div class="dates" role="group" aria-label=${l10n.t('Closed')}>
    ${field('from', l10n.t('From'))} ${field('to', l10n.t('To'))}
    ${range.from === undefined && range.to === undefined ? nothing : iconButton('clear-all', l10n.t('Clear Dates'), () => choose({ range: {} }))}
    ${isWrong ? html`<p class="field-error" id="dates-error" role="alert">${icon('error')} ${l10n.t('The first day is after the last day.')}</p>` : nothing}
  </div>`;
}

function withField(event: Event, work: (input: HTMLInputElement) => unknown): void {
  if (event.target instanceof HTMLInputElement) {
    work(event.target);
  }
}

function changed(range: DateRange, end: 'from' | 'to', value: string): DateRange {
  const rest: DateRange =
    end === 'from'
      ? { ...(range.to === undefined ? {} : { to: range.to }) }
      : { ...(range.from === undefined ? {} : { from: range.from }) };
  return DAY.test(value) ? { ...rest, [end]: value } : rest;
}

const NAMES = { csv: 'CSV', json: 'JSON', koinly: 'Koinly', cointracking: 'CoinTracking' } as const satisfies Record<HistoryFormat, string>;

/** Exports all closed positions of the chosen days, not only the loaded or found ones. */
export function exportControls({ exporting, range, figures }: OverviewState, { post }: OverviewActions): TemplateResult<1> {
  if (exporting !== undefined) {
    const { rows, totalCount, format } = exporting;
    const of =
      totalCount === undefined ? figures.text.count(rows) : l10n.t`${figures.text.count(rows)} of ${figures.text.count(totalCount)}`;
    return html`<div class="export-progress" role="group" aria-label=${l10n.t('Export')}>
      <span class="figure">${l10n.t`Exporting ${NAMES[format]}: ${of}`}</span>
      <progress class="progress" aria-label=${l10n.t('Export')} max=${totalCount === undefined || totalCount === 0 ? nothing : totalCount} value=${totalCount === undefined || totalCount === 0 ? nothing : Math.min(rows, totalCount)}></progress>
      <vscode-button appearance="secondary" @click=${() => post({ kind: 'cancelExport' })}>${l10n.t('Cancel')}</vscode-button>
    </div>`;
  }
  const title = (format: HistoryFormat): string | typeof nothing =>
    format === 'csv' || format === 'json' ? nothing : l10n.t('Movements with times in UTC, not tax advice.');
  const button = (format: HistoryFormat): TemplateResult<1> =>
    html`<vscode-button appearance="secondary" ?disabled=${isInverted(range)} title=${title(format)} @click=${() => post({ kind: 'export', format, range })}>${l10n.t`Export ${NAMES[format]}`}</vscode-button>`;
  return html`<div class="toolbar" role="group" aria-label=${l10n.t('Export')}>${HISTORY_FORMATS.map(button)}</div>`;
}
