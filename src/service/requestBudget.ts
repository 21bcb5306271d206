import type { BaseUrl } from './baseUrl';
import { OperationRequests } from './operationRequests';

/** The budget's source of time. */
export interface BudgetClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once, so much later, unless it is disposed before. */
  after(ms: number, run: () => void): { dispose(): void };
}

/**
 * The priority of a request, which decides the order and the longest wait:
 * - an operation's ({@link OperationRequests}): before all others, for as long as it takes;
 * - `user`: the user has just asked for it. It is sent even during a pause, to probe whether that is over;
 * - `panel`: a panel is waiting for it, for up to 30 s;
 * - `poll`: sent at once or not at all.
 */
export type RequestPace = OperationRequests | 'user' | 'panel' | 'poll';

/** The service answered 429, and nothing has succeeded since. */
export interface Pause {
  /** Until then only requests of the user are sent; milliseconds since 1970. */
  readonly untilMs: number;
  /** The wait that the service asked for, which may be longer than the pause; `undefined`: it didn't say. */
  readonly askedMs: number | undefined;
}

/** Returns the value of a response header, or `null`. */
export type ReadHeader = (name: string) => string | null;

/** A request that may be sent now. */
export interface BudgetTicket {
  /** To be called once its answer begins. */
  answered(answer: { readonly status: number; readonly retryAfterMs: number | undefined; readonly header: ReadHeader }): void;
  /** To be called when no answer will come; a no-op after an answer. The request counts, since the service may count it. */
  unanswered(): void;
}

/** The answer to a request for a turn; `tooLong`: the turn would come after the longest wait. */
export type Admission = { readonly kind: 'turn'; readonly turn: BudgetTicket } | { readonly kind: 'tooLong'; readonly waitMs: number };

/** Requests per minute in the plans of the public service (Basic, Premium, Enterprise), ascending. */
const PLANS_PER_MINUTE = [5, 10, 20] as const;

/** A larger figure in a header is irrelevant: the client never comes near it. */
const MOST_PER_MINUTE = 100_000;

const MINUTE_MS = 60_000;
/** The service's clock differs slightly from this one, and timers fire a little early. */
const MARGIN_MS = 250;
/** Longest pause: after this time one request probes whether the service accepts requests again. */
export const LONGEST_PAUSE_MS = 15 * MINUTE_MS;
const SHORTEST_PAUSE_MS = 1_000;
/** Pause after a 429 that doesn't say how long to wait. It doubles with each further one, up to a minute. */
const UNNAMED_PAUSE_MS = 15_000;
/** How long a guessed limit holds: the 429 may be due to another program with the same key. */
const GUESS_HOLDS_MS = 30 * MINUTE_MS;
/** Longest wait of a panel for its turn. */
const PATIENCE_MS = 30_000;

/** A request that counts against the limit. The service received it at some time before its answer, so it counts from the answer on. */
interface Slot {
  /** Milliseconds since 1970; Infinity while the answer is not there. */
  endsAtMs: number;
  wasAccepted: boolean;
}

interface Limit {
  readonly perMinute: number;
  /** Infinity where the service named it. */
  readonly holdsUntilMs: number;
}

/** Waits for the turn of one request, or until `count` requests of an operation fit together. */
interface Waiter {
  readonly pace: RequestPace;
  readonly kind: 'send' | 'keep';
  readonly count: number;
  go(): void;
}

/**
 * The request limit of one service for one key: the known limit per minute, the requests sent, and a pause that the service asked for. Polling,
 * panels and operations share one budget, and operations go first.
 *
 * The limit is learned from the service's headers or from a 429. Until then nothing waits. A pause begins with a 429, lasts as
 * long as `Retry-After` says but at most {@link LONGEST_PAUSE_MS}, and ends when a request that was sent after its start succeeds. When its
 * time is over, a single request goes first as a probe.
 */
export class RequestBudget {
  readonly #clock: BudgetClock;
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  readonly #operations = new Set<OperationRequests>();
  #slots: Slot[] = [];
  #limit: Limit | undefined;
  #pause: (Pause & { readonly sinceMs: number; readonly refusals: number }) | undefined;
  /** A probe is in progress. */
  #isProbing = false;
  #waiters: Waiter[] = [];
  #timer: { dispose(): void } | undefined;

  constructor(clock: BudgetClock) {
    this.#clock = clock;
  }

  /** The pause that the service asked for; `undefined`: there is none, or its time is over. */
  get pause(): Pause | undefined {
    const pause = this.#pause;
    return pause !== undefined && this.#clock.now() < pause.untilMs ? { untilMs: pause.untilMs, askedMs: pause.askedMs } : undefined;
  }

  /** The limit in requests per minute; `undefined`: unknown, and nothing was refused lately. */
  get perMinute(): number | undefined {
    const limit = this.#limit;
    return limit !== undefined && this.#clock.now() < limit.holdsUntilMs ? limit.perMinute : undefined;
  }

  /** Calls `listener` when a pause begins or ends early, or another limit is known. */
  onDidChange(listener: () => void): { dispose(): void } {
    const entry = { listener };
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  }

  /** Milliseconds until `count` requests could be sent, as far as known now; 0: at once. */
  waitMs(pace: RequestPace, count = 1): number {
    const isBehindOperation =
      !(pace instanceof OperationRequests) && this.#waiters.some((waiter) => waiter.pace instanceof OperationRequests);
    const own = this.#roomInMs(pace, count);
    return isBehindOperation
      ? Math.max(own, SHORTEST_PAUSE_MS, ...this.#waiters.map((waiter) => this.#roomInMs(waiter.pace, waiter.count)))
      : own;
  }

  /**
   * Begins the requests of an operation. The caller must end them.
   * @param onWait called whenever the end of its wait changes: milliseconds since 1970, or `undefined` if it doesn't wait
   * @param first `probes`: its first request is sent even during a pause, to probe whether that is over
   */
  begin(onWait: (untilMs: number | undefined) => void, first: 'probes' | 'waits' = 'waits'): OperationRequests {
    const operation: OperationRequests = new OperationRequests(first === 'probes', {
      keep: (count, signal) => this.#keep(operation, count, signal),
      couldKeep: (count) => this.#mayGo({ pace: operation, kind: 'keep', count }, this.#waiters),
      changed: () => this.#pump(),
      ended: () => {
        this.#operations.delete(operation);
        this.#pump();
      },
      onWait,
      perMinute: () => this.perMinute,
    });
    this.#operations.add(operation);
    return operation;
  }

  /**
   * Waits for the turn of one request.
   * @param mostMs longest wait in milliseconds. Default: by its pace
   * @throws the signal's reason when aborted
   */
  async admit(pace: RequestPace, signal?: AbortSignal, mostMs = patienceOf(pace)): Promise<Admission> {
    signal?.throwIfAborted();
    const waiter = { pace, kind: 'send', count: 1 } as const;
    if (this.#mayGo(waiter, this.#waiters)) {
      return { kind: 'turn', turn: this.#take(pace) };
    }
    const waitMs = this.waitMs(pace);
    if (waitMs > mostMs) {
      return { kind: 'tooLong', waitMs };
    }
    let turn: BudgetTicket | undefined;
    await this.#wait(waiter, () => (turn = this.#take(pace)), signal, mostMs);
    return turn === undefined ? { kind: 'tooLong', waitMs: this.waitMs(pace) } : { kind: 'turn', turn };
  }

  /** Takes a turn without waiting: for landings, since signed transactions expire. */
  takeNow(pace: RequestPace): BudgetTicket {
    return this.#take(pace);
  }

  async #keep(operation: OperationRequests, count: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const waiter = { pace: operation, kind: 'keep', count } as const;
    const keep = (): void => operation.hold(count);
    if (this.#mayGo(waiter, this.#waiters)) {
      keep();
    } else {
      await this.#wait(waiter, keep, signal, Number.POSITIVE_INFINITY);
    }
  }

  /** Resolves once `waiter` was let go, or after `mostMs` without that. @throws the signal's reason when aborted */
  #wait(waiter: Omit<Waiter, 'go'>, go: () => void, signal: AbortSignal | undefined, mostMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        this.#waiters = this.#waiters.filter((one) => one !== entry);
        patience?.dispose();
        signal?.removeEventListener('abort', abort);
      };
      const entry: Waiter = {
        ...waiter,
        go: () => {
          done();
          go();
          resolve();
        },
      };
      const abort = (): void => {
        done();
        this.#pump();
        reject(signal?.reason as Error);
      };
      const giveUp = (): void => {
        done();
        this.#pump();
        resolve();
      };
      const patience = Number.isFinite(mostMs) ? this.#clock.after(mostMs, giveUp) : undefined;
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiters.push(entry);
      this.#pump();
    });
  }

  /** Lets every waiter go that may, reports their waits to the operations, and sets the timer for the next one. */
  #pump(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      next.go();
    }
    for (const operation of this.#operations) {
      const waits = this.#waiters.filter(({ pace }) => pace === operation).map(({ count }) => this.#roomInMs(operation, count));
      operation.waits(waits.length === 0 ? undefined : this.#clock.now() + Math.max(...waits));
    }
    this.#timer?.dispose();
    const nextMs = Math.min(...this.#waiters.map(({ pace, count }) => this.#roomInMs(pace, count)));
    this.#timer = Number.isFinite(nextMs) ? this.#clock.after(Math.max(nextMs, 1), () => this.#pump()) : undefined;
  }

  /** The next waiter that may go: operations first, each group in order of arrival. */
  #next(): Waiter | undefined {
    const inOrder = [...this.#waiters.filter(isOfOperation), ...this.#waiters.filter((waiter) => !isOfOperation(waiter))];
    return inOrder.find((waiter, index) => this.#mayGo(waiter, inOrder.slice(0, index)));
  }

  /** @param ahead the waiters before this one */
  #mayGo({ pace, kind, count }: Omit<Waiter, 'go'>, ahead: readonly Waiter[]): boolean {
    if (this.#isPausedFor(pace, kind)) {
      return false;
    }
    const hasRoom = this.#roomInMs(pace, count) === 0;
    const isKept = pace instanceof OperationRequests && kind === 'send' && pace.kept > 0;
    const isOfOne = pace instanceof OperationRequests;
    return hasRoom && (isKept || !ahead.some((waiter) => isOfOperation(waiter) || !isOfOne));
  }

  #isPausedFor(pace: RequestPace, kind: Waiter['kind']): boolean {
    const pause = this.#pause;
    if (pause === undefined || mayProbe(pace)) {
      return false;
    }
    return this.#clock.now() < pause.untilMs || (kind === 'send' && this.#isProbing);
  }

  /** Milliseconds until `count` requests fit into the limit, as far as known now. */
  #roomInMs(pace: RequestPace, count: number): number {
    const now = this.#clock.now();
    const probeMs = this.#isProbing ? SHORTEST_PAUSE_MS : 0;
    const pauseMs = mayProbe(pace) ? 0 : Math.max(probeMs, (this.#pause?.untilMs ?? now) - now);
    const { perMinute } = this;
    if (perMinute === undefined) {
      return pauseMs;
    }
    const isOfOperation = pace instanceof OperationRequests;
    const own = isOfOperation ? pace.kept : 0;
    const keptByOthers = [...this.#operations].reduce((sum, { kept }) => sum + kept, -own);
    // An operation that wants more than fits into a minute takes what fits, and waits for the rest later.
    const wanted = isOfOperation ? Math.min(count, Math.max(1, perMinute - keptByOthers)) + keptByOthers : count + keptByOthers;
    if (!isOfOperation && wanted > perMinute) {
      return Math.max(pauseMs, MINUTE_MS);
    }
    const ends = this.#slots
      .map(({ endsAtMs }) => endsAtMs)
      .filter((endsAtMs) => endsAtMs > now)
      .sort((one, other) => one - other);
    const over = ends.length + Math.min(wanted, perMinute) - perMinute;
    const endMs = over > 0 ? (ends[over - 1] ?? now) : now;
    return Math.max(pauseMs, (Number.isFinite(endMs) ? endMs : now + MINUTE_MS) - now);
  }

  #take(pace: RequestPace): BudgetTicket {
    const sentAtMs = this.#clock.now();
    const slot: Slot = { endsAtMs: Number.POSITIVE_INFINITY, wasAccepted: false };
    this.#slots = [...this.#slots.filter(({ endsAtMs }) => endsAtMs > sentAtMs), slot];
    if (pace instanceof OperationRequests) {
      pace.sent();
    }
    const isProbe = this.#pause !== undefined && !this.#isProbing;
    this.#isProbing ||= isProbe;
    let isOver = false;
    const end = (wasAccepted: boolean): void => {
      isOver = true;
      Object.assign(slot, { endsAtMs: this.#clock.now() + MINUTE_MS + MARGIN_MS, wasAccepted });
      this.#isProbing &&= !isProbe;
    };
    return {
      answered: ({ status, retryAfterMs, header }) => {
        end(status !== 429);
        const before = { limit: this.perMinute, pause: this.#pause };
        this.#learn(status, header);
        if (status === 429) {
          this.#pauseFor(retryAfterMs);
        } else if (this.#pause !== undefined && status < 500 && sentAtMs >= this.#pause.sinceMs) {
          this.#pause = undefined;
        }
        this.#pump();
        if (before.limit !== this.perMinute || before.pause !== this.#pause) {
          this.#notify();
        }
      },
      unanswered: () => {
        if (!isOver) {
          end(false);
          this.#pump();
        }
      },
    };
  }

  #learn(status: number, header: ReadHeader): void {
    const named = rateFromHeaders(header);
    const now = this.#clock.now();
    if (named !== undefined) {
      this.#limit = { perMinute: named, holdsUntilMs: Number.POSITIVE_INFINITY };
    } else if (status === 429 && this.#limit?.holdsUntilMs !== Number.POSITIVE_INFINITY) {
      const guessed = rateAfterRefusal(this.#slots.filter(({ wasAccepted, endsAtMs }) => wasAccepted && endsAtMs > now).length);
      this.#limit = { perMinute: Math.min(guessed, this.perMinute ?? guessed), holdsUntilMs: now + GUESS_HOLDS_MS };
    }
  }

  #pauseFor(askedMs: number | undefined): void {
    const now = this.#clock.now();
    const refusals = (this.#pause?.refusals ?? 0) + 1;
    const unnamedMs = Math.min(UNNAMED_PAUSE_MS * 2 ** (refusals - 1), MINUTE_MS);
    const ms = Math.min(Math.max(askedMs ?? unnamedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#pause = { untilMs: now + ms, askedMs, sinceMs: now, refusals };
  }

  #notify(): void {
    for (const { listener } of [...this.#listeners]) {
      listener();
    }
  }
}

/**
 * The request budgets by service address and key: each service has its own limits, and each key its own plan. A budget outlives the client,
 * so a pause still holds when the user comes back to a service.
 */
export class RequestBudgets {
  readonly #clock: BudgetClock;
  readonly #budgets = new Map<string, RequestBudget>();

  constructor(clock: BudgetClock) {
    this.#clock = clock;
  }

  /** Returns the budget of a service for a key. */
  of(baseUrl: BaseUrl, apiKey: string): RequestBudget {
    const name = `${baseUrl} ${apiKey}`;
    const budget = this.#budgets.get(name) ?? new RequestBudget(this.#clock);
    this.#budgets.set(name, budget);
    return budget;
  }
}

function isOfOperation({ pace }: Pick<Waiter, 'pace'>): boolean {
  return pace instanceof OperationRequests;
}

function mayProbe(pace: RequestPace): boolean {
  return pace === 'user' || (pace instanceof OperationRequests && pace.mayProbe);
}

function patienceOf(pace: RequestPace): number {
  return pace instanceof OperationRequests ? Number.POSITIVE_INFINITY : pace === 'poll' ? 0 : PATIENCE_MS;
}

/**
 * The limit per minute in an answer's headers: `RateLimit-Policy` with a window of 60 s, or a limit whose name says that it is per minute. A
 * limit without a window is ignored: it may be per second or per day.
 */
function rateFromHeaders(header: ReadHeader): number | undefined {
  const policies = header('ratelimit-policy')?.split(',') ?? [];
  const perMinute = policies
    .filter((policy) => /;\s*w=60\s*(?:;|$)/.test(policy))
    .map((policy) => /(?:^\s*|;\s*q=)(\d+)/.exec(policy)?.[1]);
  return [...perMinute, header('x-ratelimit-limit-minute'), header('ratelimit-limit-minute')]
    .map(wholeRate)
    .find((rate) => rate !== undefined);
}

/**
 * The plan to assume after a 429 that names no limit: the largest one that the accepted requests have reached, else the smallest. Other
 * programs may use the same key, so a lower number of requests from here proves nothing.
 * @param accepted requests of the last minute that were not refused
 */
function rateAfterRefusal(accepted: number): number {
  return PLANS_PER_MINUTE.findLast((plan) => plan <= accepted) ?? PLANS_PER_MINUTE[0];
}

function wholeRate(text: string | null | undefined): number | undefined {
  const rate = /^\s*\d{1,6}\s*$/.test(text ?? '') ? Number(text) : 0;
  return rate >= 1 && rate <= MOST_PER_MINUTE ? rate : undefined;
}
