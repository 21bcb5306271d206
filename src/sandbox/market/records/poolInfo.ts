import { maxBinIdOf } from '../../../base/dlmm/bins';
import type { WireBin, WirePoolInfo, WireTokenFacts } from '../../../server/wire/pools';
import { DAY } from '../spans';
import { wholeTokens } from '../tokens';
import type { BinPool, Market, Pool, PoolToken } from '../types';
import { isoDate, logoOf, percentOf } from './common';
import { binPrice, binStepOf, contentsOf, tradedIn } from './poolFigures';
import { poolStateRecord } from './poolState';
import type { RecordContext } from './reading';

/** Bins shown to either side of the active one: at least, and at most where liquidity reaches further. */
const LEAST_SHOWN = 35;
const MOST_SHOWN = 100;
/** How far back fee statistics go. */
const SHOWN_MS = 7 * DAY;

/** A pool in detail. */
export function poolInfoRecord(reading: RecordContext, pool: Pool): WirePoolInfo {
  const { market, protocols } = reading;
  const { tokenX, tokenY, spec } = pool;
  const contents = contentsOf(market, pool);
  const rates = pool.feeRates(market.now);
  const figures = {
    tvl: contents.usd,
    fee: percentOf(rates.base),
    fee_24h: tradedIn(market, pool, '24h').feeUsd,
    vol_5m: tradedIn(market, pool, '5m').volumeUsd,
    vol_1h: tradedIn(market, pool, '1h').volumeUsd,
    vol_6h: tradedIn(market, pool, '6h').volumeUsd,
    vol_24h: tradedIn(market, pool, '24h').volumeUsd,
  };
  return {
    type: protocols[pool.type],
    tokenInfo: [tokenX, tokenY].map((token) => ({ status: 'success', data: [tokenFacts(market, token)] })),
    poolStats: { pool: pool.address, ...figures, updated_at: isoDate(market.now) },
    poolState: poolStateRecord(reading, pool),
    poolDb: {
      pool: pool.address,
      protocol: protocols[pool.type],
      pairName: pool.pairName,
      token0: tokenX.mint,
      token1: tokenY.mint,
      bin_step: binStepOf(pool),
      ...figures,
      created_at: isoDate(pool.createdAt),
    },
    amountX: contents.x,
    amountY: contents.y,
    feeInfo: {
      baseFeeRatePercentage: percentOf(rates.base),
      maxFeeRatePercentage: percentOf(pool.maxFeeRate),
      protocolFeePercentage: spec.protocolShareBps / 100,
      dynamicFee: percentOf(rates.total),
    },
    feeStats: market
      .turnoverOf(pool)
      .hourly(market.now)
      .filter(({ startsAt }) => startsAt > market.now - SHOWN_MS)
      .map(({ startsAt, feeUsd, volumeUsd }) => ({ timestamp: isoDate(startsAt), fee: feeUsd, volume: volumeUsd })),
    ...(pool.type === 'bins' ? { liquidityViz: { activeBin: binPrice(pool, pool.activeBinId), bins: shownBins(pool) } } : {}),
  };
}

/** The bins around the active one: as far as there is liquidity, within bounds, and never past the program's last bin. */
function shownBins(pool: BinPool): readonly WireBin[] {
  const { activeBinId, spec } = pool;
  const last = maxBinIdOf(spec.binStepBps) - 1;
  const from = activeBinId - farthest(pool, -1);
  const to = activeBinId + farthest(pool, 1);
  const shown: WireBin[] = [];
  for (let binId = Math.max(from, -last); binId <= Math.min(to, last); binId += 1) {
    const { x, y } = pool.binAmounts(binId);
    shown.push({ ...binPrice(pool, binId), xAmount: wholeTokens(x, pool.tokenX), yAmount: wholeTokens(y, pool.tokenY) });
  }
  return shown;
}

/** How many bins are shown on one side. */
function farthest(pool: BinPool, side: 1 | -1): number {
  for (let distance = MOST_SHOWN; distance > LEAST_SHOWN; distance -= 1) {
    const { x, y } = pool.binAmounts(pool.activeBinId + side * distance);
    if (x > 0n || y > 0n) {
      return distance;
    }
  }
  return LEAST_SHOWN;
}

function tokenFacts(market: Market, token: PoolToken): WireTokenFacts {
  const { spec, mint } = token;
  const usdPrice = market.usd(token);
  return {
    id: mint,
    name: spec.name,
    symbol: spec.symbol,
    icon: logoOf(token),
    decimals: spec.decimals,
    mcap: spec.circulating * usdPrice,
    fdv: spec.supply * usdPrice,
    usdPrice,
    organicScore: spec.organicScore,
    holderCount: spec.holders,
  };
}
