/** The budget of one operation: what its requests need of the budget that all requests share. */
export interface OperationBudget {
  keep(count: number, signal: AbortSignal | undefined): Promise<void>;
  /** Whether so many requests could be kept at once, without a wait. */
  couldKeep(count: number): boolean;
  /** Called when the operation keeps fewer requests free than before. */
  changed(): void;
  ended(): void;
  onWait(untilMs: number | undefined): void;
  perMinute(): number | undefined;
}

/** The requests of one operation. They are sent before those of polling and panels, and the operation is notified while they wait. */
export class OperationRequests {
  readonly #budget: OperationBudget;
  #kept = 0;
  #mayProbe: boolean;
  #untilMs: number | undefined;

  constructor(mayProbe: boolean, budget: OperationBudget) {
    this.#mayProbe = mayProbe;
    this.#budget = budget;
  }

  /** True: its next request is sent during a pause too, to probe whether that is over. */
  get mayProbe(): boolean {
    return this.#mayProbe;
  }

  /** The limit in requests per minute; `undefined`: unknown. */
  get perMinute(): number | undefined {
    return this.#budget.perMinute();
  }

  /** Number of requests that are kept free for this operation. */
  get kept(): number {
    return this.#kept;
  }

  /**
   * Keeps `count` requests free for this operation, and resolves once they can all be sent without waiting. They include those that were kept
   * before, and at most what the service allows per minute, less what other operations keep. Each request sent uses one.
   * @throws the signal's reason when aborted
   */
  async keep(count: number, signal?: AbortSignal): Promise<void> {
    await this.#budget.keep(count, signal);
  }

  /** Whether {@link keep} would resolve at once: for requests that are not worth a wait. */
  couldKeep(count: number): boolean {
    return this.#budget.couldKeep(count);
  }

  /** Releases the kept requests. */
  release(): void {
    this.#kept = 0;
    this.#budget.changed();
  }

  /** The operation has ended and sends no more requests. */
  end(): void {
    this.#kept = 0;
    this.waits(undefined);
    this.#budget.ended();
  }

  /** For the budget: `count` requests are kept from now on. */
  hold(count: number): void {
    this.#kept = count;
  }

  /** For the budget: one of the requests is sent. */
  sent(): void {
    this.#kept = Math.max(0, this.#kept - 1);
    this.#mayProbe = false;
  }

  /** For the budget: the requests wait until then, milliseconds since 1970; `undefined`: they don't wait. */
  waits(untilMs: number | undefined): void {
    if (untilMs !== this.#untilMs) {
      this.#untilMs = untilMs;
      this.#budget.onWait(untilMs);
    }
  }
}
