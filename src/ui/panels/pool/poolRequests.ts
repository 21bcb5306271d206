import type { PoolToHost } from '../../../protocol/pool';
import { parseAddress, type Address } from '../../../base/solana/address';
import { describeError } from '../../shell/log';
import type { PresenterDependencies } from '../types';

/** Requests of a pool's panel that are handled elsewhere in the extension. */
export type PoolRequest = Extract<PoolToHost, { kind: 'copyAddress' | 'watchAddress' | 'openPosition' | 'openInExplorer' | 'continue' }>;

/** Handles a request. Whatever moves money is a command with its own prompts and confirmations. Failures are only logged: commands report their own. */
export async function doPoolRequest(
  request: PoolRequest,
  pool: Address,
  dependencies: Pick<PresenterDependencies, 'actions' | 'watch' | 'execute' | 'log'>,
): Promise<void> {
  try {
    await done(request, pool, dependencies);
  } catch (error) {
    dependencies.log('warn', `A request of a pool panel (${request.kind}) failed: ${describeError(error)}`);
  }
}

async function done(
  request: PoolRequest,
  pool: Address,
  { actions, watch, execute, log }: Pick<PresenterDependencies, 'actions' | 'watch' | 'execute' | 'log'>,
): Promise<void> {
  switch (request.kind) {
    case 'copyAddress':
    case 'watchAddress': {
      const address = parseAddress(request.address);
      if (address === undefined) {
        log('warn', `A pool panel sent an invalid address (${request.kind})`);
        return;
      }
      return request.kind === 'copyAddress' ? actions.copy(address) : watch(address);
    }
    case 'openPosition':
      return execute('binsight.openPosition', { kind: 'position', key: request.key });
    case 'openInExplorer':
      return execute('binsight.openInExplorer', { kind: 'pool', pool: { address: pool } });
    case 'continue':
      return execute('binsight.continuePlan', { kind: 'plan', pool, plan: request.plan });
  }
}
