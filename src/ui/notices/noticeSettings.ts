import * as l10n from '@vscode/l10n';
import { quoted } from '../../base/text';
import type { SettingId } from '../../settings/settingTypes';
import type { Read, SettingReading, SettingsReader } from '../shell/settings/values';
import type { NoticeRules } from './positionWatch';
import { type QuietHours, readQuietHours } from './quietHours';

/** Reads the settings, and those that a feature parses with its own reader. */
export interface ReadingSettings extends SettingsReader {
  read<Value>(id: SettingId, reader: Read<Value>): Value;
}

/** The settings of notices, read at each access. */
export class NoticeSettings {
  readonly #settings: ReadingSettings;

  constructor(settings: ReadingSettings) {
    this.#settings = settings;
  }

  /** What is reported about positions. A threshold of 0 is none. */
  get rules(): NoticeRules {
    const threshold = (value: number): number | undefined => (value === 0 ? undefined : value);
    return {
      leftRange: this.#settings.get('binsight.notifications.leftRange'),
      enteredRange: this.#settings.get('binsight.notifications.enteredRange'),
      pnlAbovePercent: threshold(this.#settings.get('binsight.notifications.pnlAbovePercent')),
      pnlBelowPercent: threshold(this.#settings.get('binsight.notifications.pnlBelowPercent')),
      feesAboveUsd: threshold(this.#settings.get('binsight.notifications.feesAboveUsd')),
    };
  }

  isOn(kind: 'operations' | 'system'): boolean {
    return this.#settings.get(`binsight.notifications.${kind}`);
  }

  /** `undefined`: none. */
  get quietHours(): QuietHours | undefined {
    const value = readQuietHours(this.#settings.read('binsight.notifications.quietHours', hours));
    return value === 'none' ? undefined : value;
  }
}

function hours(raw: unknown): SettingReading<string> {
  return typeof raw !== 'string' || readQuietHours(raw) === undefined
    ? { ok: false, expected: l10n.t('two different times such as 22:00-07:00, or empty'), found: quoted(raw) }
    : { ok: true, value: raw };
}
