import { type Address, parseAddress } from '../../base/solana/address';
import { HOUR_MS } from '../../base/time';
import type { TopLpersParameters } from '../engine';
import type { WirePoolLper, WireTopLpers } from '../wire/pools';
import { difference, inBoth, type KnownOrNull, mapped, product, quotient, sumOf } from '../state/figures';
import { inOrder, onPage, pageCount } from './lists';
import { endOf, profitOf } from '../wire/positionRecord';
import { isOpen, type RecordedPosition } from '../state/positionState';
import { isoDate } from '../wire/text';

const HOURS_PER_YEAR = 8_760;

/**
 * The liquidity providers of a pool, from their positions. Fees include uncollected ones; profit includes open positions. A figure to which an
 * unknown one belongs is unknown.
 * @param unlisted number of open positions of an owner that are not among them; null: not known
 * @param now milliseconds since 1970
 */
export function lpersOf(
  positions: readonly RecordedPosition[],
  unlisted: (owner: Address) => KnownOrNull,
  now: number,
): readonly WirePoolLper[] {
  const byOwner = new Map<string, RecordedPosition[]>();
  for (const position of positions) {
    const own = byOwner.get(position.owner);
    if (own === undefined) {
      byOwner.set(position.owner, [position]);
    } else {
      own.push(position);
    }
  }
  return [...byOwner].flatMap(([owner, own]) => {
    const address = parseAddress(owner);
    return lperOf(own, address === undefined ? null : unlisted(address), now) ?? [];
  });
}

/** One page of liquidity providers. Those whose figure is unknown come last; equal ones are in the given order. */
export function topLpersRecord(
  lpers: readonly WirePoolLper[],
  { orderBy, sortOrder, page, pageSize }: Omit<TopLpersParameters, 'pool'>,
): WireTopLpers {
  const figureOf = ({ [orderBy]: value }: WirePoolLper): KnownOrNull => (typeof value === 'string' ? Date.parse(value) : value);
  const totalPages = pageCount(lpers.length, pageSize);
  return {
    data: onPage(inOrder(lpers, figureOf, sortOrder), { page, pageSize }),
    pagination: { page, pageSize, totalCount: lpers.length, totalPages, hasNextPage: page < totalPages },
  };
}

/**
 * @param own positions of one owner in one pool
 * @param unlisted number of further open positions; null: not known. Unless there are none, a sum over the others would be too small
 */
function lperOf(own: readonly RecordedPosition[], unlisted: KnownOrNull, now: number): WirePoolLper | undefined {
  const [first] = own;
  if (first === undefined) {
    return undefined;
  }
  const isWhole = unlisted === 0;
  const total = (of: (position: RecordedPosition) => KnownOrNull): KnownOrNull => (isWhole ? sumOf(0, ...own.map(of)) : null);
  const inflow = inBoth((unit) => total(({ input }) => input[unit]));
  const fee = inBoth((unit) => total((position) => sumOf(position.collectedFee[unit], isOpen(position) ? position.contents.fee[unit] : 0)));
  const pnl = inBoth((unit) => total((position) => profitOf(position)[unit]));
  const wins = inBoth((unit) => total((position) => mapped(profitOf(position)[unit], (profit) => (profit > 0 ? 1 : 0))));
  const ages = total((position) => mapped(difference(endOf(position, now), position.openedAt), (ms) => ms / HOUR_MS));
  const averageAge = quotient(ages, own.length);
  const roi = quotient(pnl.usd, inflow.usd);
  return {
    pool: first.pool.address,
    owner: first.owner,
    protocol: first.pool.protocol,
    token0: first.pool.token0.mint,
    token1: first.pool.token1.mint,
    total_inflow: inflow.usd,
    avg_inflow: quotient(inflow.usd, own.length),
    total_outflow: total(({ output }) => output.usd),
    total_fee: fee.usd,
    total_pnl: pnl.usd,
    total_inflow_native: inflow.native,
    avg_inflow_native: quotient(inflow.native, own.length),
    total_outflow_native: total(({ output }) => output.native),
    total_reward: total(({ collectedReward }) => collectedReward.usd),
    total_fee_native: fee.native,
    total_reward_native: total(({ collectedReward }) => collectedReward.native),
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
          own.map(({ openedAt }) => openedAt),
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

function edgeOf(times: readonly (number | null)[], edge: (...times: number[]) => number): string | null {
  const known = times.flatMap((time) => time ?? []);
  return known.length < times.length ? null : isoDate(edge(...known));
}
