import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { opaqueId } from '../../../src/sandbox/market/positionLedger';
import { wholeTokens } from '../../../src/sandbox/market/units';
import type { Amounts, MarketPool, Position, Valuation } from '../../../src/sandbox/market/types';
import type { Address } from '../../../src/base/solana/address';
import { addressOf, binPoolOf, HOUR, livelyWorld, NOON, poolOf, provide, worldIn, type World } from '../../support/sandbox/market/worlds';

const EventRow = z.object({
  number: z.number(),
  action: z.enum(['add_liquidity', 'remove_liquidity', 'claim_fee', 'close_position']),
  at: z.number(),
  amount_x: z.string().transform(BigInt),
  amount_y: z.string().transform(BigInt),
  usd_x: z.number(),
  usd_y: z.number(),
  usd_sol: z.number(),
  bps: z.number().nullable(),
});
type Event = z.output<typeof EventRow>;

const KEYS = ['BONQ-SOL-25', 'SOL-USDC-4', 'BONQ-SOL-DAMM-25'];

function eventsOf({ market, unit, database }: World, position: Address): Event[] {
  market.settleVaults();
  unit.commit();
  return database.all(EventRow, 'SELECT * FROM position_event WHERE position = ? ORDER BY number', position);
}

function at({ market }: World, address: Address): Readonly<Position> {
  const position = market.positions.at(address);
  assert.ok(position !== undefined);
  return position;
}

/** Takes out a share of everything. */
function withdraw({ market: { books } }: World, pool: MarketPool, position: Readonly<Position>, shareBps: number): Amounts {
  if (pool.type === 'bins') {
    assert.ok(position.lowerBinId !== null && position.upperBinId !== null);
    return books.withdrawBins(pool, position.address, { fromBinId: position.lowerBinId, toBinId: position.upperBinId }, shareBps);
  }
  assert.ok(position.holding?.type === 'product');
  return books.withdrawLiquidity(pool, position.address, (position.holding.liquidity * BigInt(shareBps)) / 10_000n, shareBps);
}

function close(about: (a: number, b: number) => string, a: number, b: number): void {
  assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)), about(a, b));
}

describe('The position ledger', function () {
  for (const key of KEYS) {
    it(`The ledger records the events of a position at current prices (${key})`, () => {
      const world = livelyWorld(41);
      const { market } = world;
      const pool = poolOf(market, key);
      const address = provide(world, pool, 5_000, 'me');
      assert.equal(at(world, address).id, opaqueId(41, address));
      market.advance(NOON + 6 * HOUR);
      withdraw(world, pool, at(world, address), 2_500);
      market.advance(NOON + 12 * HOUR);
      const owed = market.books.feesOf(pool, at(world, address));
      assert.ok(owed.x > 0n && owed.y > 0n);
      assert.deepEqual(market.books.collect(pool, address), owed);
      assert.deepEqual(market.books.feesOf(pool, at(world, address)), { x: 0n, y: 0n });
      market.books.collect(pool, address);
      const left = market.books.amountsOf(pool, at(world, address));
      const out = withdraw(world, pool, at(world, address), 10_000);
      assert.deepEqual(out, left);
      market.books.collect(pool, address);
      assert.ok(market.books.isEmpty(pool, at(world, address)));
      market.books.close(pool, address);

      const events = eventsOf(world, address);
      assert.deepEqual(
        events.map(({ action, bps }) => [action, bps]),
        [
          ['add_liquidity', null],
          ['remove_liquidity', 2_500],
          ['claim_fee', null],
          ['remove_liquidity', 10_000],
          ['close_position', null],
        ],
      );
      assert.deepEqual(
        events.map(({ number }) => number),
        [0, 1, 2, 3, 4],
      );
      assert.deepEqual(
        events.map((event) => (event.at - NOON) / HOUR),
        [0, 6, 12, 12, 12],
      );

      const position = at(world, address);
      const sumOf = (action: Event['action']): Valuation =>
        events
          .filter((event) => event.action === action)
          .map(({ amount_x, amount_y, usd_x, usd_y, usd_sol }) => {
            const usd = wholeTokens(amount_x, pool.tokenX) * usd_x + wholeTokens(amount_y, pool.tokenY) * usd_y;
            return { usd, native: usd / usd_sol };
          })
          .reduce((sum, of) => ({ usd: sum.usd + of.usd, native: sum.native + of.native }), { usd: 0, native: 0 });
      for (const [booked, action] of [
        [position.input, 'add_liquidity'],
        [position.output, 'remove_liquidity'],
        [position.collectedFee, 'claim_fee'],
      ] as const) {
        close((a, b) => `${action}: ${a} and not ${b}`, booked.usd, sumOf(action).usd);
        close((a, b) => `${action}: ${a} and not ${b}`, booked.native, sumOf(action).native);
      }
      assert.deepEqual(position.closing, {
        at: market.now,
        activeBinId: pool.type === 'bins' ? pool.activeBinId : null,
        usdX: market.usd(pool.tokenX),
        usdY: market.usd(pool.tokenY),
        usdSol: market.usdSol,
      });
      assert.equal(position.holding, null);
      assert.deepEqual(market.books.amountsOf(pool, position), { x: 0n, y: 0n });
    });
  }

  it('Positions can withdraw exactly what their pool holds, up to rounding', () => {
    const world = livelyWorld(42);
    const { market } = world;
    const hours = fc.array(
      fc.record({
        pause: fc.integer({ min: 1, max: 6 * 3_600 }),
        share: fc.integer({ min: 1, max: 9_999 }),
        who: fc.integer({ min: 0, max: 2 }),
        key: fc.constantFrom(...KEYS),
        usd: fc.integer({ min: 10, max: 20_000 }),
      }),
      { minLength: 3, maxLength: 8 },
    );
    let run = 0;
    fc.assert(
      fc.property(hours, (acts) => {
        run += 1;
        for (const [index, { pause, share, who, key, usd }] of acts.entries()) {
          const pool = poolOf(market, key);
          const address = provide(world, pool, usd, `${who} ${run} ${index}`);
          market.step(pause);
          withdraw(world, pool, at(world, address), share);
          market.books.collect(pool, address);
        }
        market.settleVaults();
        world.unit.commit();
        for (const key of KEYS) {
          const pool = poolOf(market, key);
          const open = market.positions.openIn(pool.address);
          const sum = (of: (position: Readonly<Position>) => Amounts): Amounts =>
            open.map(of).reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0n, y: 0n });
          const held = sum((position) => market.books.amountsOf(pool, position));
          const owed = sum((position) => market.books.feesOf(pool, position));
          const slack = 2_000n * BigInt(open.length);
          for (const side of ['x', 'y'] as const) {
            assert.ok(
              held[side] <= pool.liquidity[side] && pool.liquidity[side] - held[side] <= slack,
              `${key}: ${held[side]} of ${pool.liquidity[side]} ${side}`,
            );
            assert.ok(
              held[side] + owed[side] <= pool.vaults[side],
              `${key} has ${pool.vaults[side]} ${side} and owes ${held[side] + owed[side]}`,
            );
          }
        }
      }),
      { numRuns: 8 },
    );
  });

  it('Fees, holdings and sums are valued at market prices', () => {
    const world = livelyWorld(43);
    const { market } = world;
    const pool = binPoolOf(market, 'TRUMPET-USDC-50');
    const worth = market.books.worthOf(pool, { x: 3_000_000n, y: 7_000_000n });
    close((a, b) => `${a} and not ${b}`, worth.usd, 3 * market.usd(pool.tokenX) + 7);
    close((a, b) => `${a} and not ${b}`, worth.native, worth.usd / market.usdSol);
    const address = provide(world, pool, 1_000, 'me');
    const position = at(world, address);
    // Nothing has happened since: what is in it is what was put in, but for rounding and the composition fee.
    const value = market.books.worthOf(pool, market.books.amountsOf(pool, position)).usd;
    assert.ok(value > 0.99 * position.input.usd && value <= position.input.usd * (1 + 1e-9) && position.input.usd > 950);
  });

  it('Invalid ledger entries are refused', () => {
    const world = livelyWorld(44);
    const { market } = world;
    const [bins, other, product] = [binPoolOf(market, 'BONQ-SOL-25'), binPoolOf(market, 'WYFF-SOL-80'), poolOf(market, 'BONQ-SOL-DAMM-25')];
    assert.ok(product.type === 'product');
    const range = { fromBinId: bins.activeBinId - 5, toBinId: bins.activeBinId + 5 };
    const open = (pool: MarketPool, of: { range?: typeof range; nftMint?: Address }): unknown =>
      market.books.open({ address: addressOf('new'), owner: market.world, pool, strategy: 'Spot', range: of.range, nftMint: of.nftMint });
    assert.throws(() => open(bins, {}), RangeError);
    assert.throws(() => open(bins, { range, nftMint: addressOf('nft') }), RangeError);
    assert.throws(() => open(product, { range }), RangeError);
    assert.throws(() => open(product, {}), RangeError);

    const address = provide(world, bins, 100, 'me');
    assert.throws(() => market.books.close(bins, address), /not empty/);
    assert.throws(() => market.books.collect(other, address), /no open position/);
    assert.throws(() => market.books.depositLiquidity(product, address, 1n), /no open position/);
    assert.throws(() => market.books.collect(bins, addressOf('nobody')), /no open position/);
    withdraw(world, bins, at(world, address), 10_000);
    market.books.collect(bins, address);
    market.books.close(bins, address);
    assert.throws(() => market.books.close(bins, address), /no open position/);
  });

  it('A failed attempt reverts the ledger, including its events', () => {
    const world = livelyWorld(45);
    const { market, unit } = world;
    const pool = binPoolOf(market, 'BONQ-SOL-25');
    const address = provide(world, pool, 100, 'me');
    const before = structuredClone(at(world, address));
    unit.dryRun(() => {
      withdraw(world, pool, at(world, address), 10_000);
      market.books.close(pool, address);
      provide(world, pool, 100, 'another');
    });
    assert.deepEqual(at(world, address), before);
    assert.equal(market.positions.at(addressOf('another in BONQ-SOL-25')), undefined);
    assert.equal(eventsOf(world, address).length, 1);
    assert.equal(worldIn(world.database, 0).market.positions.at(address)?.eventCount, 1);
  });
});

describe('Opaque ids', () => {
  it('Opaque ids look like those of the service, reveal nothing and are stable', () => {
    const position = addressOf('me');
    assert.match(opaqueId(1, position), /^[0-9a-f]{32}:[0-9a-f]{96}$/);
    assert.equal(opaqueId(1, position), opaqueId(1, position));
    assert.notEqual(opaqueId(1, position), opaqueId(2, position));
    assert.notEqual(opaqueId(1, position), opaqueId(1, addressOf('you')));
    assert.ok(!opaqueId(1, position).includes(position));
  });
});
