import assert from 'node:assert/strict';
import { PERIODS } from '../../../../../src/protocol/overview';
import type { Money } from '../../../../../src/service/common';
import type { RevenueRow } from '../../../../../src/service/service';
import { earnedIn, isInverted, revenueSpanOf, spanOfDays } from '../../../../../src/ui/panels/overview/days';

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

const NOW = Date.parse('2026-11-20T15:00:00Z');
const money = (usd?: number, native?: number): Money => ({ usd, native });
const row = (day: string, pnl: Money, cumulativePnl: Money): RevenueRow => ({
  day: new Date(`${day}T00:00:00Z`),
  pnl,
  cumulativePnl,
  invested: money(100, 1),
  pnlPercent: money(1, 1),
});

/** Not in order: the service does not promise one. */
const ROWS = [
  row('2026-11-20', money(4, 0.4), money(15, 1.5)),
  row('2025-11-21', money(2, 0.2), money(3, 0.3)),
  row('2025-11-19', money(1, 0.1), money(1, 0.1)),
  row('2026-08-22', money(8, 0.8), money(11, 1.1)),
];

describe('Daily earnings', () => {
  const shown = (period: (typeof PERIODS)[number]) =>
    earnedIn(ROWS, period, NOW).map(({ dayMs, pnl, cumulativePnl }) => [
      new Date(dayMs).toISOString().slice(0, 10),
      pnl.usd,
      cumulativePnl.usd,
    ]);

  it('Daily earnings are read once for all periods that the service does not cut itself', () => {
    assert.deepEqual(PERIODS.map(revenueSpanOf), ['7D', '1M', 'ALL', 'ALL', 'ALL', 'ALL']);
  });

  it('Daily earnings appear ascending and unchanged for periods that the service cuts', () => {
    const all = [
      ['2025-11-19', 1, 1],
      ['2025-11-21', 2, 3],
      ['2026-08-22', 8, 11],
      ['2026-11-20', 4, 15],
    ];
    assert.deepEqual([shown('ALL'), shown('7D'), shown('1M')], [all, all, all]);
  });

  it('Cumulative earnings start at the beginning of the period if the extension cuts it', () => {
    assert.deepEqual(shown('3M'), [
      ['2026-08-22', 8, 8],
      ['2026-11-20', 4, 12],
    ]);
    assert.deepEqual(shown('1Y'), [
      ['2025-11-21', 2, 2],
      ['2026-08-22', 8, 10],
      ['2026-11-20', 4, 14],
    ]);
    assert.deepEqual(shown('YTD'), [
      ['2026-08-22', 8, 8],
      ['2026-11-20', 4, 12],
    ]);
  });

  it('Cumulative earnings are summed if the service omits them, and only from known figures', () => {
    const rows = [row('2026-11-01', money(1, 0.5), money()), row('2026-11-02', money(2), money()), row('2026-11-03', money(4, 1), money())];
    assert.deepEqual(
      earnedIn(rows, 'ALL', NOW).map(({ cumulativePnl }) => cumulativePnl),
      [money(1, 0.5), money(3), money(7)],
    );
  });

  it('Earnings omit implausibly large figures, in sums too, and name the day', () => {
    const rows = [
      row('2026-11-01', money(1, 0.5), money(1, 0.5)),
      row('2026-11-02', money(1e308, 2), money(1e308, 2.5)),
      row('2026-11-03', money(4, Number.NaN), money(1e308, 3.5)),
    ];
    assert.deepEqual(
      earnedIn(rows, 'ALL', NOW).map(({ pnl, cumulativePnl, implausible }) => [pnl, cumulativePnl, implausible]),
      [
        [money(1, 0.5), money(1, 0.5), undefined],
        [money(undefined, 2), money(1, 2.5), { usd: true, native: false }],
        [money(4, undefined), money(5, 3.5), { usd: false, native: true }],
      ],
    );
    const later = earnedIn([row('2025-11-19', money(1e308), money(1e308)), row('2026-11-03', money(4, 1), money(1e308, 1))], '1Y', NOW);
    assert.deepEqual(
      later.map(({ cumulativePnl }) => cumulativePnl.usd),
      [4],
    );
  });

  it('Earnings omit records without a day', () => {
    assert.deepEqual(earnedIn([{ ...row('2026-11-01', money(1), money(1)), day: undefined }], 'ALL', NOW), []);
  });
});
