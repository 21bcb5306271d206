import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { icon } from '../icons';
import type { Column } from './columns';

/** Which columns of a table are shown. The last one that is left cannot be taken away. */
export interface ColumnChooser {
  readonly columns: readonly Pick<Column<never>, 'id' | 'label' | 'title'>[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** A button that opens a list of the columns with a check box each. Escape and a click elsewhere close it. */
export function columnChooser({ columns, chosen, onChoose }: ColumnChooser): TemplateResult<1> {
  const toggle = (id: string): void =>
    onChoose(columns.map((column) => column.id).filter((other) => (other === id ? !chosen.includes(id) : chosen.includes(other))));
  return html`<details class="drop" @keydown=${closeOnEscape} @focusout=${closeOnLeave} @toggle=${closeOnPressElsewhere}>
    <summary>${icon('list-selection')} Columns</summary>
    <fieldset class="drop-box">
      <legend class="visually-hidden">Columns that are shown</legend>
      ${columns.map(
        ({ id, label, title }) => html`<label class="check" title=${title ?? label}>
          <input type="checkbox" .checked=${live(chosen.includes(id))} ?disabled=${chosen.length === 1 && chosen[0] === id} @change=${() => toggle(id)} />
          ${label}
        </label>`,
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
  // The next time that it is opened or closed, it is closed.
  currentTarget.addEventListener('toggle', () => document.removeEventListener('pointerdown', press, true), { once: true });
}

function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent): void {
  // Without a target the focus left the window, or a label was pressed: then it stays open.
  if (currentTarget instanceof HTMLDetailsElement && relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) {
    currentTarget.open = false;
  }
}
