import type * as z from 'zod';
import type { Address } from '../base/solana/address';
import { factFieldSchemas, readFacts, type TokenFacts } from '../base/tokenFacts';
import type { PoolType, Token } from './common';
import { decimal, flag, group, instant, integer, label, needed, solanaAddress, tokenDecimals, wireRecord } from './parsing/fields';
import { type ParseContext, readRecords, withoutRepeats } from './parsing/records';
import { pairNameOf, pairSides, poolTypeOf, tokenFrom } from './tokens';

/** The intervals of volumes, fees and price changes. */
export type Interval = '5m' | '1h' | '6h' | '24h';

/** A figure for each interval; `undefined` if the service reports none. */
export type PerInterval = Readonly<Record<Interval, number | undefined>>;

/** A pool as listed by discover, with the facts about token0. */
export interface Pool extends TokenFacts {
  readonly address: Address;
  /** "BONK/SOL" */
  readonly pairName: string;
  readonly token0: Token;
  readonly token1: Token;
  readonly protocol: string | undefined;
  readonly poolType: PoolType;
  readonly tvlUsd: number | undefined;
  readonly volumeUsd: PerInterval;
  /** Change of token0's volume in all its pools against the previous interval, percent. */
  readonly volumeChangePercent: PerInterval;
  /** Percent: 0.2 is 0.2%. */
  readonly baseFeePercent: number | undefined;
  /** Fees of 24 h ÷ TVL, as a fraction: the service's figure, else volume × fee ÷ TVL. */
  readonly feeTvlRatio24h: number | undefined;
  /** The same for another interval, if the list was requested for one. */
  readonly feeTvlRatioIn?: { readonly interval: Interval; readonly ratio: number };
  readonly binStepBps: number | undefined;
  /** US dollars per token0 and token1. */
  readonly price0Usd: number | undefined;
  readonly price1Usd: number | undefined;
  /** Percent. */
  readonly priceChangePercent: PerInterval;
  readonly holders: number | undefined;
  /** Whole tokens in the pool. */
  readonly liquidity0: number | undefined;
  readonly liquidity1: number | undefined;
  readonly createdAt: Date | undefined;
  readonly updatedAt: Date | undefined;
}

const volumeStats = group({ volume_change: decimal });

/** A pool of discover. `pairName` and `fee_tvl_ratio` are not documented, but answers have them. */
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
  token0_stats: group({
    holders: integer,
    volume: group({ stats5m: volumeStats, stats1h: volumeStats, stats6h: volumeStats, stats24h: volumeStats }),
  }),
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
  ...factFieldSchemas({ figure: decimal, flag }),
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
 * Reads the pools of discover. Pools without an address are dropped.
 * @param ratioInterval the interval that `fee_tvl_ratio` was requested for
 */
export function readPools(list: readonly unknown[], path: string, reading: ParseContext, ratioInterval: Interval): Pool[] {
  const pools = readRecords(poolRecord, list, path, reading, (wire) => toPool(wire, ratioInterval));
  return withoutRepeats(pools, ({ address }) => address, path, reading);
}

function toPool(wire: PoolRecord, ratioInterval: Interval): Pool {
  const sides = pairSides(wire.pairName);
  const token0 = tokenFrom({
    address: wire.token0,
    symbol: wire.token0_symbol ?? sides.base,
    name: wire.token0_name,
    decimals: wire.token0_decimals,
  });
  const token1 = tokenFrom({
    address: wire.token1,
    symbol: wire.token1_symbol ?? sides.quote,
    name: wire.token1_name,
    decimals: wire.token1_decimals,
  });
  const change = wire.token0_stats?.volume;
  const volumeUsd = { '5m': wire.vol_5m, '1h': wire.vol_1h, '6h': wire.vol_6h, '24h': wire.vol_24h };
  const isDaily = ratioInterval === '24h';
  const ratio = isDaily ? undefined : feeTvlRatio(volumeUsd[ratioInterval], wire, wire.fee_tvl_ratio);
  return {
    address: wire.pool,
    pairName: pairNameOf(wire.pairName, token0, token1, wire.pool),
    token0,
    token1,
    protocol: wire.protocol,
    poolType: poolTypeOf(wire.protocol) ?? (wire.bin_step === undefined || wire.bin_step <= 0 ? 'other' : 'dlmm'),
    tvlUsd: wire.tvl,
    volumeUsd,
    volumeChangePercent: {
      '5m': change?.stats5m?.volume_change,
      '1h': change?.stats1h?.volume_change,
      '6h': change?.stats6h?.volume_change,
      '24h': change?.stats24h?.volume_change,
    },
    baseFeePercent: wire.fee,
    feeTvlRatio24h: feeTvlRatio(wire.vol_24h, wire, isDaily ? wire.fee_tvl_ratio : undefined),
    ...(ratio === undefined ? {} : { feeTvlRatioIn: { interval: ratioInterval, ratio } }),
    // 0 for pools without bins.
    binStepBps: wire.bin_step !== undefined && wire.bin_step > 0 ? wire.bin_step : undefined,
    price0Usd: wire.base_price ?? wire.usd_price,
    price1Usd: wire.quote_price,
    priceChangePercent: {
      '5m': wire.price_5m_change,
      '1h': wire.price_1h_change,
      '6h': wire.price_6h_change,
      '24h': wire.price_24h_change,
    },
    ...readFacts(wire),
    holders: wire.token0_stats?.holders,
    liquidity0: wire.liquidity_token0,
    liquidity1: wire.liquidity_token1,
    createdAt: wire.created_at ?? wire.first_pool_created_at,
    updatedAt: wire.updated_at,
  };
}

/**
 * Fees of an interval ÷ TVL as a fraction. volume × fee ÷ TVL covers only the base fee, so the record's own figure is preferred. Whether that is
 * a fraction or percent is not documented: it is read as whichever is closer, on a logarithmic scale, to the base fee's part.
 * @param given the record's own figure for this interval
 */
function feeTvlRatio(volume: number | undefined, { fee, tvl }: PoolRecord, given: number | undefined): number | undefined {
  const made = volume === undefined || fee === undefined || tvl === undefined || tvl <= 0 ? undefined : (volume * fee) / 100 / tvl;
  if (given === undefined) {
    return made;
  }
  const isPercent = made !== undefined && made > 0 && given > made * 10;
  return isPercent ? given / 100 : given;
}
