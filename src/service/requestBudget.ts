import { rateAfterRefusal, rateFromHeaders, type ReadHeader } from './planRate';

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

/** A request that may be sent now. */
export interface BudgetTicket {
  /** To be called once its answer begins. */
  answered(answer: { readonly status: number; readonly retryAfterMs: number | undefined; readonly header: ReadHeader }): void;
  /** To be called when no answer will come; a no-op after an answer. The request counts, since the service may count it. */
  unanswered(): void;
}

/** The answer to a request for a turn; `tooLong`: the turn would come after the longest wait. */
export type Admission = { readonly kind: 'turn'; readonly turn: BudgetTicket } | { readonly kind: 'tooLong'; readonly waitMs: number };

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
 * The limit is learned from the service's headers or from a 429 (planRate.ts). Until then nothing waits. A pause begins with a 429, lasts as
 * long as `Retry-After` says but at most {@link LONGEST_PAUSE_MS}, and ends when a request that was sent after its start succeeds. When its
 * time is over, a single request goes first as a probe.
 */
export class RequestBudget {
  readonly #clock: BudgetClock;
  readonly #listeners = new Set<{ readonly hear: () => void }>();
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
    const entry = { hear: listener };
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
   * Begins the requests of an operation. It has to be ended.
   * @param onWait told until when it waits, milliseconds since 1970, as often as that changes; `undefined`: it waits no more
   * @param first `probes`: its first request is sent during a pause too, as one of the user's, to find out whether that is over
   */
  begin(onWait: (untilMs: number | undefined) => void, first: 'probes' | 'waits' = 'waits'): OperationRequests {
    const operation: OperationRequests = new OperationRequests(first === 'probes', {
      keep: (count, signal) => this.#keep(operation, count, signal),
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
   * @param mostMs how long at most; without it by its pace
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

  /** Takes a turn without waiting, for landings: what is signed expires. */
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

  /** Waits until `waiter` may go, and lets it; also resolves, without that, after `mostMs`. */
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

  /** Lets go who may, tells operations until when they wait, and sets the timer for the next. */
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

  /** Operations in the order in which they came, then the others. */
  #next(): Waiter | undefined {
    const inOrder = [...this.#waiters.filter(isOfOperation), ...this.#waiters.filter((waiter) => !isOfOperation(waiter))];
    return inOrder.find((waiter, index) => this.#mayGo(waiter, inOrder.slice(0, index)));
  }

  /** @param ahead who has come before and waits */
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

  /** How long until so many have room, by what is known now; milliseconds. */
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
    // An operation that wants more than there ever is room for takes what there is, and waits for the rest later.
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
          this.#tell();
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

  #tell(): void {
    for (const { hear } of [...this.#listeners]) {
      hear();
    }
  }
}

/** What an operation's requests do to the budget. */
interface OperationSide {
  keep(count: number, signal: AbortSignal | undefined): Promise<void>;
  changed(): void;
  ended(): void;
  onWait(untilMs: number | undefined): void;
  perMinute(): number | undefined;
}

/** The requests of one operation: they go before polling and panels, and it is told while they wait. */
export class OperationRequests {
  readonly #side: OperationSide;
  #kept = 0;
  #mayProbe: boolean;
  #untilMs: number | undefined;

  constructor(mayProbe: boolean, side: OperationSide) {
    this.#mayProbe = mayProbe;
    this.#side = side;
  }

  /** Whether its next request is sent during a pause too. */
  get mayProbe(): boolean {
    return this.#mayProbe;
  }

  /** Requests a minute that the service allows; `undefined`: that is not known. */
  get perMinute(): number | undefined {
    return this.#side.perMinute();
  }

  /** How many requests are kept free for it. */
  get kept(): number {
    return this.#kept;
  }

  /**
   * Resolves once so many requests can be sent without waiting, and keeps them free for this operation; those that it sends are taken from
   * them. What was kept before is among them. At most as many as the service allows a minute, less what other operations keep.
   * @throws the signal's reason when aborted
   */
  async keep(count: number, signal?: AbortSignal): Promise<void> {
    await this.#side.keep(count, signal);
  }

  /** Gives back what is kept. */
  release(): void {
    this.#kept = 0;
    this.#side.changed();
  }

  /** It sends no more. */
  end(): void {
    this.#kept = 0;
    this.waits(undefined);
    this.#side.ended();
  }

  /** Called by the budget: so many are kept from now on. */
  hold(count: number): void {
    this.#kept = count;
  }

  /** Called by the budget: one of its requests is sent. */
  sent(): void {
    this.#kept = Math.max(0, this.#kept - 1);
    this.#mayProbe = false;
  }

  /** Called by the budget: it waits until then. */
  waits(untilMs: number | undefined): void {
    if (untilMs !== this.#untilMs) {
      this.#untilMs = untilMs;
      this.#side.onWait(untilMs);
    }
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
