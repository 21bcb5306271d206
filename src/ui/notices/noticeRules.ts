import { SETTING } from '../shell/names';
import type { SettingsReader } from '../shell/settings/values';
import type { NoticeRules } from './positionWatch';

/** The rules of the settings. A threshold of 0 is none. */
export function noticeRules(settings: SettingsReader): NoticeRules {
  const threshold = (value: number): number | undefined => (value === 0 ? undefined : value);
  return {
    leftRange: settings.get(SETTING.noticeLeftRange),
    enteredRange: settings.get(SETTING.noticeEnteredRange),
    pnlAbovePercent: threshold(settings.get(SETTING.noticePnlAbovePercent)),
    pnlBelowPercent: threshold(settings.get(SETTING.noticePnlBelowPercent)),
    feesAboveUsd: threshold(settings.get(SETTING.noticeFeesAboveUsd)),
  };
}
