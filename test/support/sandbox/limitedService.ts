import nodeFetch from 'node-fetch';
import type { Fetch, FetchResponse } from '../../../src/service/calls/transport';
import type { RpcFetch } from '../../../src/rpc/transport';
import { RateLimit } from '../../../src/engine/http/guards';

const TICK_MS = 5;
/**
 * Ticks in which nothing is under way before the clock moves on, where it is not known what waits. Not a time: when the machine stops for a
 * while, that is one tick.
 */
const IDLE_TICKS = 10;
/** The same where it is known that something waits. */
const WAIT_TICKS = 2;

/** With BINSIGHT_REAL_TIME=1 the clock does not jump: for measuring how long something takes. */
export const IS_REAL_TIME = process.env['BINSIGHT_REAL_TIME'] === '1';

/** The machine's clock, which jumps to the next timer as soon as nothing is under way: minutes of waiting take no time. */
export class JumpingClock {
  /** Whether what is tested waits, so that the clock may jump. `undefined`: it is taken to wait when nothing is under way for a while. */
  #isWaiting: (() => boolean) | undefined;
  #skippedMs = 0;
  #timers: { readonly atMs: number; readonly run: () => void }[] = [];
  #busy = 0;
  #idleTicks = 0;
  readonly #ticker = setInterval(() => this.#tick(), TICK_MS);

  readonly now = (): number => Date.now() + this.#skippedMs;

  after(ms: number, run: () => void): { dispose(): void } {
    const timer = { atMs: this.now() + ms, run };
    this.#timers.push(timer);
    this.#idleTicks = 0;
    return { dispose: () => void (this.#timers = this.#timers.filter((one) => one !== timer)) };
  }

  /** The same time, with a count of the timers that are not over. */
  lane(): { readonly pending: number; now(): number; after(ms: number, run: () => void): { dispose(): void } } {
    const timers = new Set<object>();
    return {
      get pending() {
        return timers.size;
      },
      now: this.now,
      after: (ms, run) => {
        const timer = {};
        timers.add(timer);
        const own = this.after(ms, () => {
          timers.delete(timer);
          run();
        });
        return {
          dispose: () => {
            timers.delete(timer);
            own.dispose();
          },
        };
      },
    };
  }

  /** The clock does not jump while `work` is under way. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
      this.#idleTicks = 0;
    }
  }

  /** During `work` the clock jumps only while `isWaiting`: reading and writing of files, reviewing and signing take the time that they take. */
  async jumpingOnly<Result>(isWaiting: () => boolean, work: () => Promise<Result>): Promise<Result> {
    const before = this.#isWaiting;
    this.#isWaiting = isWaiting;
    try {
      return await work();
    } finally {
      this.#isWaiting = before;
    }
  }

  stop(): void {
    clearInterval(this.#ticker);
    this.#timers = [];
  }

  #tick(): void {
    this.#idleTicks = this.#busy > 0 ? 0 : this.#idleTicks + 1;
    const next = this.#timers.toSorted((one, other) => one.atMs - other.atMs)[0];
    if (next === undefined || (next.atMs > this.now() && !this.#mayJump())) {
      return;
    }
    this.#timers = this.#timers.filter((one) => one !== next);
    this.#skippedMs += Math.max(0, next.atMs - this.now());
    this.#idleTicks = 0;
    next.run();
  }

  #mayJump(): boolean {
    const leastTicks = this.#isWaiting === undefined ? IDLE_TICKS : WAIT_TICKS;
    return !IS_REAL_TIME && this.#idleTicks >= leastTicks && this.#isWaiting?.() !== false;
  }
}

/** What a service with a limit got. */
export interface Heard {
  readonly atMs: number;
  /** "POST /position/decrease-tx" */
  readonly line: string;
  /** The address with its parameters. */
  readonly target: string;
  readonly status: number;
  readonly body: string | undefined;
}

/**
 * The way to the sandbox's service with its request limit, by the clock of the test: the sandbox itself counts real minutes. `undefined`:
 * the sandbox limits by itself.
 */
export class LimitedWay {
  readonly heard: Heard[] = [];
  readonly #limit: RateLimit;

  constructor(
    readonly clock: JumpingClock,
    perMinute: number | undefined,
  ) {
    this.#limit = new RateLimit(perMinute, clock.now);
  }

  readonly fetch: Fetch = (url, init) =>
    this.clock.during(async () => {
      const line = `${init.method} ${new URL(url).pathname.replace('/open-api/v1', '')}`;
      const seconds = this.#limit.take();
      const response = seconds === undefined ? await nodeFetch(url, init) : refusal(seconds);
      this.heard.push({ atMs: this.clock.now(), line, target: url, status: response.status, body: init.body });
      return response;
    });

  readonly rpcFetch: RpcFetch = (url, init) => this.clock.during(() => nodeFetch(url, init));

  /** How many requests were refused. */
  get refusals(): number {
    return this.heard.filter(({ status }) => status === 429).length;
  }

  /** The most requests in any minute since `fromMs`. */
  mostInAMinute(fromMs: number): number {
    const times = this.heard.map(({ atMs }) => atMs).filter((atMs) => atMs >= fromMs);
    return Math.max(0, ...times.map((end) => times.filter((atMs) => atMs <= end && atMs > end - 60_000).length));
  }
}

/** As the public service refuses: the seconds in a header, and a text that is no JSON. */
function refusal(seconds: number): FetchResponse {
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('Too many requests');
  };
  return { status: 429, headers: { get: (name) => (name === 'retry-after' ? String(seconds) : null) }, body: body() };
}
