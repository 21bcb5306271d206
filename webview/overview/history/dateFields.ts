import { html, nothing, type TemplateResult } from 'lit-html';
import type { DateRange } from '../../../src/protocol/overview';
import { iconButton } from '../../shared/iconButton';
import { icon } from '../../shared/icons';
import { isInverted, type OverviewActions } from '../state';

/** A day as a date field gives it. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** The year in which Solana began. While a later year is typed, the field holds one of the first centuries: those are not asked for. */
const FIRST_DAY = '2020-01-01';

/** The days on which positions were closed that are shown; open at an end that is not filled in. */
export function dateFields(range: DateRange, { choose }: Pick<OverviewActions, 'choose'>): TemplateResult<1> {
  const isWrong = isInverted(range);
  const field = (end: 'from' | 'to', label: string): TemplateResult<1> =>
    html`<label class="labelled"><span>${label}</span>
      <input class="field" type="date" min=${FIRST_DAY} max="9999-12-31" .value=${range[end] ?? ''} aria-invalid=${isWrong ? 'true' : nothing} aria-describedby=${isWrong ? 'dates-error' : nothing}
        @change=${(event: Event) => withField(event, (input) => input.validity.valid && choose({ range: changed(range, end, input.value) }))}
        @blur=${(event: Event) => withField(event, (input) => (input.value = input.validity.valid ? input.value : (range[end] ?? '')))} /></label>`;
  return html`<div class="dates" role="group" aria-label="Closed between">
    ${field('from', 'From')} ${field('to', 'To')}
    ${range.from === undefined && range.to === undefined
      ? nothing
      : iconButton('clear-all', 'All days', () => choose({ range: {} }))}
    ${isWrong ? html`<p class="field-error" id="dates-error" role="alert">${icon('error')} The first day is after the last one.</p>` : nothing}
  </div>`;
}

function withField(event: Event, work: (input: HTMLInputElement) => unknown): void {
  if (event.target instanceof HTMLInputElement) {
    work(event.target);
  }
}

function changed(range: DateRange, end: 'from' | 'to', value: string): DateRange {
  const rest: DateRange = end === 'from' ? { ...(range.to === undefined ? {} : { to: range.to }) } : { ...(range.from === undefined ? {} : { from: range.from }) };
  return DAY.test(value) ? { ...rest, [end]: value } : rest;
}
