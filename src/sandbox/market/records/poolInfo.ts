import * as z from 'zod';
import { maxBinIdOf } from '../../../base/dlmm/bins';
import { dammVault, dlmmOracle, dlmmReserve } from '../../../base/solana/pda';
import { DAY_MS, SECOND_MS } from '../../../base/time';
import { isoDate } from '../../../engine/records/text';
import { binPrice, shownBins } from '../../../engine/records/binRecords';
import type { WithoutNulls } from '../../../engine/wire/known';
import type { WirePoolInfo, WireTokenFacts } from '../../../engine/wire/pools';
import { BIN_FEE_PERIODS } from '../pools/binFees';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE, PRODUCT_FEE_PERIODS } from '../pools/productMath';
import type { BinPool, Market, MarketPool, PoolToken, ProductPool } from '../types';
import { binStepOf, contentsOf, scaleOf, tradedIn } from './poolFigures';
import { logoOf, percentOf, type RecordContext } from './recordContext';

const SQL = 'SELECT state FROM pool WHERE address = ?';
const StateRow = z.object({ state: z.string() }).transform(({ state }): unknown => JSON.parse(state));

const SQRT_PRICE_BOUNDS = { sqrtMinPrice: MIN_SQRT_PRICE.toString(), sqrtMaxPrice: MAX_SQRT_PRICE.toString() };

const Text = z.string();
const BinState = z.object({
  volatility: z.object({ accumulator: z.number(), reference: z.number(), referenceBin: z.number(), movedAt: z.number() }),
  protocolFeeX: Text,
  protocolFeeY: Text,
});
const ProductState = z.object({
  protocolFeeX: Text,
  protocolFeeY: Text,
  feeX: Text,
  feeY: Text,
  volatilityAccumulator: Text,
  volatilityReference: Text,
  sqrtPriceReference: Text,
  volatilityUpdatedAt: z.number(),
});

/** The pool account as its program stores it: names of the published IDLs in camel case, 64-bit and larger numbers as text. */
function poolStateRecord(context: RecordContext, pool: MarketPool): Readonly<Record<string, unknown>> {
  const state = context.database.get(StateRow, SQL, pool.address);
  return pool.type === 'bins' ? binState(pool, BinState.parse(state)) : productState(pool, ProductState.parse(state));
}

function binState(pool: BinPool, { volatility, protocolFeeX, protocolFeeY }: z.output<typeof BinState>): Readonly<Record<string, unknown>> {
  const { spec, address, tokenX, tokenY, activeBinId } = pool;
  const highest = maxBinIdOf(spec.binStepBps);
  return {
    parameters: {
      baseFactor: spec.baseFactor,
      ...BIN_FEE_PERIODS,
      variableFeeControl: spec.variableFeeControl,
      maxVolatilityAccumulator: spec.maxVolatility,
      minBinId: -highest,
      maxBinId: highest,
      protocolShare: spec.protocolShareBps,
      baseFeePowerFactor: spec.power,
      collectFeeMode: 0,
    },
    vParameters: {
      volatilityAccumulator: volatility.accumulator,
      volatilityReference: volatility.reference,
      indexReference: volatility.referenceBin,
      lastUpdateTimestamp: String(volatility.movedAt),
    },
    activeId: activeBinId,
    binStep: spec.binStepBps,
    status: 0,
    pairType: 0,
    tokenXMint: tokenX.mint,
    tokenYMint: tokenY.mint,
    reserveX: dlmmReserve(address, tokenX.mint),
    reserveY: dlmmReserve(address, tokenY.mint),
    protocolFee: { amountX: protocolFeeX, amountY: protocolFeeY },
    oracle: dlmmOracle(address),
    activationType: 1,
    activationPoint: String(Math.floor(pool.createdAt / SECOND_MS)),
  };
}

function productState(pool: ProductPool, state: z.output<typeof ProductState>): Readonly<Record<string, unknown>> {
  const { spec, address, tokenX, tokenY } = pool;
  return {
    poolFees: {
      baseFee: { cliffFeeNumerator: String(spec.baseFeeBps * 100_000) },
      protocolFeePercent: spec.protocolShareBps / 100,
      dynamicFee: {
        initialized: spec.dynamicFee ? 1 : 0,
        binStep: 1,
        ...PRODUCT_FEE_PERIODS,
        volatilityAccumulator: state.volatilityAccumulator,
        volatilityReference: state.volatilityReference,
        sqrtPriceReference: state.sqrtPriceReference,
        lastUpdateTimestamp: String(state.volatilityUpdatedAt),
      },
    },
    tokenAMint: tokenX.mint,
    tokenBMint: tokenY.mint,
    tokenAVault: dammVault(address, tokenX.mint),
    tokenBVault: dammVault(address, tokenY.mint),
    liquidity: pool.totalLiquidity.toString(),
    protocolAFee: state.protocolFeeX,
    protocolBFee: state.protocolFeeY,
    ...SQRT_PRICE_BOUNDS,
    sqrtPrice: pool.sqrtPriceQ64.toString(),
    feeAPerLiquidity: state.feeX,
    feeBPerLiquidity: state.feeY,
    poolStatus: 0,
    collectFeeMode: 0,
    activationType: 1,
    activationPoint: String(Math.floor(pool.createdAt / SECOND_MS)),
  };
}

/** Time span of the fee statistics. */
const SHOWN_MS = 7 * DAY_MS;

/** Details of a pool. */
export function poolInfoRecord(context: RecordContext, pool: MarketPool): WithoutNulls<WirePoolInfo> {
  const { market, protocols } = context;
  const { tokenX, tokenY, spec } = pool;
  const contents = contentsOf(market, pool);
  const rates = pool.feeRates(market.now);
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
    type: protocols[pool.type],
    tokenInfo: [tokenX, tokenY].map((token) => ({ status: 'success', data: [tokenFacts(market, token)] })),
    poolStats: { pool: pool.address, ...figures, updated_at: isoDate(market.now) },
    poolState: poolStateRecord(context, pool),
    poolDb: {
      pool: pool.address,
      protocol: protocols[pool.type],
      pairName: pool.pairName,
      token0: tokenX.mint,
      token1: tokenY.mint,
      bin_step: binStepOf(pool),
      ...figures,
      created_at: isoDate(pool.createdAt),
    },
    amountX: contents.x,
    amountY: contents.y,
    feeInfo: {
      baseFeeRatePercentage: percentOf(rates.base),
      maxFeeRatePercentage: percentOf(pool.maxFeeRate),
      protocolFeePercentage: spec.protocolShareBps / 100,
      dynamicFee: percentOf(rates.total),
    },
    feeStats: market
      .turnoverOf(pool)
      .hourly(market.now)
      .filter(({ startsAt }) => startsAt > market.now - SHOWN_MS)
      .map(({ startsAt, feeUsd, volumeUsd }) => ({ timestamp: isoDate(startsAt), fee: feeUsd, volume: volumeUsd })),
    ...(pool.type === 'bins' ? { liquidityViz: liquidityViz(pool) } : {}),
  };
}

function liquidityViz(pool: BinPool): WithoutNulls<WirePoolInfo>['liquidityViz'] {
  const scale = scaleOf(pool);
  return { activeBin: binPrice(scale, pool.activeBinId), bins: shownBins(scale, pool.activeBinId, (binId) => pool.binAmounts(binId)) };
}

function tokenFacts(market: Market, token: PoolToken): WithoutNulls<WireTokenFacts> {
  const { spec, mint } = token;
  const usdPrice = market.usd(token);
  return {
    id: mint,
    name: spec.name,
    symbol: spec.symbol,
    icon: logoOf(token),
    decimals: spec.decimals,
    mcap: spec.circulating * usdPrice,
    fdv: spec.supply * usdPrice,
    usdPrice,
    organicScore: spec.organicScore,
    holderCount: spec.holders,
  };
}
