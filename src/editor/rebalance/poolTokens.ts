import type { PortfolioSnapshot } from '../../portfolio/types';
import type { TokenNames } from '../../review/summary';
import type { Address } from '../../solana/address';
import { tokenNames } from '../operations/operationParts';

/** Names the tokens of a pool that is listed, or in which an open position is; no token of any other. */
export function namesInPool({ pools, positions }: Pick<PortfolioSnapshot, 'pools' | 'positions'>, pool: Address | undefined): TokenNames {
  const known = pool === undefined ? undefined : (pools.find(({ address }) => address === pool) ?? positions.find((position) => position.pool === pool));
  return tokenNames(known === undefined ? [] : [known.token0, known.token1]);
}
