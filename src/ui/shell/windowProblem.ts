import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import { DisposableStore } from '../../base/async/disposables';
import { Emitter } from '../../base/async/emitter';
import { RELOAD_WINDOW, replacedText } from './errors';
import type { Installation } from './installation';
import { type Secrets, unansweredText } from './secrets';

/** What keeps this window from working, whatever its lists say. */
export interface WindowProblem {
  readonly kind: 'replaced' | 'secretStorage';
  /** For the status bar, a few words. */
  readonly brief: string;
  /** What happened, what it means for the money, and what to do. */
  readonly message: string;
  /** The VS Code command that helps; absent: there is none. */
  readonly command?: string;
}

/** The problem of this window, which every place that waits shows. */
export interface WindowProblems {
  /** `undefined`: there is none. */
  readonly current: WindowProblem | undefined;
  onDidChange(listener: () => void): Subscription;
}

export function windowProblems(
  secrets: Pick<Secrets, 'isAnswering' | 'onDidChangeAnswering'>,
  installation: Pick<Installation, 'isReplaced' | 'onDidChange'>,
): WindowProblems {
  return {
    get current(): WindowProblem | undefined {
      if (installation.isReplaced) {
        return { kind: 'replaced', brief: l10n.t('Binsight was updated: reload'), message: replacedText(), command: RELOAD_WINDOW };
      }
      return secrets.isAnswering
        ? undefined
        : { kind: 'secretStorage', brief: l10n.t('Waiting for the secret storage'), message: unansweredText() };
    },
    onDidChange: (listener) => {
      const subscriptions = new DisposableStore();
      subscriptions.add(secrets.onDidChangeAnswering(listener), installation.onDidChange(listener));
      return subscriptions;
    },
  };
}

/** Shows the problem of this window in one view: the uppermost one that is visible. */
export class ProblemInViews {
  readonly #problems: WindowProblems;
  readonly #order: readonly string[];
  readonly #visible = new Set<string>();
  readonly #changes: Emitter<undefined>;
  readonly #subscription: Subscription;

  /** @param order the ids of the views, the uppermost first */
  constructor(problems: WindowProblems, order: readonly string[], onListenerError: (error: unknown) => void) {
    this.#problems = problems;
    this.#order = order;
    this.#changes = new Emitter(onListenerError);
    this.#subscription = problems.onDidChange(() => this.#changes.fire(undefined));
  }

  /** What a view says of the problem; `undefined`: there is none, or another view shows it. */
  messageIn(view: string): string | undefined {
    return this.#uppermost === view ? this.#problems.current?.message : undefined;
  }

  setVisible(view: string, isVisible: boolean): void {
    const before = this.#uppermost;
    this.#visible[isVisible ? 'add' : 'delete'](view);
    if (this.#uppermost !== before && this.#problems.current !== undefined) {
      this.#changes.fire(undefined);
    }
  }

  onDidChange(listener: () => void): Subscription {
    return this.#changes.on(listener);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  get #uppermost(): string | undefined {
    return this.#order.find((view) => this.#visible.has(view));
  }
}
