import { UNKNOWN } from '../../../base/format/numbers';

/** A template with its figures. */
export interface FilledTemplate {
  readonly text: string;
  /** Placeholders that do not exist. They stay in the text as they are. */
  readonly unknown: readonly string[];
}

/**
 * Replaces `{name}` by its figure. A figure that is unknown is a dash; where it stands alone in parentheses, it is left out with them.
 * @param figures by name; `undefined`: unknown
 */
export function fillTemplate(template: string, figures: ReadonlyMap<string, string | undefined>): FilledTemplate {
  const unknown = new Set<string>();
  const text = template.replace(/ ?\(\{([^{}]*)\}\)|\{([^{}]*)\}/g, (whole: string, enclosed?: string, bare?: string) => {
    const name = enclosed ?? bare ?? '';
    if (!figures.has(name)) {
      unknown.add(`{${name}}`);
      return whole;
    }
    const figure = figures.get(name);
    return enclosed === undefined ? (figure ?? UNKNOWN) : figure === undefined ? '' : whole.replace(`{${name}}`, () => figure);
  });
  return { text: text.trim(), unknown: [...unknown] };
}
