import type { LpersQuery } from '../../../src/protocol/pool';
import type { CurrencyView } from '../../../src/protocol/schemas';

/** How the service names the twin of a column in SOL. */
const NATIVE = '_native';

/** The columns that the service has in both currencies (spec §2.5). */
const IN_BOTH = new Set([
  'total_inflow',
  'avg_inflow',
  'total_outflow',
  'total_fee',
  'total_reward',
  'total_pnl',
  'win_lp',
  'win_rate',
  'fee_percent',
]);

/** A column's name without its currency: "total_pnl_native" is "total_pnl". */
export function withoutCurrency(orderBy: string): string {
  return orderBy.endsWith(NATIVE) ? orderBy.slice(0, -NATIVE.length) : orderBy;
}

/** A column's name in this currency, where it has one for each. */
export function inCurrencyOf(column: string, currency: CurrencyView): string {
  const plain = withoutCurrency(column);
  return currency === 'native' && IN_BOTH.has(plain) ? `${plain}${NATIVE}` : plain;
}

/** The same query in this currency: what is sorted by is what is shown. From the first page, if that changes anything; else the same object. */
export function inOtherCurrency(query: LpersQuery, currency: CurrencyView): LpersQuery {
  const orderBy = inCurrencyOf(query.orderBy, currency);
  return orderBy === query.orderBy ? query : { ...query, orderBy, page: 1 };
}
