import type * as z from 'zod';
import { type Address, parseAddress } from '../base/solana/address';
import type { Money, PoolType, Token } from './common';
import { hasFields } from './parsing/envelope';
import { decimal, entries, flag, group, instant, integer, label, needed, solanaAddress, tokenDecimals, wireRecord } from './parsing/fields';
import { type FieldPath, type ParseContext, readRecord, readRecords, withoutRepeats } from './parsing/records';
import { parseInstant, parseNumber } from './parsing/scalars';
import { pairNameOf, pairSides, poolTypeOf, tokenFrom } from './tokens';

/** The intervals of volumes, fees and price changes. */
export type Interval = '5m' | '1h' | '6h' | '24h';

/** A figure for each interval; `undefined` if the service reports none. */
export type PerInterval = Readonly<Record<Interval, number | undefined>>;

/** A pool as listed by discover. */
export interface Pool {
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
  readonly marketCapUsd: number | undefined;
  readonly fdvUsd: number | undefined;
  /** 0 to 100. */
  readonly organicScore: number | undefined;
  /** Percent held by the largest holder. */
  readonly topHolderPercent: number | undefined;
  /** True: token0 can still be minted or frozen by its authority. */
  readonly mintOrFreezeEnabled: boolean | undefined;
  readonly holders: number | undefined;
  /** Whole tokens in the pool. */
  readonly liquidity0: number | undefined;
  readonly liquidity1: number | undefined;
  readonly createdAt: Date | undefined;
  readonly updatedAt: Date | undefined;
}

/** A bin of the liquidity distribution. */
export interface BinLiquidity {
  readonly binId: number;
  /** Whole tokens. */
  readonly amountX: number;
  readonly amountY: number;
  /** token1 per token0, in whole tokens (`pricePerToken`). */
  readonly price: number | undefined;
}

/** Market data of a token (`tokenInfo`). */
export interface TokenFacts extends Token {
  readonly marketCapUsd: number | undefined;
  readonly fdvUsd: number | undefined;
  readonly priceUsd: number | undefined;
  readonly organicScore: number | undefined;
  readonly holders: number | undefined;
}

/** The tokens in which a pool takes its fees. */
type FeeTokens = 'both' | 'y';

/** The details of a pool. */
export interface PoolInfo {
  readonly poolType: PoolType;
  readonly protocol: string | undefined;
  /** Token X and token Y; fewer if the service doesn't know them. */
  readonly tokens: readonly TokenFacts[];
  /** Whole tokens in the pool. */
  readonly amountX: number | undefined;
  readonly amountY: number | undefined;
  /** All in percent. */
  readonly fees: {
    readonly basePercent: number | undefined;
    readonly maxPercent: number | undefined;
    readonly protocolPercent: number | undefined;
    readonly dynamicPercent: number | undefined;
    /** In which tokens providers earn, by the pool's account; absent if the service does not tell. */
    readonly collectedIn?: FeeTokens;
  };
  /** `undefined` for pools without bins. */
  readonly activeBin: { readonly binId: number; readonly price: number | undefined } | undefined;
  /** Ascending by bin; empty for pools without bins. */
  readonly bins: readonly BinLiquidity[];
  /** Fees and volume of each hour of the last seven days, ascending by time; empty if the service reports none. */
  readonly feeStats: readonly FeeStats[];
  /** The figures that discover also lists, for pools that it doesn't list; empty if the service reports none. */
  readonly statistics: PoolStatistics;
}

/** Fees and volume of one interval, in US dollars. At least one of the two is known. */
export interface FeeStats {
  readonly at: Date;
  readonly feeUsd: number | undefined;
  readonly volumeUsd: number | undefined;
}

/** The statistics among the details of a pool (`poolStats`, `poolDb`). */
export interface PoolStatistics {
  readonly tvlUsd?: number | undefined;
  readonly volumeUsd?: PerInterval;
  readonly fees24hUsd?: number | undefined;
  readonly binStepBps?: number | undefined;
  readonly createdAt?: Date | undefined;
}

/** The columns by which top-lpers can be sorted. */
export const LPER_SORTS = [
  'total_inflow',
  'avg_inflow',
  'total_outflow',
  'total_fee',
  'total_pnl',
  'total_reward',
  'total_inflow_native',
  'avg_inflow_native',
  'total_outflow_native',
  'total_fee_native',
  'total_pnl_native',
  'total_reward_native',
  'total_lp',
  'avg_age_hour',
  'win_lp',
  'win_lp_native',
  'win_rate',
  'win_rate_native',
  'fee_percent',
  'fee_percent_native',
  'apr',
  'roi',
  'first_activity',
  'last_activity',
] as const;
export type LperSort = (typeof LPER_SORTS)[number];

/** A liquidity provider of a pool. */
export interface PoolLper {
  readonly owner: Address;
  readonly pool: Address | undefined;
  readonly protocol: string | undefined;
  readonly inflow: Money;
  readonly averageInflow: Money;
  readonly outflow: Money;
  readonly fee: Money;
  readonly reward: Money;
  readonly pnl: Money;
  /** Fractions: 0.6 is 60%. */
  readonly feeRate: Money;
  readonly winRate: Money;
  readonly roi: number | undefined;
  readonly apr: number | undefined;
  readonly positions: number | undefined;
  readonly won: Money;
  readonly averageAgeHours: number | undefined;
  readonly firstActivity: Date | undefined;
  readonly lastActivity: Date | undefined;
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

const poolInfoRecord = wireRecord({
  type: label,
  tokenInfo: entries,
  amountX: decimal,
  amountY: decimal,
  feeInfo: group({ baseFeeRatePercentage: decimal, maxFeeRatePercentage: decimal, protocolFeePercentage: decimal, dynamicFee: decimal }),
  liquidityViz: group({ activeBin: group({ binId: integer, price: decimal, pricePerToken: decimal }), bins: entries }),
});

const binRecord = wireRecord({ binId: needed(integer), xAmount: decimal, yAmount: decimal, price: decimal, pricePerToken: decimal });

const tokenRecord = wireRecord({
  id: solanaAddress,
  name: label,
  symbol: label,
  decimals: tokenDecimals,
  mcap: decimal,
  fdv: decimal,
  usdPrice: decimal,
  organicScore: decimal,
  holderCount: integer,
});

/** Field names of the mints in the pool accounts of the two programs, in the two usual spellings. */
const MINT_FIELDS = {
  x: ['tokenXMint', 'token_x_mint', 'tokenAMint', 'token_a_mint'],
  y: ['tokenYMint', 'token_y_mint', 'tokenBMint', 'token_b_mint'],
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** @returns `undefined` if the details cannot be read */
export function readPoolInfo(raw: unknown, path: string, reading: ParseContext): PoolInfo | undefined {
  const wire = readRecord(poolInfoRecord, raw, path, reading);
  if (wire === undefined || !hasFields(raw)) {
    return undefined;
  }
  const poolState = fieldsIn(raw.poolState);
  const tokens = inPoolOrder(readTokens(wire.tokenInfo ?? [], `${path}.tokenInfo`, reading), poolState);
  const perToken = pricePerToken(tokens);
  const active = wire.liquidityViz?.activeBin;
  const collectedIn = feeTokensOf(poolState);
  return {
    poolType: poolTypeOf(wire.type) ?? (wire.liquidityViz ? 'dlmm' : 'other'),
    protocol: wire.type,
    tokens,
    amountX: wire.amountX,
    amountY: wire.amountY,
    fees: {
      basePercent: wire.feeInfo?.baseFeeRatePercentage,
      maxPercent: wire.feeInfo?.maxFeeRatePercentage,
      protocolPercent: wire.feeInfo?.protocolFeePercentage,
      dynamicPercent: wire.feeInfo?.dynamicFee,
      ...(collectedIn === undefined ? {} : { collectedIn }),
    },
    activeBin: active?.binId === undefined ? undefined : { binId: active.binId, price: perToken(active) },
    bins: readRecords(binRecord, wire.liquidityViz?.bins ?? [], `${path}.liquidityViz.bins`, reading, (bin): BinLiquidity => ({
      binId: bin.binId,
      amountX: bin.xAmount ?? 0,
      amountY: bin.yAmount ?? 0,
      price: perToken(bin),
    })).sort((one, other) => one.binId - other.binId),
    feeStats: readFeeStats(Array.isArray(raw.feeStats) ? raw.feeStats : []),
    statistics: readStatistics(fieldsIn(raw.poolStats), fieldsIn(raw.poolDb)),
  };
}

/** `collectFeeMode` of both programs (DLMM 0.12: of the static parameters): 0 takes fees in either token, 1 only in Y. Others are not known. */
const FEE_TOKENS: Readonly<Record<number, FeeTokens>> = { 0: 'both', 1: 'y' };

function feeTokensOf(poolState: Fields): FeeTokens | undefined {
  const [mode] = [poolState, fieldsIn(poolState['parameters'])]
    .flatMap((fields) => [fields['collectFeeMode'], fields['collect_fee_mode']])
    .filter((value) => typeof value === 'number');
  return mode === undefined ? undefined : FEE_TOKENS[mode];
}

/** The contract doesn't name the fields of `feeStats`. These are accepted; the first that can be read is used. */
const TIME_FIELDS = ['timestamp', 'time', 'hour', 'date', 'day', 'created_at', 'createdAt', 'start', 'ts'];
const FEE_FIELDS = ['fee', 'fees', 'feeUsd', 'fee_usd', 'fees_usd', 'totalFee', 'total_fee'];
const VOLUME_FIELDS = ['volume', 'vol', 'volumeUsd', 'volume_usd', 'totalVolume', 'total_volume'];

/** Maximum number of intervals kept. Seven days have 168 hours. */
const MAX_FEE_STATS = 2_000;

/**
 * Reads `feeStats`, ascending by time. Entries without a time or without any figure are dropped; of two entries with the same time the later
 * one wins; of too many the newest are kept.
 */
export function readFeeStats(list: readonly unknown[]): FeeStats[] {
  const byTime = new Map<number, FeeStats>();
  for (const entry of list.filter(hasFields).slice(-10 * MAX_FEE_STATS)) {
    const at = firstOf(entry, TIME_FIELDS, parseInstant);
    const feeUsd = firstOf(entry, FEE_FIELDS, parseNumber);
    const volumeUsd = firstOf(entry, VOLUME_FIELDS, parseNumber);
    if (at !== undefined && (feeUsd !== undefined || volumeUsd !== undefined)) {
      byTime.set(at.getTime(), { at, feeUsd, volumeUsd });
    }
  }
  return [...byTime.values()].sort((one, other) => one.at.getTime() - other.at.getTime()).slice(-MAX_FEE_STATS);
}

function firstOf<Value>(entry: Fields, names: readonly string[], read: (value: unknown) => Value | undefined): Value | undefined {
  for (const name of names) {
    const value = read(entry[name]);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}

/** Reads the statistics by their names in discover: from `poolStats`, else from `poolDb`. */
function readStatistics(poolStats: Fields, poolDb: Fields): PoolStatistics {
  const figure = (name: string): number | undefined => parseNumber(poolStats[name]) ?? parseNumber(poolDb[name]);
  const binStepBps = figure('bin_step');
  return {
    tvlUsd: figure('tvl'),
    volumeUsd: { '5m': figure('vol_5m'), '1h': figure('vol_1h'), '6h': figure('vol_6h'), '24h': figure('vol_24h') },
    fees24hUsd: figure('fee_24h'),
    // 0 for pools without bins.
    binStepBps: binStepBps !== undefined && binStepBps > 0 ? binStepBps : undefined,
    createdAt: parseInstant(poolDb['created_at']),
  };
}

/**
 * Reads `tokenInfo`: one result per token, whose `data` is a list with the token or the token itself; or a first result with both tokens
 * and a second one that is an error.
 */
function readTokens(results: readonly unknown[], path: string, reading: ParseContext): TokenFacts[] {
  return results.flatMap((result, index) => {
    const data = hasFields(result) && 'data' in result ? result.data : result;
    const list = Array.isArray(data) ? data : hasFields(data) ? [data] : [];
    return readRecords(tokenRecord, list, `${path}[${index}].data`, reading, toTokenFacts);
  });
}

function toTokenFacts(wire: z.output<typeof tokenRecord>, place: FieldPath): TokenFacts | undefined {
  if (wire.id === undefined && wire.symbol === undefined) {
    place.warnings.add(place.path, 'left out: nothing in it says which token it is');
    return undefined;
  }
  return {
    ...tokenFrom({ address: wire.id, symbol: wire.symbol, name: wire.name, decimals: wire.decimals }),
    marketCapUsd: wire.mcap,
    fdvUsd: wire.fdv,
    priceUsd: wire.usdPrice,
    organicScore: wire.organicScore,
    holders: wire.holderCount,
  };
}

/** Sorts the tokens by the mints of the pool account, if it has them; a token without market data is named by its mint. */
function inPoolOrder(tokens: readonly TokenFacts[], poolState: Fields): readonly TokenFacts[] {
  const x = mintIn(poolState, MINT_FIELDS.x);
  const y = mintIn(poolState, MINT_FIELDS.y);
  if (x === undefined || y === undefined) {
    return tokens;
  }
  return [x, y].map((mint) => tokens.find(({ address }) => address === mint) ?? withoutFacts(mint));
}

function withoutFacts(mint: Address): TokenFacts {
  const token = tokenFrom({ address: mint, symbol: undefined, name: undefined, decimals: undefined });
  return { ...token, marketCapUsd: undefined, fdvUsd: undefined, priceUsd: undefined, organicScore: undefined, holders: undefined };
}

function mintIn(poolState: Fields, names: readonly string[]): Address | undefined {
  const text = names.map((name) => poolState[name]).find((value) => typeof value === 'string');
  return typeof text === 'string' ? parseAddress(text) : undefined;
}

/**
 * Returns the reader of a bin's price in whole tokens, token1 per token0: `pricePerToken`, else `price`, which is in smallest units, times
 * 10^(decimals X − decimals Y).
 */
function pricePerToken([x, y]: readonly TokenFacts[]): (bin: {
  readonly price?: number | undefined;
  readonly pricePerToken?: number | undefined;
}) => number | undefined {
  const exponent = x?.decimals === undefined || y?.decimals === undefined ? undefined : x.decimals - y.decimals;
  return (bin) => bin.pricePerToken ?? (bin.price === undefined || exponent === undefined ? undefined : bin.price * 10 ** exponent);
}

function fieldsIn(value: unknown): Fields {
  return hasFields(value) ? value : {};
}
