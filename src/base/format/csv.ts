/** Content of a field: text from the network or a number; `undefined`: not known. */
export type CsvCell = string | number | undefined;

/**
 * Where spreadsheets may interpret text as a formula: at its beginning, or after another column separator than the comma, also behind spaces. The
 * last characters are full-width forms of the same signs. Apostrophes are escaped too, so the ones that are added can be told apart and removed.
 */
const FORMULA = /(^|[,;|\t\r\n])([ \u00a0]*)(?=['=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Prevents spreadsheets from interpreting text as a formula, by an apostrophe before anything that could start one. */
export function withoutFormulas(text: string): string {
  return text.replace(FORMULA, "$1$2'");
}

/** Writes a table as CSV (RFC 4180): CR LF line ends, fields quoted where necessary, numbers with all their digits. */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(cell: CsvCell): string {
  return typeof cell === 'string' ? quoted(withoutFormulas(cell)) : String(cell ?? '');
}

function quoted(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
