import assert from 'node:assert/strict';
import * as z from 'zod';
import { Random } from '../../../src/sandbox/market/random';
import { PoolTurnover, turnoverRows } from '../../../src/sandbox/market/turnover';
import { Database } from '../../../src/sandbox/store/database';
import { UnitOfWork } from '../../../src/sandbox/store/unitOfWork';
import { addressOf, DAY, HOUR, MINUTE, NOON } from '../../support/sandbox/market/worlds';

const POOL = addressOf('a pool');
const Count = z.object({ count: z.number() });

interface Deal {
  readonly at: number;
  readonly volume: number;
}

function bookIn(database: Database): { readonly book: PoolTurnover; readonly unit: UnitOfWork } {
  const unit = new UnitOfWork(database);
  const rows = turnoverRows(database);
  unit.enlist(rows);
  return { book: new PoolTurnover(POOL, rows), unit };
}

/** Trades once every so many milliseconds; commits now and then. */
function filled(
  database: Database,
  spanMs: number,
  everyMs: number,
  commitEvery: number,
): { readonly book: PoolTurnover; readonly unit: UnitOfWork; readonly deals: readonly Deal[]; readonly now: number } {
  const { book, unit } = bookIn(database);
  const random = Random.seeded(1, 'deals');
  const deals: Deal[] = [];
  for (let at = NOON; at < NOON + spanMs; at += everyMs) {
    const volume = random.between(0, 100);
    deals.push({ at, volume });
    book.record(at, { volumeUsd: volume, feeUsd: volume / 100 }, (at - NOON) / HOUR);
    if (deals.length % commitEvery === 0) {
      unit.commit();
    }
  }
  return { book, unit, deals, now: NOON + spanMs - 1 };
}

function naive(deals: readonly Deal[], from: number, to: number): number {
  return deals.filter(({ at }) => at > from && at <= to).reduce((sum, { volume }) => sum + volume, 0);
}

function rowCount(database: Database): number {
  return database.get(Count, 'SELECT count(*) AS count FROM turnover WHERE pool = ?', POOL)?.count ?? NaN;
}

describe('Turnover', () => {
  it('Turnover of a span equals the sum of its trades, up to parts of a bucket', () => {
    const { book, deals, now } = filled(Database.inMemory(), 30 * HOUR, 30_000, 97);
    for (const [span, perBucket] of [
      [5 * MINUTE, 200],
      [HOUR, 200],
      [6 * HOUR, 2_000],
      [DAY, 2_000],
      [25 * HOUR, 12_000],
    ] as const) {
      const { volumeUsd, feeUsd } = book.within(now, span);
      assert.ok(
        Math.abs(volumeUsd - naive(deals, now - span, now)) <= perBucket / 2,
        `${span / MINUTE} min: ${volumeUsd} and not ${naive(deals, now - span, now)}`,
      );
      assert.ok(Math.abs(feeUsd - volumeUsd / 100) < 1e-6);
      const before = book.before(now, span).volumeUsd;
      const coarser = span <= HOUR / 2 ? 200 : span <= DAY / 2 ? 2_000 : 12_000;
      assert.ok(Math.abs(before - naive(deals, now - 2 * span, now - span)) <= coarser, `before ${span / MINUTE} min: ${before}`);
    }
    assert.deepEqual(book.within(NOON - 1, DAY), { volumeUsd: 0, feeUsd: 0 });
  });

  it('Turnover returns the price at a past time, or the oldest known one', () => {
    const { book, now } = filled(Database.inMemory(), 30 * HOUR, 30_000, 1_000);
    for (const [ago, hours, exact] of [
      [5 * MINUTE, 5 / 60, 1 / 60],
      [HOUR, 1, 1 / 60],
      [6 * HOUR, 6, 1 / 6],
      [DAY, 24, 1 / 6],
      [29 * HOUR, 29, 1],
    ] as const) {
      const price = book.priceAgo(now, ago);
      assert.ok(price !== undefined && Math.abs(30 - hours - price) <= exact + 1e-3, `${hours} h ago: ${price}`);
    }
    assert.equal(book.priceAgo(now, 40 * HOUR), 0);
    assert.equal(bookIn(Database.inMemory()).book.priceAgo(NOON, HOUR), undefined);
  });

  it('Turnover lists the hours of the last seven days, oldest first', () => {
    const { book, deals, now } = filled(Database.inMemory(), 9 * DAY, 20 * MINUTE, 50);
    const hours = book.hourly(now);
    assert.equal(hours.length, 7 * 24);
    assert.ok(hours.every(({ startsAt }, index) => startsAt % HOUR === 0 && startsAt > (hours[index - 1]?.startsAt ?? 0)));
    const fourth = hours[4];
    assert.ok(fourth !== undefined);
    assert.ok(Math.abs(fourth.volumeUsd - naive(deals, fourth.startsAt - 1, fourth.startsAt + HOUR - 1)) < 1e-9);
  });

  it('Turnover is the same after a restart, regardless of the commits', () => {
    const figures = (book: PoolTurnover, now: number): unknown => [
      [5 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 4 * DAY].map((span) => [
        book.within(now, span),
        book.before(now, span),
        book.priceAgo(now, span),
      ]),
      book.hourly(now),
    ];
    const often = Database.inMemory();
    const frequent = filled(often, 20 * DAY, 7 * MINUTE, 3);
    const once = filled(Database.inMemory(), 20 * DAY, 7 * MINUTE, Infinity);
    const before = figures(once.book, once.now);
    once.unit.commit();
    frequent.unit.commit();
    assert.deepEqual(figures(once.book, once.now), before);
    assert.deepEqual(figures(frequent.book, frequent.now), before);
    assert.deepEqual(figures(bookIn(often).book, frequent.now), before);
  });

  it('Turnover keeps minutes of an hour, ten minutes of a day and hours of eight days', () => {
    const database = Database.inMemory();
    const { book, unit, deals, now } = filled(database, 12 * DAY, 30 * MINUTE, 500);
    for (let at = now; at < now + 2 * HOUR; at += 20_000) {
      book.record(at, { volumeUsd: 0, feeUsd: 0 }, 0);
      unit.commit();
    }
    const rows = rowCount(database);
    assert.ok(rows <= 61 + 1 + 145 + 1 + 8 * 24 + 2 && rows >= 60 + 50 + 8 * 24, `${rows} rows`);
    const volume = book.within(now, 7 * DAY).volumeUsd;
    const expected = naive(deals, now - 7 * DAY, now);
    assert.ok(Math.abs(volume / expected - 1) < 0.001, `${volume} of ${expected}`);
  });

  it('A failed attempt reverts the turnover', () => {
    const database = Database.inMemory();
    const { book, unit, now } = filled(database, HOUR, MINUTE, Infinity);
    const before = book.within(now, HOUR);
    unit.dryRun(() => {
      book.record(now, { volumeUsd: 1e9, feeUsd: 1e9 }, 1);
      book.record(now + 10 * MINUTE, { volumeUsd: 1e9, feeUsd: 1e9 }, 1);
      assert.ok(book.within(now + 10 * MINUTE, HOUR).volumeUsd > 1.9e9);
    });
    assert.deepEqual(book.within(now, HOUR), before);
    unit.commit();
    assert.deepEqual(bookIn(database).book.within(now, HOUR), before);
  });
});
