import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { shortAddress } from '../../src/base/format/identifiers';
import type { ClosedEarningsRow } from '../../src/protocol/earnings';
import type { ClosedRow, HistoryColumn } from '../../src/protocol/overview';
import type { CurrencyView, MoneyView } from '../../src/protocol/schemas';
import { icon } from '../shared/controls';
import { earningsReason } from '../shared/earningsReason';
import { type Figures, poolTypeName } from '../shared/figures';
import type { Template } from '../shared/rendering';
import type { Column } from '../shared/table/virtualTable';
import type { HistoryEarnings } from './state';

/** The default columns. */
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

/** Characters reserved for the badge of a followed wallet; a longer name is truncated. */
const ROOM_FOR_LABEL = 8;
/** The same of the icon that says where figures are from. */
const ROOM_FOR_MARK = 3;

type KnownEarnings = Extract<ClosedEarningsRow['earned'], { known: true }>;
type Sortable = Column<ClosedRow> & { readonly sortKey?: HistoryColumn };

/** All columns of the history in one locale and currency, and with these results. Create once for each. */
export function historyColumns(figures: Figures, currency: CurrencyView, earnings: HistoryEarnings = new Map()): readonly Sortable[] {
  const { text } = figures;
  const end = { align: 'end' } as const;
  const money = (id: 'input' | 'output' | 'fee' | 'reward', label: string, title?: string): Sortable => ({
    id,
    label,
    ...(title === undefined ? {} : { title }),
    ...end,
    ...(id === 'reward' ? {} : { sortKey: id }),
    cell: (row) => (id === 'fee' ? estimated(row, figures.amount(row.fee, currency)) : figures.amount(row[id], currency)),
    text: (row) => `${id === 'fee' ? estimateSign(row) : ''}${text.money(row[id], currency)}`,
  });
  const rate = (
    id: 'pnlPercent' | 'dailyReturn',
    label: string,
    title: string,
    fractionOf: (value: MoneyView) => number | undefined,
  ): Sortable => ({
    id,
    label,
    title,
    ...end,
    sortKey: id,
    cell: (row) => figures.columnDifference(fractionOf(row[id])),
    text: (row) => text.signedColumnFraction(fractionOf(row[id])),
  });
  return [
    {
      id: 'pairName',
      label: l10n.t('Pair'),
      sortKey: 'pairName',
      isRowName: true,
      cell: pair,
      text: (row) =>
        `${row.pairName}${' '.repeat((row.followed === undefined ? 0 : ROOM_FOR_LABEL) + (row.doubt === undefined ? 0 : ROOM_FOR_MARK))}`,
    },
    {
      id: 'closedAtMs',
      label: l10n.t('Closed'),
      ...end,
      sortKey: 'closedAtMs',
      cell: (row) => figures.plain(text.day(row.closedAtMs), text.exact(row.closedAtMs)),
      text: (row) => text.day(row.closedAtMs),
    },
    {
      id: 'openedAtMs',
      label: l10n.t('Opened'),
      ...end,
      cell: (row) => figures.plain(text.day(row.openedAtMs), text.exact(row.openedAtMs)),
      text: (row) => text.day(row.openedAtMs),
    },
    {
      id: 'ageHours',
      label: l10n.t('Age'),
      ...end,
      sortKey: 'ageHours',
      cell: (row) => figures.plain(text.age(row.ageHours)),
      text: (row) => text.age(row.ageHours),
    },
    money('input', l10n.t('Deposited')),
    money('output', l10n.t('Withdrawn'), l10n.t('Without fees')),
    money('fee', l10n.t('Fees')),
    {
      id: 'feePercent',
      label: l10n.t('Fees %'),
      title: l10n.t('In percent of deposits'),
      ...end,
      cell: (row) => figures.plain(text.columnFraction(asFraction(row.feePercent[currency]))),
      text: (row) => text.columnFraction(asFraction(row.feePercent[currency])),
    },
    money('reward', l10n.t('Rewards')),
    {
      id: 'pnl',
      label: l10n.t('PnL'),
      ...end,
      sortKey: 'pnl',
      cell: (row) => estimated(row, figures.difference(row.pnl, currency)),
      text: (row) => `${estimateSign(row)}${text.signedMoney(row.pnl, currency)}`,
    },
    rate('pnlPercent', l10n.t('PnL %'), l10n.t('In percent of deposits'), (value) => asFraction(value[currency])),
    rate('dailyReturn', l10n.t('Daily return'), l10n.t('In percent of deposits'), (value) => value[currency]),
    ...earnedColumns(figures, earnings),
    {
      id: 'audited',
      label: l10n.t('Audited'),
      title: l10n.t('On the chain, in SOL'),
      ...end,
      cell: (row) => figures.difference({ native: row.audited.pnlNative }, 'native'),
      text: (row) => text.signedMoney({ native: row.audited.pnlNative }, 'native'),
    },
    {
      id: 'auditedIn',
      label: l10n.t('Audited in'),
      title: l10n.t('On the chain, in SOL'),
      ...end,
      cell: (row) => figures.plain(text.sol(row.audited.solIn)),
      text: (row) => text.sol(row.audited.solIn),
    },
    {
      id: 'auditedOut',
      label: l10n.t('Audited out'),
      title: l10n.t('On the chain, in SOL'),
      ...end,
      cell: (row) => figures.plain(text.sol(row.audited.solOut)),
      text: (row) => text.sol(row.audited.solOut),
    },
    { id: 'kind', label: l10n.t('Type'), cell: kind, text: kind },
    {
      id: 'bins',
      label: l10n.t('Bins'),
      ...end,
      cell: (row) => figures.plain(text.bins(row.lowerBinId, row.upperBinId)),
      text: (row) => text.bins(row.lowerBinId, row.upperBinId),
    },
    { id: 'address', label: l10n.t('Position'), cell: (row) => figures.short(row.address), text: (row) => text.address(row.address) },
  ];
}

/** The columns that are read from the transactions, row by row. */
export const EARNED_COLUMNS: readonly string[] = ['really', 'difference'];

/** A dash that says why. */
function notKnown(figures: Figures, reason: string): TemplateResult<1> {
  return html`<span title=${reason}>${figures.plain(figures.text.signedMoney(undefined, 'native'))}<span class="visually-hidden"> ${reason}</span></span>`;
}

function earnedColumns(figures: Figures, earnings: HistoryEarnings): readonly Sortable[] {
  const { text } = figures;
  const column = (id: string, label: string, title: string, solOf: (known: KnownEarnings) => number | undefined): Sortable => ({
    id,
    label,
    title,
    align: 'end',
    cell: ({ key }) => {
      const earned = earnings.get(key);
      if (earned === undefined) {
        return figures.plain('…', l10n.t('Loading…'));
      }
      return earned.known ? figures.difference({ native: solOf(earned) }, 'native') : notKnown(figures, earningsReason(earned, text));
    },
    text: ({ key }) => {
      const earned = earnings.get(key);
      return earned === undefined ? '…' : text.signedMoney({ native: earned.known ? solOf(earned) : undefined }, 'native');
    },
  });
  return [
    column(
      'really',
      l10n.t('Really'),
      l10n.t('In SOL, with swaps, tips and rent. Tokens left in the wallet count at the price at its end.'),
      ({ realSol }) => realSol,
    ),
    column('difference', l10n.t('Difference'), l10n.t('“Really”, less the reported PnL, in SOL'), ({ differenceSol }) => differenceSol),
  ];
}

const estimateSign = ({ isFeeEstimate }: ClosedRow): string => (isFeeEstimate === true ? '≈\u00A0' : '');

function feeEstimate(): string {
  return l10n.t('PnL is an estimate: some fees were claimed at a price that was not recorded.');
}

/** A figure that contains the fees, marked where they are an estimate. */
function estimated(row: ClosedRow, figure: TemplateResult<1>): TemplateResult<1> {
  return row.isFeeEstimate !== true
    ? figure
    : html`<span title=${feeEstimate()}><span aria-hidden="true">${estimateSign(row)}</span><span class="visually-hidden">${feeEstimate()} </span>${figure}</span>`;
}

/** Says where the figures are from, if it is not the chain alone. */
function doubtMark({ doubt }: ClosedRow): Template {
  switch (doubt) {
    case 'reported':
      return mark('info', l10n.t("From Meteora's public data, not read from the chain yet."));
    case 'contradicted':
      return mark('warning', l10n.t("Meteora's public data differs from these figures of the chain."));
    case undefined:
      return nothing;
  }
}

function mark(name: 'info' | 'warning', words: string): TemplateResult<1> {
  return html`<span class="doubt" title=${words}>${icon(name, words)}</span>`;
}

/** Percent as a fraction. */
function asFraction(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
}

/** The wallet that a position copies, by name or address. */
function followedName({ followed }: ClosedRow): string | undefined {
  return followed === undefined
    ? undefined
    : (followed.label ?? (followed.owner === undefined ? l10n.t('another wallet') : shortAddress(followed.owner)));
}

function pair(row: ClosedRow): Template {
  const followed = followedName(row);
  return html`<span class="pair-cell"><span class="pair-name" title=${row.pairName}>${row.pairName}</span>${doubtMark(row)}${
    followed === undefined
      ? nothing
      : html`<span class="followed" title=${row.followed?.owner ?? nothing}>${icon('person-add', l10n.t('copies'))} ${followed}</span>`
  }</span>`;
}

function kind(row: ClosedRow): string {
  return [poolTypeName(row.poolType), row.strategy].filter((part) => part !== undefined).join(' · ');
}
