import assert from 'node:assert/strict';
import { quietUntilMs, readQuietHours } from '../../../../src/ui/notices/quietHours';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

describe('Quiet hours', () => {
  it('Quiet hours are two times, or none', () => {
    assert.equal(readQuietHours(' '), 'none');
    assert.deepEqual(readQuietHours('22:00-07:30'), { from: 1_320, until: 450 });
    assert.deepEqual(readQuietHours(' 9:05 – 17:00 '), { from: 545, until: 1_020 });
    for (const text of ['22-7', '24:00-07:00', '22:60-07:00', '07:00-07:00', 'night', '22:00-07:00, 12:00-13:00']) {
      assert.equal(readQuietHours(text), undefined, text);
    }
  });

  it('Quiet hours over midnight end on the next morning', () => {
    const night = { from: 1_320, until: 450 };
    assert.equal(quietUntilMs(night, at(20, 21, 59)), undefined);
    assert.equal(quietUntilMs(night, at(20, 22)), at(21, 7, 30));
    assert.equal(quietUntilMs(night, at(21, 7, 29)), at(21, 7, 30));
    assert.equal(quietUntilMs(night, at(21, 7, 30)), undefined);
    assert.equal(quietUntilMs(undefined, at(20, 23)), undefined);
  });

  it('Quiet hours within a day end on that day', () => {
    const lunch = { from: 720, until: 780 };
    assert.deepEqual(
      [at(20, 11, 59), at(20, 12, 30), at(20, 13)].map((now) => quietUntilMs(lunch, now)),
      [undefined, at(20, 13), undefined],
    );
  });
});
