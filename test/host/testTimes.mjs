import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder, projectRoot } from './paths.mjs';

/** How long each file of tests took in its last run here, in milliseconds: by its path in test/, `unit/review/fees.test.js`. For all clones. */
export const TIMES_FILE = join(cacheFolder(), 'testTimes.json');

/** The files that take longest, with milliseconds that they took once (half of the time where they mostly wait): for a machine on which they have not run, as in CI. */
export const USUAL_TIMES_FILE = join(projectRoot, 'test', 'host', 'usualTimes.json');

/** Of a file of which nothing is known. */
export const USUAL_FILE_MS = 2_000;

/** @returns {Record<string, number>} before the first run, the usual ones */
export function readTimes(file = TIMES_FILE) {
  const usual = JSON.parse(readFileSync(USUAL_TIMES_FILE, 'utf8'));
  try {
    return { ...usual, ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return usual;
  }
}

/** Adds the times of a run to those of before. @param {Record<string, number>} times */
export function addTimes(times, file = TIMES_FILE) {
  // Another clone may read it at the same moment.
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, JSON.stringify({ ...readTimes(file), ...times }, null, 1));
    renameSync(temporary, file);
  } catch {
    // Without them the next run takes longer, and proves the same.
  }
}

/**
 * Puts files that took longest first, so that no long one begins when the others are done.
 * @param {readonly string[]} files
 * @param {(file: string) => number | undefined} timeOf
 */
export function longestFirst(files, timeOf) {
  const rank = (file) => timeOf(file) ?? USUAL_FILE_MS;
  return [...files].sort((one, other) => rank(other) - rank(one) || (one < other ? -1 : 1));
}
