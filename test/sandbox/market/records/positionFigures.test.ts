import assert from 'node:assert/strict';
import { historicalRecords, openingRecords } from '../../../../src/sandbox/market/records/positionLists';
import type { Position } from '../../../../src/sandbox/market/types';
import type { WithoutNulls } from '../../../support/withoutNulls';
import type { WireClosedPosition, WireOpenPosition } from '../../../../src/engine/wire/positionRecord';
import { isNear, profitOf } from '../../../support/sandbox/market/records/naive';
import { known, PEOPLE, PROTOCOLS, smallMarket, type SmallMarket } from '../../../support/sandbox/market/records/smallMarket';

/** The price of one tick or bin over the one before it, to the power of how many there are between. */
const ratioOf = (bps: number, from: number, to: number): number => Math.exp((to - from) * Math.log1p(bps / 10_000));

describe('Figures of a position', function () {
  let market: SmallMarket;
  let positions: ReadonlyMap<string, Readonly<Position>>;
  let open: readonly WithoutNulls<WireOpenPosition>[];
  let closed: readonly WithoutNulls<WireClosedPosition>[];
  before(() => {
    market = smallMarket(12);
    positions = new Map(market.positions().map((position) => [position.address, position]));
    open = PEOPLE.flatMap((owner) => openingRecords(market.reading, owner).data) as readonly WithoutNulls<WireOpenPosition>[];
    closed = PEOPLE.flatMap(
      (owner) => historicalRecords(market.reading, { owner, from: undefined, to: undefined, page: 1, pageSize: 1_000 }).data,
    ) as readonly WithoutNulls<WireClosedPosition>[];
    for (const protocol of Object.values(PROTOCOLS)) {
      assert.ok(
        open.some((record) => record.protocol === protocol) && closed.some((record) => record.protocol === protocol),
        `there are both kinds of ${protocol}`,
      );
    }
  });

  it('An open position is worth its amounts at current prices', () => {
    for (const record of open) {
      const { current, price0, price1 } = record;
      near(record.value, current.amount0Adjusted * price0 + current.amount1Adjusted * price1);
      near(record.unCollectedFee, record.unCollectedFee0 * price0 + record.unCollectedFee1 * price1);
      near(record.valueNative, record.value / market.market.usdSol);
      near(Number(record.currentValue), record.value);
      near(Number(record.uncollectedFee), record.unCollectedFee);
      near(Number(current.amount0) / 10 ** record.decimal0, current.amount0Adjusted);
      near(Number(current.amount1) / 10 ** record.decimal1, current.amount1Adjusted);
      assert.equal(record.uncollectedFeeNative, record.unCollectedFeeNative);
    }
  });

  it('Profit is withdrawals, fees and remaining worth, less deposits', () => {
    for (const record of [...open, ...closed]) {
      const isOpen = 'current' in record;
      const still = isOpen
        ? { usd: record.value + record.unCollectedFee, native: record.valueNative + record.unCollectedFeeNative }
        : { usd: 0, native: 0 };
      near(record.pnl.value, record.outputValue + record.collectedFee + still.usd - record.inputValue);
      near(record.pnl.valueNative, record.outputNative + record.collectedFeeNative + still.native - record.inputNative);
      near(record.pnl.percent, (100 * record.pnl.value) / record.inputValue);
      near(record.pnl.percentNative, (100 * record.pnl.valueNative) / record.inputNative);
      near(record.pnlNative, record.outputNative + record.collectedFeeNative - record.inputNative);
      near(record.pnl.value, profitOf(market.market, known(positions.get(record.position))).usd);
    }
  });

  it('Range, ticks and prices agree, and so does the in-range state', () => {
    const standing = { in: 0, out: 0 };
    for (const record of open) {
      const [lower, upper, current] = record.range;
      const pool = known(market.market.poolAt(record.pool));
      assert.deepEqual([record.tickLower, record.tickUpper], [lower, upper]);
      assert.equal(record.inRange, lower <= current && current <= upper);
      assert.equal(record.protocol, PROTOCOLS[pool.type]);
      if (pool.type === 'bins') {
        assert.equal(current, pool.activeBinId);
        assert.equal(record.poolInfo.tickSpacing, pool.spec.binStepBps);
      }
      const [lowest, highest, now] = record.priceRange;
      near(highest / lowest, ratioOf(record.poolInfo.tickSpacing, lower, upper));
      const steps = Math.log(now / lowest) / Math.log1p(record.poolInfo.tickSpacing / 10_000);
      assert.equal(Math.floor(steps + 1e-6), current - lower);
      standing[record.inRange ? 'in' : 'out'] += 1;
    }
    assert.ok(standing.in > 0 && standing.out > 0, 'both kinds were looked at');
  });

  it('A position without bins spans the whole price range of its program', () => {
    for (const record of [...open, ...closed].filter(({ protocol }) => protocol === PROTOCOLS.product)) {
      assert.deepEqual([record.tickLower, record.tickUpper, record.poolInfo.tickSpacing, record.inRange], [-443_636, 443_636, 1, true]);
      const [lowest, highest, now] = record.priceRange;
      assert.ok(lowest > 0 && lowest < now && now < highest && Number.isFinite(highest));
    }
  });

  it('The in-range state of a closed position follows from the price at its closing', () => {
    const bins = closed.filter(({ protocol }) => protocol === PROTOCOLS.bins);
    assert.ok(bins.some(({ inRange }) => inRange) && bins.some(({ inRange }) => !inRange));
    for (const { position, inRange, tickLower, tickUpper } of bins) {
      const closing = known(known(positions.get(position)).closing);
      assert.equal(inRange, tickLower <= known(closing.activeBinId) && known(closing.activeBinId) <= tickUpper);
    }
  });

  it('Fees and audited sums of a closed position match its profit', () => {
    for (const record of closed) {
      assert.deepEqual([record.fee, record.feeNative], [record.collectedFee, record.collectedFeeNative]);
      near(record.feePercent, (100 * record.fee) / record.inputValue);
      near(record.feePercentNative, (100 * record.feeNative) / record.inputNative);
      near(record.pnlNativeAudited, record.solOutAudited - record.solInAudited);
      near(record.pnlNativeAudited, record.pnl.valueNative);
      assert.deepEqual([record.value, record.valueNative], [record.inputValue, record.inputNative]);
      assert.equal(record.close_At, record.closeAt);
      near(Number(record.ageHour), (Date.parse(record.closeAt) - Date.parse(record.createdAt)) / 3_600_000);
    }
  });

  it('The daily return is the profit divided by the age in days', () => {
    for (const record of [...open, ...closed]) {
      const days =
        Math.max(60_000, ('closeAt' in record ? Date.parse(record.closeAt) : market.market.now) - Date.parse(record.createdAt)) /
        86_400_000;
      near(record.dpr, record.pnl.percent / 100 / days);
      near(record.dprNative, record.pnl.percentNative / 100 / days);
      assert.equal(record.age, days.toFixed(2));
    }
  });

  it('Logs add up to the deposits, withdrawals and collected fees', () => {
    for (const record of open) {
      const worth = (action: string): number =>
        record.logs
          .filter((log) => log.action === action)
          .reduce(
            (sum, log) =>
              sum +
              (Number(log.amount0) / 10 ** log.decimal0) * Number(log.price0) +
              (Number(log.amount1) / 10 ** log.decimal1) * Number(log.price1),
            0,
          );
      near(worth('add_liquidity'), record.inputValue);
      near(worth('remove_liquidity'), record.outputValue);
      near(worth('claim_fee'), record.collectedFee);
    }
  });

  function near(actual: number, expected: number): void {
    assert.ok(isNear(actual, expected), `${actual} is not ${expected}`);
  }
});
