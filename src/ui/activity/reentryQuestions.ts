import * as l10n from '@vscode/l10n';
import { operationLock } from '../../transactions/target';
import type { OperationRecord } from '../../transactions/journal/types';
import type { OperationLocks } from '../../transactions/locks/types';
import type { CommandId } from '../../settings/generated/commandIds';
import type { EditorActions } from '../shell/editorAccess';
import type { Prompts } from '../shell/prompts/prompts';
import { plainText } from '../shell/views/text';
import type { Activity } from './activity';
import { reasonText } from '../zap/operationMessages';
import { rebalanceTitle } from '../zap/operationWords';
import type { Subscription, Clock } from '../../base/async/clock';
import { counted } from '../../base/format/counted';
import { reentryOfferedWords, returnedWords } from '../../base/reasons/reasonWords';

export interface ReentryQuestionDependencies {
  readonly activity: Activity;
  readonly locks: () => Promise<OperationLocks>;
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'focusActivity'>;
  /** Runs a command of the extension on something. */
  readonly command: (id: CommandId, argument: unknown) => Promise<void>;
  readonly clock: Clock;
  /** Whether an operation belongs to the service and wallet in use; no other one can be continued. */
  readonly isInUse: (record: OperationRecord) => boolean;
  /** Start of this window, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly onError: (error: unknown) => void;
}

/** Rebalances that are asked about individually at most; the view lists all. */
const MOST_ASKED = 3;
/** Gives an operation that has just ended the time to notify about it. */
const SOON_MS = 2_000;
/** Interval for rebalances whose lock is held: another window still works on them. */
const HELD_PAUSE_MS = 15_000;

const reenter = () => l10n.t('Re-enter');
const dontReenter = () => l10n.t("Don't Re-enter");
const showActivity = () => l10n.t('Show Activity');

/**
 * Asks once per window whether to re-enter each rebalance whose zap-out landed and whose proceeds were not deposited again: those of closed
 * windows, and those of this window whose outcome was unknown at first. Without an answer they stay open.
 */
export class ReentryQuestions {
  readonly #asked = new Set<string>();
  /** Started or found by this window. */
  readonly #own = new Set<string>();
  readonly #subscription: Subscription;
  #timer: Subscription | undefined;
  #isDisposed = false;

  readonly #dependencies: ReentryQuestionDependencies;

  constructor(dependencies: ReentryQuestionDependencies) {
    this.#dependencies = dependencies;

    this.#subscription = dependencies.activity.onDidChange(() => this.#lookIn(SOON_MS));
  }

  /** This window has started a rebalance, or found the outcome of one of its parts: it asks about the re-entry. */
  concerns(rebalance: string): void {
    this.#own.add(rebalance);
  }

  /** The user was already notified about it: no question is shown. */
  offered(rebalance: string): void {
    this.#asked.add(rebalance);
  }

  /** Schedules a check: another wallet or service may be in use now. */
  lookSoon(): void {
    this.#lookIn(SOON_MS);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription.dispose();
    this.#timer?.dispose();
  }

  #lookIn(ms: number): void {
    if (this.#isDisposed || this.#timer !== undefined || this.#open().length === 0) {
      return;
    }
    this.#timer = this.#dependencies.clock.after(ms, () => {
      this.#timer = undefined;
      this.#look().catch(this.#dependencies.onError);
    });
  }

  /** The rebalances to ask about. */
  #open(): readonly OperationRecord[] {
    const { activity, isInUse, startedAtMs } = this.#dependencies;
    return activity.records.filter(
      (record) =>
        activity.left.get(record.id)?.kind === 'reenter' &&
        !this.#asked.has(record.id) &&
        isInUse(record) &&
        (record.created.atMs < startedAtMs || this.#own.has(record.id)),
    );
  }

  async #look(): Promise<void> {
    const locks = await this.#dependencies.locks();
    const free: OperationRecord[] = [];
    for (const record of this.#open()) {
      const lock = await locks.tryAcquire(operationLock(record.id));
      await lock?.release();
      if (lock !== undefined) {
        free.push(record);
      }
    }
    // Skips rebalances that were offered elsewhere or continued in the meantime.
    const now = new Set(this.#open().map(({ id }) => id));
    const records = free.filter(({ id }) => now.has(id));
    if (this.#isDisposed) {
      return;
    }
    records.forEach(({ id }) => this.#asked.add(id));
    if (records.length > MOST_ASKED) {
      this.#askAboutMany(records).catch(this.#dependencies.onError);
    } else {
      records.forEach((record) => void this.#ask(record).catch(this.#dependencies.onError));
    }
    this.#lookIn(HELD_PAUSE_MS);
  }

  async #ask(record: OperationRecord): Promise<void> {
    const { prompts, command } = this.#dependencies;
    const pressed = await prompts.notify({
      operation: record.id,
      severity: 'warning',
      message: this.#questionAbout(record),
      actions: [reenter(), dontReenter()],
    });
    if (pressed !== undefined) {
      await command(pressed === reenter() ? 'binsight.reenter' : 'binsight.leaveOut', { kind: 'operation', id: record.id });
    }
  }

  async #askAboutMany(records: readonly OperationRecord[]): Promise<void> {
    const { prompts, actions } = this.#dependencies;
    const pressed = await prompts.notify({
      severity: 'warning',
      message: `${l10n.t`${counted(records.length, 'rebalance')}: interrupted, the proceeds are in your wallet.`} ${reentryOfferedWords()}`,
      actions: [showActivity()],
    });
    if (pressed === showActivity()) {
      await actions.focusActivity();
    }
  }

  #questionAbout({ id, created }: OperationRecord): string {
    const { activity } = this.#dependencies;
    const pair = plainText(created.pairName);
    const left = activity.left.get(id);
    const reason = left?.kind === 'reenter' ? reasonText(left.reason) : undefined;
    const sentences = [
      l10n.t`${rebalanceTitle(pair)}: interrupted, the proceeds are in your wallet.`,
      ...(left?.kind === 'reenter' && left.lamportsBack !== undefined && left.isProven ? [returnedWords(left.lamportsBack)] : []),
      ...(reason === undefined ? [] : [reason]),
    ];
    return sentences.join(' ');
  }
}
