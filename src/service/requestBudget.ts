import { OperationRequests } from './operationRequests';
import { rateAfterRefusal, rateFromHeaders, type ReadHeader } from './rateLimits';
import type { RequestLedger, SharedLimit, SharedPause } from './requestLedger';

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
/** What an operation keeps is written down again after this time. It holds in other windows for more than twice as long (requestLedger.ts). */
const RENEW_MS = 30_000;
/** After this time other windows may have used what an operation keeps. */
const KEPT_FOR_MS = 60_000;
/** A waiting request looks this often at what other windows have sent. */
const LOOK_EVERY_MS = 2_000;

/** A request that counts against the limit. The service received it at some time before its answer, so it counts from the answer on. */
interface Slot {
  /** Milliseconds since 1970; Infinity while the answer is not there. */
  endsAtMs: number;
  wasAccepted: boolean;
}

/** Waits for the turn of one request, or until `count` requests of an operation fit together. */
interface Waiter {
  readonly pace: RequestPace;
  readonly kind: 'send' | 'keep';
  readonly count: number;
  /** Returns false if another window was first. */
  go(): boolean;
}

/** What the other windows know of an operation of this one. */
interface SharedOperation {
  readonly id: string;
  /** When what it keeps was last written down; milliseconds since 1970. */
  keptAtMs: number;
  /** When it was last written down that it waits; `undefined`: it doesn't. */
  waitsAtMs: number | undefined;
}

/** How a budget is set up, besides its clock. */
export interface RequestBudgetOptions {
  /** The limit per minute that the user has set; `undefined`: only the service's own limit counts. */
  readonly configured?: () => number | undefined;
  /** What all windows of this machine send. Default: this is the only window. */
  readonly ledger?: RequestLedger;
}

/** Requests of the last minute, those of other windows included. */
export interface RequestUsage {
  readonly sent: number;
  /** Per minute; `undefined`: no limit is known. */
  readonly limit: number | undefined;
}

/**
 * The request limit of one service for one key: the known limit per minute, the requests sent, and a pause that the service asked for. Polling,
 * panels and operations share one budget, and operations go first.
 *
 * The limit is the one that the user has set, or what is learned from the service's headers or from a 429, whichever is lower. Without one nothing waits. A pause begins with a 429, lasts as
 * long as `Retry-After` says but at most {@link LONGEST_PAUSE_MS}, and ends when a request that was sent after its start succeeds. When its
 * time is over, a single request goes first as a probe.
 *
 * With a ledger, the windows of this machine share all of this: no minute has more requests than the limit in sum.
 */
export class RequestBudget {
  readonly #clock: BudgetClock;
  readonly #configured: () => number | undefined;
  readonly #ledger: RequestLedger | undefined;
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  readonly #operations = new Map<OperationRequests, SharedOperation>();
  #slots: Slot[] = [];
  #limit: SharedLimit | undefined;
  #pause: SharedPause | undefined;
  /** A probe is in progress. */
  #isProbing = false;
  /** Listeners will hear of what another window has learned. */
  #isNews = false;
  #waiters: Waiter[] = [];
  #timer: { dispose(): void } | undefined;

  constructor(clock: BudgetClock, { configured = () => undefined, ledger }: RequestBudgetOptions = {}) {
    this.#clock = clock;
    this.#configured = configured;
    this.#ledger = ledger;
    ledger?.listen({
      paused: (pause) => this.#adopt(() => (this.#pause = laterOf(this.#pause, pause, clock.now()))),
      succeeded: (sentAtMs) => this.#adopt(() => (this.#pause = sentAtMs >= (this.#pause?.sinceMs ?? 0) ? undefined : this.#pause)),
      limited: (limit) => this.#adopt(() => this.#limitTo(limit)),
    });
  }

  /** The pause that the service asked for; `undefined`: there is none, or its time is over. */
  get pause(): Pause | undefined {
    this.#followClock();
    const pause = this.#pause;
    return pause !== undefined && this.#clock.now() < pause.untilMs ? { untilMs: pause.untilMs, askedMs: pause.askedMs } : undefined;
  }

  /** The limit in requests per minute; `undefined`: none is set, the service's is unknown, and nothing was refused lately. */
  get perMinute(): number | undefined {
    const configured = this.#configured();
    const learned = this.#learned;
    return configured === undefined || learned === undefined ? (configured ?? learned) : Math.min(configured, learned);
  }

  /** The service's own limit, as far as known. */
  get #learned(): number | undefined {
    const limit = this.#limit;
    return limit !== undefined && this.#clock.now() < limit.holdsUntilMs ? limit.perMinute : undefined;
  }

  /** Requests of the last minute. One counts from when it is sent until a minute after its answer, since the service may count it late. */
  get usage(): RequestUsage {
    this.#ledger?.refresh();
    return { sent: this.#endsMs().length, limit: this.perMinute };
  }

  /** Milliseconds until the first of those requests counts no more; `undefined`: there is none. */
  get usageEndsInMs(): number | undefined {
    const [first] = this.#endsMs();
    return first === undefined || first === Number.POSITIVE_INFINITY ? undefined : first - this.#clock.now();
  }

  /** Calls `listener` when a pause begins or ends early, or another limit is known. */
  onDidChange(listener: () => void): { dispose(): void } {
    const entry = { listener };
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  }

  /** The user has set another limit. */
  limitChanged(): void {
    this.#pump();
    this.#notify();
  }

  /** Milliseconds until `count` requests could be sent, as far as known now; 0: at once. */
  waitMs(pace: RequestPace, count = 1): number {
    this.#ledger?.refresh();
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
      changed: () => {
        this.#shareKept(operation);
        this.#pump();
      },
      ended: () => {
        this.#shareKept(operation);
        this.#shareWait(operation, false);
        this.#operations.delete(operation);
        this.#pump();
      },
      onWait,
      perMinute: () => this.perMinute,
    });
    this.#operations.set(operation, { id: this.#ledger?.newId() ?? '', keptAtMs: 0, waitsAtMs: undefined });
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
    this.#ledger?.refresh();
    const turn = this.#mayGo(waiter, this.#waiters) ? this.#take(pace) : undefined;
    if (turn !== undefined) {
      return { kind: 'turn', turn };
    }
    const waitMs = this.waitMs(pace);
    if (waitMs > mostMs) {
      return { kind: 'tooLong', waitMs };
    }
    const taken: BudgetTicket[] = [];
    const go = (): boolean => {
      const next = this.#take(pace);
      taken.push(...(next === undefined ? [] : [next]));
      return next !== undefined;
    };
    await this.#wait(waiter, go, signal, mostMs);
    const [later] = taken;
    return later === undefined ? { kind: 'tooLong', waitMs: this.waitMs(pace) } : { kind: 'turn', turn: later };
  }

  /** Takes a turn without waiting: for landings, since signed transactions expire. */
  takeNow(pace: RequestPace): BudgetTicket {
    return this.#ticket(pace, this.#ledger?.take(false, this.#idOfKeeping(pace)));
  }

  async #keep(operation: OperationRequests, count: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const waiter = { pace: operation, kind: 'keep', count } as const;
    const keep = (): boolean => this.#holdIfRoom(operation, count);
    this.#ledger?.refresh();
    if (this.#mayGo(waiter, this.#waiters) && keep()) {
      this.#pump();
    } else {
      await this.#wait(waiter, keep, signal, Number.POSITIVE_INFINITY);
    }
  }

  /** Resolves once `waiter` was let go, or after `mostMs` without that. @throws the signal's reason when aborted */
  #wait(waiter: Omit<Waiter, 'go'>, go: () => boolean, signal: AbortSignal | undefined, mostMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        this.#waiters = this.#waiters.filter((one) => one !== entry);
        patience?.dispose();
        signal?.removeEventListener('abort', abort);
      };
      const entry: Waiter = {
        ...waiter,
        go: () => {
          const isGone = go();
          if (isGone) {
            done();
            resolve();
          }
          return isGone;
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
    if (this.#waiters.length > 0) {
      this.#ledger?.refresh();
    }
    for (let next = this.#next(); next?.go() === true; next = this.#next());
    for (const operation of this.#operations.keys()) {
      const waits = this.#waiters.filter(({ pace }) => pace === operation).map(({ count }) => this.#roomInMs(operation, count));
      this.#shareWait(operation, waits.length > 0);
      operation.waits(waits.length === 0 ? undefined : this.#clock.now() + Math.max(...waits));
    }
    this.#timer?.dispose();
    // One with room waits for another before it, whose turn or end lets it go.
    const nextMs = Math.min(...this.#waiters.map(({ pace, count }) => this.#roomInMs(pace, count) || LOOK_EVERY_MS), this.#lookInMs());
    this.#timer = Number.isFinite(nextMs) ? this.#clock.after(Math.max(nextMs, 1), () => this.#pump()) : undefined;
  }

  /** Milliseconds until this window should look at the ledger again, or renew what operations keep; Infinity: it need not. */
  #lookInMs(): number {
    if (this.#ledger === undefined) {
      return Number.POSITIVE_INFINITY;
    }
    const now = this.#clock.now();
    let soonestMs = this.#waiters.length > 0 ? LOOK_EVERY_MS : Number.POSITIVE_INFINITY;
    for (const [operation, shared] of this.#operations) {
      if (operation.kept > 0) {
        if (now - shared.keptAtMs >= KEPT_FOR_MS) {
          continue;
        }
        if (now - shared.keptAtMs >= RENEW_MS) {
          this.#shareKept(operation);
        }
        soonestMs = Math.min(soonestMs, RENEW_MS, Math.max(1, shared.keptAtMs + RENEW_MS - now));
      }
    }
    return soonestMs;
  }

  /** Keeps requests free for an operation, unless another window was first. */
  #holdIfRoom(operation: OperationRequests, count: number): boolean {
    const shared = this.#operations.get(operation);
    if (this.#ledger !== undefined && shared !== undefined) {
      const fits = this.perMinute === undefined ? undefined : () => this.#roomInMs(operation, count) === 0;
      if (!this.#ledger.keep(shared.id, count, fits)) {
        return false;
      }
      shared.keptAtMs = this.#clock.now();
    }
    operation.hold(count);
    return true;
  }

  /** Tells the other windows what an operation keeps. */
  #shareKept(operation: OperationRequests): void {
    const shared = this.#operations.get(operation);
    if (this.#ledger !== undefined && shared !== undefined && shared.keptAtMs > 0) {
      this.#ledger.keep(shared.id, operation.kept);
      shared.keptAtMs = operation.kept === 0 ? 0 : this.#clock.now();
    }
  }

  /** Tells the other windows whether an operation waits: their polling and panels let it go first. */
  #shareWait(operation: OperationRequests, waits: boolean): void {
    const shared = this.#operations.get(operation);
    const now = this.#clock.now();
    if (this.#ledger === undefined || shared === undefined) {
      return;
    }
    if (waits && (shared.waitsAtMs === undefined || now - shared.waitsAtMs >= RENEW_MS)) {
      shared.waitsAtMs = now;
      this.#ledger.waits(shared.id);
    } else if (!waits && shared.waitsAtMs !== undefined) {
      shared.waitsAtMs = undefined;
      this.#ledger.waited(shared.id);
    }
  }

  /** The id of an operation that has kept its next request free; `undefined`: it has not, or too long ago. */
  #idOfKeeping(pace: RequestPace): string | undefined {
    const shared = pace instanceof OperationRequests && pace.kept > 0 ? this.#operations.get(pace) : undefined;
    return shared !== undefined && this.#clock.now() - shared.keptAtMs < KEPT_FOR_MS ? shared.id : undefined;
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
    this.#followClock();
    const pause = this.#pause;
    if (pause === undefined || mayProbe(pace)) {
      return false;
    }
    return this.#clock.now() < pause.untilMs || (kind === 'send' && this.#isBeingProbed);
  }

  /** This or another window finds out whether the pause is over. */
  get #isBeingProbed(): boolean {
    return this.#isProbing || this.#ledger?.isProbing === true;
  }

  /** Ends of all requests that count now, of all windows, in order; Infinity: not answered yet. */
  #endsMs(): readonly number[] {
    this.#followClock();
    const now = this.#clock.now();
    const own = this.#slots.map(({ endsAtMs }) => endsAtMs).filter((endsAtMs) => endsAtMs > now);
    return [...own, ...(this.#ledger?.slotEndsMs ?? [])].sort((one, other) => one - other);
  }

  /** After the system's clock was set back, own requests and the pause count from now on, for no longer than before. */
  #followClock(): void {
    const now = this.#clock.now();
    for (const slot of this.#slots) {
      // Infinity stays: no answer is there yet.
      if (Number.isFinite(slot.endsAtMs)) {
        slot.endsAtMs = Math.min(slot.endsAtMs, now + MINUTE_MS + MARGIN_MS);
      }
    }
    const pause = this.#pause;
    if (pause !== undefined && pause.sinceMs > now) {
      this.#pause = { ...pause, sinceMs: now, untilMs: now + pause.untilMs - pause.sinceMs };
    }
  }

  /** Milliseconds until `count` requests fit into the limit, as far as known now. */
  #roomInMs(pace: RequestPace, count: number): number {
    this.#followClock();
    const now = this.#clock.now();
    const probeMs = this.#isBeingProbed && this.#pause !== undefined ? SHORTEST_PAUSE_MS : 0;
    const pauseMs = mayProbe(pace) ? 0 : Math.max(probeMs, (this.#pause?.untilMs ?? now) - now);
    const { perMinute } = this;
    if (perMinute === undefined) {
      return pauseMs;
    }
    const isOfOperation = pace instanceof OperationRequests;
    const own = isOfOperation ? pace.kept : 0;
    const keptByOthers = [...this.#operations.keys()].reduce((sum, { kept }) => sum + kept, (this.#ledger?.kept ?? 0) - own);
    // An operation that wants more than fits into a minute takes what fits, and waits for the rest later.
    const wanted = isOfOperation ? Math.min(count, Math.max(1, perMinute - keptByOthers)) + keptByOthers : count + keptByOthers;
    if (!isOfOperation && wanted > perMinute) {
      return Math.max(pauseMs, MINUTE_MS);
    }
    const ends = this.#endsMs();
    // As in this window: polling and panels let operations of other windows go first.
    const behindMs = !isOfOperation && this.#ledger?.isOperationWaiting === true ? SHORTEST_PAUSE_MS : 0;
    const over = ends.length + Math.min(wanted, perMinute) - perMinute;
    const endMs = over > 0 ? (ends[over - 1] ?? now) : now;
    return Math.max(pauseMs, behindMs, (Number.isFinite(endMs) ? endMs : now + MINUTE_MS) - now);
  }

  /** Takes a turn, unless another window was first. */
  #take(pace: RequestPace): BudgetTicket | undefined {
    if (this.#ledger === undefined) {
      return this.#ticket(pace, undefined);
    }
    const operation = this.#idOfKeeping(pace);
    const fits = this.perMinute === undefined ? undefined : () => this.#roomInMs(pace, 1) === 0;
    const id = this.#ledger.take(this.#pause !== undefined && !this.#isBeingProbed, operation, fits);
    return id === undefined ? undefined : this.#ticket(pace, id);
  }

  /** @param id of the request in the ledger */
  #ticket(pace: RequestPace, id: string | undefined): BudgetTicket {
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
      if (id !== undefined) {
        this.#ledger?.answered(id, wasAccepted);
      }
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
          this.#ledger?.succeeded(sentAtMs);
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
    const before = this.#limit;
    if (named !== undefined) {
      this.#limitTo({ perMinute: named, holdsUntilMs: Number.POSITIVE_INFINITY });
    } else if (status === 429) {
      const own = this.#slots.filter(({ wasAccepted, endsAtMs }) => wasAccepted && endsAtMs > now).length;
      this.#limitTo({ perMinute: rateAfterRefusal(own + (this.#ledger?.accepted ?? 0)), holdsUntilMs: now + GUESS_HOLDS_MS });
    }
    if (this.#limit !== undefined && (this.#limit.perMinute !== before?.perMinute || this.#limit.holdsUntilMs !== before.holdsUntilMs)) {
      this.#ledger?.limited(this.#limit);
    }
  }

  /** Takes a limit as known: one that the service names, or else the lowest guess. */
  #limitTo(limit: SharedLimit): void {
    if (limit.holdsUntilMs === Number.POSITIVE_INFINITY) {
      this.#limit = limit;
    } else if (this.#limit?.holdsUntilMs !== Number.POSITIVE_INFINITY) {
      const holdsUntilMs = Math.min(limit.holdsUntilMs, this.#clock.now() + GUESS_HOLDS_MS);
      this.#limit = { perMinute: Math.min(limit.perMinute, this.#learned ?? limit.perMinute), holdsUntilMs };
    }
  }

  /** Applies what another window has learned. Listeners are called later, because a listener may be what reads the budget now. */
  #adopt(change: () => void): void {
    const before = { limit: this.perMinute, pause: this.#pause };
    change();
    if (!this.#isNews && (before.limit !== this.perMinute || before.pause !== this.#pause)) {
      this.#isNews = true;
      queueMicrotask(() => {
        this.#isNews = false;
        this.#notify();
      });
    }
  }

  #pauseFor(askedMs: number | undefined): void {
    const now = this.#clock.now();
    const refusals = (this.#pause?.refusals ?? 0) + 1;
    const unnamedMs = Math.min(UNNAMED_PAUSE_MS * 2 ** (refusals - 1), MINUTE_MS);
    const ms = Math.min(Math.max(askedMs ?? unnamedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#pause = { untilMs: now + ms, askedMs, sinceMs: now, refusals };
    this.#ledger?.paused(this.#pause);
  }

  #notify(): void {
    for (const { listener } of [...this.#listeners]) {
      listener();
    }
  }
}

/** The later of two pauses. One whose time is over still has to be probed. */
function laterOf(one: SharedPause | undefined, other: SharedPause, now: number): SharedPause | undefined {
  const untilMs = Math.min(other.untilMs, now + LONGEST_PAUSE_MS);
  return untilMs > (one?.untilMs ?? 0) ? { ...other, untilMs } : one;
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
