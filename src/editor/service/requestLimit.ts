import type { RequestLimit } from '../../portfolio/requestLimit';
import type { ServiceConnection } from './connection';

/** Gives the request limit of the service in use, for those who read without being asked. */
export function requestLimitOf(connection: Pick<ServiceConnection, 'budget' | 'onDidChangeBudget'>): RequestLimit {
  return {
    waitMs: () => connection.budget?.waitMs('poll') ?? 0,
    onDidChange: (listener) => connection.onDidChangeBudget(listener),
  };
}
