/** Steps shorter than this do not say how long they took. */
const WORTH_SAYING_MS = 2_000;
/** How often a long step says that it is still at it. */
const STILL_AT_IT_MS = 30_000;

const seconds = (ms) => `${Math.round(ms / 1000)} s`;

/**
 * Says what is being done, one plain line for each step, on `stream`.
 * @param {{ write(text: string): unknown }} stream
 */
export function createTeller(stream = process.stdout) {
  const say = (text) => {
    stream.write(`${text}\n`);
  };
  return {
    say,

    /** Writes text as it is. */
    write: (text) => {
      stream.write(text);
    },

    /**
     * Says what begins, does it, and says how long it took where that was long.
     * @template T
     * @param {string} what
     * @param {() => Promise<T>} work
     * @returns {Promise<T>}
     */
    async step(what, work) {
      const start = performance.now();
      const elapsed = () => performance.now() - start;
      say(`${what} …`);
      const reminder = setInterval(() => say(`  still at it after ${seconds(elapsed())}`), STILL_AT_IT_MS);
      try {
        const result = await work();
        if (elapsed() >= WORTH_SAYING_MS) say(`  done after ${seconds(elapsed())}`);
        return result;
      } finally {
        clearInterval(reminder);
      }
    },
  };
}

/** @typedef {ReturnType<typeof createTeller>} Teller */
