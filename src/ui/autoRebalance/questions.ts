import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import type { AutoRebalanceAction } from '../../autoRebalance/types';
import type { Prompts } from '../shell/prompts/prompts';
import { type Clock, elapsedMs } from '../../base/async/clock';
import type { Announce } from './announcements';
import { rebalanceTitle } from '../zap/operationWords';

/** The user's answer. `open`: none so far. */
export type QuestionAnswer = 'yes' | 'notNow' | 'leaveAlone' | 'open';

/** A question that the user has not answered yet, whether its notification is still visible or not. */
export interface OpenQuestion {
  readonly id: string;
  /** Safe for labels; longer than the pair if that repeats. */
  readonly pair: string;
  readonly action: AutoRebalanceAction;
  /** Sentences for the user. */
  readonly why: string;
}

export interface QuestionDependencies {
  readonly prompts: Prompts;
  readonly clock: Clock;
  /** The name of a position, safe for labels; no other open position has it. */
  readonly nameOf: (position: OpenPosition) => string;
  /** Checks the positions again at once: a late answer came. */
  readonly tryAgain: () => void;
  /** Called when a question was shown, answered or withdrawn. */
  readonly onDidChange: () => void;
  readonly announce: Announce;
  readonly onError: (error: unknown) => void;
}

/** How long the other positions wait for an answer. After that they continue, and the question stays open. */
const PATIENCE_MS = 60_000;
/** How long a late answer counts, until the next check asks the same question again. */
const ANSWER_COUNTS_MS = 600_000;

export const notNowText = (): string => l10n.t('Not Now');
export const leaveAloneText = (): string => l10n.t('Leave It Alone');
const yesText = (): Readonly<Record<AutoRebalanceAction, string>> => ({ rebalance: l10n.t('Rebalance…'), close: l10n.t('Close…') });

/** "Rebalance BONK/SOL" */
export const actionTitle = (action: AutoRebalanceAction, pair: string): string =>
  action === 'rebalance' ? rebalanceTitle(pair) : l10n.t`Close ${pair} without re-entering`;

/** A question that is open, or was answered late. */
interface Question extends OpenQuestion {
  answer: QuestionAnswer;
  answeredAtMs: number;
  /** The position no longer needs the action. */
  isOutdated: boolean;
  /** Ends the waiting; `undefined` once the answer is no longer waited for. */
  end: ((answer: QuestionAnswer) => void) | undefined;
}

/**
 * Asks before each action (mode *ask*), once for each position and action: an unanswered question stays open, and is not repeated at
 * the next check. It can be answered by the buttons of its notification and, however that was closed or hidden, through {@link answer}. A
 * late answer starts a check, at which it counts.
 */
export class RebalanceQuestions {
  readonly #asked = new Map<string, Question>();

  readonly #dependencies: QuestionDependencies;

  constructor(dependencies: QuestionDependencies) {
    this.#dependencies = dependencies;
  }

  /** The questions without an answer, oldest first. */
  get open(): readonly OpenQuestion[] {
    return [...this.#asked.values()]
      .filter(({ answer }) => answer === 'open')
      .map(({ id, pair, action, why }) => ({ id, pair, action, why }));
  }

  /**
   * @param why sentences for the user
   * @param cancelled withdraws the question, as {@link takeBack} does
   */
  async ask(position: OpenPosition, action: AutoRebalanceAction, why: string, cancelled: AbortSignal): Promise<QuestionAnswer> {
    const id = idOf(position, action);
    const before = this.#asked.get(id);
    if (cancelled.aborted || before?.answer === 'open') {
      return 'open';
    }
    this.#asked.delete(id);
    if (before !== undefined && elapsedMs(before.answeredAtMs, this.#dependencies.clock.now()) <= ANSWER_COUNTS_MS) {
      return before.answer;
    }
    const takeBack = () => this.#takeBackOne(id);
    cancelled.addEventListener('abort', takeBack, { once: true });
    try {
      const answer = this.#waitFor({ id, pair: this.#dependencies.nameOf(position), action, why });
      this.#dependencies.announce({ kind: 'asks', pairName: position.pairName, action, why });
      this.#dependencies.onDidChange();
      return await answer;
    } finally {
      cancelled.removeEventListener('abort', takeBack);
      this.#dependencies.onDidChange();
    }
  }

  /** Answers an open question in place of its notification. Does nothing if it is no longer open. */
  answer(id: string, answer: Exclude<QuestionAnswer, 'open'>): void {
    const question = this.#asked.get(id);
    if (question?.answer === 'open') {
      this.#settle(question, answer);
    }
  }

  /** Withdraws all questions, since auto-rebalance was stopped or paused: answers to them no longer count. */
  takeBack(): void {
    [...this.#asked.keys()].forEach((id) => this.#takeBackOne(id));
  }

  /**
   * Withdraws the questions whose positions no longer need the action, for example back in range or closed. One whose answer is still waited for
   * stays: its own check has found it.
   * @param planned what the last check would do
   */
  keep(planned: readonly { readonly position: OpenPosition; readonly action: AutoRebalanceAction }[]): void {
    const ids = new Set(planned.map(({ position, action }) => idOf(position, action)));
    for (const question of [...this.#asked.values()]) {
      if (question.answer === 'open' && question.end === undefined && !ids.has(question.id)) {
        question.isOutdated = true;
        this.#asked.delete(question.id);
      }
    }
  }

  #takeBackOne(id: string): void {
    const question = this.#asked.get(id);
    this.#asked.delete(id);
    question?.end?.('open');
  }

  async #waitFor(asked: OpenQuestion): Promise<QuestionAnswer> {
    const { clock, onError } = this.#dependencies;
    return new Promise((resolve) => {
      const question: Question = { ...asked, answer: 'open', answeredAtMs: 0, isOutdated: false, end: resolve };
      this.#asked.set(asked.id, question);
      const patience = clock.after(PATIENCE_MS, () => {
        question.end = undefined;
        resolve('open');
      });
      this.#put(question)
        .catch((error: unknown) => {
          this.#takeBackOne(asked.id);
          onError(error);
        })
        .finally(() => patience.dispose());
    });
  }

  async #put(question: Question): Promise<void> {
    const { prompts } = this.#dependencies;
    const { id, pair, action, why } = question;
    const message = `${l10n.t('Auto-rebalance')}: ${actionTitle(action, pair)}? ${why}`;
    const pressed = await prompts.notify({ severity: 'info', message, actions: [yesText()[action], notNowText(), leaveAloneText()] });
    if (question.answer === 'open' && this.#asked.get(id) === question) {
      this.#settle(question, pressed === yesText()[action] ? 'yes' : pressed === leaveAloneText() ? 'leaveAlone' : 'notNow');
      return;
    }
    if (pressed === yesText()[action]) {
      const why =
        question.isOutdated || question.answer === 'open'
          ? l10n.t('Auto-rebalance was stopped, or its rules no longer hold. Nothing was signed.')
          : l10n.t`The question about ${pair} was already answered.`;
      await prompts.notify({ severity: 'info', message: why });
    }
  }

  #settle(question: Question, answer: Exclude<QuestionAnswer, 'open'>): void {
    question.answer = answer;
    if (question.end !== undefined) {
      this.#asked.delete(question.id);
      question.end(answer);
      return;
    }
    question.answeredAtMs = this.#dependencies.clock.now();
    this.#dependencies.onDidChange();
    this.#dependencies.tryAgain();
  }
}

function idOf({ key }: OpenPosition, action: AutoRebalanceAction): string {
  return `${action} ${key}`;
}
