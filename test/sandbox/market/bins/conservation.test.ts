import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Amounts, Trade } from '../../../../src/sandbox/market/types';
import { runs } from '../../../support/runs';
import { anySteps, PEOPLE, Play, REACH } from '../../../support/sandbox/market/bins/steps';
import { binWorld, minus, NOON, plus, stockedHolding, type World } from '../../../support/sandbox/market/bins/common';

const ZERO: Amounts = { x: 0n, y: 0n };

function sum(amounts: readonly Amounts[]): Amounts {
  return amounts.reduce(plus, ZERO);
}

function isAtLeast(a: Amounts, b: Amounts, what: string): void {
  assert.ok(a.x >= b.x && a.y >= b.y, `${what}: (${a.x}, ${a.y}) is less than (${b.x}, ${b.y})`);
}

function inAllBins({ pool }: World): Amounts {
  return sum(Array.from({ length: 4 * REACH + 1 }, (_, place) => pool.binAmounts(place - 2 * REACH)));
}

describe('Conservation in a bin pool', function () {
  it('Vaults equal the net deposits and always cover all claims', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const world = binWorld();
        const { pool } = world;
        const play = new Play(pool);
        for (const step of steps) {
          play.play(step);
          const owed = plus(sum(play.holdings.map((of) => pool.feesOf(of))), pool.protocolFees);
          assert.deepEqual(pool.vaults, minus(play.put, play.taken));
          assert.deepEqual(pool.liquidity, inAllBins(world));
          isAtLeast(pool.liquidity, sum(play.holdings.map((of) => pool.amountsOf(of))), 'what is in the bins');
          isAtLeast(pool.vaults, plus(pool.liquidity, owed), 'what is in the vaults');
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('Only the protocol share and dust remain after everyone has withdrawn', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const { pool } = binWorld();
        let roundings = 0;
        const play = new Play(pool, {
          // One bin's fees are rounded once when they are settled.
          settles: (_, { fromBinId, toBinId }) => {
            roundings += Math.min(toBinId, 2 * REACH) - Math.max(fromBinId, -2 * REACH) + 1;
          },
          // And in each bin that trades: once in the counter, and for each holder, whose part of a share does not count.
          trades: () => {
            const from = pool.activeBinId;
            return () => {
              roundings += (Math.abs(pool.activeBinId - from) + 1) * (1 + PEOPLE);
            };
          },
        });
        steps.forEach((step) => play.play(step));
        play.end();
        assert.deepEqual(pool.liquidity, ZERO);
        assert.deepEqual(
          play.holdings.map((of) => [pool.amountsOf(of), pool.feesOf(of)]),
          play.holdings.map(() => [ZERO, ZERO]),
        );
        const dust = minus(pool.vaults, pool.protocolFees);
        isAtLeast(dust, ZERO, 'what is left');
        isAtLeast({ x: BigInt(roundings), y: BigInt(roundings) }, dust, `${roundings} roundings`);
      }),
      { numRuns: runs(150) },
    );
  });

  it('A quote gives exactly what the trade then does', () => {
    fc.assert(
      fc.property(
        anySteps,
        fc.constantFrom('x' as const, 'y' as const),
        fc.bigInt({ min: 0n, max: 400_000_000n }),
        (steps, sells, amount) => {
          const { pool } = binWorld();
          const play = new Play(pool);
          steps.forEach((step) => play.play(step));
          const quote = pool.quote(sells, amount, play.now);
          assert.ok(quote.amountIn <= amount);
          assert.deepEqual(pool.quote(sells, quote.amountIn, play.now), quote);
          assert.deepEqual(pool.swap(sells, amount, play.now), quote);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('A trade in pieces never returns more than one trade, while the fee stays the same', () => {
    const world = (): World => {
      const made = binWorld({ variableFeeControl: 0 });
      stockedHolding(made.pool, -30, 30, 1_000_003n);
      return made;
    };
    fc.assert(
      fc.property(
        fc.constantFrom('x' as const, 'y' as const),
        fc.array(fc.bigInt({ min: 0n, max: 4_000_000n }), { minLength: 2, maxLength: 6 }),
        (sells, pieces) => {
          const whole = world().pool.swap(
            sells,
            pieces.reduce((a, b) => a + b),
            NOON,
          );
          const { pool } = world();
          const trades: Trade[] = pieces.map((piece) => pool.swap(sells, piece, NOON));
          const total = (of: 'amountIn' | 'amountOut') => trades.reduce((added, trade) => added + trade[of], 0n);
          assert.ok(total('amountOut') <= whole.amountOut, `${total('amountOut')} instead of ${whole.amountOut}`);
          assert.equal(total('amountIn'), whole.amountIn);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('Trading back and forth never makes a profit', () => {
    fc.assert(
      fc.property(fc.constantFrom('x' as const, 'y' as const), fc.bigInt({ min: 1n, max: 25_000_000n }), (sells, amount) => {
        const { pool } = binWorld();
        stockedHolding(pool, -30, 30, 1_000_003n);
        const there = pool.swap(sells, amount, NOON);
        const back = pool.swap(sells === 'x' ? 'y' : 'x', there.amountOut, NOON);
        assert.ok(back.amountOut < there.amountIn || there.amountIn === 0n);
      }),
      { numRuns: runs(200) },
    );
  });
});
