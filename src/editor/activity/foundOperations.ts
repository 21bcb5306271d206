import type { OperationRecord } from '../../operations/journal/types';
import type { Clock, Subscription } from '../../portfolio/types';
import type { CommandId } from '../commands/table';
import type { EditorActions } from '../editorActions';
import { EXPLORER, explorerOfTransaction } from '../operations/outcome';
import type { Prompts } from '../prompts/prompts';
import { SANDBOX_ID } from '../service/serviceChoice';
import type { Activity } from './activity';
import { foundNotice } from './foundWords';
import { mainSignature, partsOf } from './operationRows';
import { isUnfinished } from './operationWords';

/** What is told of operations that were looked for is told with this. */
export interface FoundDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'openExternal' | 'focusActivity'>;
  /** Runs a command of the extension on something. */
  readonly command: (id: CommandId, argument: unknown) => Promise<void>;
  readonly activity: Activity;
  readonly clock: Clock;
  /** Whether an operation is of the service and the wallet in use: no other one is looked for. */
  readonly isInUse: (record: OperationRecord) => boolean;
  /** When this window began, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly onError: (error: unknown) => void;
}

/** How long what was found waits for what else was left behind, and what does not show yet for its end, so that there is one notice for all. */
const PATIENCE_MS = 20_000;

const SHOW_ACTIVITY = 'Show Activity';
const FINISH = 'Finish What Is Half Done';

/** Tells the user what became of operations that were left unfinished: once for all that a closed window left behind. */
export class FoundOperations {
  private readonly told = new Set<string>();
  /** Begun here: that they are unconfirmed was told when they were. */
  private readonly own = new Set<string>();
  private pending: readonly OperationRecord[] = [];
  private timer: Subscription | undefined;

  constructor(private readonly dependencies: FoundDependencies) {}

  /** An operation was begun by this window. */
  began(id: string): void {
    this.own.add(id);
  }

  /** An operation has come to its end, or is known to be unconfirmed. */
  found(record: OperationRecord): void {
    if (isUnfinished(record) && (this.own.has(record.id) || this.told.has(record.id))) {
      return;
    }
    this.pending = [...this.pending.filter(({ id }) => id !== record.id), record];
    this.timer ??= this.dependencies.clock.after(PATIENCE_MS, () => this.tell());
    this.tellIfAll().catch(this.dependencies.onError);
  }

  dispose(): void {
    this.timer?.dispose();
    this.pending = [];
  }

  /** How a part of a rebalance ended is told with the rebalance: it has come to its end as well, or it is asked about. */
  private isPart({ created: { parent } }: OperationRecord): boolean {
    return parent !== undefined && this.dependencies.activity.records.some(({ id }) => id === parent);
  }

  private async tellIfAll(): Promise<void> {
    const { activity, isInUse, startedAtMs } = this.dependencies;
    await activity.refresh();
    const ended = new Set(this.pending.filter((record) => !isUnfinished(record)).map(({ id }) => id));
    const isAwaited = (record: OperationRecord) => isUnfinished(record) && !activity.left.has(record.id) && record.created.atMs < startedAtMs && isInUse(record) && !this.told.has(record.id) && !ended.has(record.id);
    if (!this.pending.some(isUnfinished) && !activity.records.some(isAwaited)) {
      this.tell();
    }
  }

  private tell(): void {
    this.timer?.dispose();
    this.timer = undefined;
    // Only by now it is known for sure what is listed.
    const records = this.pending.filter((record) => isUnfinished(record) || !this.isPart(record));
    this.pending = [];
    if (records.length > 0) {
      records.forEach(({ id }) => this.told.add(id));
      this.notify(records).catch(this.dependencies.onError);
    }
  }

  private async notify(records: readonly OperationRecord[]): Promise<void> {
    const { prompts, actions, command, activity, startedAtMs } = this.dependencies;
    const [only, ...others] = records;
    const signature = only === undefined || others.length > 0 || only.created.service === SANDBOX_ID ? undefined : mainSignature(only);
    // Of a rebalance it is a part that is finished.
    const halfDone = only === undefined || others.length > 0 ? undefined : [only, ...partsOf(only, activity.records)].find(({ id }) => activity.left.get(id)?.kind === 'halfDone');
    const action = await prompts.notify({ ...foundNotice(records, startedAtMs), operation: others.length === 0 ? only?.id : undefined, actions: [...(halfDone === undefined ? [] : [FINISH]), SHOW_ACTIVITY, ...(signature === undefined ? [] : [EXPLORER])] });
    if (action === FINISH && halfDone !== undefined) {
      await command('binsight.finishOperation', { kind: 'operation', id: halfDone.id });
    } else if (action === SHOW_ACTIVITY) {
      await actions.focusActivity();
    } else if (action === EXPLORER && signature !== undefined) {
      await actions.openExternal(explorerOfTransaction(signature));
    }
  }
}
