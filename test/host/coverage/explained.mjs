import { readFileSync } from 'node:fs';
import * as z from 'zod';

const text = z.string().min(1);
/** `function`: its name, or the begin of it with `*` at the end. Without it, the whole file. */
const Entry = z.strictObject({ file: text, function: text.optional(), reason: text });

/**
 * What is not covered for a known reason.
 * @typedef {z.output<typeof Entry>} ExplainedEntry
 */

/** @param {string} file @returns {readonly ExplainedEntry[]} */
export function readExplained(file) {
  return z.array(Entry).parse(JSON.parse(readFileSync(file, 'utf8')));
}

/**
 * Compares the functions that have not run with the list.
 * @param {readonly import('./measure.mjs').FileCoverage[]} files
 * @param {readonly ExplainedEntry[]} entries
 * @returns {{ unexplained: readonly { file: string, function: string }[], stale: readonly ExplainedEntry[], explained: number }} `stale`:
 *   entries of which everything is covered, or that name nothing
 */
export function compareWithList(files, entries) {
  const used = new Set();
  const unexplained = [];
  let explained = 0;
  for (const { file, uncovered } of files) {
    for (const name of uncovered) {
      const entry = entries.find((one) => one.file === file && fits(one.function, name));
      if (entry === undefined) {
        unexplained.push({ file, function: name });
      } else {
        used.add(entry);
        explained += 1;
      }
    }
  }
  return { unexplained, stale: entries.filter((entry) => !used.has(entry)), explained };
}

function fits(pattern, name) {
  if (pattern === undefined) return true;
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
