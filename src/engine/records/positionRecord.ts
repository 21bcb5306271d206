import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time';
import type { WireClosedPosition, WireOpenPosition, WirePnl, WirePosition, WireTokenInfo } from '../wire/positions';
import { difference, type KnownOrNull, inBoth, mapped, NO_WORTH, product, quotient, sumOf, type UsdAndNative } from './figures';
import { logRecord } from './logRecord';
import { placementOf, type PositionPlacement } from './placement';
import { type ClosedPosition, isOpen, type OpenPosition, type PositionState, type RecordToken } from './positionState';
import { decimalText, isoDate, strategyType } from './text';

const DAYS_PER_YEAR = 365;
/** The APR of a younger position is not meaningful. */
const MIN_APR_DAYS = 1 / 24;
/** Smallest age in divisions. */
const MIN_AGE_MS = MINUTE_MS;

/** The record of a position. @param now milliseconds since 1970 */
export function positionRecord(position: PositionState, now: number): WireOpenPosition | WireClosedPosition {
  return isOpen(position) ? openRecord(position, now) : closedRecord(position);
}

/** What a position has made so far: what came out and what is in it, less what was put in. */
export function profitOf(position: PositionState): UsdAndNative {
  const { input, output, collectedFee, collectedReward } = position;
  const { value, fee } = isOpen(position) ? position.contents : { value: NO_WORTH, fee: NO_WORTH };
  return inBoth((unit) => difference(sumOf(value[unit], collectedFee[unit], fee[unit], collectedReward[unit], output[unit]), input[unit]));
}

/** When a position was closed, or now if it is open. */
export function endOf(position: PositionState, now: number): number | null {
  return isOpen(position) ? now : position.closedAt;
}

/** The record of an open position. @param now milliseconds since 1970 */
export function openRecord(position: OpenPosition, now: number): WireOpenPosition {
  const { pool, input, output, collectedFee, collectedReward, contents, moment } = position;
  const { amounts, withdrawableShare, fees, value, fee } = contents;
  const place = placementOf(pool, position.range, moment);
  const ageDays = daysBetween(position.openedAt, now);
  return {
    ...commonFields(position, place, ageDays),
    status: 'Open',
    currentValue: mapped(value.usd, decimalText),
    uncollectedFee: mapped(fee.usd, decimalText),
    value: value.usd,
    valueNative: value.native,
    // Without the present value, as in the real service.
    pnlNative: difference(sumOf(output.native, collectedFee.native, collectedReward.native), input.native),
    liquidity: contents.liquidity,
    // Null in the published contract; some clients cannot read a number or text here.
    ageHour: null,
    apr:
      ageDays === null || ageDays < MIN_APR_DAYS
        ? null
        : mapped(quotient(sumOf(fee.usd, collectedFee.usd), input.usd), (rate) => (100 * rate * DAYS_PER_YEAR) / ageDays),
    id: contents.id,
    range: [place.lower, place.upper, place.current],
    current: {
      amount0: amounts.x.toString(),
      amount1: amounts.y.toString(),
      amount0Adjusted: wholeTokens(amounts.x, pool.token0),
      amount1Adjusted: wholeTokens(amounts.y, pool.token1),
    },
    ...(withdrawableShare === 1 ? {} : { withdrawableShare }),
    unCollectedFee0: wholeTokens(fees.x, pool.token0),
    unCollectedFee1: wholeTokens(fees.y, pool.token1),
    unCollectedFee: fee.usd,
    unCollectedFeeNative: fee.native,
    uncollectedFeeNative: fee.native,
    price0: moment.usd0,
    price1: moment.usd1,
    logs: position.events.map((event) => logRecord(position, event)),
  };
}

/** The record of a closed position. */
export function closedRecord(position: ClosedPosition): WireClosedPosition {
  const { input, output, collectedFee, collectedReward, openedAt, closedAt, follows } = position;
  const solOut = sumOf(output.native, collectedFee.native, collectedReward.native);
  const closeDate = mapped(closedAt, isoDate);
  return {
    ...commonFields(position, placementOf(position.pool, position.range, position.moment), daysBetween(openedAt, closedAt)),
    status: 'Close',
    // The deposit, as in the example of the published contract.
    currentValue: mapped(input.usd, decimalText),
    uncollectedFee: '0',
    value: input.usd,
    valueNative: input.native,
    pnlNative: profitOf(position).native,
    liquidity: '0',
    ageHour: mapped(difference(closedAt, openedAt), (age) => decimalText(age / HOUR_MS)),
    apr: null,
    close_At: closeDate,
    closeAt: closeDate,
    fee: collectedFee.usd,
    feeNative: collectedFee.native,
    feePercent: product(100, quotient(collectedFee.usd, input.usd)),
    feePercentNative: product(100, quotient(collectedFee.native, input.native)),
    solInAudited: input.native,
    solOutAudited: solOut,
    pnlNativeAudited: difference(solOut, input.native),
    ...(follows === undefined
      ? {}
      : { followInfo: { sourceOwner: follows.owner, sourceLabel: follows.label, sourceTokenId: follows.position } }),
  };
}

/** Whole tokens of a raw amount; for display and valuation. */
export function wholeTokens(raw: bigint, { decimals }: Pick<RecordToken, 'decimals'>): number {
  return Number(raw) / 10 ** decimals;
}

type Shared = Omit<
  WirePosition,
  'status' | 'currentValue' | 'uncollectedFee' | 'value' | 'valueNative' | 'pnlNative' | 'liquidity' | 'ageHour' | 'apr'
>;

function commonFields(position: PositionState, place: PositionPlacement, ageDays: KnownOrNull): Shared {
  const { address, pool, strategy, input, output, collectedFee, collectedReward } = position;
  const { token0, token1 } = pool;
  const pnl = pnlRecord(profitOf(position), input);
  const aDay = (percent: KnownOrNull): KnownOrNull => (percent === null || ageDays === null ? null : percent / 100 / ageDays);
  return {
    strategyType: strategy === null ? null : strategyType(strategy),
    tokenId: address,
    position: address,
    pairName: pool.pairName,
    inputValue: input.usd,
    inputNative: input.native,
    outputValue: output.usd,
    outputNative: output.native,
    collectedReward: collectedReward.usd,
    collectedRewardNative: collectedReward.native,
    collectedFee: collectedFee.usd,
    collectedFeeNative: collectedFee.native,
    tickLower: place.lower,
    tickUpper: place.upper,
    pool: pool.address,
    token0: token0.mint,
    token1: token1.mint,
    inRange: place.isInRange,
    createdAt: mapped(position.openedAt, isoDate),
    updatedAt: mapped(position.updatedAt, isoDate),
    pnl,
    upnl: null,
    owner: position.owner,
    dpr: aDay(pnl.percent),
    dprNative: aDay(pnl.percentNative),
    age: mapped(ageDays, (days) => days.toFixed(2)),
    decimal0: token0.decimals,
    decimal1: token1.decimals,
    yield24h: null,
    protocol: pool.protocol,
    token0Info: tokenInfo(token0),
    token1Info: tokenInfo(token1),
    poolInfo: place.poolInfo,
    logo0: token0.logo,
    logo1: token1.logo,
    tokenName0: token0.symbol,
    tokenName1: token1.symbol,
    priceRange: place.priceRange,
    creationType: 'AUTO',
  };
}

function tokenInfo({ mint, symbol, name, decimals, logo }: RecordToken): WireTokenInfo {
  return { token_symbol: symbol, token_name: name, token_decimals: decimals, token_address: mint, logo };
}

function pnlRecord(profit: UsdAndNative, input: UsdAndNative): WirePnl {
  return {
    value: profit.usd,
    valueNative: profit.native,
    percent: product(100, quotient(profit.usd, input.usd)),
    percentNative: product(100, quotient(profit.native, input.native)),
  };
}

/** Days between two times, at least {@link MIN_AGE_MS}. */
function daysBetween(from: number | null, to: number | null): KnownOrNull {
  return mapped(difference(to, from), (age) => Math.max(MIN_AGE_MS, age) / DAY_MS);
}
