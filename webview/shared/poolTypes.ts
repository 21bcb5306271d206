import type { PoolView } from '../../src/protocol/pool';

/** What the kinds of pools are called. */
export const POOL_TYPES: Readonly<Record<PoolView['poolType'], string>> = { dlmm: 'DLMM', dammV2: 'DAMM v2', other: 'Other kind' };
