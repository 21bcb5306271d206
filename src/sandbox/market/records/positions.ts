import { worthOf } from '../books';
import type { Market } from '../market';
import { wholeTokens, type Pool } from '../pool';
import { amountsOf, feesOf, isInRange, type PositionEvent, type PositionState, type Sum } from '../position';
import type { WireClosedPosition, WireOpenPosition, WirePnl, WirePosition, WirePositionLog } from '../../wire/positions';
import { DAY, HOUR, MINUTE } from '../spans';
import { isoDate, opaqueId, PROTOCOL, ratio, tokenInfo } from './common';

const DAYS_A_YEAR = 365;
/** From an hour on, what was earned says something about a year. */
const LEAST_APR_DAYS = 1 / 24;
/** Ages below a minute count as one where something is divided by them. */
const LEAST_AGE_MS = MINUTE;

/** What a position made or lost so far: what came out of it and what is still in it, less what was put in. */
export function profitOf(market: Market, pool: Pool, position: PositionState): Sum {
  const nothing = { usd: 0, native: 0 };
  const value = position.closed === null ? worthOf(market, pool, amountsOf(pool, position)) : nothing;
  const fees = position.closed === null ? worthOf(market, pool, feesOf(pool, position)) : nothing;
  const of = (unit: keyof Sum): number => value[unit] + position.collectedFee[unit] + fees[unit] + position.output[unit] - position.input[unit];
  return { usd: of('usd'), native: of('native') };
}

/** An open position as opening lists it. */
export function openRecord(market: Market, pool: Pool, position: PositionState): WireOpenPosition {
  const amounts = amountsOf(pool, position);
  const fees = feesOf(pool, position);
  const value = worthOf(market, pool, amounts);
  const fee = worthOf(market, pool, fees);
  const profit = profitOf(market, pool, position);
  const ageDays = daysBetween(position.createdAt, market.now);
  return {
    ...shared(pool, position, { profit, ageDays, activeBinId: pool.activeBinId, usdX: market.usd(pool.tokenX), usdY: market.usd(pool.tokenY) }),
    status: 'Open',
    currentValue: String(value.usd),
    uncollectedFee: String(fee.usd),
    value: value.usd,
    valueNative: value.native,
    pnlNative: position.output.native + position.collectedFee.native - position.input.native,
    ageHour: null,
    apr: ageDays < LEAST_APR_DAYS ? null : (100 * ratio(fee.usd + position.collectedFee.usd, position.input.usd) * DAYS_A_YEAR) / ageDays,
    id: opaqueId(market.seed, position.address),
    range: [position.lowerBinId, position.upperBinId, pool.activeBinId],
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
    price0: market.usd(pool.tokenX),
    price1: market.usd(pool.tokenY),
    logs: position.events.map((event) => logRecord(pool, position, event)),
  };
}

/** A closed position as historical lists it. */
export function closedRecord(market: Market, pool: Pool, position: PositionState, closed: NonNullable<PositionState['closed']>): WireClosedPosition {
  const profit = profitOf(market, pool, position);
  const solOut = position.output.native + position.collectedFee.native;
  return {
    ...shared(pool, position, { profit, ageDays: daysBetween(position.createdAt, closed.at), ...closed }),
    status: 'Close',
    currentValue: String(position.input.usd),
    uncollectedFee: '0',
    value: position.input.usd,
    valueNative: position.input.native,
    pnlNative: profit.native,
    ageHour: String((closed.at - position.createdAt) / HOUR),
    apr: null,
    close_At: isoDate(closed.at),
    closeAt: isoDate(closed.at),
    fee: position.collectedFee.usd,
    feeNative: position.collectedFee.native,
    feePercent: 100 * ratio(position.collectedFee.usd, position.input.usd),
    feePercentNative: 100 * ratio(position.collectedFee.native, position.input.native),
    solInAudited: position.input.native,
    solOutAudited: solOut,
    pnlNativeAudited: solOut - position.input.native,
  };
}

/** What differs by how the position stands. */
interface Standing {
  readonly profit: Sum;
  readonly ageDays: number;
  readonly activeBinId: number;
  readonly usdX: number;
  readonly usdY: number;
}

type Shared = Omit<WirePosition, 'status' | 'currentValue' | 'uncollectedFee' | 'value' | 'valueNative' | 'pnlNative' | 'ageHour' | 'apr'>;

function shared(pool: Pool, position: PositionState, standing: Standing): Shared {
  const { tokenX, tokenY } = pool;
  const pnl = pnlRecord(standing.profit, position.input);
  const priceUsd = (binId: number): number => pool.uiPriceOf(binId) * standing.usdY;
  return {
    strategyType: strategyType(position),
    tokenId: position.address,
    position: position.address,
    pairName: pool.pairName,
    inputValue: position.input.usd,
    inputNative: position.input.native,
    outputValue: position.output.usd,
    outputNative: position.output.native,
    collectedReward: 0,
    collectedRewardNative: 0,
    collectedFee: position.collectedFee.usd,
    collectedFeeNative: position.collectedFee.native,
    tickLower: position.lowerBinId,
    tickUpper: position.upperBinId,
    pool: pool.address,
    liquidity: '0',
    token0: tokenX.mint,
    token1: tokenY.mint,
    inRange: isInRange(position, standing.activeBinId),
    createdAt: isoDate(position.createdAt),
    updatedAt: isoDate(position.updatedAt),
    pnl,
    upnl: null,
    owner: position.owner,
    dpr: pnl.percent / 100 / standing.ageDays,
    dprNative: pnl.percentNative / 100 / standing.ageDays,
    age: standing.ageDays.toFixed(2),
    decimal0: tokenX.spec.decimals,
    decimal1: tokenY.spec.decimals,
    yield24h: null,
    protocol: PROTOCOL,
    token0Info: tokenInfo(tokenX),
    token1Info: tokenInfo(tokenY),
    poolInfo: { fee: pool.spec.binStepBps, tickSpacing: pool.spec.binStepBps },
    logo0: '',
    logo1: '',
    tokenName0: tokenX.spec.symbol,
    tokenName1: tokenY.spec.symbol,
    priceRange: [priceUsd(position.lowerBinId), priceUsd(position.upperBinId), priceUsd(standing.activeBinId)],
    creationType: 'AUTO',
  };
}

function pnlRecord(profit: Sum, input: Sum): WirePnl {
  return {
    value: profit.usd,
    valueNative: profit.native,
    percent: 100 * ratio(profit.usd, input.usd),
    percentNative: 100 * ratio(profit.native, input.native),
  };
}

function logRecord(pool: Pool, position: PositionState, event: PositionEvent): WirePositionLog {
  return {
    owner: position.owner,
    action: event.action,
    amount0: event.amountX.toString(),
    amount1: event.amountY.toString(),
    decimal0: pool.tokenX.spec.decimals,
    decimal1: pool.tokenY.spec.decimals,
    price0: String(event.usdX),
    price1: String(event.usdY),
    timestamp: isoDate(event.at),
    nativePrice: String(event.usdSol),
    strategyType: strategyType(position),
    tickUpper: position.upperBinId,
    tickLower: position.lowerBinId,
    bps: event.bps,
    logo0: null,
    logo1: null,
  };
}

function strategyType({ strategy }: PositionState): string {
  return `${strategy}ImBalanced`;
}

function daysBetween(from: number, to: number): number {
  return Math.max(LEAST_AGE_MS, to - from) / DAY;
}
