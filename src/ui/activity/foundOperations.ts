import * as l10n from '@vscode/l10n';
import type { Clock, Subscription } from '../../base/async/clock';
import { count } from '../../base/format/numbers';
import { sentence } from '../../base/format/sentence';
import type { OperationRecord } from '../../transactions/journal/types';
import type { CommandId } from '../../settings/generated/commandIds';
import type { EditorActions } from '../shell/editorAccess';
import type { Prompts } from '../shell/prompts/prompts';
import { hasExplorer } from '../shell/serviceChoice';
import { movedInLine } from '../zap/movedTokens';
import { halfDoneBrief, isUnfinished, mayHaveLandedText, reasonText, stateMessages } from '../zap/operationMessages';
import { operationName, returnedBy, shortSol } from '../zap/operationWords';
import { walletChange } from '../zap/results';
import { completeText, explorerText } from '../zap/outcome';
import { explorerOfTransaction } from '../shell/explorer';
import type { Activity } from './activity';
import { NO_NAMES, type NamesOfRecords } from './activity';
import { mainSignature, partsOf } from './operationRows';

/** Operations that a notification lists at most; the view lists all. */
const MOST_LISTED = 4;

/** Notification about operations whose outcome was found. */
export interface FoundNotice {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
}

/**
 * One notification about the outcomes of unfinished operations.
 * @param startedAtMs start of this window, ms since 1970: operations from before were interrupted by closing a window
 * @param missing says what is missing of one that is half done: the first words of its sentence
 */
export function foundNotice(
  records: readonly OperationRecord[],
  startedAtMs: number,
  names: NamesOfRecords = NO_NAMES,
  missing: (record: OperationRecord) => string | undefined = () => undefined,
): FoundNotice {
  const interrupted = records.filter(({ created }) => created.atMs < startedAtMs).length;
  const lead = interrupted === 0 ? [] : [l10n.t('Binsight was closed before this ended.')];
  const outcomes = records.slice(0, MOST_LISTED).map((record) => {
    const half = missing(record);
    const outcome = foundSentence(record, names.get(record.id));
    return half === undefined ? outcome : `${half}. ${outcome}`;
  });
  const rest = records.length - MOST_LISTED;
  const more = rest <= 0 ? [] : [l10n.t`… and ${count(rest)} more`];
  if (records.some((record) => missing(record) !== undefined)) {
    // VS Code keeps only errors with a button until the user closes them.
    return { severity: 'error', message: [...outcomes, ...lead, ...more].join(' ') };
  }
  const needsAttention = records.some(
    (record) => isUnfinished(record) || record.state === 'failed' || (record.state === 'settled' && record.reason !== undefined),
  );
  return { severity: needsAttention ? 'warning' : 'info', message: [...lead, ...outcomes, ...more].join(' ') };
}

/** The outcome of one operation: "Zap out of BONK/SOL: Done; 1.23 SOL returned." @param position the name of its position */
export function foundSentence(record: OperationRecord, position?: string): string {
  const name = operationName(record, position);
  const reason = reasonText(record.reason);
  const because = reason === undefined ? [] : [sentence(reason)];
  const { brief, meaning } = stateMessages(record);
  switch (record.state) {
    case 'settled':
      return [...endOf(record, name, brief), ...because].join(' ');
    case 'failed':
      return (record.isUnclear ? [l10n.t`${name}: ${mayHaveLandedText()}`, ...because] : [...endOf(record, name, brief), ...because]).join(
        ' ',
      );
    case 'expired':
    case 'abandoned':
    case 'submitted':
    case 'landed':
    case 'unconfirmed':
      return l10n.t`${name}: ${meaning}`;
    case 'created':
    case 'built':
    case 'reviewed':
    case 'approved':
    case 'signed':
      return l10n.t`${name}: ${sentence(brief)}`;
  }
}

/** "Zap out of BONK/SOL: Done." and what its transactions moved, or only the SOL where only that was measured. */
function endOf(record: OperationRecord, name: string, brief: string): readonly string[] {
  const moved = returnedBy(record.created.plan) === 'nothing' ? undefined : movedInLine(record);
  return moved === undefined && record.lamportsBack !== undefined
    ? [l10n.t`${name}: ${brief}; ${shortSol(record.lamportsBack)} returned.`]
    : [l10n.t`${name}: ${sentence(brief)}`, ...(moved === undefined || moved === '' ? [] : [walletChange(moved)])];
}

export interface FoundDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'openExternal' | 'focusActivity'>;
  /** Runs a command of the extension on something. */
  readonly command: (id: CommandId, argument: unknown) => Promise<void>;
  readonly activity: Activity;
  readonly clock: Clock;
  /** Whether an operation belongs to the service and wallet in use; no other one is checked. */
  readonly isInUse: (record: OperationRecord) => boolean;
  /** Reports the end of an operation once over all windows. Returns whether this window shows it. */
  readonly reportFound: (record: OperationRecord) => Promise<boolean>;
  /** Start of this window, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly onError: (error: unknown) => void;
}

/** How long a found outcome waits for those of other unfinished operations, so one notification covers all. */
const PATIENCE_MS = 20_000;

const showActivity = () => l10n.t('Show Activity');

/** Notifies about the outcomes of unfinished operations, once for all that a closed window left behind. */
export class FoundOperations {
  readonly #notified = new Set<string>();
  /** Started by this window, which has already said that they are unconfirmed. */
  readonly #own = new Set<string>();
  #pending: readonly OperationRecord[] = [];
  #timer: Subscription | undefined;

  readonly #dependencies: FoundDependencies;

  constructor(dependencies: FoundDependencies) {
    this.#dependencies = dependencies;
  }

  /** This window has started an operation. */
  began(id: string): void {
    this.#own.add(id);
  }

  /** An operation has ended, or is known to be unconfirmed. */
  found(record: OperationRecord): void {
    if (!isUnfinished(record)) {
      this.#pending = this.#pending.filter(({ id }) => id !== record.id);
      this.#ended(record).catch(this.#dependencies.onError);
    } else if (!this.#own.has(record.id) && !this.#notified.has(record.id)) {
      this.#add(record);
    }
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#pending = [];
  }

  async #ended(record: OperationRecord): Promise<void> {
    // Those that were never sent, and parts, are no events of their own: only the window that has found them knows.
    const isShown = record.state === 'abandoned' || record.created.parent !== undefined || (await this.#dependencies.reportFound(record));
    if (isShown) {
      this.#add(record);
    }
  }

  #add(record: OperationRecord): void {
    this.#pending = [...this.#pending.filter(({ id }) => id !== record.id), record];
    this.#timer ??= this.#dependencies.clock.after(PATIENCE_MS, () => this.#notifyPending());
    this.#notifyIfComplete().catch(this.#dependencies.onError);
  }

  /** The outcome of a part is reported with its rebalance, which has ended as well or asks the user. */
  #isPart({ created: { parent } }: OperationRecord): boolean {
    return parent !== undefined && this.#dependencies.activity.records.some(({ id }) => id === parent);
  }

  async #notifyIfComplete(): Promise<void> {
    const { activity, isInUse, startedAtMs } = this.#dependencies;
    await activity.refresh();
    const ended = new Set(this.#pending.filter((record) => !isUnfinished(record)).map(({ id }) => id));
    const isAwaited = (record: OperationRecord) =>
      isUnfinished(record) &&
      !activity.left.has(record.id) &&
      record.created.atMs < startedAtMs &&
      isInUse(record) &&
      !this.#notified.has(record.id) &&
      !ended.has(record.id);
    if (!this.#pending.some(isUnfinished) && !activity.records.some(isAwaited)) {
      this.#notifyPending();
    }
  }

  #notifyPending(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    // The rebalances of the parts are listed only now.
    const records = this.#pending.filter((record) => isUnfinished(record) || !this.#isPart(record));
    this.#pending = [];
    if (records.length > 0) {
      records.forEach(({ id }) => this.#notified.add(id));
      this.#notify(records).catch(this.#dependencies.onError);
    }
  }

  async #notify(records: readonly OperationRecord[]): Promise<void> {
    const { prompts, actions, command, activity, startedAtMs } = this.#dependencies;
    const [only, ...others] = records;
    const signature = only === undefined || others.length > 0 || !hasExplorer(only.created.service) ? undefined : mainSignature(only);
    // Of a rebalance, one of its parts is completed.
    const incompleteOf = (record: OperationRecord): OperationRecord | undefined =>
      [record, ...partsOf(record, activity.records)].find(({ id }) => activity.left.get(id)?.kind === 'partiallyExecuted');
    const incomplete = only === undefined || others.length > 0 ? undefined : incompleteOf(only);
    const missing = (record: OperationRecord): string | undefined => {
      const half = incompleteOf(record);
      return half === undefined ? undefined : halfDoneBrief(half, activity.left.get(half.id));
    };
    const action = await prompts.notify({
      ...foundNotice(records, startedAtMs, activity.names, missing),
      operation: others.length === 0 ? only?.id : undefined,
      actions: [
        ...(incomplete === undefined ? [] : [completeText()]),
        showActivity(),
        ...(signature === undefined ? [] : [explorerText()]),
      ],
    });
    if (action === completeText() && incomplete !== undefined) {
      await command('binsight.finishOperation', { kind: 'operation', id: incomplete.id });
    } else if (action === showActivity()) {
      await actions.focusActivity();
    } else if (action === explorerText() && signature !== undefined) {
      await actions.openExternal(explorerOfTransaction(signature));
    }
  }
}
