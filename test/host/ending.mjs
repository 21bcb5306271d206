import { constants } from 'node:os';

/** Ctrl-C and its relatives. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * The exit code that a shell gives to what a signal ended.
 * @param {NodeJS.Signals} signal
 */
export function codeOfSignal(signal) {
  return 128 + constants.signals[signal];
}

/** Often enough for who waits for the end, and nothing for the machine. */
const PARENT_LOOK_MS = 500;

/**
 * Calls `onOrphaned` once when the shell in which npm runs this script has gone: npm hands a SIGTERM on to that shell, and
 * the shell ends without a word to what runs in it.
 * @param {() => void} onOrphaned
 */
export function watchParent(onOrphaned) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onOrphaned();
  }, PARENT_LOOK_MS);
  timer.unref();
}

/** What to tell of something thrown. */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** What has to be undone before the process may end: processes to stop, folders to remove. Newest first, once. */
export class Ending {
  #undo = new Set();
  #ended;

  /**
   * @param {() => unknown} undo called at the end unless the returned function was called before
   * @returns {() => void} forgets it: what had to be undone is no longer there
   */
  add(undo) {
    this.#undo.add(undo);
    return () => {
      this.#undo.delete(undo);
    };
  }

  /** Whether the end has begun. */
  get isEnding() {
    return this.#ended !== undefined;
  }

  /** Nothing new may be begun once the end has begun. */
  throwIfEnding() {
    if (this.isEnding) throw new Error('This process is ending.');
  }

  /** Undoes everything; a second call waits for the first. What fails to be undone does not keep the rest from it. */
  end() {
    this.#ended ??= this.#undoAll();
    return this.#ended;
  }

  async #undoAll() {
    for (const undo of [...this.#undo].reverse()) {
      try {
        await undo();
      } catch (error) {
        process.stderr.write(`${messageOf(error)}\n`);
      }
    }
  }
}

/**
 * The life of an entry script: does its work, undoes what has to be undone, and ends with the code the work gave. Ctrl-C
 * and its relatives end it early, with the code a shell gives for that signal; while that is under way a second signal
 * changes nothing, for npm and the terminal both send one.
 * @param {(ending: Ending) => Promise<number>} work
 * @param {{ onSignal?: () => void }} options `onSignal` is told at once
 */
export async function runToEnd(work, { onSignal = () => undefined } = {}) {
  const ending = new Ending();
  const signaled = new Promise((resolve) => {
    const endBy = (signal) => {
      resolve(codeOfSignal(signal));
      onSignal();
      onSignal = () => undefined;
    };
    for (const signal of SIGNALS) process.on(signal, () => endBy(signal));
    watchParent(() => endBy('SIGTERM'));
  });
  const worked = work(ending).catch((error) => {
    // What was broken off by a signal fails as well, later, and is not worth a word.
    return { failure: error };
  });
  const result = await Promise.race([signaled, worked]);
  await ending.end();
  if (typeof result !== 'number') process.stderr.write(`\n${messageOf(result.failure)}\n`);
  process.exit(typeof result === 'number' ? result : 1);
}
