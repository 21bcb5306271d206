import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit-html';
import { shortAddress } from '../../../src/base/format/places';
import type { ClosedRow, HistoryColumn } from '../../../src/protocol/overview';
import type { CurrencyView, MoneyView } from '../../../src/protocol/schemas';
import type { Figures } from '../../shared/figures';
import { icon } from '../../shared/icons';
import { POOL_TYPES } from '../../shared/poolTypes';
import type { Column } from '../../shared/table/virtualTable';
import type { Template } from '../../shared/template';

/** The columns that are shown at first. */
export const FIRST_COLUMNS: readonly string[] = [
  'pairName',
  'closedAtMs',
  'ageHours',
  'input',
  'output',
  'fee',
  'pnl',
  'pnlPercent',
  'dailyReturn',
];

/** Characters that the mark of a followed wallet needs; its name is cut where there is no more room. */
const ROOM_FOR_LABEL = 8;

type Sortable = Column<ClosedRow> & { readonly sortKey?: HistoryColumn };

/** All columns of the history, written in one locale and currency. To be made once for each. */
export function historyColumns(figures: Figures, currency: CurrencyView): readonly Sortable[] {
  const { text } = figures;
  const unit = currency === 'usd' ? l10n.t('US dollars') : 'SOL';
  const end = { align: 'end' } as const;
  const money = (id: 'input' | 'output' | 'fee' | 'reward', label: string, title: string): Sortable => ({
    id,
    label,
    title: `${title}, ${unit}`,
    ...end,
    ...(id === 'reward' ? {} : { sortKey: id }),
    cell: (row) => figures.amount(row[id], currency),
    text: (row) => text.money(row[id], currency),
  });
  const rate = (
    id: 'pnlPercent' | 'dailyReturn',
    label: string,
    title: string,
    written: (value: MoneyView) => string,
    shown: (value: MoneyView) => Template,
  ): Sortable => ({ id, label, title, ...end, sortKey: id, cell: (row) => shown(row[id]), text: (row) => written(row[id]) });
  return [
    {
      id: 'pairName',
      label: 'Pair',
      sortKey: 'pairName',
      isRowName: true,
      cell: pair,
      text: (row) => `${row.pairName}${row.followed === undefined ? '' : ' '.repeat(ROOM_FOR_LABEL)}`,
    },
    {
      id: 'closedAtMs',
      label: 'Closed',
      ...end,
      sortKey: 'closedAtMs',
      cell: (row) => figures.plain(text.day(row.closedAtMs), text.exact(row.closedAtMs)),
      text: (row) => text.day(row.closedAtMs),
    },
    {
      id: 'openedAtMs',
      label: 'Opened',
      ...end,
      cell: (row) => figures.plain(text.day(row.openedAtMs), text.exact(row.openedAtMs)),
      text: (row) => text.day(row.openedAtMs),
    },
    {
      id: 'ageHours',
      label: l10n.t('Open for'),
      title: l10n.t('How long it was open'),
      ...end,
      sortKey: 'ageHours',
      cell: (row) => figures.plain(text.age(row.ageHours)),
      text: (row) => text.age(row.ageHours),
    },
    money('input', l10n.t('Put in'), l10n.t('What was put in')),
    money('output', l10n.t('Taken out'), l10n.t('What was taken out, without fees')),
    money('fee', 'Fees', l10n.t('Fees that were collected')),
    {
      id: 'feePercent',
      label: 'Fees %',
      title: l10n.t('Fees, in percent of what was put in'),
      ...end,
      cell: (row) => figures.plain(text.percent(row.feePercent[currency])),
      text: (row) => text.percent(row.feePercent[currency]),
    },
    money('reward', 'Rewards', l10n.t('Rewards that were collected')),
    {
      id: 'pnl',
      label: 'PnL',
      title: l10n.t`Profit or loss, ${unit}`,
      ...end,
      sortKey: 'pnl',
      cell: (row) => figures.difference(row.pnl, currency),
      text: (row) => text.signedMoney(row.pnl, currency),
    },
    rate(
      'pnlPercent',
      'PnL %',
      l10n.t('Profit or loss, in percent of what was put in'),
      (value) => text.signedPercent(value[currency]),
      (value) => figures.percentDifference(value[currency]),
    ),
    rate(
      'dailyReturn',
      'Daily',
      l10n.t('Profit or loss a day, in percent of what was put in'),
      (value) => text.signedFraction(value[currency]),
      (value) => figures.fractionDifference(value[currency]),
    ),
    {
      id: 'audited',
      label: 'Audited',
      title: l10n.t('Profit or loss as audited from the chain, SOL'),
      ...end,
      cell: (row) => figures.difference({ native: row.audited.pnlNative }, 'native'),
      text: (row) => text.signedMoney({ native: row.audited.pnlNative }, 'native'),
    },
    {
      id: 'auditedIn',
      label: l10n.t('Audited in'),
      title: l10n.t('SOL that went in, as audited from the chain'),
      ...end,
      cell: (row) => figures.plain(text.sol(row.audited.solIn)),
      text: (row) => text.sol(row.audited.solIn),
    },
    {
      id: 'auditedOut',
      label: l10n.t('Audited out'),
      title: l10n.t('SOL that came out, as audited from the chain'),
      ...end,
      cell: (row) => figures.plain(text.sol(row.audited.solOut)),
      text: (row) => text.sol(row.audited.solOut),
    },
    { id: 'kind', label: 'Kind', title: l10n.t('Kind of pool, and how liquidity was spread'), cell: kind, text: kind },
    {
      id: 'bins',
      label: 'Bins',
      title: l10n.t('The range, both ends included'),
      ...end,
      cell: (row) => figures.plain(text.bins(row.lowerBinId, row.upperBinId)),
      text: (row) => text.bins(row.lowerBinId, row.upperBinId),
    },
    {
      id: 'address',
      label: 'Position',
      title: l10n.t("The position's address"),
      cell: (row) => figures.short(row.address),
      text: (row) => text.address(row.address),
    },
  ];
}

/** Whom a position copies: by name, else by address. */
function followedWords({ followed }: ClosedRow): string | undefined {
  return followed === undefined
    ? undefined
    : (followed.label ?? (followed.owner === undefined ? l10n.t('another wallet') : shortAddress(followed.owner)));
}

function pair(row: ClosedRow): Template {
  const followed = followedWords(row);
  return html`<span class="pair-cell"><span class="pair-name" title=${row.pairName}>${row.pairName}</span>${
    followed === undefined
      ? nothing
      : html`<span class="followed" title="Copies ${row.followed?.label ?? l10n.t('another wallet')}${row.followed?.owner === undefined ? '' : `, ${row.followed.owner}`}">${icon('person-add', 'copies')} ${followed}</span>`
  }</span>`;
}

function kind(row: ClosedRow): string {
  return [POOL_TYPES[row.poolType], row.strategy].filter((part) => part !== undefined).join(' · ');
}
