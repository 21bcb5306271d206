import type { ProtocolNames } from '../../../server/engine';
import type { WirePeriod } from '../../../server/wire/overview';
import type { Chain } from '../../chain/types';
import type { Database } from '../../store/database';
import { DAY } from '../spans';
import type { Market, PoolType } from '../types';

/**
 * What records are read from: the database for what was written down, the market for what it is worth now. Both say the
 * same only after a commit.
 */
export interface RecordContext {
  readonly database: Database;
  readonly market: Market;
  readonly chain: Chain;
  readonly protocols: ProtocolNames;
}

/** The type of pool that goes by this name; `undefined` where none does. */
export function poolTypeNamed({ protocols }: RecordContext, name: string): PoolType | undefined {
  return name === protocols.bins ? 'bins' : name === protocols.product ? 'product' : undefined;
}

/** Of `position` p: nothing holds its index back at that time (a placeholder's name). Positions that lag are listed as `lagging_record` has them. */
export function isIndexed(now: string): string {
  return `NOT EXISTS (SELECT 1 FROM lagging_record l WHERE l.position = p.address AND l.until > ${now})`;
}

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
