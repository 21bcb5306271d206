import type { Ambient } from '../../src/protocol/ambient';
import {
  type DateRange,
  type Earned,
  type ExportProgress,
  type History,
  type HistoryColumn,
  type OpenTotals,
  type OverviewSaved,
  type OverviewToHost,
  type OverviewToPanel,
  type OverviewView,
  PERIODS,
  type PeriodView,
} from '../../src/protocol/overview';
import { LOADING, type Part } from '../../src/protocol/parts';
import type { CurrencyView, MoneyView } from '../../src/protocol/schemas';
import { type Figures, figuresOf } from '../shared/figures';

/** Nothing was closed, and there is nothing that figures could be made of: then dashes are not written all over. */
export function hasNoHistory({
  closedPositions,
  totalPnl,
  totalFee,
}: Pick<OverviewView, 'closedPositions' | 'totalPnl' | 'totalFee'>): boolean {
  const isNothing = ({ usd = 0, native = 0 }: MoneyView): boolean => usd === 0 && native === 0;
  return (closedPositions.ALL ?? 0) === 0 && PERIODS.every((period) => isNothing(totalPnl[period]) && isNothing(totalFee[period]));
}

/** How the history is sorted. */
export interface HistorySort {
  readonly column: HistoryColumn;
  readonly order: 'asc' | 'desc';
}

/** As the service lists it: the last closed first. */
export const NEWEST_FIRST: HistorySort = { column: 'closedAtMs', order: 'desc' };

/** What the overview panel knows and shows. */
export interface OverviewState {
  readonly ambient: Ambient | undefined;
  readonly figures: Figures;
  readonly overview: Part<OverviewView | undefined>;
  readonly open: Part<OpenTotals>;
  /** Of {@link period}. */
  readonly earned: Part<readonly Earned[]>;
  readonly history: Part<History>;
  readonly exporting: ExportProgress | undefined;
  readonly period: PeriodView;
  /** The user's own choice; goes before the setting. */
  readonly currency: CurrencyView | undefined;
  /** The days as they stand in the fields; they may be the wrong way round. */
  readonly range: DateRange;
  readonly sort: HistorySort;
  readonly search: string;
  /** The columns of the history; absent: those that are shown at first. */
  readonly columns: readonly string[] | undefined;
  readonly nowMs: number;
}

/** What can be done in it. */
export interface OverviewActions {
  readonly post: (message: OverviewToHost) => void;
  /** Changes what the panel remembers. */
  readonly choose: (change: Partial<Pick<OverviewState, 'period' | 'currency' | 'range' | 'sort' | 'search' | 'columns'>>) => void;
}

/** Before anything was told: with what was remembered. */
export function initialState(saved: OverviewSaved | undefined, nowMs: number): OverviewState {
  return {
    ambient: undefined,
    figures: figuresOf('en-US'),
    overview: LOADING,
    open: LOADING,
    earned: LOADING,
    history: LOADING,
    exporting: undefined,
    period: saved?.period ?? '1M',
    currency: saved?.currency,
    range: saved?.range ?? {},
    sort: saved?.sort ?? NEWEST_FIRST,
    search: saved?.search ?? '',
    columns: saved?.columns,
    nowMs,
  };
}

/** What the panel remembers of it: where one was, never what was read. */
export function savedOf({ period, currency, range, sort, search, columns }: OverviewState): OverviewSaved {
  return {
    period,
    sort,
    search,
    ...(isInverted(range) ? {} : { range }),
    ...(currency === undefined ? {} : { currency }),
    ...(columns === undefined ? {} : { columns }),
  };
}

/** What a message changes. */
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
      // What was asked for before another period was chosen comes late.
      return message.period === state.period ? { earned: message.earned } : {};
    case 'history':
      return { history: message.history };
    case 'export':
      return { exporting: message.progress };
  }
}

/** In which currency figures are shown. */
export function currencyOf({ currency, ambient }: Pick<OverviewState, 'currency' | 'ambient'>): CurrencyView {
  return currency ?? ambient?.currency ?? 'usd';
}

/** Whether a range ends before it begins. Days as text sort as the days do. */
export function isInverted({ from, to }: DateRange): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** Whether two ranges are the same days. */
export function isSameRange(one: DateRange, other: DateRange): boolean {
  return one.from === other.from && one.to === other.to;
}
