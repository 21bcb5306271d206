import type { BinRange } from '../../src/base/dlmm/bins';
import type { CounterRecord } from '../../src/base/insight/replay';
import type { ForecastRecordView, Horizon, VolatilityView } from '../../src/protocol/outlook';
import {
  type ChartPeriod,
  FIRST_CHART_PERIOD,
  FIRST_LPERS,
  type LperRanges,
  type LpersPage,
  type LpersQuery,
  type OpenedPosition,
  type OwnRange,
  type OwnTrade,
  type Plan,
  type PlanFigures,
  type PoolSaved,
  type PoolToPanel,
  type PoolView,
  type PriceHistoryView,
} from '../../src/protocol/pool';
import { type Ambient, type CurrencyView, LOADING, type Part } from '../../src/protocol/schemas';
import { counterRecordOf } from '../shared/outlook/recorded';
import type { Viewport } from './distribution/viewport';
import { draftOf, savedDraft, startedDraft } from './plan/draft';
import type { PlanDraft } from './plan/types';

export interface PoolState {
  readonly ambient: Ambient | undefined;
  readonly pool: Part<PoolView>;
  /** The pair, as far as it is known without the pool's details. */
  readonly name: string | undefined;
  readonly own: Part<readonly OwnRange[]>;
  readonly lpers: Part<LpersPage>;
  readonly lperRanges: Part<LperRanges>;
  readonly planFigures: Part<PlanFigures>;
  /** No data: the service has no candles. */
  readonly priceHistory: Part<PriceHistoryView>;
  /** The wallet's deposits and withdrawals in this pool, as far as they are known. */
  readonly ownTrades: readonly OwnTrade[];
  /** No data: the service has no prices of the past. */
  readonly volatility: Part<VolatilityView>;
  /** `undefined`: the service records nothing, or it is being loaded. */
  readonly counterRecord: CounterRecord | 'failed' | undefined;
  /** `undefined`: too few positions that were forecast have ended. */
  readonly ownForecasts: ForecastRecordView | undefined;
  readonly mode: 'look' | 'plan';
  /** Chosen in this panel; `undefined`: the setting applies. */
  readonly currency: CurrencyView | undefined;
  readonly isPriceSwapped: boolean;
  /** How far the outlook of a plan looks ahead. */
  readonly horizon: Horizon;
  /** How far back the price chart reaches. */
  readonly chartPeriod: ChartPeriod;
  /** `undefined`: the distribution's default viewport. */
  readonly viewport: Viewport | undefined;
  /** The requested page of top LPers; the loaded page carries its own query. */
  readonly lpersQuery: LpersQuery;
  /** Ids of the visible columns; `undefined`: the default ones. */
  readonly lpersColumns: readonly string[] | undefined;
  /** Address of the top LPer whose open ranges are shown. */
  readonly rangesOf: string | undefined;
  readonly draft: PlanDraft;
  /** What the last plan has become; `undefined`: nothing yet, or it was dismissed. */
  readonly opened: OpenedPosition | undefined;
}

/** The initial state, restored from what was saved. */
export function initialState(saved: PoolSaved | undefined): PoolState {
  return {
    ambient: undefined,
    pool: LOADING,
    name: undefined,
    own: LOADING,
    lpers: LOADING,
    lperRanges: LOADING,
    planFigures: LOADING,
    priceHistory: LOADING,
    ownTrades: [],
    volatility: LOADING,
    counterRecord: undefined,
    ownForecasts: undefined,
    mode: saved?.mode ?? 'look',
    currency: saved?.currency,
    isPriceSwapped: saved?.isPriceSwapped ?? false,
    horizon: saved?.horizon ?? '24h',
    chartPeriod: saved?.chartPeriod ?? FIRST_CHART_PERIOD,
    viewport: saved?.sight === undefined ? undefined : { from: saved.sight.fromBinId, to: saved.sight.toBinId },
    lpersQuery: saved?.lpers?.query ?? FIRST_LPERS,
    lpersColumns: saved?.lpers?.columns.length === 0 ? undefined : saved?.lpers?.columns,
    rangesOf: undefined,
    draft: saved?.plan ?? {},
    opened: undefined,
  };
}

/** The part of the state that is saved: the user's choices, never data. */
export function savedOf(
  pool: string,
  { mode, currency, isPriceSwapped, horizon, chartPeriod, viewport, lpersQuery, lpersColumns, draft }: PoolState,
): PoolSaved {
  return {
    pool,
    mode,
    currency,
    isPriceSwapped,
    horizon,
    chartPeriod,
    sight: viewport === undefined ? undefined : { fromBinId: viewport.from, toBinId: viewport.to },
    lpers: { query: lpersQuery, columns: lpersColumns ?? [] },
    plan: savedDraft(draft),
  };
}

/** The state changes that a message from the extension causes. */
export function received(state: PoolState, message: PoolToPanel): Partial<PoolState> {
  switch (message.kind) {
    case 'ambient':
      return { ambient: message.ambient };
    case 'pool':
      return { pool: message.pool, name: message.name, ...begunPlan(state, message.pool.data) };
    case 'own':
      return { own: message.own };
    case 'lpers':
      return { lpers: message.lpers };
    case 'lperRanges':
      return { lperRanges: message.lperRanges };
    case 'planFigures':
      return { planFigures: message.planFigures };
    case 'priceHistory':
      return { priceHistory: message.priceHistory };
    case 'ownTrades':
      return { ownTrades: message.ownTrades };
    case 'volatility':
      return { volatility: message.volatility };
    case 'counterRecord':
      return { counterRecord: counterRecordOf(message.counterRecord) };
    case 'ownForecasts':
      return { ownForecasts: message.ownForecasts.data };
    case 'opened':
      // The same amount is not offered for a second time.
      return { opened: message.opened, mode: 'look', draft: { ...state.draft, amountText: undefined } };
    case 'startPlan':
      return planning(state, message.range, message.plan);
  }
}

/** Switches to planning, with the given plan or range, the last planned one, or a range around the active bin. */
export function planning(
  { pool, draft: before, ambient }: Pick<PoolState, 'pool' | 'draft' | 'ambient'>,
  range: BinRange | undefined,
  plan?: Plan,
): Partial<PoolState> {
  const draft = plan === undefined ? before : draftOf(plan, ambient?.locale ?? 'en-US');
  const requested = range === undefined ? draft : { ...draft, ...range };
  return {
    mode: 'plan',
    opened: undefined,
    rangesOf: undefined,
    draft: pool.data === undefined ? requested : startedDraft(draft, pool.data, range),
  };
}

/** Completes a plan that was started before the pool was loaded: only now is there an active bin to plan around. */
function begunPlan({ mode, draft, pool }: PoolState, known: PoolView | undefined): Partial<PoolState> {
  return mode === 'plan' && pool.data === undefined && known !== undefined ? { draft: startedDraft(draft, known, undefined) } : {};
}

/** The currency in which figures are shown. */
export function chosenCurrency({ currency, ambient }: Pick<PoolState, 'currency' | 'ambient'>): CurrencyView {
  return currency ?? ambient?.currency ?? 'usd';
}
