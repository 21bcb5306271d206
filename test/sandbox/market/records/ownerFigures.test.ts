import assert from 'node:assert/strict';
import type { Address } from '../../../../src/base/solana/address';
import { EngineError } from '../../../../src/engine/engine';
import { ownerOverview, ownerRevenue } from '../../../../src/sandbox/market/records/ownerRecords';
import { openingRecords } from '../../../../src/sandbox/market/records/positionLists';
import type { PoolKind, Position } from '../../../../src/sandbox/market/types';
import type { WithoutNulls } from '../../../support/withoutNulls';
import {
  PERIODS,
  type WireOverview,
  type WirePeriod,
  type WirePerPeriod,
  type WireRevenueRow,
} from '../../../../src/engine/wire/overviewRecord';
import { addressOf, DAY, HOUR, OWNER } from '../../../support/sandbox/market/worlds';
import { isNear, total } from '../../../support/sandbox/market/records/naive';
import { known, PEOPLE, PROTOCOLS, smallMarket, type SmallMarket } from '../../../support/sandbox/market/records/smallMarket';

type Unit = 'usd' | 'native';
type Closed = Readonly<Position> & { readonly closing: NonNullable<Position['closing']> };

describe('Figures of an owner', function () {
  let market: SmallMarket;
  before(() => {
    market = smallMarket(13);
  });

  it('The overview sums up the closed positions by period', () => {
    for (const owner of PEOPLE) {
      for (const type of ['bins', 'product'] as const) {
        const all = positionsOf(owner, type);
        const overview = overviewOf(owner, PROTOCOLS[type]);
        for (const [unit, suffix] of [
          ['usd', ''],
          ['native', '_native'],
        ] as const) {
          const closed = all.filter(isClosed);
          const months = [...new Set(closed.map(({ closing }) => new Date(closing.at).toISOString().slice(0, 7)))].map((month) =>
            closed.filter(({ closing }) => new Date(closing.at).toISOString().startsWith(month)),
          );
          const averageOf = (of: (month: readonly Closed[]) => number): number => total(months, of) / (months.length || 1);
          eachPeriod(overview[`total_pnl${suffix}`], (in_) => total(closedIn(all, in_), (position) => profit(position, unit)));
          eachPeriod(overview[`total_fee${suffix}`], (in_) => total(closedIn(all, in_), ({ collectedFee }) => collectedFee[unit]));
          eachPeriod(overview[`avg_inflow${suffix}`], (in_) =>
            over(
              total(closedIn(all, in_), ({ input }) => input[unit]),
              closedIn(all, in_).length,
            ),
          );
          eachPeriod(overview[`win_rate${suffix}`], (in_) => over(wins(closedIn(all, in_), unit), results(closedIn(all, in_), unit)));
          eachPeriod(overview[`expected_value${suffix}`], (in_) =>
            over(
              total(closedIn(all, in_), (position) => profit(position, unit)),
              results(closedIn(all, in_), unit),
            ),
          );
          near(
            overview[`total_inflow${suffix}`],
            total(closed, ({ input }) => input[unit]),
          );
          near(
            overview[`total_outflow${suffix}`],
            total(closed, ({ output }) => output[unit]),
          );
          near(
            overview[`avg_monthly_pnl${suffix}`],
            averageOf((month) => total(month, (position) => profit(position, unit))),
          );
          near(
            overview[`avg_monthly_inflow${suffix}`],
            averageOf((month) => total(month, ({ input }) => input[unit])),
          );
          near(
            overview[`avg_monthly_profit_percent${suffix}`],
            averageOf((month) =>
              over(
                total(month, (position) => profit(position, unit)),
                total(month, ({ input }) => input[unit]),
              ),
            ),
          );
          assert.equal(overview[`win_lp${suffix}`], String(wins(closed, unit)));
        }
        assert.deepEqual(Object.keys(overview.closed_lp), PERIODS);
        assert.equal(overview.closed_lp.ALL, String(all.filter(isClosed).length));
        assert.equal(overview.closed_lp['7D'], closedIn(all, '7D').length);
        assert.equal(overview.total_pool, String(new Set(all.map(({ pool }) => pool)).size));
        near(
          overview.avg_age_hour,
          over(
            total(all.filter(isClosed), ({ closing, openedAt }) => (closing.at - openedAt) / HOUR),
            all.filter(isClosed).length,
          ),
        );
        assert.equal(overview.first_activity, dateText(Math.min(...all.map(({ openedAt }) => openedAt))));
        assert.equal(overview.last_activity, dateText(Math.max(...all.map(({ updatedAt }) => updatedAt))));
        assert.match(overview.updated_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      }
    }
  });

  it('The overview satisfies the identities of the service', () => {
    for (const overview of overviews()) {
      assert.equal(Number(overview.total_lp), Number(overview.closed_lp.ALL) + Number(overview.opening_lp));
      near(overview.roi, over(overview.total_pnl.ALL, overview.total_inflow));
      near(overview.fee_percent, over(overview.total_fee.ALL, overview.total_inflow));
      near(overview.avg_inflow.ALL, over(overview.total_inflow, Number(overview.closed_lp.ALL)));
      near(overview.roi_avg_inflow, over(overview.expected_value.ALL, overview.avg_inflow.ALL));
      near(overview.roi_avg_inflow_native, over(overview.expected_value_native.ALL, overview.avg_inflow_native.ALL));
      near(overview.avg_pos_profit, overview.expected_value.ALL);
      near(overview.total_pnl.ALL, overview.total_outflow + overview.total_fee.ALL - overview.total_inflow);
    }
  });

  it('The overviews of both protocols together count the positions that opening lists', () => {
    for (const owner of PEOPLE) {
      const open = total(overviews([owner]), ({ opening_lp }) => Number(opening_lp));
      assert.equal(open, openingRecords(market.reading, owner).count);
    }
  });

  it('No overview exists for an owner without positions or for an unknown protocol', () => {
    assert.throws(() => ownerOverview(market.reading, addressOf('nobody'), PROTOCOLS.bins), EngineError);
    assert.throws(() => ownerOverview(market.reading, OWNER, 'orca'), EngineError);
  });

  it('A landing that is not indexed yet does not change the counts', () => {
    const closed = known(positionsOf(OWNER, 'bins').filter(isClosed).at(-1));
    const before_ = overviewOf(OWNER, PROTOCOLS.bins);
    market.database.run(
      'INSERT INTO lagging_record (position, owner, record, until) VALUES (?, ?, ?, ?)',
      closed.address,
      OWNER,
      '{}',
      market.market.now + HOUR,
    );
    const during = overviewOf(OWNER, PROTOCOLS.bins);
    const made = total(revenue('month'), ({ sum }) => sum);
    market.database.run('DELETE FROM lagging_record');
    assert.deepEqual(
      [during.total_lp, Number(during.opening_lp), Number(during.closed_lp.ALL)],
      [before_.total_lp, Number(before_.opening_lp) + 1, Number(before_.closed_lp.ALL) - 1],
    );
    near(during.total_pnl.ALL, before_.total_pnl.ALL - profit(closed, 'usd'));
    near(made, total(revenue('month'), ({ sum }) => sum) - profit(closed, 'usd'));
  });

  it('Revenue sums up profit by day, week and month of closing, and over a range', () => {
    for (const owner of PEOPLE) {
      const closed = positionsOf(owner).filter(isClosed);
      for (const period of ['day', 'week', 'month'] as const) {
        for (const range of [undefined, '7D', '1M'] as const) {
          const counted = closed.filter(({ closing }) => closing.at >= startOf(range ?? 'ALL'));
          const rows = revenue(period, owner, range);
          const days = [...new Set(counted.map(({ closing }) => bucketOf(period, closing.at)))].sort((a, b) => a - b);
          assert.deepEqual(
            rows.map(({ close_day }) => Date.parse(close_day)),
            days,
          );
          let cumulative = 0;
          for (const row of rows) {
            const made = total(
              counted.filter(({ closing }) => bucketOf(period, closing.at) === Date.parse(row.close_day)),
              (position) => profit(position, 'usd'),
            );
            cumulative += made;
            near(row.sum, made);
            near(row.cumulative_pnl, cumulative);
            near(row.pnl_percent, row.sum / row.max_invested);
            near(row.pnl_percent_native, row.sum_native / row.max_invested_native);
          }
        }
      }
    }
  });

  it('Revenue of a range equals the profit of the overview for that period', () => {
    for (const range of ['7D', '1M'] as const) {
      const made = total(overviews([OWNER]), ({ total_pnl_native }) => total_pnl_native[range]);
      near(revenue('day', OWNER, range).at(-1)?.cumulative_pnl_native ?? 0, made);
    }
  });

  it('Revenue reports the highest investment at a time and the investment at the end', () => {
    for (const owner of PEOPLE) {
      const own = positionsOf(owner);
      for (const row of revenue('week', owner)) {
        const start = Date.parse(row.close_day);
        const end = start + 7 * DAY;
        const moments = [start, ...own.flatMap(({ openedAt, closing }) => [openedAt, closing?.at ?? 0])].filter(
          (at) => at >= start && at < end,
        );
        const most = Math.max(...moments.map((at) => investedAt(own, at)), investedAt(own, start - 1));
        near(row.max_invested, most, 1e-6);
        near(row.total_invested, investedAt(own, end - 1), 1e-6);
      }
    }
  });

  it('Revenue can be filtered by protocol and is empty for an unknown one', () => {
    const ofBoth = total(revenue('month'), ({ sum }) => sum);
    const ofEach = total([PROTOCOLS.bins, PROTOCOLS.product], (name) =>
      total(revenue('month', OWNER, undefined, [name]), ({ sum }) => sum),
    );
    near(ofEach, ofBoth);
    assert.deepEqual(revenue('month', OWNER, undefined, ['orca']), []);
    assert.deepEqual(revenue('day', addressOf('nobody')), []);
  });

  function revenue(
    period: 'day' | 'week' | 'month',
    owner = OWNER,
    range?: '7D' | '1M',
    protocols?: readonly string[],
  ): readonly WithoutNulls<WireRevenueRow>[] {
    return ownerRevenue(market.reading, { owner, period, range, protocols }).data as readonly WithoutNulls<WireRevenueRow>[];
  }

  function overviewOf(owner: Address, protocol: string): WithoutNulls<WireOverview> {
    return ownerOverview(market.reading, owner, protocol) as WithoutNulls<WireOverview>;
  }

  function overviews(owners = PEOPLE): readonly WithoutNulls<WireOverview>[] {
    return owners.flatMap((owner) =>
      (['bins', 'product'] as const).flatMap((type) => (positionsOf(owner, type).length === 0 ? [] : [overviewOf(owner, PROTOCOLS[type])])),
    );
  }

  function positionsOf(owner: string, type?: PoolKind): readonly Readonly<Position>[] {
    return market.positions().filter((position) => position.owner === owner && (type === undefined || position.type === type));
  }

  function closedIn(all: readonly Readonly<Position>[], period: WirePeriod): readonly Closed[] {
    return all.filter(isClosed).filter(({ closing }) => closing.at >= startOf(period));
  }

  function startOf(period: WirePeriod): number {
    const { now } = market.market;
    return {
      ALL: 0,
      '7D': now - 7 * DAY,
      '1M': now - 30 * DAY,
      '3M': now - 90 * DAY,
      '1Y': now - 365 * DAY,
      YTD: Date.UTC(new Date(now).getUTCFullYear(), 0),
    }[period];
  }

  function eachPeriod(actual: WithoutNulls<WirePerPeriod>, expected: (period: WirePeriod) => number): void {
    assert.deepEqual(Object.keys(actual), PERIODS);
    PERIODS.forEach((period) => near(actual[period], expected(period)));
  }
});

function isClosed(position: Readonly<Position>): position is Closed {
  return position.closing !== null;
}

function profit({ input, output, collectedFee }: Closed, unit: Unit): number {
  return output[unit] + collectedFee[unit] - input[unit];
}

function wins(closed: readonly Closed[], unit: Unit): number {
  return closed.filter((position) => profit(position, unit) > 0).length;
}

function results(closed: readonly Closed[], unit: Unit): number {
  return closed.filter((position) => profit(position, unit) !== 0).length;
}

/** What was in positions just after what happened at that moment. */
function investedAt(own: readonly Readonly<Position>[], at: number): number {
  return total(
    own.filter(({ openedAt, closing }) => openedAt <= at && (closing === null || closing.at > at)),
    ({ input }) => input.usd,
  );
}

/** Where the period begins that a moment lies in, by the calendar of UTC. */
function bucketOf(period: 'day' | 'week' | 'month', at: number): number {
  const date = new Date(at);
  switch (period) {
    case 'day':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    case 'week':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
}

function over(part: number, of: number): number {
  return of === 0 ? 0 : part / of;
}

function dateText(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '');
}

function near(actual: number, expected: number, crumb = 0): void {
  assert.ok(isNear(actual, expected) || Math.abs(actual - expected) < crumb, `${actual} is not ${expected}`);
}
