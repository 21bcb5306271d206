import assert from 'node:assert/strict';
import { NOTICE_SETTING, NoticeSettings } from '../../../../src/ui/notices/noticeSettings';

/** Settings as a user wrote them; what is not valid is refused as in VS Code: the default counts. */
function settingsWith(written: Readonly<Record<string, unknown>>): NoticeSettings {
  const defaults: Readonly<Record<string, unknown>> = { [NOTICE_SETTING.webhookDetails]: 'pairAndEvent', [NOTICE_SETTING.quietHours]: '' };
  return new NoticeSettings({
    read: (key, reader) => {
      const [reading, usual] = [reader(written[key] ?? defaults[key]), reader(defaults[key])];
      return reading.ok ? reading.value : usual.ok ? usual.value : assert.fail(key);
    },
  });
}

describe('The settings of notices', () => {
  it('Quiet hours hold as they are written, and empty or impossible ones are none', () => {
    const quiet = (text?: string) => settingsWith(text === undefined ? {} : { [NOTICE_SETTING.quietHours]: text }).quietHours;
    assert.deepEqual(quiet('22:00-07:30'), { from: 22 * 60, until: 7 * 60 + 30 });
    assert.deepEqual([quiet(), quiet(''), quiet('22:00-22:00'), quiet('25:00-07:00')], [undefined, undefined, undefined, undefined]);
  });

  it('Figures go to the webhook only if the user asked for them', () => {
    const details = (raw?: unknown) => settingsWith(raw === undefined ? {} : { [NOTICE_SETTING.webhookDetails]: raw }).webhookDetails;
    assert.deepEqual([details(), details('figures'), details('everything')], ['pairAndEvent', 'figures', 'pairAndEvent']);
  });
});
