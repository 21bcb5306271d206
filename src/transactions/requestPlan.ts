import type { OperationDependencies } from './types';
import type { OperationRequests } from '../service/operationRequests';

// How many requests of the service the steps of an operation take. What has to follow on a build without a wait is kept free before the
// service is asked to build: what is built expires about a minute later, and must not wait for the plan's limit then.

const MINUTE_MS = 60_000;

/** What the plan depends on: with an RPC, balances are not asked of the service. */
type Parts = Pick<OperationDependencies, 'rpc' | 'requests'>;

/** From the build to the landing: build, landing and, of a zap-out without an RPC, the balance before it is sent. */
export function requestsToLand({ rpc }: Pick<Parts, 'rpc'>, operation: 'zapIn' | 'zapOut'): number {
  return rpc === undefined && operation === 'zapOut' ? 3 : 2;
}

/** Whether one more request can be sent without taking the one that is kept for the landing. */
export function canSpareOne(requests: OperationRequests | undefined): boolean {
  return requests?.perMinute === undefined || requests.kept > 1;
}

/** From reading the pool to the landing of the zap-in: details of the pool, price of SOL where the pool has none, balance without an RPC. */
export function requestsToReenter(parts: Pick<Parts, 'rpc'>, lacksSol: boolean): number {
  return 1 + (lacksSol ? 1 : 0) + (parts.rpc === undefined ? 1 : 0) + requestsToLand(parts, 'zapIn');
}

/**
 * The requests of a whole rebalance, with one listing after each part and, without an RPC, two balances by which it is measured what came
 * out. More are sent where a listing or a balance does not show the change at once.
 */
export function requestsToRebalance(parts: Pick<Parts, 'rpc'>, lacksSol: boolean): number {
  return requestsToLand(parts, 'zapOut') + 1 + (parts.rpc === undefined ? 2 : 0) + requestsToReenter(parts, lacksSol) + 1;
}

/** About how long so many requests take on a plan, in whole minutes: the first minute's are sent at once. */
export function minutesFor(requests: number, perMinute: number): number {
  return Math.max(0, Math.ceil(requests / perMinute) - 1);
}

/** How long between two looks, so that looking alone uses no more than the plan's rate; milliseconds. */
export function lookEveryMs(usualMs: number, requests: Pick<OperationRequests, 'perMinute'> | undefined): number {
  const perMinute = requests?.perMinute;
  return perMinute === undefined ? usualMs : Math.max(usualMs, MINUTE_MS / perMinute);
}
