import * as l10n from '@vscode/l10n';
import type { Clock, Subscription } from '../../base/async/clock';
import { counted } from '../../base/format/numbers';
import type { OperationRecord } from '../../transactions/journal/types';
import type { CommandId } from '../shell/commands/registry';
import type { EditorActions } from '../shell/editorActions';
import type { Prompts } from '../shell/prompts/prompts';
import { SANDBOX_ID } from '../shell/serviceChoice';
import { movedInLine } from '../zap/movedTokens';
import { isUnfinished, operationName, reasonText, shortSol } from '../zap/operationMessages';
import { explorerText, explorerOfTransaction } from '../zap/outcome';
import type { Activity } from './activity';
import { mainSignature, partsOf } from './operationRows';

/** So many operations are told one by one; the view has all of them. */
const MOST_TOLD = 4;

/** Something to tell of operations whose end was looked for. */
export interface FoundNotice {
  readonly severity: 'info' | 'warning';
  readonly message: string;
}

/**
 * Tells in one notice what became of operations that were left unfinished.
 * @param startedAtMs when this window began: what was begun before it was interrupted by a window that was closed
 */
export function foundNotice(records: readonly OperationRecord[], startedAtMs: number): FoundNotice {
  const interrupted = records.filter(({ created }) => created.atMs < startedAtMs).length;
  const lead =
    interrupted === 0
      ? ''
      : l10n.t`Binsight was closed while ${interrupted === 1 ? l10n.t('an operation was') : l10n.t`${counted(interrupted, 'operation')} were`} under way. `;
  const told = records.slice(0, MOST_TOLD).map(foundSentence);
  const more = records.length > MOST_TOLD ? [l10n.t`${counted(records.length - MOST_TOLD, l10n.t('more operation'))}: see Activity.`] : [];
  const needsAttention = records.some(
    (record) => isUnfinished(record) || record.state === 'failed' || (record.state === 'settled' && record.reason !== undefined),
  );
  return { severity: needsAttention ? 'warning' : 'info', message: `${lead}${[...told, ...more].join(' ')}` };
}

/** What became of one operation: "Zap out of BONK/SOL has landed; 1.23 SOL came back." */
export function foundSentence(record: OperationRecord): string {
  const name = operationName(record);
  const reason = reasonText(record.reason);
  if (record.created.operation === 'rebalance' && record.state === 'settled') {
    return reason === undefined
      ? l10n.t`${name} is done: the position was closed, and what came out of it went back in.`
      : l10n.t`${name} has ended. ${sentence(reason)}`;
  }
  switch (record.state) {
    case 'settled':
      return l10n.t`${name} has landed${cameBack(record)}.${reason === undefined ? '' : ` ${sentence(reason)}`}`;
    case 'expired':
      return l10n.t`${name} did not land, and can no longer: nothing happened.`;
    case 'abandoned':
      return l10n.t`${name} was not sent: nothing happened.`;
    case 'failed':
      if (record.isUnclear) {
        return l10n.t`${name} is not clear. ${sentence(reason ?? '')}`;
      }
      return l10n.t`${name} failed${cameBack(record)}.${reason === undefined ? '' : ` ${sentence(reason)}`}`;
    case 'submitted':
    case 'landed':
    case 'unconfirmed':
      return l10n.t`${name} was sent, and what became of it does not show yet. It goes on being watched; do not repeat it before Activity says how it ended.`;
    case 'created':
    case 'built':
    case 'reviewed':
    case 'approved':
    case 'signed':
      return l10n.t`${name} is not finished.`;
  }
}

/** "; into your wallet: +17,002 GIGALAMB, +0.05512 SOL", or the SOL alone where only that was measured. */
function cameBack(record: OperationRecord): string {
  const moved = record.created.operation === 'zapOut' ? movedInLine(record) : undefined;
  return moved === undefined
    ? record.lamportsBack === undefined
      ? ''
      : l10n.t`; ${shortSol(record.lamportsBack)} came back`
    : l10n.t`; into your wallet: ${moved}`;
}

function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

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

const showActivity = () => l10n.t('Show Activity');
const finish = () => l10n.t('Finish What Is Half Done');

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
    const isAwaited = (record: OperationRecord) =>
      isUnfinished(record) &&
      !activity.left.has(record.id) &&
      record.created.atMs < startedAtMs &&
      isInUse(record) &&
      !this.told.has(record.id) &&
      !ended.has(record.id);
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
    const halfDone =
      only === undefined || others.length > 0
        ? undefined
        : [only, ...partsOf(only, activity.records)].find(({ id }) => activity.left.get(id)?.kind === 'halfDone');
    const action = await prompts.notify({
      ...foundNotice(records, startedAtMs),
      operation: others.length === 0 ? only?.id : undefined,
      actions: [...(halfDone === undefined ? [] : [finish()]), showActivity(), ...(signature === undefined ? [] : [explorerText()])],
    });
    if (action === finish() && halfDone !== undefined) {
      await command('binsight.finishOperation', { kind: 'operation', id: halfDone.id });
    } else if (action === showActivity()) {
      await actions.focusActivity();
    } else if (action === explorerText() && signature !== undefined) {
      await actions.openExternal(explorerOfTransaction(signature));
    }
  }
}
