import type { WirePoolInfo, WireTokenFacts } from '../../wire/pools';
import { othersAmounts } from '../background';
import type { Market } from '../market';
import { wholeTokens, type Pool, type PoolToken } from '../pool';
import { binAmounts } from '../position';
import { hourly } from '../series';
import { isoDate, PROTOCOL } from './common';
import { contentsOf, openIn, percentOf, tradedIn } from './poolFigures';

/** Bins shown to either side of the active one. */
const SHOWN_BINS = 35;
/** Hours of fee statistics. */
const SHOWN_HOURS = 7 * 24;
/** Digits of a price as text. */
const PRICE_DIGITS = 15;

/** A pool in detail. */
export function poolInfoRecord(market: Market, pool: Pool): WirePoolInfo {
  const { state, spec, activeBinId } = pool;
  const contents = contentsOf(market, pool);
  const rates = pool.feeRates();
  const figures = {
    tvl: contents.usd,
    fee: percentOf(rates.base),
    fee_24h: tradedIn(market, pool, '24h').feeUsd,
    vol_5m: tradedIn(market, pool, '5m').volumeUsd,
    vol_1h: tradedIn(market, pool, '1h').volumeUsd,
    vol_6h: tradedIn(market, pool, '6h').volumeUsd,
    vol_24h: tradedIn(market, pool, '24h').volumeUsd,
  };
  return {
    type: PROTOCOL,
    tokenInfo: [pool.tokenX, pool.tokenY].map((token) => ({ status: 'success', data: [tokenFacts(market, token)] })),
    poolStats: { pool: pool.address, ...figures, updated_at: isoDate(market.now) },
    poolState: {
      activeId: activeBinId,
      binStep: spec.binStepBps,
      tokenXMint: pool.tokenX.mint,
      tokenYMint: pool.tokenY.mint,
      parameters: {
        baseFactor: spec.baseFactor,
        baseFeePowerFactor: spec.power,
        variableFeeControl: spec.variableFeeControl,
        maxVolatilityAccumulator: spec.maxVolatility,
        protocolShare: spec.protocolShareBps,
      },
      vParameters: {
        volatilityAccumulator: state.volatility.accumulator,
        volatilityReference: state.volatility.reference,
        indexReference: state.volatility.referenceBin,
        lastUpdateTimestamp: String(Math.floor(state.volatility.tradedAt / 1_000)),
      },
    },
    poolDb: {
      pool: pool.address,
      protocol: PROTOCOL,
      token0: pool.tokenX.mint,
      token1: pool.tokenY.mint,
      bin_step: spec.binStepBps,
      ...figures,
      created_at: isoDate(pool.createdAt),
    },
    amountX: contents.x,
    amountY: contents.y,
    feeInfo: {
      baseFeeRatePercentage: percentOf(rates.base),
      maxFeeRatePercentage: percentOf(pool.feeRates(spec.maxVolatility).total),
      protocolFeePercentage: spec.protocolShareBps / 100,
      dynamicFee: percentOf(rates.total),
    },
    feeStats: hourly(state.series)
      .slice(-SHOWN_HOURS)
      .map(({ startsAt, feeUsd, volumeUsd }) => ({ timestamp: isoDate(startsAt), fee: feeUsd, volume: volumeUsd })),
    liquidityViz: {
      activeBin: { binId: activeBinId, ...priceTexts(pool, activeBinId) },
      bins: Array.from({ length: 2 * SHOWN_BINS + 1 }, (_, index) => shownBin(market, pool, activeBinId - SHOWN_BINS + index)),
    },
  };
}

function shownBin(market: Market, pool: Pool, binId: number): WirePoolInfo['liquidityViz']['bins'][number] {
  const others = othersAmounts(pool, binId, market.usd(pool.tokenY));
  let xAmount = others.x / 10 ** pool.tokenX.spec.decimals;
  let yAmount = others.y / 10 ** pool.tokenY.spec.decimals;
  for (const position of openIn(market, pool)) {
    const amounts = binAmounts(pool, position, binId);
    xAmount += wholeTokens(amounts.x, pool.tokenX);
    yAmount += wholeTokens(amounts.y, pool.tokenY);
  }
  return { binId, xAmount, yAmount, ...priceTexts(pool, binId) };
}

/** Raw Y for one raw X, and whole Y for one whole X. */
function priceTexts(pool: Pool, binId: number): { readonly price: string; readonly pricePerToken: string } {
  return { price: decimalText(pool.priceOf(binId)), pricePerToken: decimalText(pool.uiPriceOf(binId)) };
}

/** Without an exponent, however small. */
function decimalText(value: number): string {
  const places = Math.max(0, PRICE_DIGITS - 1 - Math.floor(Math.log10(value)));
  return value.toFixed(Math.min(100, places));
}

function tokenFacts(market: Market, token: PoolToken): WireTokenFacts {
  const { spec, mint } = token;
  const usdPrice = market.usd(token);
  return {
    id: mint,
    name: spec.name,
    symbol: spec.symbol,
    icon: '',
    decimals: spec.decimals,
    mcap: spec.circulating * usdPrice,
    fdv: spec.supply * usdPrice,
    usdPrice,
    organicScore: spec.organicScore,
    holderCount: spec.holders,
  };
}
