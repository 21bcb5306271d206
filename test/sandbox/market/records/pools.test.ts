import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/engine/build/build';
import { quoteExit } from '../../../../src/engine/build/exitQuotes';
import { marketBuildService } from '../../../../src/sandbox/market/engine/buildService';
import { PendingBuilds } from '../../../../src/sandbox/market/engine/pendingBuilds';
import { WorldSettings } from '../../../../src/sandbox/market/engine/settings';
import { tokenBalances } from '../../../../src/sandbox/market/records/ownerRecords';
import { poolInfoRecord } from '../../../../src/engine/wire/poolRecord';
import { poolDetails } from '../../../../src/sandbox/market/records/poolStates';
import { onchainStatsRecords, topLperRecords } from '../../../../src/sandbox/market/records/poolPositions';
import { wholeTokens } from '../../../../src/sandbox/market/units';
import type { MarketPool, Position, Valuation } from '../../../../src/sandbox/market/types';
import type { WithoutNulls } from '../../../support/withoutNulls';
import type { WireTokenBalance } from '../../../../src/engine/wire/balanceRecord';
import { LPER_COLUMNS, type WirePoolLper } from '../../../../src/engine/wire/pools';
import type { WirePoolInfo } from '../../../../src/engine/wire/poolRecord';
import { addressOf, binPoolOf, DAY, HOUR, OWNER, poolOf } from '../../../support/sandbox/market/worlds';
import { earnedOf, isNear, profitOf, total } from '../../../support/sandbox/market/records/naive';
import { known, PROTOCOLS, smallMarket, type SmallMarket } from '../../../support/sandbox/market/records/smallMarket';

const KEYS = ['BONQ-SOL-25', 'JUPP-SOL-DAMM-25'];

describe('Records of a pool', function () {
  let market: SmallMarket;
  before(() => {
    market = smallMarket(15);
  });

  it('Top LPers sum up their positions, with open ones at their current worth', () => {
    for (const pool of pools()) {
      const here = positionsIn(pool);
      const records = lpers(pool, 'total_pnl', 'desc');
      assert.deepEqual(records.map(({ owner }) => owner).sort(), [...new Set(here.map(({ owner }) => owner))].sort());
      for (const record of records) {
        const own = here.filter(({ owner }) => owner === record.owner);
        const profits = own.map((position) => profitOf(market.market, position));
        const ages = own.map(({ openedAt, closing }) => ((closing?.at ?? market.market.now) - openedAt) / HOUR);
        assert.deepEqual(
          [record.pool, record.token0, record.token1, record.protocol],
          [pool.address, pool.tokenX.mint, pool.tokenY.mint, PROTOCOLS[pool.type]],
        );
        for (const [unit, suffix] of [
          ['usd', ''],
          ['native', '_native'],
        ] as const) {
          const earned = total(own, (position) => earnedOf(market.market, position)[unit]);
          const inflow = total(own, ({ input }) => input[unit]);
          const wins = profits.filter((profit: Valuation) => profit[unit] > 0).length;
          near(
            record[`total_pnl${suffix}`],
            total(profits, (profit) => profit[unit]),
          );
          near(record[`total_fee${suffix}`], earned);
          near(record[`total_inflow${suffix}`], inflow);
          near(record[`avg_inflow${suffix}`], inflow / own.length);
          near(
            record[`total_outflow${suffix}`],
            total(own, ({ output }) => output[unit]),
          );
          near(record[`fee_percent${suffix}`], earned / inflow);
          near(record[`win_rate${suffix}`], wins / own.length);
          assert.equal(record[`win_lp${suffix}`], wins);
        }
        assert.equal(record.total_lp, own.length);
        near(record.avg_age_hour, total(ages, (age) => age) / own.length);
        near(record.roi, record.total_pnl / record.total_inflow);
        near(record.apr, (100 * record.roi * 8_760) / record.avg_age_hour);
        assert.equal(Date.parse(record.first_activity), Math.min(...own.map(({ openedAt }) => openedAt)));
        assert.equal(Date.parse(record.last_activity), Math.max(...own.map(({ updatedAt }) => updatedAt)));
      }
    }
  });

  it('Top LPers sort by every column, and their pages add up', () => {
    const [pool] = pools();
    for (const orderBy of LPER_COLUMNS) {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const whole = lpers(known(pool), orderBy, sortOrder);
        const figures = whole.map((record) =>
          orderBy === 'first_activity' || orderBy === 'last_activity' ? Date.parse(record[orderBy]) : record[orderBy],
        );
        assert.deepEqual(
          figures,
          [...figures].sort((a, b) => (sortOrder === 'asc' ? a - b : b - a)),
          `${orderBy} ${sortOrder}`,
        );
        const pages = [1, 2, 3, 4, 5].map((page) => topLperRecords(market.reading, known(pool), { orderBy, sortOrder, page, pageSize: 2 }));
        assert.deepEqual(
          pages.flatMap(({ data }) => data),
          whole.slice(0, 10),
        );
        assert.deepEqual(pages[0]?.pagination, {
          page: 1,
          pageSize: 2,
          totalCount: whole.length,
          totalPages: Math.ceil(whole.length / 2),
          hasNextPage: true,
        });
        assert.equal(pages[4]?.pagination.hasNextPage, whole.length > 10);
      }
    }
  });

  it('The onchain-stats record counts the open positions', () => {
    for (const pool of pools()) {
      const open = positionsIn(pool).filter(({ closing }) => closing === null);
      const [stats, ...others] = onchainStatsRecords(market.reading, pool).poolStats;
      assert.equal(others.length, 0);
      assert.deepEqual(
        [stats?.pool, stats?.total_open_positions, stats?.unique_owners],
        [pool.address, open.length, new Set(open.map(({ owner }) => owner)).size],
      );
      near(
        known(known(stats).total_input_value),
        total(open, ({ input }) => input.usd),
      );
      near(
        known(known(stats).total_input_native),
        total(open, ({ input }) => input.native),
      );
    }
  });

  it('The info record reports the contents of the pool and its earnings by hour', () => {
    for (const pool of pools()) {
      const info = infoOf(pool);
      const open = positionsIn(pool).filter(({ closing }) => closing === null);
      const held = (side: 'x' | 'y'): bigint =>
        open.reduce((sum, position) => sum + market.market.books.amountsOf(pool, position)[side], 0n);
      assert.equal(info.type, PROTOCOLS[pool.type]);
      // What rounding leaves behind in a bin is less than a unit for each bin of each position.
      assert.ok(Math.abs(info.amountX - wholeTokens(held('x'), pool.tokenX)) * 10 ** pool.tokenX.spec.decimals < 500);
      assert.ok(Math.abs(info.amountY - wholeTokens(held('y'), pool.tokenY)) * 10 ** pool.tokenY.spec.decimals < 500);
      assert.deepEqual(
        info.tokenInfo.map(({ data }) => data[0]?.id),
        [pool.tokenX.mint, pool.tokenY.mint],
      );
      const week = market.market.turnoverOf(pool).hourly(market.market.now);
      assert.deepEqual(
        info.feeStats.map(({ timestamp }) => Date.parse(timestamp)),
        week.map(({ startsAt }) => startsAt).filter((at) => at > market.market.now - 7 * DAY),
      );
      assert.ok(info.feeStats.length > 10 && info.feeStats.every(({ fee, volume }) => fee > 0 && volume > fee));
      const { baseFeeRatePercentage, dynamicFee, maxFeeRatePercentage, protocolFeePercentage } = info.feeInfo;
      assert.ok(baseFeeRatePercentage <= dynamicFee && dynamicFee <= maxFeeRatePercentage);
      assert.equal(protocolFeePercentage, pool.type === 'bins' ? 5 : 20);
    }
  });

  it('The info record shows the bins with liquidity around the active bin, and none for a pool without bins', () => {
    const pool = binPoolOf(market.market, 'BONQ-SOL-25');
    const { activeBin, bins } = known(infoOf(pool).liquidityViz);
    assert.equal(activeBin.binId, pool.activeBinId);
    const [first, last] = [known(bins[0]).binId, known(bins.at(-1)).binId];
    assert.deepEqual(
      bins.map(({ binId }) => binId),
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    );
    for (const reach of [pool.activeBinId - first, last - pool.activeBinId]) {
      assert.ok(reach >= 35 && reach <= 140, String(reach));
    }
    for (const bin of bins) {
      const { x, y } = pool.binAmounts(bin.binId);
      assert.deepEqual([bin.xAmount, bin.yAmount], [wholeTokens(x, pool.tokenX), wholeTokens(y, pool.tokenY)]);
      near(Number(bin.price), pool.priceOf(bin.binId));
      near(Number(bin.pricePerToken), pool.uiPriceOf(bin.binId));
    }
    assert.equal('liquidityViz' in infoOf(poolOf(market.market, 'JUPP-SOL-DAMM-25')), false);
  });

  it('The info record contains the account state with the field names of the programs', () => {
    const [bins, product] = pools().map((pool) => ({ pool, state: infoOf(pool).poolState }));
    assert.deepEqual(
      [bins?.state['activeId'], bins?.state['tokenXMint'], bins?.state['tokenYMint']],
      [binPoolOf(market.market, 'BONQ-SOL-25').activeBinId, bins?.pool.tokenX.mint, bins?.pool.tokenY.mint],
    );
    assert.deepEqual([product?.state['tokenAMint'], product?.state['tokenBMint']], [product?.pool.tokenX.mint, product?.pool.tokenY.mint]);
    assert.ok(product?.pool.type === 'product');
    assert.deepEqual(
      [product.state['sqrtPrice'], product.state['liquidity']],
      [product.pool.sqrtPriceQ64.toString(), product.pool.totalLiquidity.toString()],
    );
  });

  it('Balances combine SOL and wrapped SOL, list held tokens, and omit unknown mints', () => {
    const { chain, reading } = market;
    const { sol, usdc } = market.market;
    const all = tokenBalances(reading, OWNER, undefined) as readonly WithoutNulls<WireTokenBalance>[];
    const solItem = known(all.find(({ address }) => address === sol.mint));
    assert.equal(solItem.rawBalance, (chain.lamports(OWNER) + chain.tokenBalance(OWNER, sol.mint)).toString());
    assert.ok(all.length > 2 && all.every(({ rawBalance, address }) => rawBalance !== '0' || address === sol.mint));
    for (const item of all) {
      assert.equal(item.tokenAddress, item.address);
      assert.equal(Number(item.uiAmount), item.balance);
      near(item.balanceInUsd, item.balance * item.price);
    }
    assert.deepEqual(
      tokenBalances(reading, OWNER, [usdc.mint, addressOf('no mint')]),
      all.filter(({ address }) => address === usdc.mint),
    );
    assert.deepEqual(
      tokenBalances(reading, addressOf('nobody'), undefined).map(({ rawBalance }) => rawBalance),
      ['0'],
    );
  });

  it('A quote gives for each output the result of its plan', () => {
    const { unit, database, chain } = market;
    const service = marketBuildService(
      {
        market: market.market,
        chain,
        unit,
        issued: new PendingBuilds(database, unit),
        settings: new WorldSettings(database),
        lookupTable: { address: addressOf('table'), entries: [] },
        random: () => new Uint8Array(32),
      },
      PROTOCOLS,
    );
    for (const pool of pools()) {
      const position = known(positionsIn(pool).find(({ closing, owner }) => closing === null && owner !== market.market.world));
      const whole = market.market.books.worthOf(pool, market.market.books.amountsOf(pool, position)).usd;
      const { price: quoted, token0, token1, value: usd, valueNative, outputs } = atOnce(quoteExit(service, position.id, 5_000));
      const price = { token0: known(quoted.token0), token1: known(quoted.token1) };
      const value = known(usd);
      assert.deepEqual([token0.address, token1.address], [pool.tokenX.mint, pool.tokenY.mint]);
      near(
        value,
        (Number(token0.amount) + Number(token0.fee)) * price.token0 + (Number(token1.amount) + Number(token1.fee)) * price.token1,
      );
      near(known(valueNative), value / market.market.usdSol);
      assert.ok(Math.abs(Number(token0.amount) * price.token0 + Number(token1.amount) * price.token1 - whole / 2) < 0.01 * whole);
      for (const [output, amounts] of Object.entries(outputs)) {
        const worth = total(
          amounts,
          ({ address, amount }) => Number(amount) * market.market.usd(known(market.market.tokens.find(({ mint }) => mint === address))),
        );
        assert.ok(worth > 0.9 * value && worth < 1.1 * value, `${output}: ${worth} of ${value}`);
      }
      assert.deepEqual(
        outputs.allToken0.map(({ address }) => address),
        [pool.tokenX.mint],
      );
      assert.deepEqual(
        outputs.allToken1.map(({ address }) => address),
        [pool.tokenY.mint],
      );
      assert.deepEqual(
        outputs.allBaseToken.map(({ address }) => address),
        [market.market.sol.mint],
      );
    }
  });

  function lpers(
    pool: MarketPool,
    orderBy: (typeof LPER_COLUMNS)[number],
    sortOrder: 'asc' | 'desc',
  ): readonly WithoutNulls<WirePoolLper>[] {
    return topLperRecords(market.reading, pool, { orderBy, sortOrder, page: 1, pageSize: 100 })
      .data as readonly WithoutNulls<WirePoolLper>[];
  }

  function infoOf(pool: MarketPool): WithoutNulls<WirePoolInfo> {
    return poolInfoRecord(poolDetails(market.reading, pool)) as WithoutNulls<WirePoolInfo>;
  }

  function pools(): readonly MarketPool[] {
    return KEYS.map((key) => poolOf(market.market, key));
  }

  function positionsIn(pool: MarketPool): readonly Readonly<Position>[] {
    return market.positions().filter((position) => position.pool === pool.address);
  }
});

function near(actual: number, expected: number): void {
  assert.ok(isNear(actual, expected), `${actual} is not ${expected}`);
}
