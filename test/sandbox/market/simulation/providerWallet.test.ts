import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LAMPORTS_PER_SOL } from '../../../../src/base/solana/programs';
import { ProviderWallet } from '../../../../src/sandbox/market/simulation/payers';
import { rawTokens } from '../../../../src/sandbox/market/units';
import type { MarketPool, PoolToken } from '../../../../src/sandbox/market/types';
import { Database } from '../../../../src/sandbox/store/database';
import { addressOf, OWNER, poolOf, worldIn, type World } from '../../../support/sandbox/market/worlds';

const SOMEBODY = addressOf('somebody');
const POOLS = ['SOL-USDC-4', 'BONQ-SOL-25', 'TRUMPET-USDC-50', 'SANDSOL-SOL-1', 'WYFF-SOL-DAMM-100'];

const deals = fc.array(
  fc.record({
    pool: fc.constantFrom(...POOLS),
    usd: fc.double({ min: 0.01, max: 3_000, noNaN: true }),
    partX: fc.double({ min: 0, max: 1, noNaN: true }),
    rent: fc.bigInt(0n, 200_000_000n),
    back: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Gives somebody a wallet, the rest of the world's money in it. */
function endow({ chain, market }: World, home: PoolToken): void {
  chain.setLamports(market.world, chain.lamports(market.world) - 40n * LAMPORTS_PER_SOL);
  chain.setLamports(SOMEBODY, 40n * LAMPORTS_PER_SOL);
  if (home.mint !== market.sol.mint) {
    const amount = rawTokens(5_000, home);
    chain.credit(market.world, home.mint, -amount);
    chain.credit(SOMEBODY, home.mint, amount);
  }
}

function holdings({ chain, market }: World): bigint[] {
  const holders = [SOMEBODY, market.world, OWNER];
  return [
    holders.reduce((sum, holder) => sum + chain.lamports(holder) + chain.tokenBalance(holder, market.sol.mint), 0n),
    ...market.tokens
      .filter(({ mint }) => mint !== market.sol.mint)
      .map(({ mint }) => holders.reduce((sum, holder) => sum + chain.tokenBalance(holder, mint), 0n)),
  ];
}

describe('The wallet of a provider', function () {
  const world = worldIn(Database.inMemory(), 41);
  const { chain, market } = world;
  after(() => world.database.close());

  function amountsOf(pool: MarketPool, usd: number, partX: number): { readonly x: bigint; readonly y: bigint } {
    return {
      x: rawTokens((usd * partX) / market.usd(pool.tokenX), pool.tokenX),
      y: rawTokens((usd * (1 - partX)) / market.usd(pool.tokenY), pool.tokenY),
    };
  }

  for (const home of [market.sol, market.usdc]) {
    it(`Purchases, sales and payments move exactly between wallets, to the last raw unit (${home.spec.key})`, () => {
      fc.assert(
        fc.property(deals, (made) => {
          world.unit.dryRun(() => {
            endow(world, home);
            const before = holdings(world);
            let rents = 0n;
            const purse = new ProviderWallet({ market, ledger: chain }, SOMEBODY, home);
            for (const { pool: key, usd, partX, rent, back } of made) {
              const pool = poolOf(market, key);
              const affordable = purse.affordableUsd(usd, rent);
              assert.ok(affordable >= 0 && affordable <= usd);
              if (affordable > 0) {
                const amounts = amountsOf(pool, affordable, partX);
                purse.payRent(rent);
                rents += rent;
                purse.payIn(pool, amounts);
                if (back) {
                  purse.receive(pool, amounts);
                }
              }
            }
            purse.settle();
            const after = holdings(world);
            assert.equal((after[0] ?? 0n) + rents, before[0]);
            assert.deepEqual(after.slice(1), before.slice(1));
            assert.ok(chain.lamports(SOMEBODY) >= 10_000_000n);
            // Nothing but SOL and the home token is kept.
            for (const { mint } of market.tokens.filter((token) => token.mint !== home.mint)) {
              assert.equal(chain.tokenBalance(SOMEBODY, mint), 0n);
            }
          });
        }),
        { numRuns: 150 },
      );
    });
  }

  it('The wallet never spends more than it has', () => {
    world.unit.dryRun(() => {
      endow(world, market.sol);
      const purse = new ProviderWallet({ market, ledger: chain }, SOMEBODY, market.sol);
      const all = purse.affordableUsd(Infinity, 0n);
      assert.ok(all > 0 && all < 40 * market.usdSol);
      assert.equal(purse.affordableUsd(1, 41n * LAMPORTS_PER_SOL), 0);
      const pool = poolOf(market, 'BONQ-SOL-25');
      purse.payIn(pool, amountsOf(pool, all, 0.5));
      assert.throws(() => purse.payIn(pool, amountsOf(pool, all, 0.5)), RangeError);
    });
  });

  it('The wallet changes nothing on the chain before settlement', () => {
    world.unit.dryRun(() => {
      endow(world, market.usdc);
      const before = holdings(world);
      const purse = new ProviderWallet({ market, ledger: chain }, SOMEBODY, market.usdc);
      const pool = poolOf(market, 'TRUMPET-USDC-50');
      purse.payIn(pool, amountsOf(pool, 100, 0.5));
      assert.deepEqual(holdings(world), before);
      assert.equal(chain.tokenBalance(SOMEBODY, market.usdc.mint), 5_000_000_000n);
    });
  });
});
