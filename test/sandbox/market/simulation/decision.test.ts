import assert from 'node:assert/strict';
import * as z from 'zod';
import { tokenSpec } from '../../../../src/sandbox/market/catalog';
import { Random } from '../../../../src/sandbox/market/random';
import { decide, isSoldOut, shapeOf } from '../../../../src/sandbox/market/simulation/decision';
import type { ProviderPosition, ProviderSlot } from '../../../../src/sandbox/market/simulation/provider';
import { seedProviders } from '../../../../src/sandbox/market/simulation/seedProviders';
import {
  sampleHabits,
  type Habits,
  STRATEGY_PROFILES,
  type Style,
  STYLES,
} from '../../../../src/sandbox/market/simulation/strategyProfile';
import { Database } from '../../../../src/sandbox/store/database';
import { addressOf, binPoolOf, DAY, HOUR, NOON, poolOf, worldIn } from '../../../support/sandbox/market/worlds';
import { populatedIn } from '../../../support/sandbox/market/simulation/populated';

describe('The simulated providers', () => {
  for (const seed of [1, 7, 612]) {
    it(`Two hundred providers join one to four fitting pools each, with about the catalog's money (seed ${seed})`, () => {
      const { market, database } = worldIn(Database.inMemory(), seed);
      const cast = seedProviders(market);
      assert.equal(cast.length, 200);
      assert.equal(new Set(cast.map(({ provider }) => provider.owner)).size, 200);
      for (const { provider, savingsUsd } of cast) {
        const { seats, habits, home } = provider;
        assert.ok(seats.length >= 1 && seats.length <= 4);
        assert.equal(new Set(seats.map(({ pool }) => pool)).size, seats.length);
        assert.ok(savingsUsd > seats.reduce((sum, { budgetUsd }) => sum + budgetUsd, 0));
        assert.ok(home === 'SOL' || seats.some(({ pool }) => pool.includes('USDC')));
        seats.forEach((seat) =>
          assert.ok(
            suits(habits.style, poolOf(market, seat.pool).spec.tokenX, poolOf(market, seat.pool).type),
            `${habits.style} in ${seat.pool}`,
          ),
        );
      }
      for (const { spec } of market.pools) {
        const seats = cast.flatMap(({ provider }) => provider.seats.filter(({ pool }) => pool === spec.key));
        const part = seats.reduce((sum, { budgetUsd }) => sum + budgetUsd, 0) / spec.tvlUsd;
        assert.ok(seats.length >= 10 && seats.length <= 40, `${spec.key}: ${seats.length} people`);
        assert.ok(part > 0.6 && part < 1.5, `${spec.key}: ${part}`);
      }
      const sizes = cast.flatMap(({ provider }) => provider.seats.map(({ budgetUsd }) => budgetUsd)).sort((a, b) => a - b);
      assert.ok((sizes[0] ?? 0) < 20 && (sizes.at(-1) ?? 0) > 500_000);
      database.close();
    });
  }

  function suits(style: Style, tokenX: string, type: 'bins' | 'product'): boolean {
    const { volatility } = tokenSpec(tokenX);
    switch (style) {
      case 'fullRange':
        return type === 'product';
      case 'stablePair':
        return type === 'bins' && volatility < 0.1;
      case 'chaser':
        return type === 'bins' && volatility > 1;
      case 'ladder':
      case 'bidAsk':
        return type === 'bins' && volatility > 0.1;
      case 'marketMaker':
      case 'patient':
        return type === 'bins';
      case 'anchor':
        return true;
    }
  }
});

describe('Decisions of a provider', () => {
  const world = worldIn(Database.inMemory(), 5);
  const pool = binPoolOf(world.market, 'WYFF-SOL-80');
  after(() => world.database.close());

  const habits: Habits = {
    style: 'patient',
    strategy: 'Spot',
    lookHours: 10,
    patienceHours: 20,
    collectHours: 50,
    holdHours: 100,
    pauseHours: 5,
    exit: { profit: 0.5, loss: 0.25 },
  };

  /** A seat with a position of which the price is so many bins above the lower end. */
  function seatWith(stay: Partial<ProviderPosition> & { readonly above?: number } = {}): ProviderSlot & { stay: ProviderPosition } {
    const fromBinId = pool.activeBinId - (stay.above ?? 10);
    const range = { fromBinId, toBinId: fromBinId + 20 };
    return {
      pool: pool.spec.key,
      budgetUsd: 100,
      halfWidthBins: 10,
      side: 'x',
      enterAt: NOON,
      stay: {
        position: addressOf('position'),
        accounts: [],
        range,
        openedAtPrice: pool.price,
        outSince: null,
        collectAt: NOON + 50 * HOUR,
        leaveAt: null,
        ...stay,
      },
    };
  }

  it('A provider enters when due, but not before the pool exists', () => {
    const seat: ProviderSlot = { ...seatWith(), stay: null };
    assert.equal(decide(habits, seat, pool, NOON - 1), 'wait');
    assert.equal(decide(habits, seat, pool, NOON), 'enter');
    const young = poolOf(world.market, 'GIGALAMB-SOL-250');
    assert.equal(decide(habits, { ...seat, enterAt: 0 }, young, young.createdAt - 1), 'wait');
  });

  it('A provider stays out of range for as long as its patience lasts', () => {
    const seat = seatWith({ above: 30 });
    assert.equal(decide(habits, seat, pool, NOON), 'wait');
    assert.equal(decide(habits, seat, pool, NOON + 19 * HOUR), 'wait');
    assert.equal(decide(habits, seat, pool, NOON + 20 * HOUR), 'move');
    assert.equal(decide({ ...habits, patienceHours: 0 }, seatWith({ above: -1 }), pool, NOON), 'move');
  });

  it('A provider resets its out-of-range timer when the price returns', () => {
    const seat = seatWith({ outSince: NOON });
    assert.equal(decide(habits, seat, pool, NOON + 30 * HOUR), 'wait');
    assert.equal(seat.stay.outSince, null);
  });

  it('A provider collects fees and closes at its time limit, take-profit or stop-loss', () => {
    assert.equal(decide(habits, seatWith(), pool, NOON + 50 * HOUR), 'collect');
    assert.equal(decide(habits, seatWith({ leaveAt: NOON + HOUR }), pool, NOON + HOUR), 'leave');
    assert.equal(decide(habits, seatWith({ openedAtPrice: pool.price / 1.51 }), pool, NOON), 'leave');
    assert.equal(decide(habits, seatWith({ openedAtPrice: pool.price / 1.49 }), pool, NOON), 'wait');
    assert.equal(decide(habits, seatWith({ openedAtPrice: pool.price / 0.74 }), pool, NOON), 'leave');
    assert.equal(decide({ ...habits, exit: null }, seatWith({ openedAtPrice: pool.price / 9 }), pool, NOON), 'wait');
  });

  it('An anchor moves before the price leaves its range, and a ladder as soon as it is sold out', () => {
    const anchor: Habits = { ...habits, style: 'anchor', patienceHours: 0, exit: null };
    assert.equal(decide(anchor, seatWith({ above: 15 }), pool, NOON), 'wait');
    assert.equal(decide(anchor, seatWith({ above: 16 }), pool, NOON), 'move');
    const ladder: Habits = { ...habits, style: 'ladder', exit: null };
    assert.ok(isSoldOut('x', seatWith({ above: 21 }).stay, pool) && !isSoldOut('y', seatWith({ above: 21 }).stay, pool));
    assert.equal(decide(ladder, seatWith({ above: 21 }), pool, NOON), 'move');
    assert.equal(decide(ladder, { ...seatWith({ above: 21 }), side: 'y' }, pool, NOON), 'wait');
  });

  it('A ladder offers one token on one side, and other styles offer both around the price', () => {
    const seat = seatWith();
    assert.deepEqual(shapeOf({ ...habits, style: 'ladder' }, seat, pool), {
      strategy: 'Spot',
      partX: 1,
      range: { fromBinId: pool.activeBinId + 1, toBinId: pool.activeBinId + 20 },
    });
    assert.deepEqual(shapeOf({ ...habits, style: 'ladder' }, { ...seat, side: 'y' }, pool), {
      strategy: 'Spot',
      partX: 0,
      range: { fromBinId: pool.activeBinId - 20, toBinId: pool.activeBinId - 1 },
    });
    assert.deepEqual(shapeOf(habits, seat, pool)?.range, { fromBinId: pool.activeBinId - 10, toBinId: pool.activeBinId + 10 });
    assert.equal(shapeOf(habits, seat, poolOf(world.market, 'WYFF-SOL-DAMM-100'))?.range, null);
  });
});

describe('Habits of providers', function () {
  it('Habits differ within a style and between styles', () => {
    const random = Random.seeded(3, 'habits');
    for (const style of STYLES) {
      const many = Array.from({ length: 50 }, () => sampleHabits(style, random));
      const [least, most] = STRATEGY_PROFILES[style].lookHours;
      assert.ok(many.every(({ lookHours }) => lookHours >= least && lookHours <= most));
      assert.ok(new Set(many.map(({ lookHours }) => lookHours)).size === 50);
    }
  });

  it('Positions reflect the habits: market makers move often, patient ones seldom, and only ladders are one-sided', () => {
    const { database } = populatedIn(Database.inMemory(), 8, 20 * DAY);
    const Opened = z.object({
      style: z.enum(STYLES),
      hours: z.number().nullable(),
      width: z.int().nullable(),
      x: z.string(),
      y: z.string(),
    });
    const opened = database.all(
      Opened,
      `SELECT json_extract(provider.state, '$.habits.style') AS style, (closed_at - opened_at) / ${HOUR}.0 AS hours, upper_bin - lower_bin + 1 AS width, amount_x AS x, amount_y AS y
       FROM position JOIN provider ON provider.owner = position.owner JOIN position_event ON position_event.position = position.address AND position_event.number = 0`,
    );
    const of = (style: Style): typeof opened => opened.filter((row) => row.style === style);
    const closedPart = (style: Style): number => of(style).filter(({ hours }) => hours !== null).length / of(style).length;
    assert.ok(
      STYLES.every((style) => of(style).length >= 14),
      STYLES.map((style) => `${style} ${of(style).length}`).join(', '),
    );
    assert.ok(closedPart('marketMaker') > 2 * closedPart('patient'));
    assert.ok(closedPart('chaser') > 2 * closedPart('anchor'));
    assert.ok(of('ladder').every(({ x, y }) => (x === '0') !== (y === '0')));
    assert.ok(opened.filter(({ style }) => style !== 'ladder').every(({ x, y }) => x !== '0' && y !== '0'));
    assert.ok(STRATEGY_PROFILES.marketMaker.halfWidth[1] < STRATEGY_PROFILES.patient.halfWidth[0]);
    assert.ok(of('fullRange').every(({ width }) => width === null));
    database.close();
  });
});
