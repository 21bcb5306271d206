import { difference, mapped } from '../../engine/records/figures';
import { wholeTokens } from '../../engine/records/positionRecord';
import { CHAIN_NAME, isoDate } from '../../engine/records/text';
import type { WirePool, WireTokenStats } from '../../engine/wire/pools';
import type { Interval } from '../../service/pools';
import type { DataPool, DataToken, DataWindow } from '../dataApi/types';
import type { MintFacts } from '../pools/mints';
import type { PoolDetails } from '../pools/poolReader';

/** A pool of a list: its record, and further figures for filters and order. Null: not known. */
export interface ListedPool {
  readonly record: WirePool;
  readonly fees24hUsd: number | null;
  /** Percent: the part of the fee that follows the pool's recent volatility. */
  readonly variableFeePercent: number | null;
}

/** What the records of a list have in common. */
export interface ListContext {
  /** Of the pool's program, on the wire. */
  readonly protocol: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The part of a pool's accounts that lists show. */
export type PoolOfTokens = Pick<PoolDetails, 'state' | 'x' | 'y'>;

/** The windows of the data API for the intervals of the service; for the others it has no figures. */
const WINDOW_OF: Readonly<Record<Interval, DataWindow | undefined>> = { '5m': undefined, '1h': '1h', '6h': undefined, '24h': '24h' };

/**
 * A pool as the data API lists it. The API has no organic score, largest holder, price changes or other windows of time: they are null.
 * @param interval that of the ratio of fees to liquidity
 */
export function listedFromData(pool: DataPool, interval: Interval, { protocol, now }: ListContext): ListedPool {
  const { x, y } = pool;
  const window = WINDOW_OF[interval];
  const ratioPercent = window === undefined ? undefined : pool.feeTvlPercent[window];
  const record: WirePool = {
    ...UNKNOWN,
    pool: pool.address,
    protocol,
    chain: CHAIN_NAME,
    token0: x.mint,
    token1: y.mint,
    tvl: pool.tvlUsd ?? null,
    fee: pool.baseFeePercent,
    vol_1h: pool.volumeUsd['1h'] ?? null,
    vol_24h: pool.volumeUsd['24h'] ?? null,
    base_price: x.priceUsd ?? null,
    quote_price: y.priceUsd ?? null,
    mcap: x.marketCapUsd ?? null,
    usd_price: x.priceUsd ?? null,
    fdv: x.supply === undefined || x.priceUsd === undefined ? null : x.supply * x.priceUsd,
    bin_step: pool.binStepBps,
    liquidity_token0: pool.amountX ?? null,
    liquidity_token1: pool.amountY ?? null,
    // The API does not have the mint authority.
    mint_freeze: x.hasFreezeAuthority ? true : null,
    created_at: pool.createdAtMs === undefined ? null : isoDate(pool.createdAtMs),
    updated_at: isoDate(now),
    ...texts({ ...x, ...namesOf(x) }, { ...y, ...namesOf(y) }),
    token0_stats: statsOf(x.holders),
    token1_stats: statsOf(y.holders),
    fee_tvl_ratio: ratioPercent === undefined ? null : ratioPercent / 100,
  };
  const { dynamicFeePercent } = pool;
  return {
    record,
    fees24hUsd: pool.feesUsd['24h'] ?? null,
    variableFeePercent: dynamicFeePercent === undefined ? null : Math.max(dynamicFeePercent - pool.baseFeePercent, 0),
  };
}

/**
 * A pool as its accounts describe it; they do not contain its trading.
 * @param prices US dollars for one whole token
 */
export function listedFromChain(
  { state, x, y }: PoolOfTokens,
  prices: ReadonlyMap<string, number>,
  { protocol, now }: ListContext,
): ListedPool {
  const [usdX, usdY] = [prices.get(x.mint), prices.get(y.mint)];
  const [amountX, amountY] = [wholeTokens(state.reserves.x, x), wholeTokens(state.reserves.y, y)];
  const record: WirePool = {
    ...UNKNOWN,
    pool: state.address,
    protocol,
    chain: CHAIN_NAME,
    token0: x.mint,
    token1: y.mint,
    tvl: worthOf(amountX, usdX, amountY, usdY),
    fee: state.fees.basePercent,
    base_price: usdX ?? null,
    quote_price: usdY ?? null,
    usd_price: usdX ?? null,
    fdv: fullyDilutedValue(x, usdX),
    bin_step: state.binStep ?? 0,
    liquidity_token0: amountX,
    liquidity_token1: amountY,
    mint_freeze: x.hasAuthority,
    updated_at: isoDate(now),
    ...texts(x, y),
    token0_stats: statsOf(undefined),
    token1_stats: statsOf(undefined),
  };
  const { dynamicPercent, basePercent } = state.fees;
  const variable = difference(dynamicPercent, basePercent);
  return { record, fees24hUsd: null, variableFeePercent: mapped(variable, (percent) => Math.max(percent, 0)) };
}

/** The value of all of a token, US dollars; null: not known. The mint of wrapped SOL counts no supply. */
export function fullyDilutedValue(token: Pick<MintFacts, 'supply' | 'decimals'>, usd: number | undefined): number | null {
  return usd === undefined || token.supply === 0n ? null : wholeTokens(token.supply, token) * usd;
}

/** The value of two amounts of whole tokens, US dollars. An amount of 0 needs no price. */
export function worthOf(amountX: number, usdX: number | undefined, amountY: number, usdY: number | undefined): number | null {
  const [x, y] = [amountX === 0 ? 0 : usdX, amountY === 0 ? 0 : usdY];
  return x === undefined || y === undefined ? null : amountX * x + amountY * y;
}

const UNKNOWN = {
  tvl: null,
  vol_5m: null,
  vol_1h: null,
  vol_6h: null,
  vol_24h: null,
  mcap: null,
  fdv: null,
  organic_score: null,
  top_holder: null,
  price_5m_change: null,
  price_1h_change: null,
  price_6h_change: null,
  price_24h_change: null,
  mint_freeze: null,
  created_at: null,
  first_pool_created_at: null,
  fee_tvl_ratio: null,
} as const satisfies Partial<WirePool>;

type Named = Pick<MintFacts, 'symbol' | 'name' | 'decimals'>;

function texts(
  x: Named,
  y: Named,
): Pick<WirePool, 'token0_symbol' | 'token0_name' | 'token1_symbol' | 'token1_name' | 'token0_decimals' | 'token1_decimals' | 'pairName'> {
  return {
    token0_symbol: x.symbol,
    token0_name: x.name,
    token1_symbol: y.symbol,
    token1_name: y.name,
    token0_decimals: x.decimals,
    token1_decimals: y.decimals,
    pairName: `${x.symbol}/${y.symbol}`,
  };
}

/** Of the mint, where there is no symbol. */
const SYMBOL_OF_MINT = 6;

function namesOf({ mint, symbol, name }: DataToken): { readonly symbol: string; readonly name: string } {
  return { symbol: symbol ?? mint.slice(0, SYMBOL_OF_MINT), name: name ?? mint };
}

function statsOf(holders: number | undefined): WireTokenStats {
  const unknown = { volume: null, volume_change: null };
  return { volume: { stats1h: unknown, stats6h: unknown, stats24h: unknown }, holders: holders ?? null };
}
