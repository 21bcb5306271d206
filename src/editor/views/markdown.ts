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
