import { parseNumber } from '../../../api/wire/decimals';
import { parseInstant } from '../../../api/wire/instants';
import type { Token } from '../../../api/records/money';
import type { Pool, PoolInfo, TokenFacts } from '../../../api/records/pool';
import { binStepOf } from '../../../dlmm/binStep';
import { shortAddress } from '../../../format/places';
import type { PoolView, TokenView } from '../../../protocol/pool';
import type { Address } from '../../../solana/address';
import { readFeeStats } from './feeStats';

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
  const x = tokenView(factsX, record?.token0, { priceUsd: record?.price0Usd, marketCapUsd: record?.marketCapUsd, fdvUsd: record?.fdvUsd, organicScore: record?.organicScore, holders: record?.holders });
  const y = tokenView(factsY, record?.token1, { priceUsd: record?.price1Usd });
  const { fees, activeBin } = info;
  const statistic = statisticOf(info);
  const volume24h = record?.volumeUsd['24h'] ?? statistic('vol_24h');
  const tvlUsd = record?.tvlUsd ?? statistic('tvl');
  const feeTvl24h = record?.feeTvlRatio24h;
  return {
    pairName: record?.pairName ?? (pool !== undefined && x.symbol === UNKNOWN_SYMBOL && y.symbol === UNKNOWN_SYMBOL ? shortAddress(pool) : `${x.symbol}/${y.symbol}`),
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
