import { CommitError, type Database, type SqlValue, StoreUseError } from './database';
import type { Participant } from './workingSet';

/** Everything that changes together: in memory while it is tried, in the database once it counts. */
export class UnitOfWork {
  readonly #participants: Participant[] = [];
  readonly #appended: { readonly sql: string; readonly values: readonly SqlValue[] }[] = [];
  #trying = false;

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Takes part from now on. */
  enlist(...participants: readonly Participant[]): void {
    this.#participants.push(...participants);
  }

  /** A statement that runs with the next commit, after the participants have written; taken back with what is tried. For rows that are only ever added. */
  append(sql: string, ...values: readonly SqlValue[]): void {
    this.#appended.push({ sql, values });
  }

  /** Runs; where that throws, everything in memory is as it was before. Writes nothing. Not within another attempt. */
  attempt<Result>(run: () => Result): Result {
    const mark = this.#begin();
    try {
      const result = run();
      this.#participants.forEach((participant) => participant.release());
      return result;
    } catch (error) {
      this.#rollBack(mark);
      throw error;
    } finally {
      this.#trying = false;
    }
  }

  /** Runs, and takes everything back whatever happens. */
  dryRun<Result>(run: () => Result): Result {
    const mark = this.#begin();
    try {
      return run();
    } finally {
      this.#rollBack(mark);
      this.#trying = false;
    }
  }

  /**
   * Writes all changes in one transaction.
   * @throws CommitError where that fails: memory is ahead of the database then, and the process must end.
   */
  commit(): void {
    if (this.#trying) {
      throw new StoreUseError('What is being tried cannot be committed yet');
    }
    try {
      this.#database.transaction(() => {
        this.#participants.forEach((participant) => participant.flush());
        this.#appended.forEach(({ sql, values }) => this.#database.run(sql, ...values));
      });
    } catch (error) {
      throw new CommitError(`What has changed cannot be kept: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    this.#appended.length = 0;
  }

  #begin(): number {
    if (this.#trying) {
      throw new StoreUseError('An attempt cannot begin within another one');
    }
    this.#trying = true;
    this.#participants.forEach((participant) => participant.begin());
    return this.#appended.length;
  }

  #rollBack(mark: number): void {
    this.#participants.forEach((participant) => participant.rollBack());
    this.#appended.length = mark;
  }
}
