import assert from 'node:assert/strict';
import { isInverted, spanOfDays } from '../../../../../src/ui/panels/overview/days';

describe('Days of the history', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) {
      delete process.env['TZ'];
    } else {
      process.env['TZ'] = zone;
    }
  });

  function spanIn(timeZone: string, from: string | undefined, to: string | undefined): (string | undefined)[] {
    process.env['TZ'] = timeZone;
    const span = spanOfDays({ from, to });
    return [span.from?.toISOString(), span.to?.toISOString()];
  }

  it('A day begins and ends in the user’s time zone', () => {
    assert.deepEqual(spanIn('UTC', '2026-11-20', '2026-11-20'), ['2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z']);
    assert.deepEqual(spanIn('Asia/Kolkata', '2026-11-20', '2026-11-21'), ['2026-11-19T18:30:00.000Z', '2026-11-21T18:29:59.999Z']);
    assert.deepEqual(spanIn('America/Los_Angeles', '2026-12-31', '2026-12-31'), ['2026-12-31T08:00:00.000Z', '2027-01-01T07:59:59.999Z']);
  });

  it('A day has its real length when the clocks change', () => {
    assert.deepEqual(spanIn('Europe/Berlin', '2026-03-29', '2026-03-29'), ['2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z']);
    assert.deepEqual(spanIn('Europe/Berlin', '2026-10-25', '2026-10-25'), ['2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z']);
  });

  it('A range of days can be open at either end and in any year', () => {
    assert.deepEqual(spanIn('UTC', undefined, '2026-02-28'), [undefined, '2026-02-28T23:59:59.999Z']);
    assert.deepEqual(spanIn('UTC', '0099-01-01', undefined), ['0099-01-01T00:00:00.000Z', undefined]);
    assert.deepEqual(spanIn('UTC', undefined, undefined), [undefined, undefined]);
  });

  it('A range is inverted if its last day is before its first', () => {
    assert.deepEqual(
      [
        isInverted({ from: '2026-02-01', to: '2026-01-31' }),
        isInverted({ from: '2026-01-31', to: '2026-01-31' }),
        isInverted({ to: '2026-01-31' }),
      ],
      [true, false, false],
    );
  });
});
