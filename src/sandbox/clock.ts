/** The sandbox's own time: real time, and what was skipped by hand. */
export class Clock {
  constructor(
    private skipped: number,
    private readonly realNow: () => number = Date.now,
  ) {}

  /** Milliseconds since 1970. */
  readonly now = (): number => this.realNow() + this.skipped;

  /** How much was skipped so far, milliseconds. */
  get skippedMs(): number {
    return this.skipped;
  }

  skip(ms: number): void {
    this.skipped += ms;
  }
}
