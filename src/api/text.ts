import { withoutLinks } from '../net/withoutLinks';

/** Controls and invisible formatting, such as marks that reverse the direction; the joiner inside emoji (U+200D) may stay. */
const UNSEEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/**
 * Gives foreign text fit for one line of a list, a message or the log: without control characters and invisible formatting, with
 * single spaces, without links (net/withoutLinks.ts), and with at most `longest` characters.
 */
export function oneLine(text: string, longest: number): string {
  const characters = Array.from(withoutLinks(text.slice(0, 4 * longest).replace(UNSEEN, ' ').trim()));
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}

/** Gives a value as a short quotation for a message: `"abc"`, `17`, `a list`. */
export function quoted(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `"${oneLine(value, 40)}"`;
    case 'number':
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'nothing';
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  }
}
