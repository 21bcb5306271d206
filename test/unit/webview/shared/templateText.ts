import { nothing } from 'lit-html';

/** The text of a template as a reader sees it, with single spaces: without tags, tooltips and the handlers of controls. */
export function textOfTemplate(template: unknown): string {
  return markupOf(template)
    .replaceAll(/<span class="hint-text"[^>]*>[^<]*<\/span>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function markupOf(value: unknown): string {
  if (value === nothing || value === undefined || value === null || typeof value === 'function') {
    return '';
  }
  if (Array.isArray(value)) {
    return value.map(markupOf).join('');
  }
  if (typeof value === 'object' && 'strings' in value && 'values' in value) {
    const { strings, values } = value as { readonly strings: readonly string[]; readonly values: readonly unknown[] };
    return strings.map((text, place) => text + (place < values.length ? markupOf(values[place]) : '')).join('');
  }
  if (typeof value === 'object' && '_$litDirective$' in value && 'values' in value) {
    // guard(…): what it guards is its last value.
    const last: unknown = (value.values as readonly unknown[]).at(-1);
    return markupOf(typeof last === 'function' ? (last as () => unknown)() : last);
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
