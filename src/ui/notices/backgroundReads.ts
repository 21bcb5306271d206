import type { Subscription } from '../../base/async/clock';
import { SETTING } from '../shell/names';
import type { SettingsReader } from '../shell/settings/values';
import { noticeRules } from './noticeRules';

export interface BackgroundReadsDependencies {
  readonly coordinator: { setWatched(isWatched: boolean): void };
  readonly settings: SettingsReader & { onDidChange(keys: readonly string[], listener: () => void): Subscription };
}

/** Keeps positions read, slowly, while a notice is switched on and no view shows them. */
export function readForNotices({ coordinator, settings }: BackgroundReadsDependencies): Subscription {
  const apply = (): void =>
    coordinator.setWatched(Object.values(noticeRules(settings)).some((rule) => rule !== false && rule !== undefined));
  apply();
  return settings.onDidChange(
    Object.values(SETTING).filter((name) => name.startsWith(NOTICES)),
    apply,
  );
}

/** Settings of notices begin with this. */
const NOTICES = 'binsight.notifications.';
