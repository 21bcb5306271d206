import { errorText } from '../../base/thrown';
import { CommitError, type SqlValue, StoreUseError } from '../../engine/store/sqliteStore';
import type { Database } from './database';
import type { Participant } from './workingSet';

/** Groups changes of several participants: they are made in memory, rolled back together on failure, and written in one transaction. */
export class UnitOfWork {
  readonly #participants: Participant[] = [];
  readonly #appended: { readonly sql: string; readonly values: readonly SqlValue[] }[] = [];
  #trying = false;

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds participants. */
  enlist(...participants: readonly Participant[]): void {
    this.#participants.push(...participants);
  }

  /** Queues a statement for the next commit, after the participants have written. A rollback removes it. For rows that are only ever inserted. */
  append(sql: string, ...values: readonly SqlValue[]): void {
    this.#appended.push({ sql, values });
  }

  /** Runs changes in memory; if `run` throws, they are rolled back. Writes nothing to the database. Attempts can't be nested. */
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

  /** Runs changes in memory and always rolls them back. */
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
   * @throws CommitError if that fails: memory is then ahead of the database, and the process must end
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
      throw new CommitError(`What has changed cannot be kept: ${errorText(error)}`, { cause: error });
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
