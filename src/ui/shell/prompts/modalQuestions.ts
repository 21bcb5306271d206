import * as l10n from '@vscode/l10n';
import type { Clock } from '../../../base/async/clock';
import { Mutex } from '../../../base/async/concurrency';
import type { ConfirmRequest } from './prompts';

/**
 * Time after a question was asked in which an answer other than Cancel does not count, milliseconds. It is too short to read the question, and the
 * second click of a double click comes within it. Browsers hold back the buttons of their permission prompts for the same reason and as long:
 * Chrome with `InputEventActivationProtector`, Firefox with `security.notification_enable_delay`.
 */
export const ANSWER_DELAY_MS = 500;

const tooSoonText = () => l10n.t('Your answer came too soon. Please answer again.');

/** Shows a modal dialog. Resolves with the button that was pressed; `undefined`: Cancel, or the dialog was closed. */
export type ShowModal = <Action extends string>(question: ConfirmRequest<Action>) => PromiseLike<Action | undefined>;

/**
 * Asks the modal questions of a window one after the other, and asks again where the answer came too soon. VS Code keeps modal dialogs in a
 * queue and shows the next one at the same place: without this class, a double click on one question could answer the next one.
 *
 * The extension only knows when it asked, not when VS Code shows the dialog. Where a dialog of VS Code or of another extension is in front
 * (a file dialog, for example), the time runs while it is open, and a double click on that one can still answer the question behind it.
 */
export class ModalQuestions {
  readonly #show: ShowModal;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #oneByOne = new Mutex();

  /** @param clock a steady one: times are only compared */
  constructor(show: ShowModal, clock: Pick<Clock, 'now'>) {
    this.#show = show;
    this.#clock = clock;
  }

  /** Asks once the questions before this one are answered. `undefined`: Cancel, which counts at any time. */
  ask<Action extends string>(question: ConfirmRequest<Action>): Promise<Action | undefined> {
    return this.#oneByOne.take(() => this.#askUntilItCounts(question));
  }

  async #askUntilItCounts<Action extends string>(question: ConfirmRequest<Action>): Promise<Action | undefined> {
    let shown = question;
    for (;;) {
      const askedAtMs = this.#clock.now();
      const answer = await this.#show(shown);
      if (answer === undefined || this.#clock.now() - askedAtMs >= ANSWER_DELAY_MS) {
        return answer;
      }
      // At the end: where the dialog is too small for everything, nothing of the question is hidden.
      shown = { ...question, detail: question.detail === '' ? tooSoonText() : `${question.detail}\n\n${tooSoonText()}` };
    }
  }
}
