import type { LpersQuery } from '../../../src/protocol/pool';
import type { CurrencyView } from '../../../src/protocol/schemas';

/** Suffix of the service's names for columns in SOL. */
const NATIVE = '_native';

/** The columns that the service offers in both currencies. */
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

/** A column's name without its currency: "total_pnl_native" becomes "total_pnl". */
export function withoutCurrency(orderBy: string): string {
  return orderBy.endsWith(NATIVE) ? orderBy.slice(0, -NATIVE.length) : orderBy;
}

/** The service's name for a column in this currency, if it has one per currency. */
export function inCurrencyOf(column: string, currency: CurrencyView): string {
  const plain = withoutCurrency(column);
  return currency === 'native' && IN_BOTH.has(plain) ? `${plain}${NATIVE}` : plain;
}

/** The query with its sort column in this currency, so the sorted column is the one shown. The same object if nothing changes; else from page 1. */
export function inOtherCurrency(query: LpersQuery, currency: CurrencyView): LpersQuery {
  const orderBy = inCurrencyOf(query.orderBy, currency);
  return orderBy === query.orderBy ? query : { ...query, orderBy, page: 1 };
}
