import { Emitter } from '../../base/async/emitter';
import { SingleFlight } from '../../base/async/concurrency';
import { asError } from '../../base/thrown';
import type { OpenPosition } from '../../service/positions';
import type { OperationJournal, OperationRecord } from '../../transactions/journal/types';
import { describeError, type LogFunction } from '../shell/log';
import type { OpenTask } from '../shell/openTasks';
import type { Subscription } from '../../base/async/clock';
import type { ActivityState } from '../shell/views/viewState';

const NOTHING_LEFT: ReadonlyMap<string, OpenTask> = new Map();
const NO_RECORDS: readonly OperationRecord[] = [];

/** The names of the positions that operations work on or open, by the id of the operation's record. */
export type NamesOfRecords = ReadonlyMap<string, string>;

export const NO_NAMES: NamesOfRecords = new Map();

type NameRecords = (records: readonly OperationRecord[], listed: readonly OpenPosition[]) => NamesOfRecords;

export interface ActivityDependencies {
  /** Opens the journal; called on first use, and again after a failure. */
  readonly journal: () => Promise<OperationJournal>;
  /** Returns the open tasks by operation id. */
  readonly openTasks: (records: readonly OperationRecord[]) => ReadonlyMap<string, OpenTask> | Promise<ReadonlyMap<string, OpenTask>>;
  /** How operations are named, after the open positions; absent: they have no names. */
  readonly names?: { readonly listed: () => readonly OpenPosition[]; readonly load: () => Promise<NameRecords> };
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/**
 * The operations of all windows: the journal as last read. Reads nothing before the first {@link refresh}, and from then on whenever any
 * window writes.
 */
export class Activity {
  #current: ActivityState = { kind: 'loading' };
  readonly #changes: Emitter<ActivityState>;
  #subscription: Subscription | undefined;
  readonly #reads = new SingleFlight(() => this.#read());
  #isDisposed = false;
  /** Loaded with the first records. */
  #nameRecords: NameRecords | undefined;
  /** For these records and positions. */
  #named:
    | { readonly records: readonly OperationRecord[]; readonly listed: readonly OpenPosition[]; readonly names: NamesOfRecords }
    | undefined;

  readonly #dependencies: ActivityDependencies;

  constructor(dependencies: ActivityDependencies) {
    this.#dependencies = dependencies;

    this.#changes = new Emitter(dependencies.onError);
  }

  get state(): ActivityState {
    return this.#current;
  }

  /** The records as last read; empty before. */
  get records(): readonly OperationRecord[] {
    return this.#current.kind === 'ready' ? this.#current.records : NO_RECORDS;
  }

  /** Open tasks by operation id. */
  get left(): ReadonlyMap<string, OpenTask> {
    return this.#current.kind === 'ready' ? this.#current.left : NOTHING_LEFT;
  }

  /** The names of the operations' positions, which no other position has. */
  get names(): NamesOfRecords {
    const { records } = this;
    const listed = this.#dependencies.names?.listed();
    if (this.#nameRecords === undefined || listed === undefined) {
      return NO_NAMES;
    }
    if (this.#named?.records !== records || this.#named.listed !== listed) {
      this.#named = { records, listed, names: this.#nameRecords(records, listed) };
    }
    return this.#named.names;
  }

  /** Calls `listener` whenever the journal was read or could not be read. */
  onDidChange(listener: (state: ActivityState) => void): Subscription {
    return this.#changes.on(listener);
  }

  /** Reads the journal, with a new read even if one is in progress, which may have started too early. Never rejects. */
  refresh(): Promise<void> {
    return this.#reads.fresh();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription?.dispose();
    this.#changes.dispose();
  }

  async #read(): Promise<void> {
    try {
      const journal = await this.#dependencies.journal();
      if (this.#isDisposed) {
        return;
      }
      this.#subscription ??= journal.onDidChange(() => void this.refresh());
      this.#nameRecords ??= await this.#dependencies.names?.load();
      const { records, problems } = await journal.read();
      this.#set({ kind: 'ready', records, problems, left: await this.#dependencies.openTasks(records) });
    } catch (error) {
      this.#dependencies.log('error', `The journal cannot be read: ${describeError(error)}`);
      this.#set({ kind: 'failed', error: asError(error) });
    }
  }

  #set(state: ActivityState): void {
    if (!this.#isDisposed) {
      this.#current = state;
      this.#changes.fire(state);
    }
  }
}
