import assert from 'node:assert/strict';
import type { SettingId } from '../../../../src/settings/settingTypes';
import { NoticeSettings } from '../../../../src/ui/notices/noticeSettings';
import { type Read, readerOf } from '../../../../src/ui/shell/settings/values';
import { settingsFor } from '../../../support/ui/ruleSettings';

/** Settings as a user wrote them; what is not valid is refused as in VS Code: the default counts. */
function settingsWith(written: { readonly [Id in SettingId]?: unknown }): NoticeSettings {
  const defaults = settingsFor();
  const read = <Value>(id: SettingId, reader: Read<Value>): Value => {
    const [reading, usual] = [reader(written[id] ?? defaults(id)), reader(defaults(id))];
    return reading.ok ? reading.value : usual.ok ? usual.value : assert.fail(id);
  };
  return new NoticeSettings({ read, get: (id) => read(id, readerOf(id)) });
}

describe('The settings of notices', () => {
  it('Quiet hours hold as they are written, and empty or impossible ones are none', () => {
    const quiet = (text?: string) => settingsWith(text === undefined ? {} : { 'binsight.notifications.quietHours': text }).quietHours;
    assert.deepEqual(quiet('22:00-07:30'), { from: 22 * 60, until: 7 * 60 + 30 });
    assert.deepEqual([quiet(), quiet(''), quiet('22:00-22:00'), quiet('25:00-07:00')], [undefined, undefined, undefined, undefined]);
  });
});
