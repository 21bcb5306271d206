import type { PeriodView } from '../../src/protocol/overview';

/** What a period is called where there is room: "PnL, last 7 days". */
export const PERIOD_NAMES: Readonly<Record<PeriodView, string>> = {
  '7D': 'last 7 days',
  '1M': 'last month',
  '3M': 'last 3 months',
  '1Y': 'last year',
  YTD: 'this year',
  ALL: 'all time',
};

/** What it is called where there is none. */
export const PERIOD_LABELS: Readonly<Record<PeriodView, string>> = { '7D': '7D', '1M': '1M', '3M': '3M', '1Y': '1Y', YTD: 'YTD', ALL: 'All' };
