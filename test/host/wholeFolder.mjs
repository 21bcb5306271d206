import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { exclusively } from './exclusively.mjs';
import { requireWritable } from './setupProblems.mjs';

/** A half-made folder older than this was left by a process that was killed. */
const ABANDONED_MS = 2 * 60 * 60_000;

/** Makes sure that a folder can be made in the cache. @throws Error that says what to do where it cannot */
export function requireRoomFor(folder) {
  requireWritable(dirname(folder), 'Allow writing there, or name another folder in the environment variable BINSIGHT_CACHE.');
}

/**
 * Makes a folder that is there whole or not at all: it is filled under another name beside its own and then renamed. Who wants it while another
 * makes it, in this process or in another one, waits for that.
 * @param {string} folder
 * @param {import('./ending.mjs').Ending} ending
 * @param {(unfinished: string) => Promise<void>} fill
 */
export async function makeWholeFolder(folder, ending, fill) {
  requireRoomFor(folder);
  await exclusively(`${folder}.lock`, ending, { onWait: () => undefined }, async () => {
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
    } finally {
      remove();
      forget();
    }
  });
}

function removeAbandoned(folder) {
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name);
    if (name.startsWith(`${basename(folder)}.unfinished-`) && Date.now() - statSync(path).mtimeMs > ABANDONED_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
