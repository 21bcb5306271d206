import type { ReportedPool } from '../base/insight/poolOutlook';
import { type PoolInfo, poolBinStep } from './poolInfo';

/** A pool's details as outlooks take them. */
export function reportedPool(info: PoolInfo): ReportedPool {
  const [x, y] = info.tokens;
  const { poolType, activeBin, bins, amountX, amountY, statistics, fees, feeStats } = info;
  return {
    poolType,
    x: x ?? {},
    y: y ?? {},
    price: activeBin?.price ?? (x?.priceUsd ?? NaN) / (y?.priceUsd ?? NaN),
    binStepBps: poolBinStep(info),
    activeBinId: activeBin?.binId,
    bins: bins.map((bin) => ({ binId: bin.binId, x: bin.amountX, y: bin.amountY })),
    amountX,
    amountY,
    tvlUsd: statistics.tvlUsd,
    fees: { fees24hUsd: statistics.fees24hUsd, protocolPercent: fees.protocolPercent },
    feeStats: feeStats.map(({ at, feeUsd }) => ({ atMs: at.getTime(), feeUsd })),
  };
}
