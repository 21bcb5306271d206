import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import type { AutoRebalanceAction } from '../../autoRebalance/types';
import type { Prompts } from '../shell/prompts/prompts';
import { plainText } from '../shell/views/text';
import type { Clock } from '../../base/async/clock';

/** What the user said to what automation would do. `open`: nothing so far. */
export type QuestionAnswer = 'yes' | 'notNow' | 'leaveAlone' | 'open';

/** What questions are asked with. */
export interface QuestionDependencies {
  readonly prompts: Prompts;
  readonly clock: Clock;
  /** Looks at the positions again at once: an answer has come that nobody waits for any more. */
  readonly tryAgain: () => void;
  /** Called when a question was put, and when nobody waits for its answer any more. */
  readonly onDidChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** So long the other positions wait for an answer; then the question stays, and they go on. */
const PATIENCE_MS = 60_000;
/** So long a late answer counts, until what it was given to is found again. */
const ANSWER_COUNTS_MS = 600_000;

const notNowText = () => l10n.t('Not Now');
const leaveAloneText = () => l10n.t('Leave It Alone');
const yesText = (): Readonly<Record<AutoRebalanceAction, string>> => ({ rebalance: 'Rebalance…', close: l10n.t('Close It…') });
const intent = (): Readonly<Record<AutoRebalanceAction, string>> => ({
  rebalance: 'rebalanced',
  close: l10n.t('closed, and not entered again'),
});

/** A question that is open, or was answered when nobody waited for it any more. */
interface Question {
  answer: QuestionAnswer;
  answeredAtMs: number;
  /** Ends the waiting for it; `undefined` once nobody waits. */
  end: ((answer: QuestionAnswer) => void) | undefined;
}

/**
 * Asks whether automation may do what its rules say (mode *ask*), once for each thing: a notification that nobody has answered stays
 * where it is, and does not come again at the next check. A late answer counts at the check that it brings about.
 */
export class RebalanceQuestions {
  private readonly asked = new Map<string, Question>();

  constructor(private readonly dependencies: QuestionDependencies) {}

  /** Whether somebody waits for an answer. */
  get isAsking(): boolean {
    return [...this.asked.values()].some(({ end }) => end !== undefined);
  }

  /** @param cancelled takes the question back, as {@link takeBack} does. */
  async ask(position: OpenPosition, action: AutoRebalanceAction, why: string, cancelled: AbortSignal): Promise<QuestionAnswer> {
    const key = `${action} ${position.key}`;
    const before = this.asked.get(key);
    if (cancelled.aborted || before?.answer === 'open') {
      return 'open';
    }
    this.asked.delete(key);
    if (before !== undefined && this.dependencies.clock.now() - before.answeredAtMs <= ANSWER_COUNTS_MS) {
      return before.answer;
    }
    const takeBack = () => this.takeBackOne(key);
    cancelled.addEventListener('abort', takeBack, { once: true });
    try {
      const answer = this.waitFor(key, plainText(position.pairName), action, why);
      this.dependencies.onDidChange();
      return await answer;
    } finally {
      cancelled.removeEventListener('abort', takeBack);
      this.dependencies.onDidChange();
    }
  }

  /** Automation was stopped or paused: no answer to what was asked before counts any more. */
  takeBack(): void {
    [...this.asked.keys()].forEach((key) => this.takeBackOne(key));
  }

  private takeBackOne(key: string): void {
    const question = this.asked.get(key);
    this.asked.delete(key);
    question?.end?.('open');
  }

  private async waitFor(key: string, pair: string, action: AutoRebalanceAction, why: string): Promise<QuestionAnswer> {
    const { clock, onError } = this.dependencies;
    return new Promise((resolve) => {
      const question: Question = { answer: 'open', answeredAtMs: 0, end: resolve };
      this.asked.set(key, question);
      const patience = clock.after(PATIENCE_MS, () => {
        question.end = undefined;
        resolve('open');
      });
      this.put(key, question, pair, action, why)
        .catch((error: unknown) => {
          this.takeBackOne(key);
          onError(error);
        })
        .finally(() => patience.dispose());
    });
  }

  private async put(key: string, question: Question, pair: string, action: AutoRebalanceAction, why: string): Promise<void> {
    const { prompts, clock, tryAgain } = this.dependencies;
    const message = l10n.t`Auto-rebalance: ${pair} is to be ${intent()[action]}. ${why}`;
    const pressed = await prompts.notify({ severity: 'info', message, actions: [yesText()[action], notNowText(), leaveAloneText()] });
    if (this.asked.get(key) !== question) {
      if (pressed === yesText()[action]) {
        await prompts.notify({
          severity: 'info',
          message: l10n.t`Auto-rebalance was stopped or paused since it asked about ${pair}: nothing was done.`,
        });
      }
      return;
    }
    const answer = pressed === yesText()[action] ? 'yes' : pressed === leaveAloneText() ? 'leaveAlone' : 'notNow';
    if (question.end !== undefined) {
      this.asked.delete(key);
      question.end(answer);
      return;
    }
    question.answer = answer;
    question.answeredAtMs = clock.now();
    tryAgain();
  }
}
