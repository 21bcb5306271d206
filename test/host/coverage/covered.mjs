import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode } from '@jridgewell/sourcemap-codec';

/**
 * The places of source files at which code has run, over all processes and bundles: for each file, its lines and columns from 0.
 * The same source is in several bundles (chunks of tests, the minified extension, panels), so what has run in any of them has run. That is why
 * no report of c8 is used: it counts the statements of one bundle, which are others in the next one.
 * @typedef {Map<string, Map<number, Set<number>>>} CoveredPlaces
 */

/**
 * Reads what Node and the browser tests wrote to NODE_V8_COVERAGE.
 * @param {string} folder
 * @param {string} root the project; places are those of files in `src` and `webview`, by their paths within it
 * @returns {CoveredPlaces}
 */
export function readCovered(folder, root) {
  const covered = new Map();
  const maps = new Map();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const { result = [] } = readJson(join(folder, name));
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue;
      const script = fileURLToPath(url);
      if (!maps.has(script)) maps.set(script, segmentsOf(script, root));
      const segments = maps.get(script);
      if (segments !== undefined) addCovered(covered, segments, functions);
    }
  }
  return covered;
}

/** A process that is killed may leave half a file. */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Where the code of a script comes from, in its order; `undefined` where none of it is a source of the project.
 * @typedef {{ offset: number, file: string, line: number, column: number }} Segment
 */
function segmentsOf(script, root) {
  const mapFile = `${script}.map`;
  if (relative(root, script).startsWith('..') || !existsSync(mapFile)) return undefined;
  const { sources, mappings } = JSON.parse(readFileSync(mapFile, 'utf8'));
  const files = sources.map((source) =>
    relative(root, resolve(dirname(script), source))
      .split(sep)
      .join('/'),
  );
  const isWanted = files.map((file) => /^(?:src|webview)\/.*\.ts$/.test(file));
  if (!isWanted.includes(true)) return undefined;
  const segments = [];
  let lineStart = 0;
  const lines = readFileSync(script, 'utf8').split('\n');
  decode(mappings).forEach((line, index) => {
    for (const [column, source, sourceLine, sourceColumn] of line) {
      if (source !== undefined && isWanted[source]) {
        segments.push({ offset: lineStart + column, file: files[source], line: sourceLine, column: sourceColumn });
      }
    }
    lineStart += (lines[index]?.length ?? 0) + 1;
  });
  return segments;
}

/**
 * Adds the segments that have run. Of the ranges around a place the innermost one counts.
 * @param {CoveredPlaces} covered
 * @param {readonly Segment[]} segments by their offset
 * @param {readonly { ranges: readonly { startOffset: number, endOffset: number, count: number }[] }[]} functions as V8 tells
 */
export function addCovered(covered, segments, functions) {
  const ranges = functions
    .flatMap((one) => one.ranges)
    .sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
  const around = [];
  let next = 0;
  for (const { offset, file, line, column } of segments) {
    while (next < ranges.length && ranges[next].startOffset <= offset) around.push(ranges[next++]);
    while (around.length > 0 && around.at(-1).endOffset <= offset) around.pop();
    if ((around.at(-1)?.count ?? 0) === 0) continue;
    if (!covered.has(file)) covered.set(file, new Map());
    const lines = covered.get(file);
    if (!lines.has(line)) lines.set(line, new Set());
    lines.get(line).add(column);
  }
}
