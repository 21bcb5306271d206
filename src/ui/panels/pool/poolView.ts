import { binStepOf } from '../../../base/dlmm/bins';
import { shortAddress } from '../../../base/format/identifiers';
import type { Address } from '../../../base/solana/address';
import type { PortfolioSnapshot } from '../../../portfolio/types';
import type { OwnRange, PoolView, TokenView } from '../../../protocol/pool';
import type { Part } from '../../../protocol/schemas';
import type { Token } from '../../../service/common';
import { parseInstant, parseNumber } from '../../../service/parsing/scalars';
import type { Pool, PoolInfo, TokenFacts } from '../../../service/pools';
import type { OpenPosition } from '../../../service/positions';
import { stateOfList } from '../asyncState';

/** One interval of a pool's fee statistics. */
export type FeeStat = PoolView['feeStats'][number];

/** The service does not document the names in `feeStats`. These are accepted; the first match is used. */
const TIME_NAMES = ['timestamp', 'time', 'hour', 'date', 'day', 'created_at', 'createdAt', 'start', 'ts'];
const FEE_NAMES = ['fee', 'fees', 'feeUsd', 'fee_usd', 'fees_usd', 'totalFee', 'total_fee'];
const VOLUME_NAMES = ['volume', 'vol', 'volumeUsd', 'volume_usd', 'totalVolume', 'total_volume'];

/** Seven days of hourly entries are 168; the limit keeps a hostile answer from becoming a message of megabytes. */
const MOST_ENTRIES = 2_000;

/**
 * Parses a pool's fee statistics (hourly, last seven days), ascending by time, in US dollars. Entries without a time or without any figure are dropped;
 * of two entries with the same time the later one wins; of too many the newest are kept.
 */
export function readFeeStats(entries: readonly Readonly<Record<string, unknown>>[]): readonly FeeStat[] {
  const byTime = new Map<number, FeeStat>();
  for (const entry of entries.slice(-10 * MOST_ENTRIES)) {
    const atMs = firstOf(entry, TIME_NAMES, parseInstant)?.getTime();
    const feeUsd = firstOf(entry, FEE_NAMES, parseNumber);
    const volumeUsd = firstOf(entry, VOLUME_NAMES, parseNumber);
    if (atMs !== undefined && (feeUsd !== undefined || volumeUsd !== undefined)) {
      byTime.set(atMs, { atMs, feeUsd, volumeUsd });
    }
  }
  return [...byTime.values()].sort((one, other) => one.atMs - other.atMs).slice(-MOST_ENTRIES);
}

function firstOf<Value>(
  entry: Readonly<Record<string, unknown>>,
  names: readonly string[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  for (const name of names) {
    const value = read(entry[name]);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}

/** Maximum number of bins sent to a panel: the widest position has 1,400, services report some hundreds. */
const MOST_BINS = 10_000;

/** Symbol of an unknown token. */
const UNKNOWN_SYMBOL = '?';

/**
 * Builds the pool panel's data from the pool's details and its record in the search, which has volumes, price changes and TVL. Without a record, the
 * details' own statistics (`poolStats`, `poolDb`) are used as far as they are readable.
 * @param pool its shortened address is the name if the tokens are unknown
 */
export function poolViewOf(info: PoolInfo, record: Pool | undefined, pool?: Address): PoolView {
  const [factsX, factsY] = info.tokens;
  const x = tokenView(factsX, record?.token0, {
    priceUsd: record?.price0Usd,
    marketCapUsd: record?.marketCapUsd,
    fdvUsd: record?.fdvUsd,
    organicScore: record?.organicScore,
    holders: record?.holders,
  });
  const y = tokenView(factsY, record?.token1, { priceUsd: record?.price1Usd });
  const { fees, activeBin } = info;
  const statistic = statisticOf(info);
  const volume24h = record?.volumeUsd['24h'] ?? statistic('vol_24h');
  const tvlUsd = record?.tvlUsd ?? statistic('tvl');
  const feeTvl24h = record?.feeTvlRatio24h;
  return {
    pairName:
      record?.pairName ??
      (pool !== undefined && x.symbol === UNKNOWN_SYMBOL && y.symbol === UNKNOWN_SYMBOL ? shortAddress(pool) : `${x.symbol}/${y.symbol}`),
    poolType: info.poolType,
    x,
    y,
    price: activeBin?.price ?? ratioOf(x.priceUsd, y.priceUsd),
    binStepBps: record?.binStepBps ?? positive(statistic('bin_step')) ?? binStepOf(info.bins),
    tvlUsd,
    amountX: info.amountX ?? record?.liquidity0,
    amountY: info.amountY ?? record?.liquidity1,
    volumeUsd: {
      '5m': record?.volumeUsd['5m'] ?? statistic('vol_5m'),
      '1h': record?.volumeUsd['1h'] ?? statistic('vol_1h'),
      '6h': record?.volumeUsd['6h'] ?? statistic('vol_6h'),
      '24h': volume24h,
    },
    volumeChangePercent: { ...record?.volumeChangePercent },
    priceChangePercent: { ...record?.priceChangePercent },
    fees: {
      basePercent: fees.basePercent ?? record?.baseFeePercent,
      dynamicPercent: fees.dynamicPercent,
      maxPercent: fees.maxPercent,
      protocolPercent: fees.protocolPercent,
      fees24hUsd: statistic('fee_24h') ?? productOf(feeTvl24h, tvlUsd),
      feeTvl24h: feeTvl24h ?? ratioOf(statistic('fee_24h'), tvlUsd),
    },
    topHolderPercent: record?.topHolderPercent,
    mintOrFreezeEnabled: record?.mintOrFreezeEnabled,
    createdAtMs: (record?.createdAt ?? parseInstant(info.poolDb['created_at']))?.getTime(),
    activeBinId: activeBin?.binId,
    bins: info.bins.slice(0, MOST_BINS).map(({ binId, amountX, amountY }) => ({ binId, x: amountX, y: amountY })),
    feeStats: readFeeStats(info.feeStats),
  };
}

type TokenFigures = Partial<Pick<TokenFacts, 'priceUsd' | 'marketCapUsd' | 'fdvUsd' | 'organicScore' | 'holders'>>;

/** A token's details, completed from the record. */
function tokenView(facts: TokenFacts | undefined, listed: Token | undefined, figures: TokenFigures): TokenView {
  return {
    address: facts?.address ?? listed?.address,
    symbol: facts?.symbol ?? listed?.symbol ?? UNKNOWN_SYMBOL,
    name: facts?.name ?? listed?.name,
    decimals: facts?.decimals ?? listed?.decimals,
    priceUsd: facts?.priceUsd ?? figures.priceUsd,
    marketCapUsd: facts?.marketCapUsd ?? figures.marketCapUsd,
    fdvUsd: facts?.fdvUsd ?? figures.fdvUsd,
    organicScore: facts?.organicScore ?? figures.organicScore,
    holders: facts?.holders ?? figures.holders,
  };
}

/** Looks up a figure in the details' statistics by name; `undefined` if it is not a number. */
function statisticOf({ poolStats, poolDb }: PoolInfo): (name: string) => number | undefined {
  return (name) => parseNumber(poolStats[name]) ?? parseNumber(poolDb[name]);
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

function ratioOf(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || whole === undefined || whole <= 0 ? undefined : part / whole;
}

function productOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one * other;
}

/** Maximum number of own ranges: all are redrawn with each movement, and thousands would freeze the panel. Each locks rent, so no wallet has as many in one pool. */
const MOST_RANGES = 200;

/** The selected wallet's positions in a pool, with the state of the list of positions; empty without a wallet. */
export function ownRangesOf({ owner, positions, positionsState }: PortfolioSnapshot, pool: Address): Part<readonly OwnRange[]> {
  return owner === undefined
    ? { standing: 'ready', data: [] }
    : stateOfList(
        positionsState,
        positions
          .filter((position) => position.pool === pool)
          .slice(0, MOST_RANGES)
          .map(ownRange),
      );
}

function ownRange({ key, address, lowerBinId, upperBinId, inRange, strategy, value, pnl, uncollectedFee }: OpenPosition): OwnRange {
  return { key, address, lowerBinId, upperBinId, inRange, strategy, value, pnl, uncollectedFee };
}
