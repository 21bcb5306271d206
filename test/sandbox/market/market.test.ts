import assert from 'node:assert/strict';
import * as z from 'zod';
import { Market, MarketState } from '../../../src/sandbox/market/market';
import { isInRange, type PositionState } from '../../../src/sandbox/market/position';
import { cursorAt } from '../../../src/sandbox/market/pool';
import { profitOf } from '../../../src/sandbox/market/records/positions';
import { NOON, OWNER, poolOf, worldAt } from './worlds';

const HOUR = 3_600_000;

function saved(market: Market): string {
  return JSON.stringify(z.encode(MarketState, market.save()));
}

/** Without the rolling sums, of which the store keeps seven digits. */
function exactly(text: string): string {
  return text.replaceAll(/"series":\{.*?\}/g, '');
}

/** Equal; says where they differ, and not all that they are. */
function same(actual: string, expected: string): void {
  let at = 0;
  while (at < expected.length && actual[at] === expected[at]) {
    at += 1;
  }
  assert.ok(actual === expected, `differs at ${at}: ${actual.slice(at - 40, at + 40)} and not ${expected.slice(at - 40, at + 40)}`);
}

function restored(text: string): Market {
  return Market.restored(z.decode(MarketState, JSON.parse(text) as z.input<typeof MarketState>), 1);
}

describe('the market', function () {
  this.timeout(30_000);
  it('is the same for the same seed, start and moments', () => {
    const play = (): string => {
      const market = worldAt(21);
      for (const seconds of [1, 5, 60, 3_600]) {
        market.advance(market.now + seconds * 1_000);
      }
      return saved(market);
    };
    same(play(), play());
  });

  it('goes on from what was saved as it would have gone on', () => {
    const market = worldAt(22);
    market.advance(NOON + HOUR);
    const other = restored(saved(market));
    same(saved(other), saved(market));
    for (const one of [market, other]) {
      one.advance(NOON + 2 * HOUR);
    }
    same(exactly(saved(other)), exactly(saved(market)));
  });

  it('never goes back, and stands exactly where it was told to go', () => {
    const market = worldAt(23);
    market.advance(NOON - HOUR);
    assert.equal(market.now, NOON);
    for (const ms of [999, 1_000, 61_000, 5 * HOUR + 7_000]) {
      const before: number = market.now;
      market.advance(before + ms);
      assert.equal(market.now, before + Math.floor(ms / 1_000) * 1_000);
    }
  });

  it('catches up on weeks in bounded time', () => {
    const market = worldAt(24);
    const began = performance.now();
    market.advance(NOON + 60 * 24 * HOUR);
    assert.ok(performance.now() - began < 2_000);
    for (const { spec } of market.tokens) {
      const token = market.tokens.find((candidate) => candidate.spec.key === spec.key);
      const factor = token === undefined ? NaN : market.usd(token) / spec.priceUsd;
      assert.ok(factor > 0.02 && factor < 50, `${spec.key} is at ${factor} times its price`);
    }
  });

  it('keeps every pool near the price outside, to within its fee and a bin', () => {
    const market = worldAt(25);
    for (let minute = 0; minute < 60; minute += 1) {
      market.advance(market.now + 60_000);
      for (const pool of market.pools) {
        const raw = (market.usd(pool.tokenX) / market.usd(pool.tokenY)) * 10 ** (pool.tokenY.spec.decimals - pool.tokenX.spec.decimals);
        const band = Number(pool.feeRates().total) / 1e9 / Math.log1p(pool.spec.binStepBps / 10_000) + 0.5 + 1e-9;
        assert.ok(Math.abs(pool.state.cursor - cursorAt(raw, pool.spec.binStepBps)) <= band, pool.spec.key);
      }
    }
  });

  it('moves visibly within minutes, and not absurdly within an hour', () => {
    const market = worldAt(26);
    const volatile = poolOf(market, 'WYFF-SOL-80').tokenX;
    const before = market.usd(volatile);
    market.advance(NOON + 3 * 60_000);
    assert.notEqual(market.usd(volatile).toPrecision(4), before.toPrecision(4));
    market.advance(NOON + HOUR);
    assert.ok(Math.abs(Math.log(market.usd(volatile) / before)) < 0.4);
  });

  it('shocks every pool that trades the token', () => {
    const market = worldAt(27);
    const [fine, coarse] = [poolOf(market, 'BONQ-SOL-25'), poolOf(market, 'BONQ-SOL-100')];
    const before = [fine.activeBinId, coarse.activeBinId, market.usd(fine.tokenX)] as const;
    market.shock(fine, 50);
    assert.ok(Math.abs(market.usd(fine.tokenX) / before[2] - 1.5) < 1e-9);
    assert.ok(Math.abs(fine.activeBinId - before[0] - 162) <= 3);
    assert.ok(Math.abs(coarse.activeBinId - before[1] - 41) <= 4);
  });

  it('puts back what an undone bundle changed', () => {
    const market = worldAt(28);
    const before = saved(market);
    const undo = market.checkpoint();
    const [position] = market.positions;
    assert.ok(position !== undefined);
    position.input.usd += 1;
    position.bins = [];
    for (const pool of market.pools) {
      pool.state.bins = {};
      pool.state.binArrays = [];
    }
    undo();
    same(saved(market), before);
  });
});

describe('the owner at the first start', function () {
  this.timeout(30_000);
  for (let seed = 1; seed <= 12; seed += 1) {
    it(`has won here, lost there and is out of range elsewhere (seed ${seed})`, () => {
      const market = worldAt(seed);
      const open = market.positions.filter(({ closed }) => closed === null);
      assert.ok(open.length >= 5);
      assert.ok(open.every(({ owner }) => owner === OWNER));
      const told = open.map((position) => ({ position, ...figures(market, position) }));
      assert.ok(told.filter(({ inRange }) => inRange).length >= 3);

      const out = told.filter(({ inRange }) => !inRange).map(({ binsAway }) => binsAway);
      assert.ok(out.some((bins) => bins <= 5), `none is just out of range: ${out.join()}`);
      assert.ok(out.some((bins) => bins >= 10), `none is far out of range: ${out.join()}`);
      assert.ok(told.some(({ percentNative }) => percentNative > 15), 'no big gain');
      assert.ok(told.some(({ percentNative }) => percentNative < -5), 'no loss');
      assert.ok(told.some(({ percentNative }) => Math.abs(percentNative) < 1.5), 'none is about even');
      assert.ok(told.some(({ position }) => position.input.usd < 10) && told.some(({ position }) => position.input.usd > 4_000));
      assert.ok(Math.min(...told.map(({ ageHours }) => ageHours)) < 5 && Math.max(...told.map(({ ageHours }) => ageHours)) > 14 * 24);
      assert.equal(new Set(open.map(({ strategy }) => strategy)).size, 3);

      const closed = market.positions.filter((position) => position.closed !== null);
      assert.ok(closed.length >= 10);
      assert.ok(closed.every((position) => (position.closed?.at ?? 0) > position.createdAt && (position.closed?.at ?? NOON) < NOON));
    });
  }

  function figures(market: Market, position: PositionState): { inRange: boolean; binsAway: number; percentNative: number; ageHours: number } {
    const pool = market.poolAt(position.pool);
    assert.ok(pool !== undefined);
    return {
      inRange: isInRange(position, pool.activeBinId),
      binsAway: Math.max(position.lowerBinId - pool.activeBinId, pool.activeBinId - position.upperBinId),
      percentNative: (100 * profitOf(market, pool, position).native) / position.input.native,
      ageHours: (market.now - position.createdAt) / HOUR,
    };
  }
});
