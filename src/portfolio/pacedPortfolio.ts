import type { RequestPace } from '../api/requestBudget';
import type { PortfolioControl } from './types';

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
