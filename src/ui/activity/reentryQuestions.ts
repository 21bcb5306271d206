import * as l10n from '@vscode/l10n';
import type { OperationRecord } from '../../transactions/journal/types';
import type { OperationLocks } from '../../transactions/locks/types';
import type { CommandId } from '../shell/commands/registry';
import type { EditorActions } from '../shell/editorActions';
import type { Prompts } from '../shell/prompts/prompts';
import { plainText } from '../shell/views/text';
import type { Activity } from './activity';
import { reasonText, shortSol } from '../zap/operationMessages';
import type { Subscription, Clock } from '../../base/async/clock';

/** What rebalances that stopped half way are asked about with. */
export interface ReentryQuestionDependencies {
  readonly activity: Activity;
  readonly locks: () => Promise<OperationLocks>;
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'focusActivity'>;
  /** Runs a command of the extension on something. */
  readonly command: (id: CommandId, argument: unknown) => Promise<void>;
  readonly clock: Clock;
  /** Whether an operation is of the service and the wallet in use: no other one can be gone on with. */
  readonly isInUse: (record: OperationRecord) => boolean;
  /** When this window began, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly onError: (error: unknown) => void;
}

/** So many are asked about one by one; the view has all of them. */
const MOST_ASKED = 3;
/** Whoever has just ended its work on a rebalance may be about to tell of it. */
const SOON_MS = 2_000;
/** Whether somebody still works on one is looked at again. */
const HELD_PAUSE_MS = 15_000;

const REENTER = 'Re-enter';
const leaveOutText = () => l10n.t('Leave It Out');
const showActivity = () => l10n.t('Show Activity');

/**
 * Asks, once in this window, what becomes of each rebalance whose zap-out has landed and of which nothing was put back: those that a
 * closed window left behind, and those of this window that were told of as not known yet. Without an answer they stay open.
 */
export class ReentryQuestions {
  private readonly asked = new Set<string>();
  /** Begun here, or found out about here, since this window began. */
  private readonly own = new Set<string>();
  private readonly subscription: Subscription;
  private timer: Subscription | undefined;
  private isDisposed = false;

  constructor(private readonly dependencies: ReentryQuestionDependencies) {
    this.subscription = dependencies.activity.onDidChange(() => this.lookIn(SOON_MS));
  }

  /** A rebalance was begun here, or a part of it was found to have ended: what is left to do of it is asked here. */
  concerns(rebalance: string): void {
    this.own.add(rebalance);
  }

  /** It was told of, and need not be asked about. */
  told(rebalance: string): void {
    this.asked.add(rebalance);
  }

  /** Looks soon whether there is something to ask: another wallet or service may be in use now. */
  lookSoon(): void {
    this.lookIn(SOON_MS);
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
    this.timer?.dispose();
  }

  private lookIn(ms: number): void {
    if (this.isDisposed || this.timer !== undefined || this.open().length === 0) {
      return;
    }
    this.timer = this.dependencies.clock.after(ms, () => {
      this.timer = undefined;
      this.look().catch(this.dependencies.onError);
    });
  }

  /** What is to be asked about. */
  private open(): readonly OperationRecord[] {
    const { activity, isInUse, startedAtMs } = this.dependencies;
    return activity.records.filter(
      (record) =>
        activity.left.get(record.id)?.kind === 'reenter' &&
        !this.asked.has(record.id) &&
        isInUse(record) &&
        (record.created.atMs < startedAtMs || this.own.has(record.id)),
    );
  }

  private async look(): Promise<void> {
    const { operationLock } = await import('../../transactions/target');
    const locks = await this.dependencies.locks();
    const free: OperationRecord[] = [];
    for (const record of this.open()) {
      const lock = await locks.tryAcquire(operationLock(record.id));
      await lock?.release();
      if (lock !== undefined) {
        free.push(record);
      }
    }
    // What was told of, or went on, meanwhile is not asked about.
    const now = new Set(this.open().map(({ id }) => id));
    const records = free.filter(({ id }) => now.has(id));
    if (this.isDisposed) {
      return;
    }
    records.forEach(({ id }) => this.asked.add(id));
    if (records.length > MOST_ASKED) {
      this.tellOf(records).catch(this.dependencies.onError);
    } else {
      records.forEach((record) => void this.ask(record).catch(this.dependencies.onError));
    }
    this.lookIn(HELD_PAUSE_MS);
  }

  private async ask(record: OperationRecord): Promise<void> {
    const { prompts, command } = this.dependencies;
    const pressed = await prompts.notify({
      operation: record.id,
      severity: 'warning',
      message: this.questionAbout(record),
      actions: [REENTER, leaveOutText()],
    });
    if (pressed !== undefined) {
      await command(pressed === REENTER ? 'binsight.reenter' : 'binsight.leaveOut', { kind: 'operation', id: record.id });
    }
  }

  private async tellOf(records: readonly OperationRecord[]): Promise<void> {
    const { prompts, actions } = this.dependencies;
    const pressed = await prompts.notify({
      severity: 'warning',
      message: l10n.t`${records.length} rebalances stopped half way: their positions were closed, and what came back has not been re-entered: it is in your wallet. Activity offers to re-enter each, or to leave it out.`,
      actions: [showActivity()],
    });
    if (pressed === showActivity()) {
      await actions.focusActivity();
    }
  }

  private questionAbout({ id, created }: OperationRecord): string {
    const { activity, startedAtMs } = this.dependencies;
    const pair = plainText(created.pairName);
    const left = activity.left.get(id);
    const back = left?.kind === 'reenter' && left.lamportsBack !== undefined ? shortSol(left.lamportsBack) : l10n.t('What was in it');
    const reason = left?.kind === 'reenter' ? reasonText(left.reason) : undefined;
    const lead =
      created.atMs < startedAtMs
        ? l10n.t`Binsight was closed while ${pair} was being rebalanced.`
        : l10n.t`The rebalance of ${pair} stopped half way.`;
    return l10n.t`${lead} The position was closed; ${back} came back and has not been re-entered: it is in your wallet.${reason === undefined ? '' : ` ${reason}`}`;
  }
}
