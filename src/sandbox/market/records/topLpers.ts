import { addressFromBytes, type Address } from '../../../solana/address';
import type { TopLpersParameters } from '../../engine';
import type { WirePoolLper, WireTopLpers } from '../../wire/pools';
import type { Market } from '../market';
import type { Pool } from '../pool';
import type { PositionState, Sum } from '../position';
import { Random, seededBytes } from '../random';
import { HOUR } from '../spans';
import { isoDate, pageOf, PROTOCOL, ratio } from './common';
import { profitOf } from './positions';

const HOURS_A_YEAR = 8_760;
const LEAST_LPERS = 24;
const MOST_LPERS = 60;

/** The liquidity providers of a pool: those that we keep books of, and others who only exist in this list. */
export function topLperRecords(market: Market, pool: Pool, { orderBy, sortOrder, page, pageSize }: TopLpersParameters): WireTopLpers {
  const direction = sortOrder === 'asc' ? 1 : -1;
  const sorted = [...ownersOf(market, pool), ...strangers(market, pool)].sort((a, b) => direction * (a[orderBy] - b[orderBy]));
  const { items, totalPages } = pageOf(sorted, page, pageSize);
  return { data: items, pagination: { page, pageSize, totalCount: sorted.length, totalPages, hasNextPage: page < totalPages } };
}

/** What a provider's record is made of. */
interface Account {
  readonly owner: Address;
  readonly input: Sum;
  readonly output: Sum;
  readonly fee: Sum;
  readonly profit: Sum;
  readonly positions: number;
  readonly wins: Sum;
  readonly averageAgeHours: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

function ownersOf(market: Market, pool: Pool): WirePoolLper[] {
  const here = market.positions.filter((position) => position.pool === pool.address);
  return [...new Set(here.map((position) => position.owner))].map((owner) => {
    const own = here.filter((position) => position.owner === owner);
    const profits = own.map((position) => profitOf(market, pool, position));
    const ages = own.map((position) => ((position.closed?.at ?? market.now) - position.createdAt) / HOUR);
    return lperRecord(pool, {
      owner,
      input: sumOf(own.map((position) => position.input)),
      output: sumOf(own.map((position) => position.output)),
      fee: sumOf(own.map((position) => position.collectedFee)),
      profit: sumOf(profits),
      positions: own.length,
      wins: { usd: profits.filter(({ usd }) => usd > 0).length, native: profits.filter(({ native }) => native > 0).length },
      averageAgeHours: ratio(ages.reduce((sum, age) => sum + age, 0), own.length),
      firstAt: Math.min(...own.map((position) => position.createdAt)),
      lastAt: Math.max(...own.map((position: PositionState) => position.updatedAt)),
    });
  });
}

/** Providers made up for this pool: the same whenever they are asked for. */
function strangers(market: Market, pool: Pool): WirePoolLper[] {
  const random = Random.seeded(market.seed, `top lpers ${pool.spec.key}`);
  const count = random.integer(LEAST_LPERS, MOST_LPERS);
  return Array.from({ length: count }, (_, index) => {
    const positions = Math.ceil(Math.exp(random.between(0, 4.5)));
    const input = pool.spec.tvlUsd * Math.exp(random.between(-6.5, -1.2)) * Math.sqrt(positions);
    const fee = input * Math.exp(random.between(-6, -2.6));
    const profit = fee + input * 0.035 * random.normal();
    const wins = Math.min(positions, Math.round(positions * Math.min(0.95, Math.max(0.1, 0.55 + 2.5 * ratio(profit, input)))));
    const sum = (usd: number): Sum => ({ usd, native: usd / market.usdSol });
    const firstAt = market.startedAt - Math.min(pool.spec.ageHours, random.between(30, 1_500)) * HOUR;
    return lperRecord(pool, {
      owner: addressFromBytes(seededBytes(market.seed, `lper ${pool.spec.key} ${index}`)),
      input: sum(input),
      output: sum(input + profit - fee),
      fee: sum(fee),
      profit: sum(profit),
      positions,
      wins: { usd: wins, native: Math.max(0, wins - random.integer(0, 1)) },
      averageAgeHours: Math.exp(random.between(-0.5, 5)),
      firstAt,
      lastAt: firstAt + random.uniform() * (market.startedAt - firstAt),
    });
  });
}

function lperRecord(pool: Pool, account: Account): WirePoolLper {
  const { input, output, fee, profit, positions, wins, averageAgeHours } = account;
  const roi = ratio(profit.usd, input.usd);
  return {
    pool: pool.address,
    owner: account.owner,
    protocol: PROTOCOL,
    token0: pool.tokenX.mint,
    token1: pool.tokenY.mint,
    total_inflow: input.usd,
    avg_inflow: ratio(input.usd, positions),
    total_outflow: output.usd,
    total_fee: fee.usd,
    total_pnl: profit.usd,
    total_inflow_native: input.native,
    avg_inflow_native: ratio(input.native, positions),
    total_outflow_native: output.native,
    total_reward: 0,
    total_fee_native: fee.native,
    total_reward_native: 0,
    total_pnl_native: profit.native,
    total_lp: positions,
    avg_age_hour: averageAgeHours,
    win_lp: wins.usd,
    win_lp_native: wins.native,
    win_rate: ratio(wins.usd, positions),
    win_rate_native: ratio(wins.native, positions),
    fee_percent: ratio(fee.usd, input.usd),
    fee_percent_native: ratio(fee.native, input.native),
    apr: 100 * roi * ratio(HOURS_A_YEAR, averageAgeHours),
    roi,
    first_activity: isoDate(account.firstAt),
    last_activity: isoDate(account.lastAt),
  };
}

function sumOf(sums: readonly Sum[]): Sum {
  return sums.reduce((total, sum) => ({ usd: total.usd + sum.usd, native: total.native + sum.native }), { usd: 0, native: 0 });
}
