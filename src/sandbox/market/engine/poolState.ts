import { binArraysOf } from '../../../base/dlmm/bins';
import { PROGRAMS } from '../../../base/solana/programs';
import type { PoolAccounts } from '../../../engine/assembly/types';
import type { BuildPool, BuildToken } from '../../../engine/build/ports';
import type { MarketPool, PoolToken } from '../types';

/** A token as instructions and messages refer to it. */
export function tokenState({ mint, spec }: PoolToken): BuildToken {
  return { mint, tokenProgram: PROGRAMS.token, decimals: spec.decimals, name: spec.symbol };
}

/** A pool as instructions refer to it. */
export function poolAccounts({ address, tokenX, tokenY }: MarketPool): PoolAccounts {
  return {
    pool: address,
    tokenX: { mint: tokenX.mint, tokenProgram: PROGRAMS.token },
    tokenY: { mint: tokenY.mint, tokenProgram: PROGRAMS.token },
  };
}

/** A pool as it is now, for builds. */
export function poolState(pool: MarketPool): BuildPool {
  const base = { accounts: poolAccounts(pool), x: tokenState(pool.tokenX), y: tokenState(pool.tokenY) };
  if (pool.type === 'product') {
    return {
      ...base,
      type: pool.type,
      liquidityFor: (amounts) => {
        const liquidity = pool.liquidityFor(amounts);
        return { liquidity, cost: pool.amountsFor(liquidity, 'up') };
      },
    };
  }
  return {
    ...base,
    type: pool.type,
    binStepBps: pool.spec.binStepBps,
    activeBinId: pool.activeBinId,
    surroundings: ({ fromBinId, toBinId }) => ({
      missingBinArrayIndexes: binArraysOf(fromBinId, toBinId).filter((index) => !pool.binArrayIndexes.includes(index)),
    }),
  };
}
