import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import type { OperationRecord } from '../../transactions/journal/types';
import { foundSentence } from '../activity/foundOperations';
import type { Activity } from '../activity/activity';
import { partsOf } from '../activity/operationRows';
import type { EditorActions } from '../shell/editorAccess';
import type { Prompts } from '../shell/prompts/prompts';
import type { OpenTask } from '../shell/openTasks';
import { SANDBOX_ID } from '../shell/serviceChoice';
import type { ActivityState } from '../shell/views/viewState';
import { halfDoneBrief, isUnfinished, stateMessages } from '../zap/operationMessages';
import { operationName, shortSol } from '../zap/operationWords';
import type { NoticeCenter, NoticeDraft } from './noticeCenter';
import { outsideName } from './noticeEvent';

export interface OperationNoticesDependencies {
  readonly activity: Pick<Activity, 'state' | 'names' | 'onDidChange' | 'refresh'>;
  readonly center: Pick<NoticeCenter, 'publish'>;
  readonly prompts: Pick<Prompts, 'notify'>;
  readonly actions: Pick<EditorActions, 'focusActivity'>;
  readonly isWanted: () => boolean;
  /** Whether this window runs or ran an operation, and shows its result itself. */
  readonly ranHere: (operation: string) => boolean;
  /** Whether this window is in front. */
  readonly isFocused: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** The window that runs an operation comes first. */
const LEFT_TO_ITS_WINDOW_MS = 3_000;

type ReadyActivity = Extract<ActivityState, { kind: 'ready' }>;

/**
 * Reports operations that have ended, of all windows, by the journal. Those that end before anything was sent are no news: the user declined
 * or cancelled them.
 */
export class OperationNotices {
  readonly #dependencies: OperationNoticesDependencies;
  readonly #subscription: Subscription;
  /** Operations that had ended when the journal was last read; `undefined` before. */
  #ended: ReadonlySet<string> | undefined;
  /** Operations whose end this window has found: {@link reportFound} reports them. */
  readonly #found = new Set<string>();

  constructor(dependencies: OperationNoticesDependencies) {
    this.#dependencies = dependencies;
    this.#subscription = dependencies.activity.onDidChange((state) => this.#look(state));
    this.#look(dependencies.activity.state);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /**
   * Reports the end of an operation that no window was running any more, and whose outcome this window has found.
   * @returns whether this window shows it in the editor; false: another one in front does
   */
  async reportFound(record: OperationRecord): Promise<boolean> {
    const { activity, center, isWanted } = this.#dependencies;
    this.#found.add(record.id);
    await activity.refresh();
    const { state } = activity;
    const draft = draftOf(record, state.kind === 'ready' ? state : { records: [record], left: new Map() }, isWanted());
    const shown = await center.publish([draft]);
    // Without these notices no other window shows it. The user was told that Binsight keeps checking.
    return shown.length > 0 || !draft.isWanted;
  }

  #look(state: ActivityState): void {
    if (state.kind !== 'ready') {
      return;
    }
    const before = this.#ended;
    const ended = state.records.filter((record) => !isUnfinished(record));
    this.#ended = new Set(ended.map(({ id }) => id));
    if (before === undefined) {
      return;
    }
    for (const record of ended) {
      const isNew = !before.has(record.id) && !this.#found.has(record.id);
      if (isNew && record.state !== 'abandoned' && record.created.parent === undefined) {
        this.#report(record, state).catch(this.#dependencies.onError);
      }
    }
  }

  async #report(record: OperationRecord, state: ReadyActivity): Promise<void> {
    const { center, isWanted, ranHere, isFocused } = this.#dependencies;
    // A rebalance ends with its last part.
    const isOwn = [record, ...partsOf(record, state.records).slice(-1)].some(({ id }) => ranHere(id));
    const draft = draftOf(record, state, isWanted());
    const shown = await center.publish([draft], isOwn ? 0 : LEFT_TO_ITS_WINDOW_MS);
    // The window that ran it shows the result; a hidden one is not seen.
    if (shown.length > 0 && !isOwn && isFocused()) {
      await this.#show(record, state);
    }
  }

  async #show(record: OperationRecord, { records, left }: ReadyActivity): Promise<void> {
    const { activity, prompts, actions } = this.#dependencies;
    const button = l10n.t('Show Activity');
    const missing = [record, ...partsOf(record, records)]
      .map((one) => halfDoneBrief(one, left.get(one.id)))
      .find((brief) => brief !== undefined);
    const outcome = foundSentence(record, activity.names.get(record.id));
    const action = await prompts.notify({
      severity: missing !== undefined ? 'error' : record.state === 'settled' && record.reason === undefined ? 'info' : 'warning',
      message: missing === undefined ? outcome : `${missing}. ${outcome}`,
      actions: [button],
      operation: record.id,
    });
    if (action === button) {
      await actions.focusActivity();
    }
  }
}

/** What is left to do, without how much: that leaves this machine only where the user wants figures. */
function withoutAmounts(task: OpenTask | undefined): OpenTask | undefined {
  switch (task?.kind) {
    case 'partiallyExecuted':
      return { kind: 'partiallyExecuted' };
    case 'reenter':
      return { ...task, lamportsBack: undefined, isProven: false };
    case 'unclear':
    case undefined:
      return task;
  }
}

function draftOf(
  record: OperationRecord,
  { records, left }: Pick<ReadyActivity, 'records' | 'left'>,
  isWanted: boolean,
): NoticeDraft<OperationRecord> {
  const { created, lamportsBack } = record;
  const pair = outsideName(created.pairName);
  const name = operationName({ created: { ...created, pairName: pair } });
  const state = (task: OpenTask | undefined): string => stateMessages(record, task, partsOf(record, records)).brief;
  const task = left.get(record.id);
  const full = state(task);
  return {
    subject: record,
    seen: { subject: `operation ${record.id}`, event: 'ended', sinceMs: 0 },
    isWanted,
    outside: {
      kind: 'operationEnded',
      pair,
      atMs: record.updatedAtMs,
      brief: l10n.t`${name}: ${state(withoutAmounts(task))}.`,
      full: lamportsBack === undefined ? l10n.t`${name}: ${full}.` : l10n.t`${name}: ${full}; ${shortSol(lamportsBack)} returned.`,
      figures: {},
      isSandbox: created.service === SANDBOX_ID,
    },
  };
}
