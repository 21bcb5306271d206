import type { PoolToHost } from '../../../protocol/pool';
import { parseAddress, type Address } from '../../../base/solana/address';
import { describeError } from '../../shell/log';
import type { PresenterDependencies } from '../types';

/** What a pool's panel asks for that is done elsewhere in the editor. */
export type PoolRequest = Extract<PoolToHost, { kind: 'copyAddress' | 'watchAddress' | 'openPosition' | 'openInExplorer' | 'continue' }>;

/** Does it. Whatever moves money is a command of ours, with all that it asks and confirms. What fails is logged: commands tell of themselves. */
export async function doPoolRequest(
  request: PoolRequest,
  pool: Address,
  dependencies: Pick<PresenterDependencies, 'actions' | 'watch' | 'execute' | 'log'>,
): Promise<void> {
  try {
    await done(request, pool, dependencies);
  } catch (error) {
    dependencies.log('warn', `What a pool panel asked for (${request.kind}) failed: ${describeError(error)}`);
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
        log('warn', `A pool panel sent what is no address (${request.kind})`);
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
