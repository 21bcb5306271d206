import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Above this there is something to give back: what a world needs is about half of it. */
const MARK_HEAP_BYTES = 60_000_000;

/**
 * Gives back what is no longer needed, at once: playing a past leaves more behind than a sandbox needs in all of its life, and
 * the engine would keep that for as long as memory is not short. Takes some tens of milliseconds.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // The function is there only in contexts that are made from now on.
  runInNewContext('gc()');
}

/** The same, where there is much of it: called now and then and after long work, it keeps a busy sandbox small and costs an idle one nothing. */
export function collectGarbageWhereMuch(): void {
  if (process.memoryUsage().heapUsed > MARK_HEAP_BYTES) {
    collectGarbage();
  }
}
