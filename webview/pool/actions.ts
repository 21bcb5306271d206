import * as l10n from '@vscode/l10n';
import type { BinRange } from '../../src/base/dlmm/bins';
import type { ChartPeriod, LpersQuery, Plan, PoolSaved, PoolToHost, PoolToPanel } from '../../src/protocol/pool';
import type { CurrencyView } from '../../src/protocol/schemas';
import { announce } from '../shared/controls';
import type { Connection } from '../shared/connection';
import type { Help } from '../shared/partView';
import type { Store } from '../shared/rendering';
import type { Viewport } from './distribution/viewport';
import { inOtherCurrency } from './lperColumns';
import type { PlanActions } from './plan/types';
import { planning, type PoolState, received, savedOf } from './state';

/** Scrolls to the distribution and focuses it when planning starts, which may happen far below. */
function focusDistribution(): void {
  document.querySelector('.distribution-card')?.scrollIntoView({ block: 'start' });
  document.querySelector<HTMLElement>('.distribution-cursor')?.focus({ preventScroll: true });
}

/** Moves focus to the button that starts planning: the focused element is gone with the plan. */
function focusPlanButton(): void {
  document.querySelector<HTMLElement>('.plan-button')?.focus({ preventScroll: true });
}

export interface PoolActions {
  readonly chooseCurrency: (currency: CurrencyView) => void;
  readonly swapPrice: () => void;
  readonly retry: (part: Extract<PoolToHost, { kind: 'retry' }>['part']) => void;
  readonly help: Help;
  readonly copyAddress: (address: string) => void;
  readonly watchAddress: (address: string) => void;
  readonly openInExplorer: () => void;
  readonly openPosition: (key: string) => void;
  readonly keepViewport: (viewport: Viewport) => void;
  readonly choosePeriod: (period: ChartPeriod) => void;
  readonly requestLpers: (query: LpersQuery) => void;
  readonly chooseColumns: (columns: readonly string[]) => void;
  /** Shows the open ranges of a top LPer; `undefined` hides them. */
  readonly requestRanges: (owner: string | undefined) => void;
  /** Starts planning, with this range or plan if one is given. */
  readonly startPlan: (range?: BinRange, plan?: Plan) => void;
  /** The plan has become a position. */
  readonly opened: (message: Extract<PoolToPanel, { kind: 'opened' }>) => void;
  readonly dismissOpened: () => void;
  readonly plan: PlanActions;
}

/**
 * The panel's actions: they change its state, save it, and request missing data from the extension.
 * @param showRange scrolls the distribution to a range
 */
export function poolActions(
  store: Store<PoolState>,
  connection: Pick<Connection<PoolToHost, PoolSaved>, 'post' | 'save' | 'subject'>,
  showRange: (range: BinRange) => void,
): PoolActions {
  const { post, subject } = connection;
  const keep = (change: Partial<PoolState>): void => {
    store.update(change);
    connection.save(savedOf(subject, store.state));
  };
  const askLpers = (query: LpersQuery): void => {
    keep({ lpersQuery: query });
    post({ kind: 'lpers', query });
  };
  const copyAddress = (address: string): void => {
    post({ kind: 'copyAddress', address });
    announce(l10n.t('Address copied'));
  };
  return {
    chooseCurrency: (currency) => {
      keep({ currency });
      const query = inOtherCurrency(store.state.lpersQuery, currency);
      if (query !== store.state.lpersQuery) {
        askLpers(query);
      }
    },
    swapPrice: () => keep({ isPriceSwapped: !store.state.isPriceSwapped }),
    retry: (part) => post({ kind: 'retry', part }),
    help: (command) => post({ kind: 'remedy', command }),
    copyAddress,
    watchAddress: (address) => post({ kind: 'watchAddress', address }),
    openInExplorer: () => post({ kind: 'openInExplorer' }),
    openPosition: (key) => post({ kind: 'openPosition', key }),
    keepViewport: (viewport) => keep({ viewport }),
    choosePeriod: (chartPeriod) => {
      keep({ chartPeriod });
      post({ kind: 'chartPeriod', period: chartPeriod });
    },
    requestLpers: askLpers,
    chooseColumns: (columns) => keep({ lpersColumns: columns }),
    requestRanges: (owner) => {
      store.update({ rangesOf: owner });
      if (owner !== undefined) {
        post({ kind: 'lperRanges', owner });
      }
    },
    startPlan: (range, plan) => {
      keep(planning(store.state, range, plan));
      post({ kind: 'planFigures' });
      const { draft } = store.state;
      afterPaint(() => {
        focusDistribution();
        if (draft.fromBinId !== undefined && draft.toBinId !== undefined) {
          showRange({ fromBinId: draft.fromBinId, toBinId: draft.toBinId });
        }
        announce(l10n.t('Zap In'));
      });
    },
    opened: (message) => keep(received(store.state, message)),
    dismissOpened: () => store.update({ opened: undefined }),
    plan: {
      change: (to) => keep({ draft: to(store.state.draft) }),
      show: (range) => afterPaint(() => showRange(range)),
      chooseHorizon: (horizon) => keep({ horizon }),
      retry: () => post({ kind: 'retry', part: 'planFigures' }),
      retryVolatility: () => post({ kind: 'retry', part: 'volatility' }),
      goOn: (plan) => post({ kind: 'continue', plan }),
      addTo: (plan) => post({ kind: 'addTo', plan }),
      leave: () => {
        keep({ mode: 'look' });
        afterPaint(focusPlanButton);
      },
      announce,
    },
  };
}

/** Runs after the current changes are on the page: views are rendered once per frame, and this runs after them. */
function afterPaint(run: () => void): void {
  requestAnimationFrame(() => run());
}
