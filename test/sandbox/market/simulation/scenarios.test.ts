import assert from 'node:assert/strict';
import * as z from 'zod';
import { address as addressFrom } from '../../../../src/base/solana/address';
import type { MarketPool, Position, Valuation } from '../../../../src/sandbox/market/types';
import { Database } from '../../../../src/sandbox/store/database';
import { HOUR, NOON, OWNER } from '../../../support/sandbox/market/worlds';
import { populatedIn, type Populated } from '../../../support/sandbox/market/simulation/populated';

const SEEDS = [1, 7, 50_123];

const AddressRow = z.object({ address: z.string().transform(addressFrom) });

/** A position of the owner, and how it stands. */
interface Told {
  readonly pool: MarketPool;
  readonly position: Readonly<Position>;
  /** How many bins the price has left the range by: negative below it, 0 within it and where there are no bins. */
  readonly binsOut: number;
  /** Profit, percent of what was put in. */
  readonly percent: Valuation;
  readonly ageHours: number;
}

function tell({ market }: Populated, position: Readonly<Position>): Told {
  const pool = market.poolAt(position.pool);
  assert.ok(pool !== undefined);
  const { books } = market;
  const [there, fees] =
    position.holding === null
      ? [undefined, undefined]
      : [books.worthOf(pool, books.amountsOf(pool, position)), books.worthOf(pool, books.feesOf(pool, position))];
  const percent = (currency: keyof Valuation): number =>
    (100 *
      (position.output[currency] +
        position.collectedFee[currency] +
        (there?.[currency] ?? 0) +
        (fees?.[currency] ?? 0) -
        position.input[currency])) /
    position.input[currency];
  const { lowerBinId, upperBinId } = position;
  const active = pool.type === 'bins' ? pool.activeBinId : 0;
  const binsOut = lowerBinId === null || upperBinId === null ? 0 : Math.min(0, active - lowerBinId) + Math.max(0, active - upperBinId);
  return {
    pool,
    position,
    binsOut,
    percent: { usd: percent('usd'), native: percent('native') },
    ageHours: (NOON - position.openedAt) / HOUR,
  };
}

for (const seed of SEEDS) {
  describe(`The owner's history (seed ${seed})`, function () {
    let world: Populated;
    let open: Told[];
    let closed: Told[];

    before(() => {
      world = populatedIn(Database.inMemory(), seed);
      const all = world.database
        .all(AddressRow, 'SELECT address FROM position WHERE owner = ? ORDER BY opened_at', OWNER)
        .flatMap(({ address }) => world.market.positions.at(address) ?? []);
      open = all.filter(({ closing }) => closing === null).map((position) => tell(world, position));
      closed = all.filter(({ closing }) => closing !== null).map((position) => tell(world, position));
    });
    after(() => world.database.close());

    /** The open position of which that is true; there has to be exactly one, or the first of them is meant. */
    function one(what: string, is: (told: Told) => boolean): Told {
      const found = open.find(is);
      assert.ok(
        found !== undefined,
        `${what}: none of ${open.map(({ pool, binsOut, percent }) => `${pool.spec.key} ${binsOut} ${percent.native.toFixed(1)} %`).join(', ')}`,
      );
      return found;
    }

    it('The owner has nine open positions of both types and all strategies', () => {
      assert.equal(open.length, 9);
      assert.deepEqual(new Set(open.map(({ position }) => position.strategy)), new Set(['Spot', 'Curve', 'BidAsk']));
      assert.equal(open.filter(({ pool }) => pool.type === 'product').length, 1);
    });

    it('The owner has a large stable position', () => {
      const { position, percent, binsOut, ageHours } = one('calm', ({ pool }) => pool.spec.key === 'SANDSOL-SOL-1');
      assert.ok(Math.abs(position.input.native - 38.4) < 0.5 && binsOut === 0 && Math.abs(percent.native) < 2 && ageHours > 14 * 24);
    });

    it('The owner has a position with a large gain', () => {
      const { percent } = one('gain', ({ position, binsOut }) => position.strategy === 'BidAsk' && binsOut === 0);
      assert.ok(percent.native > 15 && percent.usd > 5, `${percent.native} %, ${percent.usd} %`);
    });

    it('The owner has a losing position that is still in range', () => {
      const { percent } = one(
        'loss',
        ({ position, binsOut }) => position.strategy === 'Spot' && Math.abs(position.input.native - 9.75) < 0.8 && binsOut === 0,
      );
      assert.ok(percent.native < -4 && percent.usd < 0, `${percent.native} %, ${percent.usd} %`);
    });

    it('The owner has a position just above its range', () => {
      const { binsOut } = one('just out', (told) => told.binsOut > 0);
      assert.ok(binsOut <= 8, `${binsOut} bins`);
    });

    it('The owner has a position long below its range, after a quarter was withdrawn', () => {
      const { binsOut, position, ageHours } = one('long out', (told) => told.binsOut < 0);
      assert.ok(binsOut <= -8, `${binsOut} bins`);
      assert.ok(ageHours > 4 * 24 && position.output.native > 0 && position.output.native < position.input.native / 2);
    });

    it('The owner has a tiny position, a young one at break-even, and a Curve in the largest pool', () => {
      assert.ok(one('tiny', ({ pool }) => pool.spec.key === 'GIGALAMB-SOL-250').position.input.usd < 10);
      const young = one('young', ({ pool }) => pool.spec.key === 'TRUMPET-USDC-50');
      assert.ok(young.ageHours < 5 && Math.abs(young.percent.native) < 3 && young.binsOut === 0);
      const curve = one('curve', ({ pool }) => pool.spec.key === 'SOL-USDC-4');
      assert.ok(curve.position.strategy === 'Curve' && curve.binsOut === 0 && curve.position.input.native > 5);
    });

    it('The owner has closed about twenty positions with gains and losses over all ninety days', () => {
      assert.ok(closed.length >= 18 && closed.length <= 22, `${closed.length}`);
      const won = closed.filter(({ percent }) => percent.native > 0).length;
      assert.ok(won >= 6 && closed.length - won >= 6, `${won} of ${closed.length} won`);
      assert.ok(closed.filter(({ pool }) => pool.type === 'product').length >= 3);
      for (const { position } of closed) {
        assert.ok(position.closing !== null && position.closing.at > position.openedAt && position.closing.at <= NOON - 8 * HOUR);
        assert.ok(position.eventCount >= 3);
      }
      const openings = closed.map(({ position }) => (NOON - position.openedAt) / HOUR);
      for (let weeks = 0; weeks < 12; weeks += 3) {
        assert.ok(
          openings.some((hours) => hours >= weeks * 168 && hours < (weeks + 3) * 168),
          `none opened ${weeks} to ${weeks + 3} weeks ago`,
        );
      }
    });

    it('The owner keeps the money of genesis', () => {
      const { chain, market } = world;
      assert.equal(chain.lamports(OWNER), 25_000_000_000n);
      assert.equal(chain.tokenBalance(OWNER, market.usdc.mint), 412_370_000n);
      assert.equal(chain.tokenBalance(OWNER, market.sol.mint), 0n);
    });
  });
}
