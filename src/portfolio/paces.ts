import type { RequestPace } from '../api/requestBudget';
import type { RefreshReason } from './types';

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
