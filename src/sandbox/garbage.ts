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

/**
 * Lets every full collection move together what is left, and give back the pages between. Without it the heap of a sandbox that is busy for
 * long has more and more holes: half of what it holds after some minutes. Costs some tens of milliseconds every few seconds, under load only.
 */
export function keepHeapCompact(): void {
  setFlagsFromString('--compact-on-every-full-gc');
}

/** Collects garbage where there is much of it: called now and then and after long work, it keeps a busy sandbox small and costs an idle one nothing. */
export function collectGarbageWhereMuch(): void {
  if (process.memoryUsage().heapUsed > MARK_HEAP_BYTES) {
    collectGarbage();
  }
}
