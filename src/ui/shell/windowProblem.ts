import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import { type Secrets, unansweredText } from './secrets';

/** What keeps this window from working, whatever its lists say. */
export interface WindowProblem {
  /** For the status bar, a few words. */
  readonly brief: string;
  /** What happened, what it means for the money, and what to do. */
  readonly message: string;
}

/** The problem of this window, which every place that waits shows. */
export interface WindowProblems {
  /** `undefined`: there is none. */
  readonly current: WindowProblem | undefined;
  onDidChange(listener: () => void): Subscription;
}

export function windowProblems(secrets: Pick<Secrets, 'isAnswering' | 'onDidChangeAnswering'>): WindowProblems {
  return {
    get current() {
      return secrets.isAnswering ? undefined : { brief: l10n.t('Waiting for the secret storage'), message: unansweredText() };
    },
    onDidChange: (listener) => secrets.onDidChangeAnswering(listener),
  };
}
