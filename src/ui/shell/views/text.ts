import { oneLine, withoutLinks } from '../../../base/text';
import { COLOR } from '../names';
import type { RowTone } from './rows';

/** A text in the color of a gain or a loss, for tooltips with HTML: VS Code allows spans whose only style is a theme color. */
export function tonedText(text: string, tone: RowTone): string {
  return `<span style="color:var(--vscode-${COLOR[tone].replace('.', '-')});">${text}</span>`;
}

/** Joins texts as paragraphs and skips absent ones. */
export function paragraphs(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n');
}

/** Builds a Markdown table whose first column is text and whose other columns are right-aligned figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) {
    return '';
  }
  // VS Code puts table columns so close together that figures would touch.
  const line = ([first = '', ...figures]: readonly string[]) => `| ${[first, ...figures.map((figure) => `&emsp;${figure}`)].join(' | ')} |`;
  const alignment = `| ${head.map((_, column) => (column === 0 ? ':--' : '--:')).join(' | ')} |`;
  return [line(head), alignment, ...rows.map(line)].join('\n');
}

const LONGEST_NAME = 40;

/**
 * Makes a name from the network safe for labels: one line, no invisible or direction-changing characters, and no `$(…)`, which
 * VS Code would draw as an icon.
 */
export function plainText(name: string): string {
  return oneLine(name, LONGEST_NAME).replaceAll('$(', '$ (');
}

const LONGEST_PART = 14;

/**
 * Shortens the words of a name for the label of a row: after a long token symbol, a narrow sidebar would have no room for the figures. The tooltip and
 * what a screen reader says hold the whole name.
 */
export function rowName(name: string): string {
  return name.length <= LONGEST_PART
    ? name
    : name.replace(/[^/\s]+/g, (part) => (part.length <= LONGEST_PART ? part : oneLine(part, LONGEST_PART)));
}

/** Makes a name from the network safe for Markdown: nothing in it is markup, a link or an icon. */
export function escapedMarkdown(name: string): string {
  // `&` first: the other replacements insert it.
  return plainText(name)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]()#+\-.!|>~$@:]/g, '\\$&');
}

/** Makes a sentence that can quote a service safe for Markdown. It escapes only characters that could be markup. */
export function escapedSentence(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]#|>~$@]/g, '\\$&');
}

/** Does the same for documents. They have no codicons or mentions, so `$` stays unescaped. */
export function documentSentence(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]#|>~]/g, '\\$&');
}

/** Links that Binsight creates, as the source of a regular expression: to a transaction, by its signature. */
export const OWN_LINK = '<https://solscan\\.io/tx/[1-9A-HJ-NP-Za-km-z]{64,88}>';

/**
 * Removes all links except Binsight's own from a document: a token name, a memo or a service message could link anywhere.
 */
export function withOwnLinksOnly(markdown: string): string {
  const own = markdown.match(new RegExp(OWN_LINK, 'g')) ?? [];
  return markdown
    .split(new RegExp(OWN_LINK))
    .map((text, place) => `${withoutLinks(text)}${own[place] ?? ''}`)
    .join('');
}
