import { type Address, parseAddress } from '../../base/solana/address';
import { HOUR_MS } from '../../base/time';
import type { TopLpersParameters } from '../engine';
import { difference, type KnownOrNull, mapped, product, quotient, sumOf } from './figures';
import { isoDate, pageCount } from './text';
import type { WirePoolLper, WireTopLpers } from '../wire/pools';
import type { WireClosedPosition, WireOpenPosition } from '../wire/positions';

const HOURS_PER_YEAR = 8_760;

/** The record of a position, open or closed. */
export type PositionRecord = WireOpenPosition | WireClosedPosition;

/**
 * The liquidity providers of a pool, from the records of their positions. Fees include uncollected ones; profit includes open positions. A figure
 * to which an unknown one belongs is unknown.
 * @param unlisted number of open positions of an owner that have no record; null: not known
 * @param now milliseconds since 1970
 */
export function lpersOf(
  records: readonly PositionRecord[],
  unlisted: (owner: Address) => KnownOrNull,
  now: number,
): readonly WirePoolLper[] {
  const byOwner = new Map<string, PositionRecord[]>();
  for (const record of records) {
    const own = byOwner.get(record.owner);
    if (own === undefined) {
      byOwner.set(record.owner, [record]);
    } else {
      own.push(record);
    }
  }
  return [...byOwner].flatMap(([owner, own]) => {
    const address = parseAddress(owner);
    return lperOf(own, address === undefined ? null : unlisted(address), now) ?? [];
  });
}

/** One page of liquidity providers. Those whose figure is unknown come last, in the given order. */
export function lpersPage(lpers: readonly WirePoolLper[], { orderBy, sortOrder, page, pageSize }: TopLpersParameters): WireTopLpers {
  const direction = sortOrder === 'asc' ? 1 : -1;
  const key = (lper: WirePoolLper): KnownOrNull => {
    const value = lper[orderBy];
    return typeof value === 'string' ? Date.parse(value) : value;
  };
  const sorted = [...lpers].sort((one, other) => compared(key(one), key(other), direction));
  const totalPages = pageCount(sorted.length, pageSize);
  return {
    data: sorted.slice((page - 1) * pageSize, page * pageSize),
    pagination: { page, pageSize, totalCount: sorted.length, totalPages, hasNextPage: page < totalPages },
  };
}

/** Orders figures; unknown ones come last, whatever the direction. */
export function compared(one: KnownOrNull, other: KnownOrNull, direction: 1 | -1): number {
  return one === null || other === null ? Number(one === null) - Number(other === null) : direction * (one - other);
}

/**
 * @param own positions of one owner in one pool
 * @param unlisted number of further open positions; null: not known. Unless there are none, a sum over the others would be too small
 */
function lperOf(own: readonly PositionRecord[], unlisted: KnownOrNull, now: number): WirePoolLper | undefined {
  const [first] = own;
  if (first === undefined) {
    return undefined;
  }
  const isWhole = unlisted === 0;
  const total = (of: (record: PositionRecord) => KnownOrNull): KnownOrNull => (isWhole ? sumOf(0, ...own.map(of)) : null);
  const inflow = { usd: total(({ inputValue }) => inputValue), native: total(({ inputNative }) => inputNative) };
  const fee = {
    usd: total((record) => sumOf(record.collectedFee, isClosed(record) ? 0 : record.unCollectedFee)),
    native: total((record) => sumOf(record.collectedFeeNative, isClosed(record) ? 0 : record.unCollectedFeeNative)),
  };
  const pnl = { usd: total((record) => record.pnl.value), native: total((record) => record.pnl.valueNative) };
  const wins = { usd: total((record) => won(record.pnl.value)), native: total((record) => won(record.pnl.valueNative)) };
  const ages = total((record) => mapped(difference(endOf(record, now), timeOf(record.createdAt)), (ms) => ms / HOUR_MS));
  const averageAge = quotient(ages, own.length);
  const roi = quotient(pnl.usd, inflow.usd);
  return {
    pool: first.pool,
    owner: first.owner,
    protocol: first.protocol,
    token0: first.token0,
    token1: first.token1,
    total_inflow: inflow.usd,
    avg_inflow: quotient(inflow.usd, own.length),
    total_outflow: total(({ outputValue }) => outputValue),
    total_fee: fee.usd,
    total_pnl: pnl.usd,
    total_inflow_native: inflow.native,
    avg_inflow_native: quotient(inflow.native, own.length),
    total_outflow_native: total(({ outputNative }) => outputNative),
    total_reward: total(({ collectedReward }) => collectedReward),
    total_fee_native: fee.native,
    total_reward_native: total(({ collectedRewardNative }) => collectedRewardNative),
    total_pnl_native: pnl.native,
    total_lp: mapped(unlisted, (more) => own.length + more),
    avg_age_hour: averageAge,
    win_lp: wins.usd,
    win_lp_native: wins.native,
    win_rate: quotient(wins.usd, own.length),
    win_rate_native: quotient(wins.native, own.length),
    fee_percent: quotient(fee.usd, inflow.usd),
    fee_percent_native: quotient(fee.native, inflow.native),
    apr: product(
      mapped(roi, (rate) => 100 * rate),
      quotient(HOURS_PER_YEAR, averageAge),
    ),
    roi,
    first_activity: isWhole
      ? edgeOf(
          own.map(({ createdAt }) => createdAt),
          Math.min,
        )
      : null,
    last_activity: isWhole
      ? edgeOf(
          own.map(({ updatedAt }) => updatedAt),
          Math.max,
        )
      : null,
  };
}

/** Whether a record is that of a closed position. */
export function isClosed(record: PositionRecord): record is WireClosedPosition {
  return 'closeAt' in record;
}

function won(profit: KnownOrNull): KnownOrNull {
  return mapped(profit, (value) => (value > 0 ? 1 : 0));
}

function endOf(record: PositionRecord, now: number): KnownOrNull {
  return isClosed(record) ? timeOf(record.closeAt) : now;
}

function timeOf(text: string | null): KnownOrNull {
  return text === null ? null : Date.parse(text);
}

function edgeOf(times: readonly (string | null)[], edge: (...times: number[]) => number): string | null {
  const known = times.flatMap((time) => timeOf(time) ?? []);
  return known.length < times.length ? null : isoDate(edge(...known));
}
