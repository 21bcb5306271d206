import type { Subscription } from '../base/async/clock';
import type { RequestPace } from '../service/requestBudget';
import type { PortfolioControl, RefreshReason } from './types';

/** For whom a refresh asks the service, by its reason, where its caller does not say. */
export function paceOf(reason: RefreshReason): RequestPace {
  switch (reason) {
    case 'interval':
      return 'poll';
    case 'startup':
    case 'visible':
    case 'focus':
    case 'afterOperation':
      return 'panel';
    case 'manual':
    case 'configuration':
    case 'owner':
      return 'user';
  }
}

/** The one of two paces that goes first: several callers share one request. */
export function urgentOf(one: RequestPace | undefined, other: RequestPace): RequestPace {
  return one !== undefined && rank(one) >= rank(other) ? one : other;
}

function rank(pace: RequestPace): number {
  return typeof pace === 'object' ? 3 : ['poll', 'panel', 'user'].indexOf(pace);
}

/**
 * The request limit of the service in use, for those who read without being asked: they wait instead of sending what would be refused. The
 * limit and its pauses belong to one service with one key (src/service/requestBudget.ts); this follows the service in use.
 */
export interface RequestLimit {
  /** How long until something that nobody waits for may be sent, by what is known now; milliseconds, 0: at once. */
  waitMs(): number;
  /** Calls `listener` when a pause begins or ends early, when the limit becomes known, and when another service is in use. */
  onDidChange(listener: () => void): Subscription;
}

/** No limit is known, and none becomes known. */
export const NO_LIMIT: RequestLimit = { waitMs: () => 0, onDidChange: () => ({ dispose: () => undefined }) };

/** Gives the same portfolio, whose refreshes are for somebody: they all have this pace, unless a refresh names its own. */
export function pacedPortfolio(portfolio: PortfolioControl, pace: RequestPace): PortfolioControl {
  return {
    get snapshot() {
      return portfolio.snapshot;
    },
    get oddities() {
      return portfolio.oddities;
    },
    onDidChange: (listener) => portfolio.onDidChange(listener),
    setOwner: (owner) => portfolio.setOwner(owner),
    setPoolQuery: (query) => portfolio.setPoolQuery(query),
    refresh: (reason, lists, own = pace) => portfolio.refresh(reason, lists, own),
    loadMorePools: (own = pace) => portfolio.loadMorePools(own),
    waitUntil: (settled, options) => portfolio.waitUntil(settled, { pace, ...options }),
  };
}
