import * as z from 'zod';
import type { Database } from './store/database';
import { readMeta, writeMeta } from './store/meta';

const Skipped = z.object({ skippedMs: z.number().min(0) });
const NAME = 'clock';

/** The sandbox's own time: real time, and what was skipped by hand, which is kept. */
export class Clock {
  private skippedMs: number;

  constructor(
    private readonly database: Database,
    private readonly realNow: () => number = Date.now,
  ) {
    this.skippedMs = readMeta(database, NAME, Skipped)?.skippedMs ?? 0;
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => this.realNow() + this.skippedMs;

  /** Moves on, and keeps that before anything goes by it. */
  skip(ms: number): void {
    writeMeta(this.database, NAME, { skippedMs: this.skippedMs + ms });
    this.skippedMs += ms;
  }
}
