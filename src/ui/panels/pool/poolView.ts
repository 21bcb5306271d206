import { binStepOf } from '../../../base/dlmm/binStep';
import { shortAddress } from '../../../base/format/places';
import type { Address } from '../../../base/solana/address';
import type { PortfolioSnapshot } from '../../../portfolio/types';
import type { Part } from '../../../protocol/parts';
import type { OwnRange, PoolView, TokenView } from '../../../protocol/pool';
import type { Token } from '../../../service/common';
import { parseInstant } from '../../../service/parsing/instants';
import { parseNumber } from '../../../service/parsing/numbers';
import type { Pool, PoolInfo, TokenFacts } from '../../../service/pools';
import type { OpenPosition } from '../../../service/positions';
import { stateOfList } from '../asyncState';

/** One interval of a pool's fee statistics. */
export type FeeStat = PoolView['feeStats'][number];

/** The interface does not say what the entries of `feeStats` are called; these are the names that are understood, the first one that fits. */
const TIME_NAMES = ['timestamp', 'time', 'hour', 'date', 'day', 'created_at', 'createdAt', 'start', 'ts'];
const FEE_NAMES = ['fee', 'fees', 'feeUsd', 'fee_usd', 'fees_usd', 'totalFee', 'total_fee'];
const VOLUME_NAMES = ['volume', 'vol', 'volumeUsd', 'volume_usd', 'totalVolume', 'total_volume'];

/** Seven days by the hour are 168; a hostile answer must not become a message of megabytes. */
const MOST_ENTRIES = 2_000;

/**
 * Reads a pool's fee statistics (spec §2.4: "item fields: not shown"; guides/service-quirks.md: hourly, last seven days), ascending by time; US dollars.
 * An entry without a time, or with neither figure, is left out; of two of the same time the later one is taken; of too many the newest.
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

/** More bins than this are not handed to a panel: the program's widest position has 1,400, services show some hundreds. */
const MOST_BINS = 10_000;

/** What stands for a token of which nothing is known. */
const UNKNOWN_SYMBOL = '?';

/**
 * Makes what the pool panel shows from the pool's details and from its record in discover, which has volumes, price changes and TVL.
 * Where there is no such record, the details' own statistics (`poolStats`, `poolDb`) are taken as far as they can be read.
 * @param pool its address, shortened, stands for its name where nothing tells its tokens
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

/** A token by its facts in the details; what they leave out is taken from the record. */
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

/** A figure of the details' statistics, by its name; what is no number is none. */
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

/** Each locks rent, so no wallet has so many in one pool; all of them are drawn at each movement, and thousands would make the panel stand still. */
const MOST_RANGES = 200;

/** The looked-at wallet's positions in a pool, of too many the first; none where no wallet is looked at. Stands as the list of positions does. */
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
