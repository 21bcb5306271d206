import type * as z from 'zod';
import { binStepOf } from '../base/dlmm/bins';
import { type Address, parseAddress } from '../base/solana/address';
import type { PoolType, Token } from './common';
import { hasFields } from './parsing/envelope';
import { decimal, entries, group, integer, label, needed, solanaAddress, tokenDecimals, wireRecord } from './parsing/fields';
import { type FieldPath, type ParseContext, readRecord, readRecords } from './parsing/records';
import { parseInstant, parseNumber } from './parsing/scalars';
import type { PerInterval } from './pools';
import { poolTypeOf, tokenFrom } from './tokens';

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
export interface PoolTokenFacts extends Token {
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
  readonly tokens: readonly PoolTokenFacts[];
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

/** The step between the pool's bins in basis points: by the prices of its bins, or else as reported. `undefined`: not known, or no bins. */
export function poolBinStep({ bins, statistics }: PoolInfo): number | undefined {
  return binStepOf(bins) ?? statistics.binStepBps;
}

/** The place of the price in the pool, as an operation's plan keeps it. */
export function shownBin(info: PoolInfo): { readonly activeBinId: number | undefined; readonly binStepBps: number | undefined } {
  return { activeBinId: info.activeBin?.binId, binStepBps: poolBinStep(info) };
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
function readTokens(results: readonly unknown[], path: string, reading: ParseContext): PoolTokenFacts[] {
  return results.flatMap((result, index) => {
    const data = hasFields(result) && 'data' in result ? result.data : result;
    const list = Array.isArray(data) ? data : hasFields(data) ? [data] : [];
    return readRecords(tokenRecord, list, `${path}[${index}].data`, reading, toTokenFacts);
  });
}

function toTokenFacts(wire: z.output<typeof tokenRecord>, place: FieldPath): PoolTokenFacts | undefined {
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
function inPoolOrder(tokens: readonly PoolTokenFacts[], poolState: Fields): readonly PoolTokenFacts[] {
  const x = mintIn(poolState, MINT_FIELDS.x);
  const y = mintIn(poolState, MINT_FIELDS.y);
  if (x === undefined || y === undefined) {
    return tokens;
  }
  return [x, y].map((mint) => tokens.find(({ address }) => address === mint) ?? withoutFacts(mint));
}

function withoutFacts(mint: Address): PoolTokenFacts {
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
function pricePerToken([x, y]: readonly PoolTokenFacts[]): (bin: {
  readonly price?: number | undefined;
  readonly pricePerToken?: number | undefined;
}) => number | undefined {
  const exponent = x?.decimals === undefined || y?.decimals === undefined ? undefined : x.decimals - y.decimals;
  return (bin) => bin.pricePerToken ?? (bin.price === undefined || exponent === undefined ? undefined : bin.price * 10 ** exponent);
}

function fieldsIn(value: unknown): Fields {
  return hasFields(value) ? value : {};
}
