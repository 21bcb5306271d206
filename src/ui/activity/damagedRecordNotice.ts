import * as l10n from '@vscode/l10n';
import type { EditorActions } from '../shell/editorActions';
import type { Prompts } from '../shell/prompts/prompts';
import type { StateStore } from '../shell/secretStore';
import type { Activity } from './activity';
import type { Subscription } from '../../base/async/clock';
import type { ActivityState } from '../shell/views/viewState';

/** What damaged records are told with. */
export interface DamagedRecordDependencies {
  readonly activity: Activity;
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'focusActivity'>;
  /** Remembers what was told, in all windows. */
  readonly state: StateStore;
  readonly onError: (error: unknown) => void;
}

const KEPT_AS = 'binsight.toldAside';
const showActivity = () => l10n.t('Show Activity');

/** Tells once of each record of an operation that could not be read and was set aside: what it knew is not known any more. */
export class DamagedRecordNotice {
  private readonly subscription: Subscription;

  constructor(private readonly dependencies: DamagedRecordDependencies) {
    const { activity, onError } = dependencies;
    this.subscription = activity.onDidChange((state) => {
      this.tellOf(state).catch(onError);
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async tellOf(activity: ActivityState): Promise<void> {
    if (activity.kind !== 'ready') {
      return;
    }
    const { state, prompts, actions } = this.dependencies;
    const files = activity.problems.map(({ file }) => file);
    const kept = state.get(KEPT_AS);
    const told: readonly unknown[] = Array.isArray(kept) ? kept : [];
    const fresh = files.filter((file) => !told.includes(file));
    if (fresh.length === 0) {
      return;
    }
    // What is gone from the folder need not be remembered.
    await state.update(KEPT_AS, files);
    const action = await prompts.notify({
      severity: 'warning',
      message: l10n.t`${fresh.length === 1 ? l10n.t('A record of an operation') : l10n.t`${fresh.length} records of operations`} could not be read, and ${fresh.length === 1 ? 'was' : 'were'} set aside. If something was under way, Binsight does not know how it ended: look at your positions before you repeat it.`,
      actions: [showActivity()],
    });
    if (action === showActivity()) {
      await actions.focusActivity();
    }
  }
}
