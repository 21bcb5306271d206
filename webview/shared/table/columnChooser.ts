import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { checkbox, icon } from '../controls';
import type { Column } from './columns';

/** The choice of visible columns. The last one cannot be hidden. */
export interface ColumnChooser {
  readonly columns: readonly Pick<Column<never>, 'id' | 'label' | 'title'>[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** A button that opens a list of columns with check boxes. Escape or a click elsewhere closes it. */
export function columnChooser({ columns, chosen, onChoose }: ColumnChooser): TemplateResult<1> {
  const toggle = (id: string): void =>
    onChoose(columns.map((column) => column.id).filter((other) => (other === id ? !chosen.includes(id) : chosen.includes(other))));
  return html`<details class="drop" @keydown=${closeOnEscape} @focusout=${closeOnLeave} @toggle=${closeOnPressElsewhere}>
    <summary>${icon('list-selection')} ${l10n.t('Columns')}</summary>
    <fieldset class="drop-box">
      <legend class="visually-hidden">${l10n.t('Columns')}</legend>
      ${columns.map(({ id, label, title }) =>
        checkbox({
          label,
          title: title ?? label,
          isChecked: chosen.includes(id),
          isDisabled: chosen.length === 1 && chosen[0] === id,
          onToggle: () => toggle(id),
        }),
      )}
    </fieldset>
  </details>`;
}

function closeOnEscape(event: KeyboardEvent): void {
  const { currentTarget } = event;
  if (event.key === 'Escape' && currentTarget instanceof HTMLDetailsElement && currentTarget.open) {
    currentTarget.open = false;
    currentTarget.querySelector('summary')?.focus();
    event.stopPropagation();
  }
}

function closeOnPressElsewhere({ currentTarget }: Event): void {
  if (!(currentTarget instanceof HTMLDetailsElement) || !currentTarget.open) {
    return;
  }
  const press = ({ target }: Event): void => {
    if (!(target instanceof Node) || !currentTarget.contains(target)) {
      currentTarget.open = false;
    }
  };
  document.addEventListener('pointerdown', press, true);
  // The next toggle closes it.
  currentTarget.addEventListener('toggle', () => document.removeEventListener('pointerdown', press, true), { once: true });
}

function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent): void {
  // Without a target, focus left the window or a label was pressed: it stays open.
  if (currentTarget instanceof HTMLDetailsElement && relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) {
    currentTarget.open = false;
  }
}
