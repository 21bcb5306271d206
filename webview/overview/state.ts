import {
  type DateRange,
  type Earned,
  type ExportProgress,
  type History,
  type HistoryQuery,
  type HistoryResult,
  type HistorySort,
  type OpenTotals,
  type OverviewSaved,
  type OverviewToHost,
  type OverviewToPanel,
  type OverviewView,
  PERIODS,
  type PeriodView,
} from '../../src/protocol/overview';
import type { ClosedEarningsRow, EarnedSums } from '../../src/protocol/earnings';
import { type Ambient, type CurrencyView, LOADING, type MoneyView, type Part } from '../../src/protocol/schemas';
import { type Figures, figuresOf } from '../shared/figures';
import type { PartGuard } from '../shared/partView';

/** Nothing was closed and all sums are zero: the figures would be nothing but dashes. An unknown number of closed positions is not zero. */
export function hasNoHistory({
  closedPositions,
  totalPnl,
  totalFee,
}: Pick<OverviewView, 'closedPositions' | 'totalPnl' | 'totalFee'>): boolean {
  const isNothing = ({ usd = 0, native = 0 }: MoneyView): boolean => usd === 0 && native === 0;
  return closedPositions.ALL === 0 && PERIODS.every((period) => isNothing(totalPnl[period]) && isNothing(totalFee[period]));
}

/** The service's own order: last closed first. */
export const NEWEST_FIRST: HistorySort = { column: 'closedAtMs', order: 'desc' };

/** What closed positions really earned, by the key of their row; those that are not read yet are left out. */
export type HistoryEarnings = ReadonlyMap<string, ClosedEarningsRow['earned']>;

export interface OverviewState {
  readonly ambient: Ambient | undefined;
  readonly figures: Figures;
  readonly overview: Part<OverviewView | undefined>;
  readonly open: Part<OpenTotals>;
  /** For {@link period}. */
  readonly earned: Part<readonly Earned[]>;
  readonly history: Part<History>;
  /** What positions really earned, by the key of their row. */
  readonly historyEarnings: HistoryEarnings;
  /** Of all positions that the history finds, as far as they have been read. */
  readonly earnedSums: EarnedSums;
  readonly exporting: ExportProgress | undefined;
  readonly period: PeriodView;
  /** The user's choice in this panel; takes precedence over the setting. */
  readonly currency: CurrencyView | undefined;
  /** The days as entered in the fields; they may be inverted. */
  readonly range: DateRange;
  readonly sort: HistorySort;
  readonly search: string;
  readonly result: HistoryResult;
  /** Ids of the visible history columns; `undefined`: the default ones. */
  readonly columns: readonly string[] | undefined;
  readonly nowMs: number;
}

export interface OverviewActions {
  readonly post: (message: OverviewToHost) => void;
  /** Changes a part of the state that is saved. */
  readonly choose: (
    change: Partial<Pick<OverviewState, 'period' | 'currency' | 'range' | 'sort' | 'search' | 'result' | 'columns'>>,
  ) => void;
}

/** The state before the first message, restored from what was saved. */
export function initialState(saved: OverviewSaved | undefined, nowMs: number): OverviewState {
  return {
    ambient: undefined,
    figures: figuresOf('en-US'),
    overview: LOADING,
    open: LOADING,
    earned: LOADING,
    history: LOADING,
    historyEarnings: new Map(),
    earnedSums: { really: { sol: 0, count: 0 }, difference: { sol: 0, count: 0 } },
    exporting: undefined,
    period: saved?.period ?? '1M',
    currency: saved?.currency,
    range: saved?.range ?? {},
    sort: saved?.sort ?? NEWEST_FIRST,
    search: saved?.search ?? '',
    result: saved?.result ?? 'all',
    columns: saved?.columns,
    nowMs,
  };
}

/** The part of the state that is saved: the user's choices, never data. */
export function savedOf({ period, currency, range, sort, search, result, columns }: OverviewState): OverviewSaved {
  return {
    period,
    sort,
    search,
    result,
    ...(isInverted(range) ? {} : { range }),
    ...(currency === undefined ? {} : { currency }),
    ...(columns === undefined ? {} : { columns }),
  };
}

/** What the history is searched for. */
export function historyQueryOf({
  search,
  result,
  sort,
  currency,
}: Pick<OverviewState, 'search' | 'result' | 'sort' | 'currency'>): HistoryQuery {
  return { search, result, sort, ...(currency === undefined ? {} : { currency }) };
}

/** The state changes that a message causes. */
export function received(state: OverviewState, message: OverviewToPanel): Partial<OverviewState> {
  switch (message.kind) {
    case 'ambient':
      return {
        ambient: message.ambient,
        figures: state.figures.locale === message.ambient.locale ? state.figures : figuresOf(message.ambient.locale),
      };
    case 'overview':
      return { overview: message.overview };
    case 'open':
      return { open: message.open };
    case 'earned':
      // A late answer for a period that is no longer chosen.
      return message.period === state.period ? { earned: message.earned } : {};
    case 'history':
      return { history: message.history };
    case 'historyEarnings':
      return { historyEarnings: new Map(message.earned.map(({ key, earned }) => [key, earned])), earnedSums: message.sums };
    case 'export':
      return { exporting: message.progress };
  }
}

/** The currency in which figures are shown. */
export function currencyOf({ currency, ambient }: Pick<OverviewState, 'currency' | 'ambient'>): CurrencyView {
  return currency ?? ambient?.currency ?? 'usd';
}

/** Whether a range ends before it begins. ISO dates sort as text. */
export function isInverted({ from, to }: DateRange): boolean {
  return from !== undefined && to !== undefined && from > to;
}

export function isSameRange(one: DateRange, other: DateRange): boolean {
  return one.from === other.from && one.to === other.to;
}

/** A part of the overview that can be retried by itself. */
export type PartName = Extract<OverviewToHost, { kind: 'retry' }>['part'];

/** Shows a part of the overview, unless its error is shown for the whole page. */
export type OverviewGuard = PartGuard<PartName>;

export function partsOf({ overview, open, earned, history }: OverviewState): Pick<OverviewState, PartName> {
  return { overview, open, earned, history };
}
