import { escapedHtml } from './html';
import { OWN_LINK } from './text';

// Documents are written in a small part of Markdown: headings, paragraphs, quotes, lists, tables, code in a line, backslash escapes and links to
// the explorer. Everything else stays text, so nothing that a token name, a memo or a service contains can become markup, a link or an image.

/** A marked part of a line: code, an escaped character, one of Binsight's own links, or an entity. */
const MARKED = new RegExp(`\`([^\`]*)\`|\\\\([!-/:-@[-\`{-~])|(${OWN_LINK})|&(amp|lt);`, 'g');
const ENTITIES: Readonly<Record<string, string>> = { amp: '&amp;', lt: '&lt;' };
/** "Fee payer: …": its first part names the second. */
const LABELED = /^((?:`[^`]*`|[^`:]|:(?! ))+): (\S.*)$/;
/** A figure is aligned to the right. */
const FIGURE = /^(?:[<≈+−-]\s?)*\$?\d[\d.,]*[KMB]?%?$/;

/** Renders a document of Binsight as HTML. Text is escaped, and only links to the explorer are links. */
export function documentHtml(markdown: string): string {
  const lines = markdown.split('\n');
  const parts: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const kind = kindOf(line);
    const next = kind === 'empty' || kind === 'heading' ? at + 1 : endOf(lines, at, kind);
    parts.push(RENDER[kind](lines.slice(at, next)));
    at = next;
  }
  return parts.filter((part) => part !== '').join('\n');
}

type BlockKind = 'empty' | 'heading' | 'list' | 'table' | 'quote' | 'paragraph';

function kindOf(line: string): BlockKind {
  if (line.trim() === '') {
    return 'empty';
  }
  return /^#{1,3} /.test(line)
    ? 'heading'
    : line.startsWith('- ')
      ? 'list'
      : line.startsWith('| ')
        ? 'table'
        : line.startsWith('> ')
          ? 'quote'
          : 'paragraph';
}

/** Index of the first line that does not belong to the block that begins at `start`. */
function endOf(lines: readonly string[], start: number, kind: BlockKind): number {
  const length = lines.slice(start).findIndex((line) => kindOf(line) !== kind);
  return length === -1 ? lines.length : start + length;
}

const RENDER: Readonly<Record<BlockKind, (lines: readonly string[]) => string>> = {
  empty: () => '',
  heading: ([line = '']) => {
    const level = line.indexOf(' ');
    return `<h${level}>${inline(line.slice(level + 1))}</h${level}>`;
  },
  list: (lines) => listHtml(lines.map((line) => line.slice(2))),
  table: tableHtml,
  quote: (lines) => `<blockquote>${lines.map((line) => inline(line.slice(2))).join('<br>')}</blockquote>`,
  paragraph: (lines) => `<p>${lines.map(inline).join('<br>')}</p>`,
};

/** A list whose entries all have a label is shown as a table of labels and texts. */
function listHtml(entries: readonly string[]): string {
  const labeled = entries.map((entry) => LABELED.exec(entry));
  if (labeled.some((found) => found === null)) {
    return `<ul>${entries.map((entry) => `<li>${inline(entry)}</li>`).join('')}</ul>`;
  }
  const rows = labeled.map((found) => `<tr><th scope="row">${inline(found?.[1] ?? '')}</th><td>${inline(found?.[2] ?? '')}</td></tr>`);
  return `<table class="facts"><tbody>${rows.join('')}</tbody></table>`;
}

/** The first line of a table is its head, the second one separates them. */
function tableHtml([head = '', , ...rows]: readonly string[]): string {
  const cells = (line: string) =>
    line
      .replace(/^\||\|\s*$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
  const headCells = cells(head).map((cell) => `<th scope="col">${inline(cell)}</th>`);
  const rowHtml = (line: string) =>
    `<tr>${cells(line)
      .map((cell) => `<td${FIGURE.test(cell) ? ' class="figure"' : ''}>${inline(cell)}</td>`)
      .join('')}</tr>`;
  return `<div class="wide"><table><thead><tr>${headCells.join('')}</tr></thead><tbody>${rows.map(rowHtml).join('')}</tbody></table></div>`;
}

function inline(text: string): string {
  let html = '';
  let end = 0;
  for (const found of text.matchAll(MARKED)) {
    const [whole, code, character, link, entity] = found;
    html += escapedHtml(text.slice(end, found.index));
    if (code !== undefined) {
      html += `<code>${escapedHtml(code)}</code>`;
    } else if (character !== undefined) {
      html += escapedHtml(character);
    } else if (link !== undefined) {
      const address = escapedHtml(link.slice(1, -1));
      html += `<a href="${address}">${address}</a>`;
    } else {
      html += ENTITIES[entity ?? ''] ?? '';
    }
    end = found.index + whole.length;
  }
  return html + escapedHtml(text.slice(end));
}
