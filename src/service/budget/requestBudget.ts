import { MINUTE_MS } from '../../base/time';
import { mayProbe, OperationRequests, patienceMsOf, type RequestPace, SharedOperations } from './operationRequests';
import { type ReadHeader, ServiceLimits, SHORTEST_PAUSE_MS } from './serviceLimits';
import type { RequestLedger } from './requestLedger';
import { isOfOperation, RequestQueue, SentRequests, type Turn } from './requestQueue';
import { createHash } from 'node:crypto';
import type { BaseUrl } from '../baseUrl';

/** The budget's source of time. */
export interface BudgetClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once, so much later, unless it is disposed before. */
  after(ms: number, run: () => void): { dispose(): void };
}

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

/** A waiting request looks this often at what other windows have sent. */
const LOOK_EVERY_MS = 2_000;

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
 * The limit is the one that the user has set, or what is learned from the service's headers or from a 429, whichever is lower. Without one nothing
 * waits. A pause begins with a 429, lasts as long as `Retry-After` says but at most `LONGEST_PAUSE_MS`, and ends when a request that was sent after
 * its start succeeds. When its time is over, a single request goes first as a probe.
 *
 * With a ledger, the windows of this machine share all of this: no minute has more requests than the limit in sum.
 */
export class RequestBudget {
  readonly #clock: BudgetClock;
  readonly #configured: () => number | undefined;
  readonly #ledger: RequestLedger | undefined;
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  readonly #operations: SharedOperations;
  readonly #limits: ServiceLimits;
  readonly #sent: SentRequests;
  readonly #queue: RequestQueue;
  /** A probe is in progress. */
  #isProbing = false;
  /** Listeners will hear of what another window has learned. */
  #isNews = false;
  #timer: { dispose(): void } | undefined;

  constructor(clock: BudgetClock, { configured = () => undefined, ledger }: RequestBudgetOptions = {}) {
    this.#clock = clock;
    this.#configured = configured;
    this.#ledger = ledger;
    this.#limits = new ServiceLimits(() => clock.now());
    this.#sent = new SentRequests(() => clock.now());
    this.#queue = new RequestQueue(
      (ms, run) => clock.after(ms, run),
      () => this.#pump(),
    );
    this.#operations = new SharedOperations(clock, ledger);
    ledger?.others.listen({
      paused: (pause) => this.#adopt(() => this.#limits.pausedElsewhere(pause)),
      succeeded: (sentAtMs) => this.#adopt(() => this.#limits.succeeded(sentAtMs)),
      limited: (limit) => this.#adopt(() => this.#limits.limitTo(limit)),
    });
  }

  /** The pause that the service asked for; `undefined`: there is none, or its time is over. */
  get pause(): Pause | undefined {
    this.#followClock();
    const pause = this.#limits.pause;
    return pause !== undefined && this.#clock.now() < pause.untilMs ? { untilMs: pause.untilMs, askedMs: pause.askedMs } : undefined;
  }

  /** The limit in requests per minute; `undefined`: none is set, the service's is unknown, and nothing was refused lately. */
  get perMinute(): number | undefined {
    const configured = this.#configured();
    const learned = this.#limits.perMinute;
    return configured === undefined || learned === undefined ? (configured ?? learned) : Math.min(configured, learned);
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
    const isBehindOperation = !(pace instanceof OperationRequests) && this.#queue.waiting.some(isOfOperation);
    const own = this.#roomInMs(pace, count);
    return isBehindOperation
      ? Math.max(own, SHORTEST_PAUSE_MS, ...this.#queue.waiting.map((waiter) => this.#roomInMs(waiter.pace, waiter.count)))
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
      couldKeep: (count) => this.#mayGo({ pace: operation, kind: 'keep', count }, this.#queue.waiting),
      changed: () => {
        this.#operations.shareKept(operation);
        this.#pump();
      },
      ended: () => {
        this.#operations.end(operation);
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
  async admit(pace: RequestPace, signal?: AbortSignal, mostMs = patienceMsOf(pace)): Promise<Admission> {
    signal?.throwIfAborted();
    const waiter = { pace, kind: 'send', count: 1 } as const;
    this.#ledger?.refresh();
    const turn = this.#mayGo(waiter, this.#queue.waiting) ? this.#take(pace) : undefined;
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
    await this.#queue.wait(waiter, go, signal, mostMs);
    const [later] = taken;
    return later === undefined ? { kind: 'tooLong', waitMs: this.waitMs(pace) } : { kind: 'turn', turn: later };
  }

  /** Takes a turn without waiting: for landings, since signed transactions expire. */
  takeNow(pace: RequestPace): BudgetTicket {
    return this.#ticket(pace, this.#ledger?.take(false, this.#operations.idOfKeeping(pace)));
  }

  async #keep(operation: OperationRequests, count: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const waiter = { pace: operation, kind: 'keep', count } as const;
    const keep = (): boolean => this.#holdIfRoom(operation, count);
    this.#ledger?.refresh();
    if (this.#mayGo(waiter, this.#queue.waiting) && keep()) {
      this.#pump();
    } else {
      await this.#queue.wait(waiter, keep, signal, Number.POSITIVE_INFINITY);
    }
  }

  /** Lets every waiter go that may, reports their waits to the operations, and sets the timer for the next one. */
  #pump(): void {
    if (this.#queue.waiting.length > 0) {
      this.#ledger?.refresh();
    }
    for (let next = this.#next(); next?.go() === true; next = this.#next());
    for (const operation of this.#operations.all) {
      const waits = this.#queue.waiting.filter(({ pace }) => pace === operation).map(({ count }) => this.#roomInMs(operation, count));
      this.#operations.shareWait(operation, waits.length > 0);
      operation.waits(waits.length === 0 ? undefined : this.#clock.now() + Math.max(...waits));
    }
    this.#timer?.dispose();
    // One with room waits for another before it, whose turn or end lets it go.
    const nextMs = Math.min(
      ...this.#queue.waiting.map(({ pace, count }) => this.#roomInMs(pace, count) || LOOK_EVERY_MS),
      this.#lookInMs(),
    );
    this.#timer = Number.isFinite(nextMs) ? this.#clock.after(Math.max(nextMs, 1), () => this.#pump()) : undefined;
  }

  /** Keeps requests free for an operation, unless another window was first. */
  #holdIfRoom(operation: OperationRequests, count: number): boolean {
    const fits = this.perMinute === undefined ? undefined : () => this.#roomInMs(operation, count) === 0;
    const isFirst = this.#operations.keep(operation, count, fits);
    if (isFirst) {
      operation.hold(count);
    }
    return isFirst;
  }

  /** Milliseconds until this window should look at the ledger again, or renew what operations keep; Infinity: it need not. */
  #lookInMs(): number {
    const isLooking = this.#ledger !== undefined && this.#queue.waiting.length > 0;
    return Math.min(isLooking ? LOOK_EVERY_MS : Number.POSITIVE_INFINITY, this.#operations.renew());
  }

  /** The next waiter that may go: operations first, each group in order of arrival. */
  #next(): { go(): boolean } | undefined {
    const { inOrder } = this.#queue;
    return inOrder.find((waiter, index) => this.#mayGo(waiter, inOrder.slice(0, index)));
  }

  /** @param ahead the waiters before this one */
  #mayGo({ pace, kind, count }: Turn, ahead: readonly Turn[]): boolean {
    if (this.#isPausedFor(pace, kind)) {
      return false;
    }
    const hasRoom = this.#roomInMs(pace, count) === 0;
    const isKept = pace instanceof OperationRequests && kind === 'send' && pace.kept > 0;
    const isOfOne = pace instanceof OperationRequests;
    return hasRoom && (isKept || !ahead.some((waiter) => isOfOperation(waiter) || !isOfOne));
  }

  #isPausedFor(pace: RequestPace, kind: Turn['kind']): boolean {
    this.#followClock();
    const pause = this.#limits.pause;
    if (pause === undefined || mayProbe(pace)) {
      return false;
    }
    return this.#clock.now() < pause.untilMs || (kind === 'send' && this.#isBeingProbed);
  }

  /** This or another window finds out whether the pause is over. */
  get #isBeingProbed(): boolean {
    return this.#isProbing || this.#ledger?.others.isProbing === true;
  }

  /** Ends of all requests that count now, of all windows, in order; Infinity: not answered yet. */
  #endsMs(): readonly number[] {
    this.#followClock();
    return [...this.#sent.endsMs, ...(this.#ledger?.others.slotEndsMs ?? [])].sort((one, other) => one - other);
  }

  /** After the system's clock was set back, own requests and the pause count from now on, for no longer than before. */
  #followClock(): void {
    this.#sent.followClock();
    this.#limits.followClock();
  }

  /** Milliseconds until `count` requests fit into the limit, as far as known now. */
  #roomInMs(pace: RequestPace, count: number): number {
    this.#followClock();
    const now = this.#clock.now();
    const probeMs = this.#isBeingProbed && this.#limits.pause !== undefined ? SHORTEST_PAUSE_MS : 0;
    const pauseMs = mayProbe(pace) ? 0 : Math.max(probeMs, (this.#limits.pause?.untilMs ?? now) - now);
    const { perMinute } = this;
    if (perMinute === undefined) {
      return pauseMs;
    }
    const isOfOperation = pace instanceof OperationRequests;
    const own = isOfOperation ? pace.kept : 0;
    const keptByOthers = this.#operations.kept + (this.#ledger?.others.kept ?? 0) - own;
    // An operation that wants more than fits into a minute takes what fits, and waits for the rest later.
    const wanted = isOfOperation ? Math.min(count, Math.max(1, perMinute - keptByOthers)) + keptByOthers : count + keptByOthers;
    if (!isOfOperation && wanted > perMinute) {
      return Math.max(pauseMs, MINUTE_MS);
    }
    const ends = this.#endsMs();
    // As in this window: polling and panels let operations of other windows go first.
    const behindMs = !isOfOperation && this.#ledger?.others.isOperationWaiting === true ? SHORTEST_PAUSE_MS : 0;
    const over = ends.length + Math.min(wanted, perMinute) - perMinute;
    const endMs = over > 0 ? (ends[over - 1] ?? now) : now;
    return Math.max(pauseMs, behindMs, (Number.isFinite(endMs) ? endMs : now + MINUTE_MS) - now);
  }

  /** Takes a turn, unless another window was first. */
  #take(pace: RequestPace): BudgetTicket | undefined {
    if (this.#ledger === undefined) {
      return this.#ticket(pace, undefined);
    }
    const operation = this.#operations.idOfKeeping(pace);
    const fits = this.perMinute === undefined ? undefined : () => this.#roomInMs(pace, 1) === 0;
    const id = this.#ledger.take(this.#limits.pause !== undefined && !this.#isBeingProbed, operation, fits);
    return id === undefined ? undefined : this.#ticket(pace, id);
  }

  /** @param id of the request in the ledger */
  #ticket(pace: RequestPace, id: string | undefined): BudgetTicket {
    const sentAtMs = this.#clock.now();
    const request = this.#sent.add();
    if (pace instanceof OperationRequests) {
      pace.sent();
    }
    const isProbe = this.#limits.pause !== undefined && !this.#isProbing;
    this.#isProbing ||= isProbe;
    let isOver = false;
    const end = (wasAccepted: boolean): void => {
      isOver = true;
      if (id !== undefined) {
        this.#ledger?.answered(id, wasAccepted);
      }
      this.#sent.end(request, wasAccepted);
      this.#isProbing &&= !isProbe;
    };
    return {
      answered: ({ status, retryAfterMs, header }) => {
        end(status !== 429);
        const before = { limit: this.perMinute, pause: this.#limits.pause };
        const limit = this.#limits.learn(status, header, () => this.#accepted);
        if (limit !== undefined) {
          this.#ledger?.limited(limit);
        }
        if (status === 429) {
          const pause = this.#limits.pauseFor(retryAfterMs);
          this.#ledger?.paused(pause);
        } else if (status < 500 && this.#limits.succeeded(sentAtMs)) {
          this.#ledger?.succeeded(sentAtMs);
        }
        this.#pump();
        if (before.limit !== this.perMinute || before.pause !== this.#limits.pause) {
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

  /** Requests of the last minute, of all windows, that the service didn't refuse. */
  get #accepted(): number {
    return this.#sent.accepted + (this.#ledger?.others.accepted ?? 0);
  }

  /** Applies what another window has learned. Listeners are called later, because a listener may be what reads the budget now. */
  #adopt(change: () => void): void {
    const before = { limit: this.perMinute, pause: this.#limits.pause };
    change();
    if (!this.#isNews && (before.limit !== this.perMinute || before.pause !== this.#limits.pause)) {
      this.#isNews = true;
      queueMicrotask(() => {
        this.#isNews = false;
        this.#notify();
      });
    }
  }

  #notify(): void {
    for (const { listener } of [...this.#listeners]) {
      listener();
    }
  }
}

/** Hexadecimal digits in the name of a budget. */
const NAME_LENGTH = 32;

/**
 * The request budgets by service address and key: each service has its own limits, and each key its own plan. A budget outlives the client,
 * so a pause still holds when the user comes back to a service.
 */
export class RequestBudgets {
  readonly #clock: BudgetClock;
  readonly #optionsOf: (name: string) => RequestBudgetOptions;
  readonly #budgets = new Map<string, RequestBudget>();

  /** @param optionsOf the options of a budget, by a name that contains neither the address nor the key */
  constructor(clock: BudgetClock, optionsOf: (name: string) => RequestBudgetOptions = () => ({})) {
    this.#clock = clock;
    this.#optionsOf = optionsOf;
  }

  /**
   * Returns the budget of a service for a key.
   * @param isLocal the service answers from a Solana RPC, which has its own limit: the setting and other windows don't count
   */
  of(baseUrl: BaseUrl, apiKey: string, isLocal = false): RequestBudget {
    const name = `${baseUrl} ${apiKey}`;
    const hash = (): string => createHash('sha256').update(name).digest('hex').slice(0, NAME_LENGTH);
    const budget = this.#budgets.get(name) ?? new RequestBudget(this.#clock, isLocal ? {} : this.#optionsOf(hash()));
    this.#budgets.set(name, budget);
    return budget;
  }

  /** The user has set another limit. */
  limitChanged(): void {
    this.#budgets.forEach((budget) => budget.limitChanged());
  }
}
