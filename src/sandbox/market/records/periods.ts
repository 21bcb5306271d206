import type { WirePeriod } from '../../wire/overview';
import { DAY } from '../spans';

const SPAN_DAYS = { '7D': 7, '1M': 30, '3M': 90, '1Y': 365 } as const;

/** When a period that lasts until `now` began, milliseconds since 1970: so many days ago to the millisecond; `YTD` with the year in UTC. */
export function startOf(period: WirePeriod, now: number): number {
  switch (period) {
    case 'ALL':
      return 0;
    case 'YTD':
      return Date.UTC(new Date(now).getUTCFullYear(), 0, 1);
    default:
      return now - SPAN_DAYS[period] * DAY;
  }
}
