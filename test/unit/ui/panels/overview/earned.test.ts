import assert from 'node:assert/strict';
import type { Money } from '../../../../../src/service/common';
import type { RevenueRow } from '../../../../../src/service/service';
import { earnedIn, revenueSpanOf } from '../../../../../src/ui/panels/overview/days';
import { PERIODS } from '../../../../../src/protocol/overview';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const money = (usd?: number, native?: number): Money => ({ usd, native });
const row = (day: string, pnl: Money, cumulativePnl: Money): RevenueRow => ({
  day: new Date(`${day}T00:00:00Z`),
  pnl,
  cumulativePnl,
  invested: money(100, 1),
  pnlPercent: money(1, 1),
});

/** Not in order, as nobody promises that they are. */
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
