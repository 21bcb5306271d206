import * as l10n from '@vscode/l10n';
import { html } from 'lit-html';
import type { LperRow, LpersQuery } from '../../src/protocol/pool';
import type { CurrencyView } from '../../src/protocol/schemas';
import { badge } from '../shared/controls';
import { type Figures, inCurrency } from '../shared/figures';
import type { Column } from '../shared/table/virtualTable';

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

/** The default columns. */
export const FIRST_COLUMNS: readonly string[] = [
  'owner',
  'pnl',
  'roi',
  'fee',
  'winRate',
  'positions',
  'inflow',
  'averageAge',
  'lastActivity',
];

type Value = Column<LperRow>;

/** All columns of the top LPers, in one currency. Relative times are counted from `nowMs`. */
export function lperColumns(figures: Figures, currency: CurrencyView, nowMs: number): readonly Value[] {
  const { text } = figures;
  const by = (column: string): string => inCurrencyOf(column, currency);
  const money = (id: 'inflow' | 'averageInflow' | 'outflow' | 'fee' | 'reward', label: string, column: string): Value => ({
    id,
    label,
    align: 'end',
    sortKey: by(column),
    cell: (row) => figures.amount(row[id], currency),
    text: (row) => text.money(row[id], currency),
  });
  const rate = (id: string, label: string, column: string, value: (row: LperRow) => number | undefined): Value => ({
    id,
    label,
    align: 'end',
    sortKey: by(column),
    cell: (row) => figures.plain(text.columnFraction(value(row))),
    text: (row) => text.columnFraction(value(row)),
  });
  const plain = (id: string, label: string, column: string, value: (row: LperRow) => string): Value => ({
    id,
    label,
    align: 'end',
    sortKey: by(column),
    cell: (row) => figures.plain(value(row)),
    text: value,
  });
  const moment = (id: 'firstActivity' | 'lastActivity', label: string): Value => ({
    id,
    label,
    align: 'end',
    sortKey: id === 'firstActivity' ? 'first_activity' : 'last_activity',
    cell: (row) => figures.moment(row[`${id}Ms`], nowMs),
    text: (row) => text.relative(row[`${id}Ms`], nowMs),
  });
  return [
    {
      id: 'owner',
      label: l10n.t('Wallet'),
      isRowName: true,
      cell: (row) => html`${figures.short(row.owner)}${row.isOwn ? html` ${badge(l10n.t('You'))}` : ''}`,
      text: (row) => `${text.address(row.owner)}${row.isOwn ? `  ${l10n.t('You')}  ` : ''}`,
    },
    {
      id: 'pnl',
      label: l10n.t('PnL'),
      align: 'end',
      sortKey: by('total_pnl'),
      cell: (row) => figures.difference(row.pnl, currency),
      text: (row) => text.signedMoney(row.pnl, currency),
    },
    {
      id: 'roi',
      label: l10n.t('ROI'),
      align: 'end',
      sortKey: 'roi',
      cell: (row) => figures.columnDifference(row.roi),
      text: (row) => text.signedColumnFraction(row.roi),
    },
    money('fee', l10n.t('Fees'), 'total_fee'),
    rate('feeRate', l10n.t('Fees / deposits'), 'fee_percent', (row) => inCurrency(row.feeRate, currency)),
    rate('winRate', l10n.t('Win rate'), 'win_rate', (row) => inCurrency(row.winRate, currency)),
    plain('positions', l10n.t('Positions'), 'total_lp', (row) => text.count(row.positions)),
    plain('won', l10n.t('Wins'), 'win_lp', (row) => text.count(inCurrency(row.won, currency))),
    money('inflow', l10n.t('Deposited'), 'total_inflow'),
    money('averageInflow', l10n.t('Average deposit'), 'avg_inflow'),
    money('outflow', l10n.t('Withdrawn'), 'total_outflow'),
    money('reward', l10n.t('Rewards'), 'total_reward'),
    {
      id: 'apr',
      label: l10n.t('APR'),
      title: l10n.t('Annualized ROI; unreliable for short periods'),
      align: 'end',
      sortKey: 'apr',
      cell: (row) => figures.percentDifference(row.apr),
      text: (row) => text.signedPercent(row.apr),
    },
    plain('averageAge', l10n.t('Average age'), 'avg_age_hour', (row) => text.age(row.averageAgeHours)),
    moment('firstActivity', l10n.t('First activity')),
    moment('lastActivity', l10n.t('Last activity')),
  ];
}
