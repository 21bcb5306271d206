import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeProductHolding, encodeProductHolding } from '../../../../src/sandbox/market/pools/holdings';
import type { Amounts, ProductHolding, ProductPool, TokenSide, Trade } from '../../../../src/sandbox/market/types';
import { StoreError } from '../../../../src/engine/store/sqliteStore';
import { deposited, NOON, openPool, POOL } from '../../../support/sandbox/market/product/pools';

const SECOND = 1_000;

/** What can happen to a pool; numbers are drawn, `who` is one of three holders. */
type Action =
  | { readonly kind: 'deposit'; readonly who: number; readonly x: bigint; readonly y: bigint }
  | { readonly kind: 'withdraw'; readonly who: number; readonly shareBps: number }
  | { readonly kind: 'collect'; readonly who: number }
  | { readonly kind: 'swap'; readonly sells: TokenSide; readonly amountIn: bigint }
  | { readonly kind: 'swapTo'; readonly price: number }
  | { readonly kind: 'wait'; readonly seconds: number };

const WHO = fc.integer({ min: 0, max: 2 });
const ACTION: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('deposit' as const), who: WHO, x: fc.bigInt(0n, 10n ** 12n), y: fc.bigInt(0n, 10n ** 12n) }),
  fc.record({ kind: fc.constant('withdraw' as const), who: WHO, shareBps: fc.integer({ min: 0, max: 10_000 }) }),
  fc.record({ kind: fc.constant('collect' as const), who: WHO }),
  fc.record({
    kind: fc.constant('swap' as const),
    sells: fc.constantFrom('x' as const, 'y' as const),
    amountIn: fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, 10n ** 12n)),
  }),
  fc.record({ kind: fc.constant('swapTo' as const), price: fc.double({ min: 0.05, max: 0.5, noNaN: true }) }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 0, max: 300 }) }),
);

/** What a holder should have earned, worked out afresh from every trade: raw units, Q64, both tokens. */
interface Naive {
  readonly earned: { x: bigint; y: bigint };
  readonly collected: { x: bigint; y: bigint };
}

describe('Product pools', function () {
  it('Vaults change by deposits and withdrawals and always cover every claim', () => {
    fc.assert(
      fc.property(fc.array(ACTION, { minLength: 1, maxLength: 60 }), fc.boolean(), (actions, dynamicFee) => {
        const { pool } = openPool({ dynamicFee });
        const holders = [pool.newHolding(), pool.newHolding(), pool.newHolding()] as const;
        const naive: readonly Naive[] = holders.map(() => ({ earned: { x: 0n, y: 0n }, collected: { x: 0n, y: 0n } }));
        const expected = { x: 0n, y: 0n };
        const protocol = { x: 0n, y: 0n };
        let now = NOON;
        let trades = 0n;
        for (const action of actions) {
          const flow = carryOut(pool, holders, action, now);
          expected.x += flow.in.x - flow.out.x;
          expected.y += flow.in.y - flow.out.y;
          if (flow.trade !== undefined) {
            trades += 1n;
            protocol.x += flow.trade.protocolFees.x;
            protocol.y += flow.trade.protocolFees.y;
            earn(pool, holders, naive, flow.trade);
          }
          if (action.kind === 'collect') {
            const of = naive[action.who];
            assert.ok(of !== undefined);
            of.collected.x += flow.out.x;
            of.collected.y += flow.out.y;
          }
          now += action.kind === 'wait' ? action.seconds * SECOND : 0;

          assert.deepEqual(pool.vaults, expected);
          checkCovered(pool, holders, protocol);
          checkEarned(pool, holders, naive, trades + BigInt(actions.length));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('A trade does what its quote says, and a quote changes nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('x' as const, 'y' as const),
        fc.bigInt(0n, 10n ** 13n),
        fc.double({ min: 0.1, max: 0.3, noNaN: true }),
        fc.integer({ min: 0, max: 300 }),
        (sells, amountIn, price, seconds) => {
          const { pool } = openPool();
          const holding = deposited(pool, { x: 10n ** 12n, y: 10n ** 11n });
          pool.swapTo(price, NOON);
          const now = NOON + seconds * SECOND;
          const before = JSON.stringify([pool.sqrtPriceQ64, pool.vaults, pool.feeRates(now), pool.feesOf(holding)], (_, value: unknown) =>
            typeof value === 'bigint' ? value.toString() : value,
          );
          const quoted = pool.quote(sells, amountIn, now);
          assert.equal(
            JSON.stringify([pool.sqrtPriceQ64, pool.vaults, pool.feeRates(now), pool.feesOf(holding)], (_, value: unknown) =>
              typeof value === 'bigint' ? value.toString() : value,
            ),
            before,
          );
          assert.deepEqual(pool.swap(sells, amountIn, now), quoted);
        },
      ),
    );
  });

  it('Trading back and forth never makes a profit', () => {
    fc.assert(
      fc.property(fc.constantFrom('x' as const, 'y' as const), fc.bigInt(1n, 10n ** 12n), (sells, amountIn) => {
        const { pool } = openPool({ baseFeeBps: 1, dynamicFee: false });
        deposited(pool, { x: 10n ** 12n, y: 10n ** 11n });
        const there = pool.swap(sells, amountIn, NOON);
        const back = pool.swap(sells === 'x' ? 'y' : 'x', there.amountOut, NOON);
        assert.ok(back.amountOut <= there.amountIn);
      }),
    );
  });

  it('A trade to a price stops exactly at it, in either direction', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 10, noNaN: true }), (price) => {
        const { pool } = openPool();
        deposited(pool, { x: 10n ** 15n, y: 10n ** 14n });
        const from = pool.price;
        const trade = pool.swapTo(price, NOON);
        assert.ok(Math.abs(pool.price / price - 1) < 1e-12);
        assert.equal(trade.sells, pool.price < from ? 'x' : 'y');
        const again = pool.swapTo(price, NOON);
        assert.equal(again.amountIn + again.amountOut, 0n);
      }),
    );
  });

  it('A pool without liquidity trades nothing, and its price can still be set', () => {
    const { pool } = openPool();
    const at = pool.sqrtPriceQ64;
    const nothing = [0n, 0n];
    for (const trade of [pool.swap('x', 5n, NOON), pool.swap('y', 5n, NOON)]) {
      assert.deepEqual([trade.amountIn, trade.amountOut], nothing);
    }
    assert.equal(pool.sqrtPriceQ64, at);
    const led = pool.swapTo(7, NOON);
    assert.deepEqual([led.amountIn, led.amountOut], nothing);
    assert.ok(Math.abs(pool.price / 7 - 1) < 1e-12);
    assert.deepEqual(pool.vaults, { x: 0n, y: 0n });
  });

  it('Withdrawals beyond the position and negative amounts are refused', () => {
    const { pool } = openPool();
    const holding = deposited(pool, { x: 10n ** 9n, y: 10n ** 9n });
    assert.throws(() => pool.withdraw(holding, holding.liquidity + 1n), RangeError);
    assert.throws(() => pool.withdraw(holding, -1n), RangeError);
    assert.throws(() => pool.deposit(holding, -1n), RangeError);
    assert.throws(() => pool.swap('x', -1n, NOON), RangeError);
    assert.throws(() => pool.quote('y', -1n, NOON), RangeError);
  });

  it('A position earns fees only while it is open', () => {
    const { pool } = openPool({ dynamicFee: false, protocolShareBps: 0 });
    const first = deposited(pool, { x: 10n ** 12n, y: 10n ** 12n });
    const early = pool.swap('x', 10n ** 9n, NOON).fees.y;
    const second = deposited(pool, { x: 10n ** 15n, y: 10n ** 15n });
    assert.deepEqual(pool.feesOf(second), { x: 0n, y: 0n });
    assert.ok(early - pool.feesOf(first).y <= 1n);
    const late = pool.swap('y', 10n ** 9n, NOON).fees.x;
    assert.ok(pool.feesOf(second).x > (late * 99n) / 100n && pool.feesOf(first).x + pool.feesOf(second).x <= late);
    pool.withdraw(first, first.liquidity);
    const kept = pool.feesOf(first);
    pool.swap('x', 10n ** 9n, NOON);
    assert.deepEqual(pool.feesOf(first), kept, 'a position without liquidity keeps what it has, and earns no more');
    assert.deepEqual(pool.collect(first), kept);
    assert.deepEqual(pool.collect(first), { x: 0n, y: 0n });
  });

  describe('The dynamic fee', () => {
    const variable = (pool: ProductPool): bigint => pool.feeRates(NOON).variable;
    /** The square root of the price has moved by so many parts of itself. */
    const moveRootBy = (pool: ProductPool, part: number, now: number): Trade => pool.swapTo(pool.price * (1 + part) ** 2, now);

    it('The volatility of the last trade is charged from the next trade on', () => {
      const { pool } = openPool({ baseFeeBps: 100 });
      deposited(pool, { x: 10n ** 15n, y: 10n ** 15n });
      assert.equal(variable(pool), 0n);
      const first = moveRootBy(pool, 0.01005, NOON);
      assert.ok(first.fees.x - (first.amountOut + first.fees.x) / 100n <= 1n, 'the trade that moves the price pays the base fee alone');
      // 200 steps of the price are a volatility of 2,000,000; the greatest is 14,460,000, where a fifth of the base fee is added.
      assert.equal(variable(pool), (956n * 2_000_000n ** 2n + 99_999_999_999n) / 100_000_000_000n);
    });

    it('Moves within ten seconds add up, then decay by half, and are forgotten after two minutes', () => {
      const run = (secondMoveAfter: number): bigint => {
        const { pool } = openPool({ baseFeeBps: 100 });
        deposited(pool, { x: 10n ** 15n, y: 10n ** 15n });
        moveRootBy(pool, 0.01005, NOON);
        moveRootBy(pool, 0.01005, NOON + secondMoveAfter * SECOND);
        return variable(pool);
      };
      const of = (volatility: bigint): bigint => (956n * volatility ** 2n + 99_999_999_999n) / 100_000_000_000n;
      assert.equal(run(9), of(4_040_000n), 'both moves count, measured from where the first began');
      assert.equal(run(10), of(3_000_000n), 'half of the first, and the second');
      assert.equal(run(119), of(3_000_000n));
      assert.equal(run(120), of(2_000_000n), 'the second alone');
    });

    it('The fee never exceeds the stated maximum', () => {
      const { pool } = openPool({ baseFeeBps: 100 });
      deposited(pool, { x: 10n ** 15n, y: 10n ** 15n });
      moveRootBy(pool, 0.5, NOON);
      assert.equal(pool.feeRates(NOON).total, pool.maxFeeRate);
      assert.ok(pool.maxFeeRate <= 12_000_000n && pool.maxFeeRate > 11_900_000n);
    });
  });

  describe('Storage', () => {
    it('A commit stores the pool, and it opens again unchanged', () => {
      const { pool, database, unit } = openPool();
      const holding = deposited(pool, { x: 10n ** 12n, y: 10n ** 11n });
      pool.swap('x', 10n ** 10n, NOON);
      unit.commit();
      const { pool: again } = openPool({}, database, 99);
      for (const of of ['sqrtPriceQ64', 'totalLiquidity', 'vaults', 'liquidity', 'price', 'maxFeeRate'] as const) {
        assert.deepEqual(again[of], pool[of], of);
      }
      assert.deepEqual(again.feeRates(NOON), pool.feeRates(NOON));
      assert.deepEqual(again.feesOf(holding), pool.feesOf(holding));
      assert.deepEqual(again.swap('y', 77n, NOON), pool.swap('y', 77n, NOON));
    });

    it('A new pool is stored before any activity', () => {
      const { pool, database, unit } = openPool({}, undefined, 0.2);
      unit.commit();
      assert.equal(openPool({}, database, 99).pool.sqrtPriceQ64, pool.sqrtPriceQ64);
    });

    it('A failed attempt leaves the stored pool unchanged', () => {
      const { pool, unit } = openPool();
      const holding = deposited(pool, { x: 10n ** 12n, y: 10n ** 11n });
      pool.swap('x', 10n ** 10n, NOON);
      const before = [pool.sqrtPriceQ64, pool.totalLiquidity, pool.vaults, pool.feeRates(NOON), pool.feesOf(holding)];
      unit.dryRun(() => {
        deposited(pool, { x: 10n ** 10n, y: 10n ** 10n });
        pool.swapTo(1, NOON);
        pool.collect({ ...holding });
        assert.notEqual(pool.sqrtPriceQ64, before[0]);
      });
      assert.deepEqual([pool.sqrtPriceQ64, pool.totalLiquidity, pool.vaults, pool.feeRates(NOON), pool.feesOf(holding)], before);
    });

    it('A pool with an invalid row does not open', () => {
      const { database, unit } = openPool();
      unit.commit();
      database.run('UPDATE pool SET state = ? WHERE address = ?', '{"sqrtPriceQ64":"x"}', POOL);
      assert.throws(() => openPool({}, database), StoreError);
    });
  });
});

describe('Product pools: holdings', () => {
  const bits = (count: number): fc.Arbitrary<bigint> =>
    fc.oneof(fc.bigInt(0n, 2n ** BigInt(count) - 1n), fc.constantFrom(0n, 1n, 2n ** BigInt(count) - 1n));

  it('A holding is read as it was written', () => {
    const holdings = fc.record({
      type: fc.constant('product' as const),
      liquidity: bits(128),
      seenFeeX: bits(256),
      seenFeeY: bits(256),
      pendingX: bits(64),
      pendingY: bits(64),
    });
    fc.assert(
      fc.property(holdings, (holding) => {
        const bytes = encodeProductHolding(holding);
        assert.equal(bytes.length, 96);
        assert.deepEqual(decodeProductHolding(bytes), { ...holding });
      }),
    );
  });

  it('Values that do not fit and truncated bytes are refused', () => {
    const { pool } = openPool();
    const holding = pool.newHolding();
    for (const wrong of [{ liquidity: 2n ** 128n }, { liquidity: -1n }, { seenFeeX: 2n ** 256n }, { pendingY: 2n ** 64n }]) {
      assert.throws(() => encodeProductHolding({ ...holding, ...wrong }), StoreError);
    }
    const bytes = encodeProductHolding(holding);
    assert.throws(() => decodeProductHolding(bytes.subarray(1)), StoreError);
    assert.throws(() => decodeProductHolding(Uint8Array.of(...bytes, 0)), StoreError);
  });
});

interface Flow {
  readonly in: Amounts;
  readonly out: Amounts;
  readonly trade: Trade | undefined;
}

const NOTHING: Amounts = { x: 0n, y: 0n };

function carryOut(pool: ProductPool, holders: readonly ProductHolding[], action: Action, now: number): Flow {
  switch (action.kind) {
    case 'deposit':
      return { in: pool.deposit(at(holders, action.who), pool.liquidityFor(action)), out: NOTHING, trade: undefined };
    case 'withdraw': {
      const holding = at(holders, action.who);
      return { in: NOTHING, out: pool.withdraw(holding, (holding.liquidity * BigInt(action.shareBps)) / 10_000n), trade: undefined };
    }
    case 'collect':
      return { in: NOTHING, out: pool.collect(at(holders, action.who)), trade: undefined };
    case 'swap':
    case 'swapTo': {
      const liquidity = pool.totalLiquidity;
      const trade = action.kind === 'swap' ? pool.swap(action.sells, action.amountIn, now) : pool.swapTo(action.price, now);
      assert.equal(pool.totalLiquidity, liquidity);
      const { sells, amountIn, amountOut } = trade;
      return sells === 'x'
        ? { in: { x: amountIn, y: 0n }, out: { x: 0n, y: amountOut }, trade }
        : { in: { x: 0n, y: amountIn }, out: { x: amountOut, y: 0n }, trade };
    }
    case 'wait':
      return { in: NOTHING, out: NOTHING, trade: undefined };
  }
}

function at(holders: readonly ProductHolding[], who: number): ProductHolding {
  const holding = holders[who];
  assert.ok(holding !== undefined);
  return holding;
}

/** Shares a trade's fee out by liquidity, as if there were no counters. */
function earn(pool: ProductPool, holders: readonly ProductHolding[], naive: readonly Naive[], { fees, protocolFees }: Trade): void {
  holders.forEach(({ liquidity }, who) => {
    const { earned } = naive[who] ?? { earned: { x: 0n, y: 0n } };
    if (liquidity > 0n) {
      earned.x += (((fees.x - protocolFees.x) << 64n) * liquidity) / pool.totalLiquidity;
      earned.y += (((fees.y - protocolFees.y) << 64n) * liquidity) / pool.totalLiquidity;
    }
  });
}

/** No provider has more than the naive sum, nor less by more than what rounding takes: less than a unit for each thing that happened. */
function checkEarned(pool: ProductPool, holders: readonly ProductHolding[], naive: readonly Naive[], happened: bigint): void {
  holders.forEach((holding, who) => {
    const { earned, collected } = naive[who] ?? { earned: NOTHING, collected: NOTHING };
    const fees = pool.feesOf(holding);
    for (const side of ['x', 'y'] as const) {
      const has = (fees[side] + collected[side]) << 64n;
      // The naive sum rounds, too: by less than 2^-64 a trade.
      assert.ok(has <= earned[side] + happened && earned[side] - has <= happened << 64n);
    }
  });
}

/** What is left when fees are taken away still makes all the liquidity that was promised. */
function checkCovered(pool: ProductPool, holders: readonly ProductHolding[], protocol: Amounts): void {
  const free = { x: pool.vaults.x - protocol.x, y: pool.vaults.y - protocol.y };
  for (const holding of holders) {
    const fees = pool.feesOf(holding);
    free.x -= fees.x;
    free.y -= fees.y;
  }
  const needed = pool.amountsFor(pool.totalLiquidity, 'up');
  assert.ok(free.x >= needed.x && free.y >= needed.y);
  assert.ok(pool.liquidityFor(free) >= pool.totalLiquidity, 'k never falls');
  const claims = holders.map((holding) => pool.amountsOf(holding));
  assert.ok(
    claims.reduce((sum, { x }) => sum + x, 0n) <= pool.liquidity.x && claims.reduce((sum, { y }) => sum + y, 0n) <= pool.liquidity.y,
  );
}
