import type { Subscription } from '../../base/async/clock';
import { type SettingId, settingsUnder } from '../../settings/settingTypes';
import type { NoticeRules } from './positionWatch';

export interface BackgroundReadsDependencies {
  readonly coordinator: { setWatched(isWatched: boolean): void };
  readonly settings: { onDidChange(ids: readonly SettingId[], listener: () => void): Subscription };
  readonly rules: () => NoticeRules;
}

/** Keeps positions read, slowly, while a notice is switched on and no view shows them. */
export function readForNotices({ coordinator, settings, rules }: BackgroundReadsDependencies): Subscription {
  const apply = (): void => coordinator.setWatched(Object.values(rules()).some((rule) => rule !== false && rule !== undefined));
  apply();
  return settings.onDidChange(settingsUnder('binsight.notifications.'), apply);
}
