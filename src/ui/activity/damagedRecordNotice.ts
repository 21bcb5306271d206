import * as l10n from '@vscode/l10n';
import type { EditorActions } from '../shell/editorActions';
import type { Prompts } from '../shell/prompts/prompts';
import type { StateStore } from '../shell/secretStore';
import type { Activity } from './activity';
import type { Subscription } from '../../base/async/clock';
import type { ActivityState } from '../shell/views/viewState';

export interface DamagedRecordDependencies {
  readonly activity: Activity;
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'focusActivity'>;
  /** Remembers the reported files, in all windows. */
  readonly state: StateStore;
  readonly onError: (error: unknown) => void;
}

const KEPT_AS = 'binsight.toldAside';
const showActivity = () => l10n.t('Show Activity');

/** Warns once about each operation record that could not be read and was set aside: its operation is no longer known. */
export class DamagedRecordNotice {
  readonly #subscription: Subscription;

  readonly #dependencies: DamagedRecordDependencies;

  constructor(dependencies: DamagedRecordDependencies) {
    this.#dependencies = dependencies;

    const { activity, onError } = dependencies;
    this.#subscription = activity.onDidChange((state) => {
      this.#warnAbout(state).catch(onError);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #warnAbout(activity: ActivityState): Promise<void> {
    if (activity.kind !== 'ready') {
      return;
    }
    const { state, prompts, actions } = this.#dependencies;
    const files = activity.problems.map(({ file }) => file);
    const kept = state.get(KEPT_AS);
    const reported: readonly unknown[] = Array.isArray(kept) ? kept : [];
    const unreported = files.filter((file) => !reported.includes(file));
    if (unreported.length === 0) {
      return;
    }
    // Files that are gone from the folder are forgotten.
    await state.update(KEPT_AS, files);
    const action = await prompts.notify({
      severity: 'warning',
      message:
        unreported.length === 1
          ? l10n.t(
              "An operation record could not be read and was set aside. If the operation was in progress, Binsight doesn't know how it ended. Check your positions before you repeat it.",
            )
          : l10n.t`${unreported.length} operation records could not be read and were set aside. If one was in progress, Binsight doesn't know how it ended. Check your positions before you repeat it.`,
      actions: [showActivity()],
    });
    if (action === showActivity()) {
      await actions.focusActivity();
    }
  }
}
