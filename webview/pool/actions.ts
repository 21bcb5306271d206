import * as l10n from '@vscode/l10n';
import type { BinRange } from '../../src/base/dlmm/bins';
import type { LpersQuery, PoolSaved, PoolToHost } from '../../src/protocol/pool';
import type { CurrencyView } from '../../src/protocol/schemas';
import { announce } from '../shared/announce';
import type { Connection } from '../shared/connection';
import type { Store } from '../shared/store';
import type { Viewport } from './distribution/viewport';
import { inOtherCurrency } from './lpers/query';
import type { PlanActions } from './plan/types';
import { planning, type PoolState, savedOf } from './state';

/** Brings the distribution to where it is looked at, with the keyboard on it: planning has begun, maybe far below. */
export function attendToDistribution(): void {
  document.querySelector('.distribution-card')?.scrollIntoView({ block: 'start' });
  document.querySelector<HTMLElement>('.distribution-cursor')?.focus({ preventScroll: true });
}

/** Puts the keyboard on the button by which planning begins: what it was on is gone with the plan. */
export function attendToPlanButton(): void {
  document.querySelector<HTMLElement>('.plan-button')?.focus({ preventScroll: true });
}

/** What one can do in the pool panel. */
export interface PoolActions {
  readonly chooseCurrency: (currency: CurrencyView) => void;
  readonly swapPrice: () => void;
  readonly retry: (part: Extract<PoolToHost, { kind: 'retry' }>['part']) => void;
  readonly copyAddress: (address: string) => void;
  readonly watchAddress: (address: string) => void;
  readonly openInExplorer: () => void;
  readonly openPosition: (key: string) => void;
  readonly keepSight: (sight: Viewport) => void;
  readonly askLpers: (query: LpersQuery) => void;
  readonly chooseColumns: (columns: readonly string[]) => void;
  /** Offers the ranges of a top LPer; `undefined`: no more. */
  readonly askRanges: (owner: string | undefined) => void;
  /** Over to planning, with this range where one is given. */
  readonly startPlan: (range?: BinRange) => void;
  readonly plan: PlanActions;
}

/**
 * The actions of a panel: they change what it shows, remember it, and ask the extension for what it does not have.
 * @param showRange brings a range into sight
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
    copyAddress,
    watchAddress: (address) => post({ kind: 'watchAddress', address }),
    openInExplorer: () => post({ kind: 'openInExplorer' }),
    openPosition: (key) => post({ kind: 'openPosition', key }),
    keepSight: (sight) => keep({ sight }),
    askLpers,
    chooseColumns: (columns) => keep({ lpersColumns: columns }),
    askRanges: (owner) => {
      store.update({ rangesOf: owner });
      if (owner !== undefined) {
        post({ kind: 'lperRanges', owner });
      }
    },
    startPlan: (range) => {
      keep(planning(store.state, range));
      post({ kind: 'planFigures' });
      const { draft } = store.state;
      afterPaint(() => {
        attendToDistribution();
        if (draft.fromBinId !== undefined && draft.toBinId !== undefined) {
          showRange({ fromBinId: draft.fromBinId, toBinId: draft.toBinId });
        }
        announce(l10n.t('Planning a position'));
      });
    },
    plan: {
      change: (to) => keep({ draft: to(store.state.draft) }),
      show: (range) => afterPaint(() => showRange(range)),
      retry: () => post({ kind: 'retry', part: 'planFigures' }),
      goOn: (plan) => post({ kind: 'continue', plan }),
      leave: () => {
        keep({ mode: 'look' });
        afterPaint(attendToPlanButton);
      },
      announce,
    },
  };
}

/** Runs when what was changed now is on the page: views are painted once a frame, and this comes after. */
function afterPaint(run: () => void): void {
  requestAnimationFrame(() => run());
}
