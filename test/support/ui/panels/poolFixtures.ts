import type { PoolInfo, PoolTokenFacts } from '../../../../src/service/poolInfo';
import type { PoolLper } from '../../../../src/service/poolLpers';
import { addressOf } from '../../portfolio/fixtures';

export const POOL = addressOf(500);
export const MINT_X = addressOf(600);
export const MINT_Y = addressOf(601);

const facts = { marketCapUsd: 1_000, fdvUsd: 2_000, priceUsd: 0.3, organicScore: 40, holders: 5 };

/** Facts about a token of the pool. */
export function tokenFacts(part: Partial<PoolTokenFacts> = {}): PoolTokenFacts {
  return { address: MINT_X, symbol: 'BONK', name: 'Bonk', decimals: 5, ...facts, ...part };
}

/** A pool with three bins around bin -381. */
export function poolInfo(part: Partial<PoolInfo> = {}): PoolInfo {
  return {
    poolType: 'dlmm',
    protocol: 'meteora',
    tokens: [tokenFacts(), tokenFacts({ address: MINT_Y, symbol: 'SOL', name: undefined, decimals: 9, priceUsd: 150 })],
    amountX: 100,
    amountY: 20,
    fees: { basePercent: 1, maxPercent: 10, protocolPercent: 5, dynamicPercent: 1.5, collectedIn: 'y' },
    activeBin: { binId: -381, price: 0.002 },
    bins: [
      { binId: -382, amountX: 0, amountY: 7, price: 0.00198 },
      { binId: -381, amountX: 3, amountY: 2, price: 0.002 },
      { binId: -380, amountX: 9, amountY: 0, price: 0.00202 },
    ],
    feeStats: [{ at: new Date('2026-11-19T22:00:00.000Z'), feeUsd: 1.5, volumeUsd: 150 }],
    statistics: {},
    ...part,
  };
}

const money = { usd: 1, native: 0.01 };

/** A liquidity provider of the pool. */
export function poolLper(number: number, part: Partial<PoolLper> = {}): PoolLper {
  return {
    owner: addressOf(3_000 + number),
    pool: POOL,
    protocol: 'meteora',
    ...{
      inflow: money,
      averageInflow: money,
      outflow: money,
      fee: money,
      reward: money,
      pnl: money,
      feeRate: money,
      winRate: money,
      won: money,
    },
    roi: 0.5,
    apr: 12,
    positions: 3,
    averageAgeHours: 4,
    firstActivity: new Date('2026-01-01T00:00:00.000Z'),
    lastActivity: undefined,
    ...part,
  };
}
