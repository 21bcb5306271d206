import type { Subscription } from '../base/async/clock';
import type { RequestPace } from '../service/budget/operationRequests';
import type { PortfolioControl, RefreshReason } from './types';

/** The default pace of a refresh, by its reason. */
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

/** The more urgent of two paces: several callers share one request. */
export function urgentOf(one: RequestPace | undefined, other: RequestPace): RequestPace {
  return one !== undefined && rank(one) >= rank(other) ? one : other;
}

function rank(pace: RequestPace): number {
  return typeof pace === 'object' ? 3 : ['poll', 'panel', 'user'].indexOf(pace);
}

/**
 * The request limit of the service in use, for reads that the user did not request: they wait instead of being refused. Each service and key
 * has its own limit and pauses (src/service/budget/requestBudget.ts); this interface follows the service in use.
 */
export interface RequestLimit {
  /** Requests per minute; `undefined`: unknown. */
  readonly perMinute?: number | undefined;
  /** Milliseconds until `count` polling requests (default: 1) may be sent, as far as known now; 0: at once. */
  waitMs(count?: number): number;
  /** Calls `listener` when a pause begins or ends early, when the limit becomes known, and when another service is in use. */
  onDidChange(listener: () => void): Subscription;
}

export const NO_LIMIT: RequestLimit = { waitMs: () => 0, onDidChange: () => ({ dispose: () => undefined }) };

/** Wraps a portfolio so that its refreshes have this pace, unless a refresh names its own. */
export function pacedPortfolio(portfolio: PortfolioControl, pace: RequestPace): PortfolioControl {
  return {
    get snapshot() {
      return portfolio.snapshot;
    },
    get operatedAtMs() {
      return portfolio.operatedAtMs;
    },
    get warnings() {
      return portfolio.warnings;
    },
    onDidChange: (listener) => portfolio.onDidChange(listener),
    setOwner: (owner) => portfolio.setOwner(owner),
    setPoolQuery: (query) => portfolio.setPoolQuery(query),
    refresh: (reason, lists, own = pace) => portfolio.refresh(reason, lists, own),
    loadMorePools: (own = pace) => portfolio.loadMorePools(own),
    waitUntil: (settled, options) => portfolio.waitUntil(settled, { pace, ...options }),
  };
}
