import { MINUTE_MS } from '../base/time';
import type { OperationKind } from '../base/operationKinds';
import { OPERATIONS } from './operations';
import type { OperationDependencies } from './types';
import type { OperationRequests } from '../service/budget/operationRequests';

// Number of service requests of an operation's steps. The requests that must follow a build without a wait are reserved before it: built
// transactions expire after 30 to 60 seconds and must not wait for the plan's limit.

/** With an RPC, balances are not requested from the service. */
type Parts = Pick<OperationDependencies, 'rpc' | 'requests'>;

/** From the build to the landing. */
export function requestsToLand({ rpc }: Pick<Parts, 'rpc'>, operation: OperationKind): number {
  return OPERATIONS[operation].requestsToLand(rpc !== undefined);
}

/** From reading the pool to the landing of the zap-in: pool details, the price of SOL if the pool has none, the balance without an RPC. */
export function requestsToReenter(parts: Pick<Parts, 'rpc'>, lacksSol: boolean): number {
  return 1 + (lacksSol ? 1 : 0) + (parts.rpc === undefined ? 1 : 0) + requestsToLand(parts, 'zapIn');
}

/**
 * The requests of a whole rebalance, with one listing after each leg and, without an RPC, two balances that measure the proceeds. More are
 * sent if a listing or balance doesn't show the change at once.
 */
export function requestsToRebalance(parts: Pick<Parts, 'rpc'>, lacksSol: boolean): number {
  return requestsToLand(parts, 'zapOut') + 1 + (parts.rpc === undefined ? 2 : 0) + requestsToReenter(parts, lacksSol) + 1;
}

/** Approximate duration of so many requests on a plan in whole minutes: those of the first minute are sent at once. */
export function minutesFor(requests: number, perMinute: number): number {
  return Math.max(0, Math.ceil(requests / perMinute) - 1);
}

/** Interval of observations in milliseconds, so that they alone don't exceed the plan's rate. */
export function pollIntervalMs(usualMs: number, requests: Pick<OperationRequests, 'perMinute'> | undefined): number {
  const perMinute = requests?.perMinute;
  return perMinute === undefined ? usualMs : Math.max(usualMs, MINUTE_MS / perMinute);
}
