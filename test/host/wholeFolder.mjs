import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { requireWritable } from './setupProblems.mjs';

/** A half-made folder older than this was left by a process that was killed. */
const ABANDONED_MS = 2 * 60 * 60_000;

/** What this process makes at this moment, by the folder: parts of `npm test` that run at the same time ask for the same one. */
const inTheMaking = new Map();

/** Makes sure that a folder can be made in the cache. @throws Error that says what to do where it cannot */
export function requireRoomFor(folder) {
  requireWritable(dirname(folder), 'Allow writing there, or name another folder in the environment variable BINSIGHT_CACHE.');
}

/**
 * Makes a folder that is there whole or not at all: it is filled under another name beside its own and then renamed. Of
 * two processes that make it at once the faster one's stays; one process makes it once, however often it is asked.
 * @param {string} folder
 * @param {import('./ending.mjs').Ending} ending
 * @param {(unfinished: string) => Promise<void>} fill
 */
export function makeWholeFolder(folder, ending, fill) {
  const begun = inTheMaking.get(folder) ?? make(folder, ending, fill).finally(() => inTheMaking.delete(folder));
  inTheMaking.set(folder, begun);
  return begun;
}

async function make(folder, ending, fill) {
  requireRoomFor(folder);
  removeAbandoned(folder);
  if (existsSync(folder)) return;
  const unfinished = `${folder}.unfinished-${process.pid}`;
  const remove = () => rmSync(unfinished, { recursive: true, force: true });
  remove();
  const forget = ending.add(remove);
  try {
    mkdirSync(unfinished);
    await fill(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    remove();
    forget();
  }
}

function removeAbandoned(folder) {
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name);
    if (name.startsWith(`${basename(folder)}.unfinished-`) && Date.now() - statSync(path).mtimeMs > ABANDONED_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
