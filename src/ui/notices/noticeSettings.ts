import * as l10n from '@vscode/l10n';
import { quoted } from '../../base/text';
import { figure, oneOf, type Read, type SettingReading, yesOrNo } from '../shell/settings/values';
import type { NoticeRules } from './positionWatch';
import { type QuietHours, readQuietHours } from './quietHours';

/** Ids of the settings of notices. They are not in shell/names.ts, which activation loads. */
export const NOTICE_SETTING = {
  leftRange: 'binsight.notifications.leftRange',
  enteredRange: 'binsight.notifications.enteredRange',
  pnlAbovePercent: 'binsight.notifications.pnlAbovePercent',
  pnlBelowPercent: 'binsight.notifications.pnlBelowPercent',
  feesAboveUsd: 'binsight.notifications.feesAboveUsd',
  operationEnded: 'binsight.notifications.operationEnded',
  autoRebalanceAsks: 'binsight.notifications.autoRebalanceAsks',
  autoRebalanceActs: 'binsight.notifications.autoRebalanceActs',
  system: 'binsight.notifications.system',
  webhookDetails: 'binsight.notifications.webhookDetails',
  quietHours: 'binsight.notifications.quietHours',
} as const;

/** Higher thresholds are slips of the keyboard. */
const MOST_PERCENT = 100_000;
const MOST_USD = 1_000_000;

const WEBHOOK_DETAILS = ['pairAndEvent', 'figures'] as const;
/** What messages to the webhook contain. */
export type WebhookDetails = (typeof WEBHOOK_DETAILS)[number];

/** Readers of these settings. Only package.json has the defaults. */
export const READ_NOTICES = {
  [NOTICE_SETTING.leftRange]: yesOrNo,
  [NOTICE_SETTING.enteredRange]: yesOrNo,
  [NOTICE_SETTING.pnlAbovePercent]: figure(0, MOST_PERCENT),
  [NOTICE_SETTING.pnlBelowPercent]: figure(-100, 0),
  [NOTICE_SETTING.feesAboveUsd]: figure(0, MOST_USD),
  [NOTICE_SETTING.operationEnded]: yesOrNo,
  [NOTICE_SETTING.autoRebalanceAsks]: yesOrNo,
  [NOTICE_SETTING.autoRebalanceActs]: yesOrNo,
  [NOTICE_SETTING.system]: yesOrNo,
  [NOTICE_SETTING.webhookDetails]: oneOf(WEBHOOK_DETAILS),
  [NOTICE_SETTING.quietHours]: hours,
} as const;

type NoticeSetting = keyof typeof READ_NOTICES;
type NoticeValue<Key extends NoticeSetting> = (typeof READ_NOTICES)[Key] extends Read<infer Value> ? Value : never;

/** Reads any setting, with the reader that knows its bounds. */
export interface ReadingSettings {
  read<Value>(key: string, reader: Read<Value>): Value;
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
      leftRange: this.#get(NOTICE_SETTING.leftRange),
      enteredRange: this.#get(NOTICE_SETTING.enteredRange),
      pnlAbovePercent: threshold(this.#get(NOTICE_SETTING.pnlAbovePercent)),
      pnlBelowPercent: threshold(this.#get(NOTICE_SETTING.pnlBelowPercent)),
      feesAboveUsd: threshold(this.#get(NOTICE_SETTING.feesAboveUsd)),
    };
  }

  isOn(kind: 'operationEnded' | 'autoRebalanceAsks' | 'autoRebalanceActs' | 'system'): boolean {
    return this.#get(NOTICE_SETTING[kind]);
  }

  get webhookDetails(): WebhookDetails {
    return this.#get(NOTICE_SETTING.webhookDetails);
  }

  /** `undefined`: none. */
  get quietHours(): QuietHours | undefined {
    const value = readQuietHours(this.#get(NOTICE_SETTING.quietHours));
    return value === 'none' ? undefined : value;
  }

  #get<Key extends NoticeSetting>(key: Key): NoticeValue<Key> {
    return this.#settings.read(key, READ_NOTICES[key] as Read<NoticeValue<Key>>);
  }
}

function hours(raw: unknown): SettingReading<string> {
  return typeof raw !== 'string' || readQuietHours(raw) === undefined
    ? { ok: false, message: l10n.t`must be two different times such as 22:00-07:00, or empty, not ${quoted(raw)}` }
    : { ok: true, value: raw };
}
