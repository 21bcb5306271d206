import { oneLine } from '../../../base/text';

/** Texts below one another; absent ones leave no gap. */
export function paragraphs(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n');
}

/** A Markdown table; the first column is words, the others are figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) {
    return '';
  }
  // VS Code sets the columns of a table close together: figures would touch.
  const line = ([first = '', ...figures]: readonly string[]) => `| ${[first, ...figures.map((figure) => `&emsp;${figure}`)].join(' | ')} |`;
  const alignment = `| ${head.map((_, column) => (column === 0 ? ':--' : '--:')).join(' | ')} |`;
  return [line(head), alignment, ...rows.map(line)].join('\n');
}

const LONGEST_NAME = 40;

/**
 * Gives a name that came from the network fit for labels: one line, no invisible or direction-changing characters, and
 * no `$(…)`, which VS Code would draw as an icon.
 */
export function plainText(name: string): string {
  return oneLine(name, LONGEST_NAME).replaceAll('$(', '$ (');
}

/** Gives such a name fit for Markdown: nothing in it is markup, a link or an icon. */
export function escapedMarkdown(name: string): string {
  // `&` before the others, whose escapes contain none.
  return plainText(name)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]()#+\-.!|>~$@:]/g, '\\$&');
}

/** Gives a sentence, which may quote what a service said, fit for Markdown: nothing in it is markup; what reads the same without a backslash has none. */
export function escapedSentence(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]#|>~$@]/g, '\\$&');
}

/** The same for documents, which know no codicons and no mentions and are read as they are: amounts in dollars stay readable. */
export function documentSentence(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]#|>~]/g, '\\$&');
}
