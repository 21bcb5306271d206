import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time';
import { difference, type KnownOrNull, inBoth, mapped, NO_WORTH, product, quotient, sumOf, type UsdAndNative } from '../state/figures';
import { logRecord, type WirePositionLog } from './logRecord';
import { placementOf, type PositionPlacement } from './placement';
import {
  type ClosedPositionState,
  isOpen,
  type OpenPositionState,
  type RecordedPosition,
  type RecordToken,
  type UnclaimedReward,
} from '../state/positionState';
import { decimalText, isoDate, strategyType } from './text';

// Records of positions: their form, with the fields that the published contract adds, and how they are made. Null: not known.

/** Profit of a position. Percentages: 5 is 5%. */
interface WirePnl {
  readonly value: number | null;
  readonly valueNative: number | null;
  readonly percent: number | null;
  readonly percentNative: number | null;
}

/** A token beside a position. */
interface WireTokenInfo {
  readonly token_symbol: string;
  readonly token_name: string;
  readonly token_decimals: number;
  readonly token_address: string;
  readonly logo: string | null;
}

/** A reward of the pool that is not claimed yet. */
interface WireReward {
  readonly token_address: string;
  readonly token_symbol: string;
  readonly token_decimals: number;
  /** Raw, as text. */
  readonly amount: string;
  readonly amountAdjusted: number;
  readonly value: number | null;
  readonly valueNative: number | null;
}

/** Common fields of open and closed positions. */
interface WirePosition {
  readonly status: 'Open' | 'Close';
  readonly strategyType: string | null;
  readonly tokenId: string;
  readonly position: string;
  readonly pairName: string;
  /** Decimal text. */
  readonly currentValue: string | null;
  readonly inputValue: number | null;
  readonly inputNative: number | null;
  readonly outputValue: number | null;
  readonly outputNative: number | null;
  readonly collectedReward: number | null;
  readonly collectedRewardNative: number | null;
  readonly collectedFee: number | null;
  readonly collectedFeeNative: number | null;
  /** Fees of claims whose transactions have no price are valued at one of about that time, and the profit with them. Not in the contract. */
  readonly collectedFeeIsEstimate?: true;
  /** Decimal text. */
  readonly uncollectedFee: string | null;
  /** Lowest and highest bin. Pools without bins: the price range of the program, in ticks of one basis point. */
  readonly tickLower: number | null;
  readonly tickUpper: number | null;
  readonly pool: string;
  readonly liquidity: string;
  readonly token0: string;
  readonly token1: string;
  readonly inRange: boolean | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly pnl: WirePnl;
  readonly pnlNative: number | null;
  readonly upnl: number | null;
  readonly owner: string;
  /** Fraction a day. */
  readonly dpr: number | null;
  readonly dprNative: number | null;
  /** Hours, as text. */
  readonly ageHour: string | null;
  /** Days with two places, as text. */
  readonly age: string | null;
  readonly decimal0: number;
  readonly decimal1: number;
  readonly yield24h: number | null;
  readonly apr: number | null;
  readonly protocol: string;
  readonly token0Info: WireTokenInfo;
  readonly token1Info: WireTokenInfo;
  /** Both are the bin step; the real service fills `fee` so. Pools without bins: the base fee in basis points, and ticks of one. */
  readonly poolInfo: { readonly fee: number | null; readonly tickSpacing: number };
  readonly logo0: string | null;
  readonly logo1: string | null;
  readonly tokenName0: string;
  readonly tokenName1: string;
  /** US dollars for one token0: lower end, upper end, now. */
  readonly priceRange: readonly [number | null, number | null, number | null];
  readonly value: number | null;
  readonly valueNative: number | null;
  readonly creationType: string;
  /** What went in and out is from Meteora's public data, and not read from the chain yet. Not in the contract. */
  readonly isReported?: true;
  /** Meteora's public data says otherwise about what went in and out; these are the chain's figures. Not in the contract. */
  readonly isContradicted?: true;
}

export interface WireOpenPosition extends WirePosition {
  /** Opaque; what decrease-tx takes as `position_id`. */
  readonly id: string;
  /** Lower bin, upper bin, active bin; ticks in pools without bins. */
  readonly range: readonly [number | null, number | null, number | null];
  readonly current: {
    /** Raw, as text. */
    readonly amount0: string;
    readonly amount1: string;
    /** Whole tokens. */
    readonly amount0Adjusted: number;
    readonly amount1Adjusted: number;
  };
  /** The part of value and amounts that can be withdrawn, below 1: the rest is locked, or vests. Absent: all of it. Not in the contract. */
  readonly withdrawableShare?: number;
  /** Whole tokens. */
  readonly unCollectedFee0: number;
  readonly unCollectedFee1: number;
  readonly unCollectedFee: number | null;
  readonly unCollectedFeeNative: number | null;
  /** The same under the name that some clients read. */
  readonly uncollectedFeeNative: number | null;
  /** Tokens that the pool gives besides its fees, and the profit contains. Absent: none is waiting. Not in the contract. */
  readonly uncollectedRewards?: readonly WireReward[];
  readonly price0: number | null;
  readonly price1: number | null;
  readonly logs: readonly WirePositionLog[];
}

export interface WireClosedPosition extends WirePosition {
  readonly close_At: string | null;
  readonly closeAt: string | null;
  readonly fee: number | null;
  readonly feeNative: number | null;
  /** Percent of the input. */
  readonly feePercent: number | null;
  readonly feePercentNative: number | null;
  readonly solInAudited: number | null;
  readonly solOutAudited: number | null;
  readonly pnlNativeAudited: number | null;
  /** Only if the position copies another wallet. */
  readonly followInfo?: { readonly sourceOwner: string; readonly sourceLabel: string; readonly sourceTokenId: string };
}

const DAYS_PER_YEAR = 365;
/** The APR of a younger position is not meaningful. */
const MIN_APR_DAYS = 1 / 24;
/** Smallest age in divisions. */
const MIN_AGE_MS = MINUTE_MS;

/** The record of a position. @param now milliseconds since 1970 */
export function positionRecord(position: RecordedPosition, now: number): WireOpenPosition | WireClosedPosition {
  return isOpen(position) ? openRecord(position, now) : closedRecord(position);
}

/** What a position has made so far: what came out and what is in it, less what was put in. */
export function profitOf(position: RecordedPosition): UsdAndNative {
  const { input, output, collectedFee, collectedReward } = position;
  const { value, fee, reward = NO_WORTH } = isOpen(position) ? position.contents : { value: NO_WORTH, fee: NO_WORTH };
  return inBoth((unit) =>
    difference(sumOf(value[unit], collectedFee[unit], fee[unit], collectedReward[unit], reward[unit], output[unit]), input[unit]),
  );
}

/** When a position was closed, or now if it is open. */
export function endOf(position: RecordedPosition, now: number): number | null {
  return isOpen(position) ? now : position.closedAt;
}

/** The record of an open position. @param now milliseconds since 1970 */
export function openRecord(position: OpenPositionState, now: number): WireOpenPosition {
  const { pool, input, output, collectedFee, collectedReward, contents, moment } = position;
  const { amounts, withdrawableShare, fees, value, fee, rewards = [] } = contents;
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
    ...(rewards.length === 0 ? {} : { uncollectedRewards: rewards.map(rewardRecord) }),
    price0: moment.usd0,
    price1: moment.usd1,
    logs: position.events.map((event) => logRecord(position, event)),
  };
}

export function closedRecord(position: ClosedPositionState): WireClosedPosition {
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

function commonFields(position: RecordedPosition, place: PositionPlacement, ageDays: KnownOrNull): Shared {
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
    ...(position.isFeeEstimated === true ? { collectedFeeIsEstimate: true as const } : {}),
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
    ...(position.isReported === true ? { isReported: true } : {}),
    ...(position.isContradicted === true ? { isContradicted: true } : {}),
  };
}

function rewardRecord({ token, amount, worth }: UnclaimedReward): WireReward {
  return {
    token_address: token.mint,
    token_symbol: token.symbol,
    token_decimals: token.decimals,
    amount: amount.toString(),
    amountAdjusted: wholeTokens(amount, token),
    value: worth.usd,
    valueNative: worth.native,
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
