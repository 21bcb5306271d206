import { type ByFactField, writtenFacts } from '../../base/tokenFacts';
import type { Interval } from '../../service/pools';
import { binPrice, shownBins, type WireBin, type WireBinPrice } from './binRecords';
import { mapped } from '../state/figures';
import type { PoolDetailsState, ListedPoolState, PoolTokenState, TokenVolume } from '../state/poolState';
import { CHAIN_NAME, isoDate } from './text';

// Records of pools: their form, and how they are made. Null: not known.

/** Volume of a token over one period, and its change from the period before (percent). */
export interface WireVolumeStats {
  readonly volume: number | null;
  readonly volume_change: number | null;
}

/** Trading figures of a token. */
export interface WireTokenStats {
  readonly volume: { readonly stats1h: WireVolumeStats; readonly stats6h: WireVolumeStats; readonly stats24h: WireVolumeStats };
  readonly holders: number | null;
}

/** A pool as discover lists it, with the facts about token0. Fees and price changes are percent. */
export interface WirePool extends ByFactField<number | null, boolean | null> {
  readonly pool: string;
  readonly protocol: string;
  readonly chain: string;
  readonly token0: string;
  readonly token1: string;
  readonly tvl: number | null;
  readonly fee: number | null;
  readonly vol_5m: number | null;
  readonly vol_1h: number | null;
  readonly vol_6h: number | null;
  readonly vol_24h: number | null;
  readonly base_price: number | null;
  readonly quote_price: number | null;
  readonly usd_price: number | null;
  readonly price_5m_change: number | null;
  readonly price_1h_change: number | null;
  readonly price_6h_change: number | null;
  readonly price_24h_change: number | null;
  /** Basis points between two bins; 0 in pools without bins. */
  readonly bin_step: number;
  readonly liquidity_token0: number | null;
  readonly liquidity_token1: number | null;
  readonly created_at: string | null;
  readonly updated_at: string;
  readonly first_pool_created_at: string | null;
  readonly token0_symbol: string;
  readonly token0_name: string;
  readonly token1_symbol: string;
  readonly token1_name: string;
  readonly token0_decimals: number;
  readonly token1_decimals: number;
  readonly token0_stats: WireTokenStats;
  readonly token1_stats: WireTokenStats;
  /** Fees of the requested interval over TVL, a fraction. The public command-line tool reads it. */
  readonly fee_tvl_ratio: number | null;
  readonly pairName: string;
}

/** Facts about a token in a pool's details. */
export interface WireTokenFacts {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly icon: string | null;
  readonly decimals: number;
  readonly mcap: number | null;
  readonly fdv: number | null;
  readonly usdPrice: number | null;
  readonly organicScore: number | null;
  readonly holderCount: number | null;
}

/** A pool in detail. */
export interface WirePoolInfo {
  readonly type: string;
  readonly tokenInfo: readonly { readonly status: string; readonly data: readonly WireTokenFacts[] }[];
  readonly poolStats: Readonly<Record<string, unknown>>;
  readonly poolState: Readonly<Record<string, unknown>>;
  readonly poolDb: Readonly<Record<string, unknown>>;
  readonly amountX: number;
  readonly amountY: number;
  /** All in percent. */
  readonly feeInfo: {
    readonly baseFeeRatePercentage: number | null;
    readonly maxFeeRatePercentage: number | null;
    readonly protocolFeePercentage: number;
    readonly dynamicFee: number | null;
  };
  /** By the hour, oldest first; US dollars. */
  readonly feeStats: readonly { readonly timestamp: string; readonly fee: number | null; readonly volume: number | null }[];
  /** Absent in pools without bins. */
  readonly liquidityViz?: { readonly activeBin: WireBinPrice; readonly bins: readonly WireBin[] };
}

/** A pool as discover lists it. @param interval that of the ratio of fees to liquidity */
export function poolRecord(pool: ListedPoolState, interval: Interval): WirePool {
  const { token0, token1, volumeUsd, priceChangePercent } = pool;
  return {
    pool: pool.address,
    protocol: pool.protocol,
    chain: CHAIN_NAME,
    token0: token0.mint,
    token1: token1.mint,
    tvl: pool.tvlUsd,
    fee: pool.baseFeePercent,
    vol_5m: volumeUsd['5m'] ?? null,
    vol_1h: volumeUsd['1h'] ?? null,
    vol_6h: volumeUsd['6h'] ?? null,
    vol_24h: volumeUsd['24h'] ?? null,
    base_price: token0.usd,
    quote_price: token1.usd,
    usd_price: token0.usd,
    ...writtenFacts(token0),
    price_5m_change: priceChangePercent?.['5m'] ?? null,
    price_1h_change: priceChangePercent?.['1h'] ?? null,
    price_6h_change: priceChangePercent?.['6h'] ?? null,
    price_24h_change: priceChangePercent?.['24h'] ?? null,
    bin_step: pool.binStepBps ?? 0,
    liquidity_token0: pool.amount0,
    liquidity_token1: pool.amount1,
    created_at: mapped(pool.createdAt, isoDate),
    updated_at: isoDate(pool.readAt),
    first_pool_created_at: mapped(token0.firstPoolAt ?? null, isoDate),
    token0_symbol: token0.symbol,
    token0_name: token0.name,
    token1_symbol: token1.symbol,
    token1_name: token1.name,
    token0_decimals: token0.decimals,
    token1_decimals: token1.decimals,
    token0_stats: tokenStats(token0),
    token1_stats: tokenStats(token1),
    fee_tvl_ratio: pool.feesOverTvl[interval] ?? null,
    pairName: pool.pairName,
  };
}

/** Details of a pool. */
export function poolInfoRecord(pool: PoolDetailsState): WirePoolInfo {
  const { address, protocol, token0, token1, volumeUsd, fees, bins } = pool;
  const figures = {
    tvl: pool.tvlUsd,
    fee: pool.baseFeePercent,
    fee_24h: pool.feesUsd['24h'] ?? null,
    vol_5m: volumeUsd['5m'] ?? null,
    vol_1h: volumeUsd['1h'] ?? null,
    vol_6h: volumeUsd['6h'] ?? null,
    vol_24h: volumeUsd['24h'] ?? null,
  };
  return {
    type: protocol,
    tokenInfo: [token0, token1].map((token) => ({ status: 'success', data: [tokenFacts(token)] })),
    poolStats: { pool: address, ...figures, updated_at: isoDate(pool.readAt) },
    poolState: pool.account,
    poolDb: {
      pool: address,
      protocol,
      pairName: pool.pairName,
      token0: token0.mint,
      token1: token1.mint,
      bin_step: pool.binStepBps ?? 0,
      ...figures,
      created_at: mapped(pool.createdAt, isoDate),
    },
    amountX: pool.amount0,
    amountY: pool.amount1,
    feeInfo: {
      baseFeeRatePercentage: pool.baseFeePercent,
      maxFeeRatePercentage: fees.maximumPercent,
      protocolFeePercentage: fees.protocolPercent,
      dynamicFee: fees.dynamicPercent,
    },
    feeStats: pool.hours.map(({ startsAt, feesUsd, volumeUsd: volume }) => ({ timestamp: isoDate(startsAt), fee: feesUsd, volume })),
    ...(bins === undefined
      ? {}
      : { liquidityViz: { activeBin: binPrice(bins, bins.activeBinId), bins: shownBins(bins, bins.activeBinId, bins.amountsOf) } }),
  };
}

function tokenFacts(token: PoolTokenState): WireTokenFacts {
  return {
    id: token.mint,
    name: token.name,
    symbol: token.symbol,
    icon: token.logo,
    decimals: token.decimals,
    mcap: token.marketCapUsd ?? null,
    fdv: token.fdvUsd ?? null,
    usdPrice: token.usd,
    organicScore: token.organicScore ?? null,
    holderCount: token.holders ?? null,
  };
}

function tokenStats({ volume, holders }: PoolTokenState): WireTokenStats {
  return {
    volume: { stats1h: volumeStats(volume?.['1h']), stats6h: volumeStats(volume?.['6h']), stats24h: volumeStats(volume?.['24h']) },
    holders: holders ?? null,
  };
}

function volumeStats(volume: TokenVolume | undefined): WireVolumeStats {
  return { volume: volume?.usd ?? null, volume_change: volume?.changePercent ?? null };
}
