import { WHOLE_BPS } from '../../../base/basisPoints';
import { MAX_BIN_ID, MIN_BIN_ID, uiPriceOfBin } from '../../../base/dlmm/bins';
import type { WireClosedPosition, WireOpenPosition, WirePnl, WirePosition, WirePositionLog } from '../../../server/wire/positions';
import type { BinPool, Closing, MarketPool, Position, ProductPool, Valuation } from '../types';
import { DAY, HOUR, MINUTE, rawPrice, wholePrice, wholeTokens } from '../units';
import { decimalText, isoDate, logoOf, ratio, type RecordContext, strategyType, tokenInfo } from './recordContext';

/** Basis points of a tick in pools without bins: the program bounds their prices by 1.0001^±443636, as the others' at a bin step of 1. */
const TICK_BPS = 1;

/** US dollars for one whole token. */
export interface UsdPrices {
  readonly usdX: number;
  readonly usdY: number;
}

/** Prices of a pool now or at a closing. */
export interface RangeStatusFields extends UsdPrices {
  /** Whole Y for one whole X. */
  readonly uiPrice: number;
  /** `null` in pools without bins. */
  readonly activeBinId: number | null;
}

/** Range and price of a position in bins; in pools without bins, in ticks of one basis point over the program's full range. */
export interface PositionPlacement {
  readonly lower: number;
  readonly upper: number;
  readonly current: number;
  readonly isInRange: boolean;
  /** US dollars for one X: lower end, upper end, now. */
  readonly priceRange: readonly [number, number, number];
  /** The `poolInfo` field of the record. */
  readonly poolInfo: { readonly fee: number; readonly tickSpacing: number };
}

/** Prices and active bin of a pool now. */
function rangeStatusOf(pool: MarketPool, prices: UsdPrices): RangeStatusFields {
  const uiPrice = pool.type === 'bins' ? pool.uiPriceOf(pool.activeBinId) : wholePrice(pool.price, pool.tokenX, pool.tokenY);
  return { ...prices, uiPrice, activeBinId: pool.type === 'bins' ? pool.activeBinId : null };
}

/** Prices and active bin of a pool when the position was closed. */
function rangeStatusAtClosing(pool: MarketPool, { activeBinId, usdX, usdY }: NonNullable<Position['closing']>): RangeStatusFields {
  const uiPrice = pool.type === 'bins' && activeBinId !== null ? pool.uiPriceOf(activeBinId) : usdX / usdY;
  return { usdX, usdY, uiPrice, activeBinId };
}

/** Range of a position in its pool. @throws RangeError if the position is of the other pool type. */
function placementOf(pool: MarketPool, position: Readonly<Position>, status: RangeStatusFields): PositionPlacement {
  return pool.type === 'bins' ? binPlacement(pool, position, status) : tickPlacement(pool, status);
}

function binPlacement(
  pool: BinPool,
  { address, lowerBinId, upperBinId }: Readonly<Position>,
  { uiPrice, usdY, activeBinId }: RangeStatusFields,
): PositionPlacement {
  if (lowerBinId === null || upperBinId === null || activeBinId === null) {
    throw new RangeError(`The position ${address} has no bins`);
  }
  const { binStepBps } = pool.spec;
  return {
    lower: lowerBinId,
    upper: upperBinId,
    current: activeBinId,
    isInRange: lowerBinId <= activeBinId && activeBinId <= upperBinId,
    priceRange: [pool.uiPriceOf(lowerBinId) * usdY, pool.uiPriceOf(upperBinId) * usdY, uiPrice * usdY],
    poolInfo: { fee: binStepBps, tickSpacing: binStepBps },
  };
}

function tickPlacement(pool: ProductPool, { uiPrice, usdY }: RangeStatusFields): PositionPlacement {
  const { tokenX, tokenY, spec } = pool;
  const priceAt = (tick: number): number => uiPriceOfBin(tick, TICK_BPS, tokenX.spec.decimals, tokenY.spec.decimals) * usdY;
  return {
    lower: MIN_BIN_ID,
    upper: MAX_BIN_ID,
    current: tickOf(pool, uiPrice),
    isInRange: true,
    priceRange: [priceAt(MIN_BIN_ID), priceAt(MAX_BIN_ID), uiPrice * usdY],
    poolInfo: { fee: spec.baseFeeBps, tickSpacing: TICK_BPS },
  };
}

function tickOf({ tokenX, tokenY }: MarketPool, uiPrice: number): number {
  return Math.floor(Math.log(rawPrice(uiPrice, tokenX, tokenY)) / Math.log1p(TICK_BPS / WHOLE_BPS));
}

const DAYS_PER_YEAR = 365;
/** The APR of a younger position is not meaningful. */
const MIN_APR_DAYS = 1 / 24;
/** Smallest age in divisions. */
export const MIN_AGE_MS = MINUTE;

/** The record of an open position. */
export function openRecord(
  context: RecordContext,
  pool: MarketPool,
  position: Readonly<Position>,
  logs: readonly WirePositionLog[],
): WireOpenPosition {
  const { market } = context;
  const { input, output, collectedFee, holding } = position;
  const prices = { usdX: market.usd(pool.tokenX), usdY: market.usd(pool.tokenY) };
  const place = placementOf(pool, position, rangeStatusOf(pool, prices));
  const amounts = market.books.amountsOf(pool, position);
  const fees = market.books.feesOf(pool, position);
  const value = market.books.worthOf(pool, amounts);
  const fee = market.books.worthOf(pool, fees);
  const profit = (unit: keyof Valuation): number => value[unit] + collectedFee[unit] + fee[unit] + output[unit] - input[unit];
  const ageDays = daysBetween(position.openedAt, market.now);
  return {
    ...commonFields(context, pool, position, place, { profit: { usd: profit('usd'), native: profit('native') }, ageDays }),
    status: 'Open',
    currentValue: decimalText(value.usd),
    uncollectedFee: decimalText(fee.usd),
    value: value.usd,
    valueNative: value.native,
    // Without the present value, as in the real service.
    pnlNative: output.native + collectedFee.native - input.native,
    liquidity: holding?.type === 'product' ? holding.liquidity.toString() : '0',
    // Null in the published contract; some clients cannot read a number or text here.
    ageHour: null,
    apr: ageDays < MIN_APR_DAYS ? null : (100 * ratio(fee.usd + collectedFee.usd, input.usd) * DAYS_PER_YEAR) / ageDays,
    id: position.id,
    range: [place.lower, place.upper, place.current],
    current: {
      amount0: amounts.x.toString(),
      amount1: amounts.y.toString(),
      amount0Adjusted: wholeTokens(amounts.x, pool.tokenX),
      amount1Adjusted: wholeTokens(amounts.y, pool.tokenY),
    },
    unCollectedFee0: wholeTokens(fees.x, pool.tokenX),
    unCollectedFee1: wholeTokens(fees.y, pool.tokenY),
    unCollectedFee: fee.usd,
    unCollectedFeeNative: fee.native,
    uncollectedFeeNative: fee.native,
    price0: prices.usdX,
    price1: prices.usdY,
    logs,
  };
}

/** The record of a closed position. */
export function closedRecord(
  context: RecordContext,
  pool: MarketPool,
  position: Readonly<Position>,
  closing: Closing,
  followInfo: WireClosedPosition['followInfo'],
): WireClosedPosition {
  const { input, output, collectedFee } = position;
  const profit = (unit: keyof Valuation): number => output[unit] + collectedFee[unit] - input[unit];
  const solOut = output.native + collectedFee.native;
  return {
    ...commonFields(context, pool, position, placementOf(pool, position, rangeStatusAtClosing(pool, closing)), {
      profit: { usd: profit('usd'), native: profit('native') },
      ageDays: daysBetween(position.openedAt, closing.at),
    }),
    status: 'Close',
    // The deposit, as in the example of the published contract.
    currentValue: decimalText(input.usd),
    uncollectedFee: '0',
    value: input.usd,
    valueNative: input.native,
    pnlNative: profit('native'),
    liquidity: '0',
    ageHour: decimalText((closing.at - position.openedAt) / HOUR),
    apr: null,
    close_At: isoDate(closing.at),
    closeAt: isoDate(closing.at),
    fee: collectedFee.usd,
    feeNative: collectedFee.native,
    feePercent: 100 * ratio(collectedFee.usd, input.usd),
    feePercentNative: 100 * ratio(collectedFee.native, input.native),
    solInAudited: input.native,
    solOutAudited: solOut,
    pnlNativeAudited: solOut - input.native,
    ...(followInfo === undefined ? {} : { followInfo }),
  };
}

type Shared = Omit<
  WirePosition,
  'status' | 'currentValue' | 'uncollectedFee' | 'value' | 'valueNative' | 'pnlNative' | 'liquidity' | 'ageHour' | 'apr'
>;

function commonFields(
  { protocols }: RecordContext,
  pool: MarketPool,
  position: Readonly<Position>,
  place: PositionPlacement,
  { profit, ageDays }: { readonly profit: Valuation; readonly ageDays: number },
): Shared {
  const { tokenX, tokenY } = pool;
  const { input, output, collectedFee } = position;
  const pnl = pnlRecord(profit, input);
  return {
    strategyType: strategyType(position.strategy),
    tokenId: position.address,
    position: position.address,
    pairName: pool.pairName,
    inputValue: input.usd,
    inputNative: input.native,
    outputValue: output.usd,
    outputNative: output.native,
    collectedReward: 0,
    collectedRewardNative: 0,
    collectedFee: collectedFee.usd,
    collectedFeeNative: collectedFee.native,
    tickLower: place.lower,
    tickUpper: place.upper,
    pool: pool.address,
    token0: tokenX.mint,
    token1: tokenY.mint,
    inRange: place.isInRange,
    createdAt: isoDate(position.openedAt),
    updatedAt: isoDate(position.updatedAt),
    pnl,
    upnl: null,
    owner: position.owner,
    dpr: pnl.percent / 100 / ageDays,
    dprNative: pnl.percentNative / 100 / ageDays,
    age: ageDays.toFixed(2),
    decimal0: tokenX.spec.decimals,
    decimal1: tokenY.spec.decimals,
    yield24h: null,
    protocol: protocols[pool.type],
    token0Info: tokenInfo(tokenX),
    token1Info: tokenInfo(tokenY),
    poolInfo: place.poolInfo,
    logo0: logoOf(tokenX),
    logo1: logoOf(tokenY),
    tokenName0: tokenX.spec.symbol,
    tokenName1: tokenY.spec.symbol,
    priceRange: place.priceRange,
    creationType: 'AUTO',
  };
}

function pnlRecord(profit: Valuation, input: Valuation): WirePnl {
  return {
    value: profit.usd,
    valueNative: profit.native,
    percent: 100 * ratio(profit.usd, input.usd),
    percentNative: 100 * ratio(profit.native, input.native),
  };
}

function daysBetween(from: number, to: number): number {
  return Math.max(MIN_AGE_MS, to - from) / DAY;
}
