import { readFileSync } from 'node:fs';
import * as z from 'zod';

const text = z.string().min(1);
/**
 * A reason, and what it explains: by file, the names of functions, or the begin of names with `*` at the end. `isOptional`: some runs cover them
 * and others do not, so their coverage makes no entry stale.
 */
const Group = z.strictObject({ reason: text, isOptional: z.boolean().default(false), functions: z.record(text, z.array(text).min(1)) });

/**
 * What is not covered for a known reason.
 * @typedef {{ file: string, function: string, reason: string, isOptional: boolean }} ExplainedEntry
 */

/** @param {string} file @returns {readonly ExplainedEntry[]} */
export function readExplained(file) {
  return entriesOf(z.array(Group).parse(JSON.parse(readFileSync(file, 'utf8'))));
}

/** @param {readonly z.output<typeof Group>[]} groups @returns {readonly ExplainedEntry[]} */
export function entriesOf(groups) {
  return groups.flatMap(({ reason, isOptional, functions }) =>
    Object.entries(functions).flatMap(([file, names]) => names.map((name) => ({ file, function: name, reason, isOptional }))),
  );
}

/**
 * Compares the functions that have not run with the list.
 * @param {readonly import('./measure.mjs').FileCoverage[]} files
 * @param {readonly ExplainedEntry[]} entries
 * @returns {{ unexplained: readonly { file: string, function: string }[], stale: readonly ExplainedEntry[], explained: number }} `stale`:
 *   entries of which everything is covered, or that name nothing; optional ones are never
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
  return { unexplained, stale: entries.filter((entry) => !used.has(entry) && !entry.isOptional), explained };
}

function fits(pattern, name) {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
