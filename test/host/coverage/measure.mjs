import { shapeOf } from './sourceShape.mjs';

/**
 * The coverage of a source file.
 * @typedef {object} FileCoverage
 * @property {string} file
 * @property {number} lines in which a statement begins
 * @property {number} coveredLines
 * @property {number} functions
 * @property {readonly string[]} uncovered names of the functions of which nothing has run
 */

/**
 * Compares what can run in a file with what has run.
 * @param {string} file
 * @param {string} text
 * @param {Map<number, Set<number>> | undefined} covered its covered columns by line, from 0
 * @returns {FileCoverage}
 */
export function measureFile(file, text, covered = new Map()) {
  const { lines, functions } = shapeOf(file, text);
  const starts = lineStartsOf(text);
  const places = [...covered].flatMap(([line, columns]) => [...columns].map((column) => (starts[line] ?? 0) + column));
  places.sort((one, other) => one - other);
  const hasRun = new Set(places.map((place) => innermost(functions, place)));
  return {
    file,
    lines: lines.length,
    coveredLines: lines.filter((line) => covered.has(line - 1)).length,
    functions: functions.length,
    uncovered: functions.filter((one) => !hasRun.has(one)).map(({ name }) => name),
  };
}

/** The function within which a place is; a place in an inner function does not count for the one around it. */
function innermost(functions, place) {
  let found;
  for (const one of functions) {
    if (one.start <= place && place < one.end && (found === undefined || one.start >= found.start)) found = one;
  }
  return found;
}

function lineStartsOf(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The folder of a file that the summary counts together: `src/review`, `webview/pool`. */
function roomOf(file) {
  const parts = file.split('/');
  return parts.length > 2 ? parts.slice(0, 2).join('/') : parts[0];
}

/**
 * The summary by room.
 * @param {readonly FileCoverage[]} files
 * @returns {readonly { room: string, files: number, lines: number, coveredLines: number, functions: number, coveredFunctions: number }[]} the last one is the sum
 */
export function summarize(files) {
  const rooms = [...new Set(files.map(({ file }) => roomOf(file)))].sort((one, other) => (one < other ? -1 : 1));
  const sumOf = (room, those) => ({
    room,
    files: those.length,
    lines: sum(those, ({ lines }) => lines),
    coveredLines: sum(those, ({ coveredLines }) => coveredLines),
    functions: sum(those, ({ functions }) => functions),
    coveredFunctions: sum(those, ({ functions, uncovered }) => functions - uncovered.length),
  });
  return [
    ...rooms.map((room) =>
      sumOf(
        room,
        files.filter(({ file }) => roomOf(file) === room),
      ),
    ),
    sumOf('all', files),
  ];
}

function sum(items, of) {
  return items.reduce((total, item) => total + of(item), 0);
}
