import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Above this there is something to give back: what is needed is about two thirds of it. */
const MARK_BYTES = 180_000_000;

/**
 * Gives back what is no longer needed, at once: playing a past leaves more behind than a sandbox needs in all of its life, and
 * the engine would keep that for as long as memory is not short. Takes some tens of milliseconds.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // The function is there only in contexts that are made from now on.
  runInNewContext('gc()');
}

/** The same, where the process has grown: called now and then, it keeps a busy sandbox small. */
export function collectGarbageWhereMuch(): void {
  if (process.memoryUsage.rss() > MARK_BYTES) {
    collectGarbage();
  }
}
