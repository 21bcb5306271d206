import assert from 'node:assert/strict';
import fc from 'fast-check';
import { opaqueId, pageOf } from '../../../src/sandbox/market/records/common';
import { Random } from '../../../src/sandbox/market/random';
import { quote, swapOut } from '../../../src/sandbox/market/quotes';
import { emptySeries, priceAgo, record, turnoverBefore, turnoverOf } from '../../../src/sandbox/market/series';
import { NOON, OWNER, poolOf, worldAt } from './worlds';

const MINUTE = 60_000;

describe('rolling sums', function () {
  this.timeout(30_000);
  it('are what adding up everything in the span gives, up to the part of a bucket', () => {
    const series = emptySeries();
    const trades: { at: number; volume: number }[] = [];
    const random = Random.seeded(1, 'trades');
    for (let at = NOON; at < NOON + 30 * 60 * MINUTE; at += 30_000) {
      const volume = random.between(0, 100);
      trades.push({ at, volume });
      record(series, at, { volumeUsd: volume, feeUsd: volume / 100 }, 1);
    }
    const now = NOON + 30 * 60 * MINUTE - 1;
    for (const minutes of [5, 60, 6 * 60, 24 * 60]) {
      const naive = trades.filter(({ at }) => at > now - minutes * MINUTE).reduce((sum, { volume }) => sum + volume, 0);
      const { volumeUsd, feeUsd } = turnoverOf(series, now, minutes * MINUTE);
      const bucket = minutes <= 60 ? 1 : 10;
      assert.ok(Math.abs(volumeUsd - naive) <= 100 * 2 * (bucket + 1), `${minutes} min: ${volumeUsd} and not ${naive}`);
      assert.ok(Math.abs(feeUsd - volumeUsd / 100) < 1e-6);
    }
    const before = trades.filter(({ at }) => at > now - 2 * 60 * MINUTE && at <= now - 60 * MINUTE).reduce((sum, { volume }) => sum + volume, 0);
    assert.ok(Math.abs(turnoverBefore(series, now, 60 * MINUTE).volumeUsd - before) < 600);
  });

  it('keep a bounded number of buckets', () => {
    const series = emptySeries();
    for (let minute = 0; minute < 20 * 24 * 60; minute += 7) {
      record(series, NOON + minute * MINUTE, { volumeUsd: 1, feeUsd: 0 }, minute);
    }
    assert.ok(series.minutes.length <= 62 && series.tens.length <= 146 && series.hours.length <= 192);
    const now = NOON + 20 * 24 * 60 * MINUTE;
    assert.ok(Math.abs((priceAgo(series, now, 60 * MINUTE) ?? 0) - (20 * 24 * 60 - 60)) <= 8);
    assert.equal(priceAgo(emptySeries(), now, MINUTE), undefined);
  });
});

describe('random numbers', function () {
  this.timeout(30_000);
  it('are the same for the same seed and label, go on where they were saved, and look random', () => {
    const draw = (random: Random): number[] => Array.from({ length: 20 }, () => random.uniform());
    assert.deepEqual(draw(Random.seeded(5, 'a')), draw(Random.seeded(5, 'a')));
    assert.notDeepEqual(draw(Random.seeded(5, 'a')), draw(Random.seeded(5, 'b')));
    const random = Random.seeded(5, 'a');
    draw(random);
    assert.deepEqual(draw(Random.restored(random.save())), draw(random));

    const normals = Array.from({ length: 20_000 }, () => random.normal());
    const mean = normals.reduce((sum, value) => sum + value, 0) / normals.length;
    const variance = normals.reduce((sum, value) => sum + (value - mean) ** 2, 0) / normals.length;
    assert.ok(Math.abs(mean) < 0.03 && Math.abs(variance - 1) < 0.05, `${mean} ${variance}`);
    for (const expected of [0, 0.3, 4, 100]) {
      const counts = Array.from({ length: 4_000 }, () => random.count(expected));
      assert.ok(Math.abs(counts.reduce((sum, count) => sum + count, 0) / counts.length - expected) <= 0.05 * expected + 0.03);
    }
  });
});

describe('quotes', function () {
  this.timeout(30_000);
  const market = worldAt(31);

  it('find a way between any two tokens, in at most two pools', () => {
    for (const sell of market.tokens) {
      for (const buy of market.tokens.filter(({ mint }) => mint === market.sol.mint || mint === market.usdc.mint)) {
        const route = quote(market, sell, buy, 10n ** 6n);
        assert.equal(route === undefined, sell.mint === buy.mint, `${sell.spec.key} to ${buy.spec.key}`);
        assert.ok((route?.legs.length ?? 1) <= 2);
      }
    }
  });

  it('give more for more, but less for each, and lose on the way back', () => {
    const pool = poolOf(market, 'WYFF-SOL-80');
    fc.assert(
      fc.property(fc.bigInt(10n ** 6n, 10n ** 13n), (amount) => {
        const [once, twice] = [swapOut(market, pool, 'x', amount), swapOut(market, pool, 'x', 2n * amount)];
        assert.ok(twice >= once && twice <= 2n * once + 1n);
        assert.ok(swapOut(market, pool, 'y', once) < amount);
      }),
    );
  });
});

describe('ids and pages', () => {
  it('cut lists into pages', () => {
    assert.deepEqual(pageOf([1, 2, 3, 4, 5], 2, 2), { items: [3, 4], totalPages: 3 });
    assert.deepEqual(pageOf([1, 2, 3], 5, 2), { items: [], totalPages: 2 });
  });

  it('make ids that are opaque and the same every time', () => {
    assert.equal(opaqueId(1, OWNER), opaqueId(1, OWNER));
    assert.notEqual(opaqueId(1, OWNER), opaqueId(2, OWNER));
    assert.ok(!opaqueId(1, OWNER).includes(OWNER));
  });
});
