/** Steps shorter than this do not say how long they took. */
const WORTH_SAYING_MS = 2_000;
/** How often a step says how far it is: often on a terminal, where the line is overwritten, and seldom in a log. */
const ON_TERMINAL_MS = 1_000;
const IN_LOG_MS = 15_000;
/** Moves to the start of the line and clears it. */
const CLEAR_LINE = '\r\u001b[2K';

const seconds = (ms) => `${Math.round(ms / 1000)} s`;

/**
 * Says what is being done, one plain line for each step, on `stream`.
 * @param {{ write(text: string): unknown, isTTY?: boolean }} stream
 */
export function createTeller(stream = process.stdout, { onTerminalMs = ON_TERMINAL_MS, inLogMs = IN_LOG_MS } = {}) {
  const isTerminal = stream.isTTY === true;
  let hasProgress = false;
  const clear = () => {
    if (hasProgress) stream.write(CLEAR_LINE);
    hasProgress = false;
  };
  const say = (text) => {
    clear();
    stream.write(`${text}\n`);
  };
  const showProgress = (text) => {
    if (!isTerminal) return say(text);
    stream.write(`${CLEAR_LINE}${text}`);
    hasProgress = true;
  };
  return {
    say,

    /** Writes text as it is. */
    write: (text) => {
      clear();
      stream.write(text);
    },

    /**
     * Says what begins, does it, says at intervals how far it is, and how long it took where that was long.
     * @template T
     * @param {string} what
     * @param {() => Promise<T>} work
     * @param {() => Promise<string>} [measure] says how far it is: "120 of about 900 MB"
     * @returns {Promise<T>}
     */
    async step(what, work, measure) {
      const start = performance.now();
      const elapsed = () => performance.now() - start;
      say(`${what} …`);
      let isMeasuring = false;
      let isOver = false;
      const report = async () => {
        // A slow measurement is not begun twice.
        if (isMeasuring) return;
        isMeasuring = true;
        const measured = await measure?.().catch(() => undefined);
        isMeasuring = false;
        if (!isOver) showProgress(`  ${measured === undefined ? '' : `${measured} `}after ${seconds(elapsed())}`);
      };
      const timer = setInterval(() => void report(), isTerminal ? onTerminalMs : inLogMs);
      try {
        const result = await work();
        isOver = true;
        if (elapsed() >= WORTH_SAYING_MS) say(`  done after ${seconds(elapsed())}`);
        return result;
      } finally {
        isOver = true;
        clearInterval(timer);
        clear();
      }
    },
  };
}

/** @typedef {ReturnType<typeof createTeller>} Teller */
