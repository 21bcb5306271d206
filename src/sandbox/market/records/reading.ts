import type { Chain } from '../../chain/types';
import type { ProtocolNames } from '../../engine';
import type { Database } from '../../store/database';
import type { Market, PoolType } from '../types';

/**
 * What records are read from: the database for what was written down, the market for what it is worth now. Both say the
 * same only after a commit.
 */
export interface RecordContext {
  readonly database: Database;
  readonly market: Market;
  readonly chain: Chain;
  readonly protocols: ProtocolNames;
}

/** The type of pool that goes by this name; `undefined` where none does. */
export function poolTypeNamed({ protocols }: RecordContext, name: string): PoolType | undefined {
  return name === protocols.bins ? 'bins' : name === protocols.product ? 'product' : undefined;
}
