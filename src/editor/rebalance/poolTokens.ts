import type { LiquidityService } from '../../api/service';
import { errorMessageOf } from '../../operations/errors';
import type { TokenNames } from '../../review/summary';
import type { Address } from '../../solana/address';
import { tokenNames } from '../operations/operationParts';
import type { RunnerDependencies } from '../operations/operationRunner';

/**
 * Names the tokens of a pool: as the lists of pools and positions have them, else, where it is in neither any more, as the service's
 * details of the pool do. Never rejects: what nobody names is shown by its mint.
 */
export async function namesInPool(pool: Address | undefined, { portfolio, log }: Pick<RunnerDependencies, 'portfolio' | 'log'>, service: LiquidityService): Promise<TokenNames> {
  const { pools, positions } = portfolio.snapshot;
  const known = pool === undefined ? undefined : (pools.find(({ address }) => address === pool) ?? positions.find((position) => position.pool === pool));
  if (known !== undefined || pool === undefined) {
    return tokenNames(known === undefined ? [] : [known.token0, known.token1]);
  }
  try {
    const { tokens } = await service.poolInfo(pool);
    return tokenNames(tokens);
  } catch (error) {
    log('warn', `the tokens of the pool ${pool} are shown by their mints: ${errorMessageOf(error)}`);
    return tokenNames([]);
  }
}
