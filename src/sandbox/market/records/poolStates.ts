import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time';
import { ratio } from '../../../engine/state/figures';
import type { BinPriceScale, PoolDetailsState, ListedPoolState, PoolTokenState, TokenVolume } from '../../../engine/state/poolState';
import type { Interval } from '../../../service/pools';
import type { BinPool, Market, MarketPool, PoolToken } from '../types';
import { wholeTokens } from '../units';
import { poolAccount } from './poolAccount';
import { percentOf, type RecordContext, recordToken } from './recordContext';

/** Lengths of the service's intervals, milliseconds. */
const SPANS: Readonly<Record<Interval, number>> = { '5m': 5 * MINUTE_MS, '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': DAY_MS };
/** Time span of the trading by the hour. */
const SHOWN_MS = 7 * DAY_MS;

/** The pools that exist at the market's time. */
export function poolStates(context: RecordContext): readonly ListedPoolState[] {
  const known = new Map<string, PoolTokenState>();
  const tokenOf = (token: PoolToken): PoolTokenState => {
    const state = known.get(token.mint) ?? tokenState(context.market, token);
    known.set(token.mint, state);
    return state;
  };
  return poolsOf(context.market).map((pool) => poolState(context, pool, tokenOf));
}

/** A pool with its account, its trading by the hour and its bins. */
export function poolDetails(context: RecordContext, pool: MarketPool): PoolDetailsState {
  const { market } = context;
  const rates = pool.feeRates(market.now);
  return {
    ...poolState(context, pool, (token) => tokenState(market, token)),
    account: poolAccount(context, pool),
    fees: {
      maximumPercent: percentOf(pool.maxFeeRate),
      protocolPercent: pool.spec.protocolShareBps / 100,
      dynamicPercent: percentOf(rates.total),
    },
    hours: market
      .turnoverOf(pool)
      .hourly(market.now)
      .filter(({ startsAt }) => startsAt > market.now - SHOWN_MS)
      .map(({ startsAt, feeUsd: feesUsd, volumeUsd }) => ({ startsAt, feesUsd, volumeUsd })),
    bins:
      pool.type === 'bins' ? { ...scaleOf(pool), activeBinId: pool.activeBinId, amountsOf: (binId) => pool.binAmounts(binId) } : undefined,
  };
}

/** What the prices of the pool's bins depend on. */
export function scaleOf({ spec, tokenX, tokenY }: BinPool): BinPriceScale {
  return { binStepBps: spec.binStepBps, token0: tokenX.spec, token1: tokenY.spec };
}

function poolState(
  { market, protocols }: RecordContext,
  pool: MarketPool,
  tokenOf: (token: PoolToken) => PoolTokenState,
): Pick<PoolDetailsState, keyof ListedPoolState> {
  const { liquidity, tokenX, tokenY } = pool;
  const turnover = market.turnoverOf(pool);
  const tvlUsd = market.books.worthOf(pool, liquidity).usd;
  const usdX = market.usd(tokenX);
  const each = (of: (spanMs: number) => number): Readonly<Record<Interval, number>> => ({
    '5m': of(SPANS['5m']),
    '1h': of(SPANS['1h']),
    '6h': of(SPANS['6h']),
    '24h': of(SPANS['24h']),
  });
  const feesUsd = each((spanMs) => turnover.within(market.now, spanMs).feeUsd);
  return {
    address: pool.address,
    protocol: protocols[pool.type],
    pairName: pool.pairName,
    token0: tokenOf(tokenX),
    token1: tokenOf(tokenY),
    binStepBps: pool.type === 'bins' ? pool.spec.binStepBps : null,
    amount0: wholeTokens(liquidity.x, tokenX),
    amount1: wholeTokens(liquidity.y, tokenY),
    tvlUsd,
    baseFeePercent: percentOf(pool.feeRates(market.now).base),
    volatility: market.volatilityOf(tokenX),
    volumeUsd: each((spanMs) => turnover.within(market.now, spanMs).volumeUsd),
    feesUsd,
    feesOverTvl: {
      '5m': ratio(feesUsd['5m'], tvlUsd),
      '1h': ratio(feesUsd['1h'], tvlUsd),
      '6h': ratio(feesUsd['6h'], tvlUsd),
      '24h': ratio(feesUsd['24h'], tvlUsd),
    },
    priceChangePercent: each((spanMs) => {
      const before = turnover.priceAgo(market.now, spanMs);
      return before === undefined ? 0 : 100 * (usdX / before - 1);
    }),
    createdAt: pool.createdAt,
    readAt: market.now,
  };
}

/** A token, with its trading in all its pools. */
function tokenState(market: Market, token: PoolToken): PoolTokenState {
  const { spec, mint } = token;
  const usd = market.usd(token);
  const pools = poolsOf(market).filter(({ tokenX, tokenY }) => tokenX.mint === mint || tokenY.mint === mint);
  const books = pools.map((pool) => market.turnoverOf(pool));
  const volumeIn = (interval: Interval): TokenVolume => {
    const volume = books.reduce((sum, book) => sum + book.within(market.now, SPANS[interval]).volumeUsd, 0);
    const before = books.reduce((sum, book) => sum + book.before(market.now, SPANS[interval]).volumeUsd, 0);
    return { usd: volume, changePercent: 100 * ratio(volume - before, before) };
  };
  return {
    ...recordToken(token),
    usd,
    marketCapUsd: spec.circulating * usd,
    fdvUsd: spec.supply * usd,
    holders: spec.holders,
    topHolderPercent: spec.topHolderPercent,
    organicScore: spec.organicScore,
    mintOrFreezeEnabled: spec.mintOrFreeze,
    firstPoolAt: Math.min(...pools.map(({ createdAt }) => createdAt)),
    volume: { '1h': volumeIn('1h'), '6h': volumeIn('6h'), '24h': volumeIn('24h') },
  };
}

function poolsOf(market: Market): readonly MarketPool[] {
  return market.pools.filter((pool) => pool.createdAt <= market.now);
}
