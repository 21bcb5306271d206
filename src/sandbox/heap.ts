import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Heap size above which a collection pays off: a world needs about half of it. */
const MARK_HEAP_BYTES = 60_000_000;

/**
 * Collects garbage now. Simulating the past leaves more garbage than the sandbox ever needs later, and V8 would not return that memory
 * until it runs short. Takes some tens of milliseconds.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // Only contexts created from now on have the function.
  runInNewContext('gc()');
}

/**
 * Compacts the heap in every full collection and returns the free pages. Otherwise the heap of a busy sandbox fragments: after some minutes
 * half of it is holes. Costs some tens of milliseconds every few seconds, only under load.
 */
export function keepHeapCompact(): void {
  setFlagsFromString('--compact-on-every-full-gc');
}

/** Collects garbage if the heap is large. Called regularly and after long work, it keeps a busy sandbox small and costs an idle one nothing. */
export function collectGarbageIfLarge(): void {
  if (process.memoryUsage().heapUsed > MARK_HEAP_BYTES) {
    collectGarbage();
  }
}
