/** What stands in a field: text that came from the network, or a number of ours; `undefined`: nothing is known. */
export type Cell = string | number | undefined;

/**
 * Where spreadsheets may take text for a formula: at its beginning or, where they part columns at another mark than a comma, after
 * that; also behind spaces. The last are the wide forms of the same signs. An apostrophe is among them so that each one that is
 * put in can be told from those that were there, and be taken out again.
 */
const FORMULA = /(^|[,;|\t\r\n])([ \u00a0]*)(?=['=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Gives a text that no spreadsheet takes for a formula: an apostrophe stands before what would begin one. */
export function withoutFormulas(text: string): string {
  return text.replace(FORMULA, "$1$2'");
}

/** Writes a table as CSV (RFC 4180): a line of names, lines end with CR LF, fields are quoted where they have to be. Numbers have all their digits. */
export function writeCsv(names: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [names, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(cell: Cell): string {
  return typeof cell === 'string' ? quoted(withoutFormulas(cell)) : String(cell ?? '');
}

function quoted(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
