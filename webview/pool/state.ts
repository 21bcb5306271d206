import type { BinRange } from '../../src/base/dlmm/bins';
import type { Ambient } from '../../src/protocol/ambient';
import { LOADING, type Part } from '../../src/protocol/parts';
import type { PlanFigures } from '../../src/protocol/plan';
import {
  FIRST_LPERS,
  type LperRanges,
  type LpersPage,
  type LpersQuery,
  type OwnRange,
  type PoolSaved,
  type PoolToPanel,
  type PoolView,
} from '../../src/protocol/pool';
import type { CurrencyView } from '../../src/protocol/schemas';
import type { Viewport } from './distribution/viewport';
import { savedDraft, startedDraft } from './plan/draft';
import type { PlanDraft } from './plan/types';

/** All that the pool panel knows and shows. */
export interface PoolState {
  readonly ambient: Ambient | undefined;
  readonly pool: Part<PoolView>;
  readonly own: Part<readonly OwnRange[]>;
  readonly lpers: Part<LpersPage>;
  readonly lperRanges: Part<LperRanges>;
  readonly planFigures: Part<PlanFigures>;
  readonly mode: 'look' | 'plan';
  /** What was chosen here; `undefined`: what the settings prefer. */
  readonly currency: CurrencyView | undefined;
  readonly isPriceSwapped: boolean;
  /** `undefined`: where the distribution begins by itself. */
  readonly sight: Viewport | undefined;
  /** The page of top LPers that is wanted; the one that is there says itself which it is. */
  readonly lpersQuery: LpersQuery;
  /** Ids of the columns that are shown; `undefined`: those that it begins with. */
  readonly lpersColumns: readonly string[] | undefined;
  /** The top LPer whose ranges are offered. */
  readonly rangesOf: string | undefined;
  readonly draft: PlanDraft;
}

/** The state that a panel begins with: where one was, as far as that is remembered. */
export function initialState(saved: PoolSaved | undefined): PoolState {
  return {
    ambient: undefined,
    pool: LOADING,
    own: LOADING,
    lpers: LOADING,
    lperRanges: LOADING,
    planFigures: LOADING,
    mode: saved?.mode ?? 'look',
    currency: saved?.currency,
    isPriceSwapped: saved?.isPriceSwapped ?? false,
    sight: saved?.sight === undefined ? undefined : { from: saved.sight.fromBinId, to: saved.sight.toBinId },
    lpersQuery: saved?.lpers?.query ?? FIRST_LPERS,
    lpersColumns: saved?.lpers?.columns.length === 0 ? undefined : saved?.lpers?.columns,
    rangesOf: undefined,
    draft: saved?.plan ?? {},
  };
}

/** What is remembered of a state: where one is, never what was read. */
export function savedOf(pool: string, { mode, currency, isPriceSwapped, sight, lpersQuery, lpersColumns, draft }: PoolState): PoolSaved {
  return {
    pool,
    mode,
    currency,
    isPriceSwapped,
    sight: sight === undefined ? undefined : { fromBinId: sight.from, toBinId: sight.to },
    lpers: { query: lpersQuery, columns: lpersColumns ?? [] },
    plan: savedDraft(draft),
  };
}

/** What a message from the extension changes. */
export function received(state: PoolState, message: PoolToPanel): Partial<PoolState> {
  switch (message.kind) {
    case 'ambient':
      return { ambient: message.ambient };
    case 'pool':
      return { pool: message.pool, ...begunPlan(state, message.pool.data) };
    case 'own':
      return { own: message.own };
    case 'lpers':
      return { lpers: message.lpers };
    case 'lperRanges':
      return { lperRanges: message.lperRanges };
    case 'planFigures':
      return { planFigures: message.planFigures };
    case 'startPlan':
      return planning(state, message.range);
  }
}

/** Over to planning: with this range, or the one that was planned last, or one around the active bin. */
export function planning({ pool, draft }: Pick<PoolState, 'pool' | 'draft'>, range: BinRange | undefined): Partial<PoolState> {
  const asked = range === undefined ? draft : { ...draft, ...range };
  return { mode: 'plan', rangesOf: undefined, draft: pool.data === undefined ? asked : startedDraft(draft, pool.data, range) };
}

/** Planning had begun before the pool was known: now there is an active bin to plan around. */
function begunPlan({ mode, draft, pool }: PoolState, known: PoolView | undefined): Partial<PoolState> {
  return mode === 'plan' && pool.data === undefined && known !== undefined ? { draft: startedDraft(draft, known, undefined) } : {};
}

/** In which currency figures in both are shown. */
export function chosenCurrency({ currency, ambient }: Pick<PoolState, 'currency' | 'ambient'>): CurrencyView {
  return currency ?? ambient?.currency ?? 'usd';
}
