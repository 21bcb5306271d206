import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';

// What benchmarks report, and the table of it. The types are in benchRows.d.mts.

const text = z.string().min(1);
const Row = z.strictObject({ what: text, beside: text.optional(), result: text, how: text });

export const ROWS_VARIABLE = 'BINSIGHT_BENCH_ROWS';

export function reportRow(row) {
  const { what, beside, result, how } = Row.parse(row);
  process.stdout.write(`${what}: ${result}${beside === undefined ? '' : `; beside: ${beside}`} (${how})\n`);
  const file = process.env[ROWS_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
}

export function readRows(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Row.parse(JSON.parse(line)));
}

const COLUMNS = ['what', 'beside what', 'result', 'how measured'];
/** Longer cells go on in the next line. */
const WIDEST = [44, 44, 44, 60];

export function tableOf(benches) {
  const sections = benches.map(({ name, rows }) => ({
    name,
    rows: rows.map(({ what, beside = '', result, how }) => [what, beside, result, how].map((cell, index) => wrapped(cell, WIDEST[index]))),
  }));
  const widths = COLUMNS.map((title, index) =>
    Math.max(title.length, ...sections.flatMap(({ rows }) => rows.flatMap((cells) => cells[index].map((line) => line.length)))),
  );
  const lineOf = (cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index]))
      .join('  ')
      .trimEnd();
  return [
    lineOf(COLUMNS),
    lineOf(widths.map((width) => '-'.repeat(width))),
    ...sections.flatMap(({ name, rows }) => [
      ...(rows.length === 0 ? [] : [`[${name}]`]),
      ...rows.flatMap((cells) =>
        Array.from({ length: Math.max(...cells.map((lines) => lines.length)) }, (_, line) =>
          lineOf(cells.map((lines) => lines[line] ?? '')),
        ),
      ),
    ]),
  ].join('\n');
}

/** The words of a text in lines of at most so many characters; a longer word has a line of its own. */
function wrapped(content, width) {
  const lines = [''];
  for (const word of content.split(' ')) {
    const line = lines.at(-1);
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
