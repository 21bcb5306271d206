import type * as z from 'zod';
import type { Interval, Pool } from '../records/pool';
import { readRecords, withoutRepeats, type ParseContext } from './reading';
import { decimal, flag, group, instant, integer, label, needed, solanaAddress, tokenDecimals, wireRecord } from './scalars';
import { pairNameOf, pairSides, poolTypeOf, tokenFrom } from './token';

/** What a token was traded for in an interval, and how that compares with the interval before. */
const volumeStats = group({ volume_change: decimal });

/** A pool of discover (spec §2.3); `pairName` and `fee_tvl_ratio` are read by public clients, but not documented. */
const poolRecord = wireRecord({
  pool: needed(solanaAddress),
  protocol: label,
  pairName: label,
  token0: solanaAddress,
  token1: solanaAddress,
  token0_symbol: label,
  token1_symbol: label,
  token0_name: label,
  token1_name: label,
  token0_decimals: tokenDecimals,
  token1_decimals: tokenDecimals,
  token0_stats: group({ holders: integer, volume: group({ stats5m: volumeStats, stats1h: volumeStats, stats6h: volumeStats, stats24h: volumeStats }) }),
  tvl: decimal,
  fee: decimal,
  fee_tvl_ratio: decimal,
  vol_5m: decimal,
  vol_1h: decimal,
  vol_6h: decimal,
  vol_24h: decimal,
  base_price: decimal,
  quote_price: decimal,
  usd_price: decimal,
  mcap: decimal,
  fdv: decimal,
  organic_score: decimal,
  top_holder: decimal,
  mint_freeze: flag,
  price_5m_change: decimal,
  price_1h_change: decimal,
  price_6h_change: decimal,
  price_24h_change: decimal,
  bin_step: integer,
  liquidity_token0: decimal,
  liquidity_token1: decimal,
  created_at: instant,
  first_pool_created_at: instant,
  updated_at: instant,
});

type PoolRecord = z.output<typeof poolRecord>;

/**
 * Reads the pools of discover. A pool without an address is left out: nothing can be done with it.
 * @param ratioInterval the span that `fee_tvl_ratio` was asked for.
 */
export function readPools(list: readonly unknown[], path: string, reading: ParseContext, ratioInterval: Interval): Pool[] {
  const pools = readRecords(poolRecord, list, path, reading, (wire) => toPool(wire, ratioInterval));
  return withoutRepeats(pools, ({ address }) => address, path, reading);
}

function toPool(wire: PoolRecord, ratioInterval: Interval): Pool {
  const sides = pairSides(wire.pairName);
  const token0 = tokenFrom({ address: wire.token0, symbol: wire.token0_symbol ?? sides.base, name: wire.token0_name, decimals: wire.token0_decimals });
  const token1 = tokenFrom({ address: wire.token1, symbol: wire.token1_symbol ?? sides.quote, name: wire.token1_name, decimals: wire.token1_decimals });
  const change = wire.token0_stats?.volume;
  return {
    address: wire.pool,
    pairName: pairNameOf(wire.pairName, token0, token1, wire.pool),
    token0,
    token1,
    protocol: wire.protocol,
    poolType: poolTypeOf(wire.protocol) ?? (wire.bin_step === undefined || wire.bin_step <= 0 ? 'other' : 'dlmm'),
    tvlUsd: wire.tvl,
    volumeUsd: { '5m': wire.vol_5m, '1h': wire.vol_1h, '6h': wire.vol_6h, '24h': wire.vol_24h },
    volumeChangePercent: { '5m': change?.stats5m?.volume_change, '1h': change?.stats1h?.volume_change, '6h': change?.stats6h?.volume_change, '24h': change?.stats24h?.volume_change },
    baseFeePercent: wire.fee,
    feeTvlRatio24h: feeTvlRatio24h(wire, ratioInterval),
    // A pool without bins has none; a service may say 0.
    binStepBps: wire.bin_step !== undefined && wire.bin_step > 0 ? wire.bin_step : undefined,
    price0Usd: wire.base_price ?? wire.usd_price,
    price1Usd: wire.quote_price,
    priceChangePercent: { '5m': wire.price_5m_change, '1h': wire.price_1h_change, '6h': wire.price_6h_change, '24h': wire.price_24h_change },
    marketCapUsd: wire.mcap,
    fdvUsd: wire.fdv,
    organicScore: wire.organic_score,
    topHolderPercent: wire.top_holder,
    mintOrFreezeEnabled: wire.mint_freeze,
    holders: wire.token0_stats?.holders,
    liquidity0: wire.liquidity_token0,
    liquidity1: wire.liquidity_token1,
    createdAt: wire.created_at ?? wire.first_pool_created_at,
    updatedAt: wire.updated_at,
  };
}

/**
 * Fees of 24 h over TVL as a fraction. What volume, fee and TVL make of it is only the base fee's part, so the record's own figure
 * goes first; but nothing documents whether that is a fraction or percent. The two differ by 100, and the base fee's part is
 * near enough to tell which of them it is: the closer one on a logarithmic scale.
 */
function feeTvlRatio24h({ fee_tvl_ratio: given, vol_24h: volume, fee, tvl }: PoolRecord, interval: Interval): number | undefined {
  const made = volume === undefined || fee === undefined || tvl === undefined || tvl <= 0 ? undefined : (volume * fee) / 100 / tvl;
  if (given === undefined || interval !== '24h') {
    return made;
  }
  const isPercent = made !== undefined && made > 0 && given > made * 10;
  return isPercent ? given / 100 : given;
}
