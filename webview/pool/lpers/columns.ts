import * as l10n from '@vscode/l10n';
import { html } from 'lit-html';
import type { LperRow } from '../../../src/protocol/pool';
import type { CurrencyView } from '../../../src/protocol/schemas';
import { inCurrency, type Figures } from '../../shared/figures';
import type { Column } from '../../shared/table/virtualTable';
import { inCurrencyOf } from './query';

/** The columns that are shown until others are chosen. */
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

/** All columns of the top LPers (spec §2.5), in one currency. Times are told as seen from `nowMs`. */
export function lperColumns(figures: Figures, currency: CurrencyView, nowMs: number): readonly Value[] {
  const { text } = figures;
  const by = (column: string): string => inCurrencyOf(column, currency);
  const money = (id: 'inflow' | 'averageInflow' | 'outflow' | 'fee' | 'reward', label: string, column: string, title: string): Value => ({
    ...{ id, label, title, align: 'end', sortKey: by(column) },
    cell: (row) => figures.amount(row[id], currency),
    text: (row) => text.money(row[id], currency),
  });
  const rate = (id: string, label: string, column: string, title: string, value: (row: LperRow) => number | undefined): Value => ({
    ...{ id, label, title, align: 'end', sortKey: by(column) },
    cell: (row) => figures.plain(text.fraction(value(row))),
    text: (row) => text.fraction(value(row)),
  });
  const plain = (id: string, label: string, column: string, title: string, value: (row: LperRow) => string): Value => ({
    ...{ id, label, title, align: 'end', sortKey: by(column) },
    cell: (row) => figures.plain(value(row)),
    text: value,
  });
  const moment = (id: 'firstActivity' | 'lastActivity', label: string): Value => ({
    ...{ id, label, align: 'end', sortKey: id === 'firstActivity' ? 'first_activity' : 'last_activity' },
    cell: (row) => figures.moment(row[`${id}Ms`], nowMs),
    text: (row) => text.relative(row[`${id}Ms`], nowMs),
  });
  return [
    {
      ...{ id: 'owner', label: 'Wallet', isRowName: true },
      cell: (row) => html`${figures.short(row.owner)}${row.isOwn ? html` <span class="badge">You</span>` : ''}`,
      text: (row) => `${text.address(row.owner)}${row.isOwn ? '  You  ' : ''}`,
    },
    {
      ...{ id: 'pnl', label: 'PnL', title: l10n.t('Profit and loss, fees included'), align: 'end', sortKey: by('total_pnl') },
      cell: (row) => figures.difference(row.pnl, currency),
      text: (row) => text.signedMoney(row.pnl, currency),
    },
    {
      ...{ id: 'roi', label: 'ROI', title: l10n.t('PnL to what was put in'), align: 'end', sortKey: 'roi' },
      cell: (row) => figures.fractionDifference(row.roi),
      text: (row) => text.signedFraction(row.roi),
    },
    money('fee', 'Fees', 'total_fee', l10n.t('Fees earned')),
    rate('feeRate', 'Fees / inflow', 'fee_percent', l10n.t('Fees to what was put in'), (row) => inCurrency(row.feeRate, currency)),
    rate('winRate', l10n.t('Win rate'), 'win_rate', l10n.t('Share of positions that were closed with a profit'), (row) =>
      inCurrency(row.winRate, currency),
    ),
    plain('positions', 'Positions', 'total_lp', l10n.t('Positions in this pool'), (row) => text.count(row.positions)),
    plain('won', 'Won', 'win_lp', l10n.t('Positions that were closed with a profit'), (row) => text.count(inCurrency(row.won, currency))),
    money('inflow', 'Inflow', 'total_inflow', l10n.t('What was put in, altogether')),
    money('averageInflow', l10n.t('Avg. inflow'), 'avg_inflow', l10n.t('What was put into a position on average')),
    money('outflow', 'Outflow', 'total_outflow', l10n.t('What was taken out, altogether')),
    money('reward', 'Rewards', 'total_reward', l10n.t('Rewards beside fees')),
    {
      ...{
        id: 'apr',
        label: 'APR',
        title: l10n.t('PnL to what was put in, as for a year; wild for short times'),
        align: 'end',
        sortKey: 'apr',
      },
      cell: (row) => figures.percentDifference(row.apr),
      text: (row) => text.signedPercent(row.apr),
    },
    plain('averageAge', l10n.t('Avg. age'), 'avg_age_hour', l10n.t('How long a position is kept on average'), (row) =>
      text.age(row.averageAgeHours),
    ),
    moment('firstActivity', l10n.t('First activity')),
    moment('lastActivity', l10n.t('Last activity')),
  ];
}
