import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import type { AutoRebalanceAction } from '../../autoRebalance/types';
import type { Prompts } from '../shell/prompts/prompts';
import { plainText } from '../shell/views/text';
import type { Clock } from '../../base/async/clock';

/** The user's answer. `open`: none so far. */
export type QuestionAnswer = 'yes' | 'notNow' | 'leaveAlone' | 'open';

export interface QuestionDependencies {
  readonly prompts: Prompts;
  readonly clock: Clock;
  /** Checks the positions again at once: a late answer came. */
  readonly tryAgain: () => void;
  /** Called when a question was shown, and when its answer is no longer waited for. */
  readonly onDidChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** How long the other positions wait for an answer. After that they continue, and the question stays open. */
const PATIENCE_MS = 60_000;
/** How long a late answer counts, until the next check asks the same question again. */
const ANSWER_COUNTS_MS = 600_000;

const notNowText = () => l10n.t('Not Now');
const leaveAloneText = () => l10n.t('Leave It Alone');
const yesText = (): Readonly<Record<AutoRebalanceAction, string>> => ({ rebalance: l10n.t('Rebalance…'), close: l10n.t('Close…') });

/** A question that is open, or was answered late. */
interface Question {
  answer: QuestionAnswer;
  answeredAtMs: number;
  /** Ends the waiting; `undefined` once the answer is no longer waited for. */
  end: ((answer: QuestionAnswer) => void) | undefined;
}

/**
 * Asks before each action (mode *ask*), once for each position and action: an unanswered notification stays, and is not repeated at
 * the next check. A late answer starts a check, at which it counts.
 */
export class RebalanceQuestions {
  readonly #asked = new Map<string, Question>();

  readonly #dependencies: QuestionDependencies;

  constructor(dependencies: QuestionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether an answer is being waited for. */
  get isAsking(): boolean {
    return [...this.#asked.values()].some(({ end }) => end !== undefined);
  }

  /**
   * @param why sentences for the user
   * @param cancelled withdraws the question, as {@link takeBack} does
   */
  async ask(position: OpenPosition, action: AutoRebalanceAction, why: string, cancelled: AbortSignal): Promise<QuestionAnswer> {
    const key = `${action} ${position.key}`;
    const before = this.#asked.get(key);
    if (cancelled.aborted || before?.answer === 'open') {
      return 'open';
    }
    this.#asked.delete(key);
    if (before !== undefined && this.#dependencies.clock.now() - before.answeredAtMs <= ANSWER_COUNTS_MS) {
      return before.answer;
    }
    const takeBack = () => this.#takeBackOne(key);
    cancelled.addEventListener('abort', takeBack, { once: true });
    try {
      const answer = this.#waitFor(key, plainText(position.pairName), action, why);
      this.#dependencies.onDidChange();
      return await answer;
    } finally {
      cancelled.removeEventListener('abort', takeBack);
      this.#dependencies.onDidChange();
    }
  }

  /** Withdraws all questions, since auto-rebalance was stopped or paused: answers to them no longer count. */
  takeBack(): void {
    [...this.#asked.keys()].forEach((key) => this.#takeBackOne(key));
  }

  #takeBackOne(key: string): void {
    const question = this.#asked.get(key);
    this.#asked.delete(key);
    question?.end?.('open');
  }

  async #waitFor(key: string, pair: string, action: AutoRebalanceAction, why: string): Promise<QuestionAnswer> {
    const { clock, onError } = this.#dependencies;
    return new Promise((resolve) => {
      const question: Question = { answer: 'open', answeredAtMs: 0, end: resolve };
      this.#asked.set(key, question);
      const patience = clock.after(PATIENCE_MS, () => {
        question.end = undefined;
        resolve('open');
      });
      this.#put(key, question, pair, action, why)
        .catch((error: unknown) => {
          this.#takeBackOne(key);
          onError(error);
        })
        .finally(() => patience.dispose());
    });
  }

  async #put(key: string, question: Question, pair: string, action: AutoRebalanceAction, why: string): Promise<void> {
    const { prompts, clock, tryAgain } = this.#dependencies;
    const message =
      action === 'rebalance'
        ? l10n.t`Auto-rebalance: rebalance ${pair}? ${why}`
        : l10n.t`Auto-rebalance: close ${pair} without re-entering? ${why}`;
    const pressed = await prompts.notify({ severity: 'info', message, actions: [yesText()[action], notNowText(), leaveAloneText()] });
    if (this.#asked.get(key) !== question) {
      if (pressed === yesText()[action]) {
        await prompts.notify({ severity: 'info', message: l10n.t`Auto-rebalance stopped or paused: nothing done for ${pair}.` });
      }
      return;
    }
    const answer = pressed === yesText()[action] ? 'yes' : pressed === leaveAloneText() ? 'leaveAlone' : 'notNow';
    if (question.end !== undefined) {
      this.#asked.delete(key);
      question.end(answer);
      return;
    }
    question.answer = answer;
    question.answeredAtMs = clock.now();
    tryAgain();
  }
}
