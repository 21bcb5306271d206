import assert from 'node:assert/strict';
import { bestRoute, tradeAlong, type Route, sideOf } from '../../../../src/sandbox/market/engine/routes';
import type { Market, PoolToken } from '../../../../src/sandbox/market/types';
import type { UnitOfWork } from '../../../../src/sandbox/store/unitOfWork';
import { useWorld } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;

describe('Routes', function () {
  const test = useWorld();
  let market: Market;
  let unit: UnitOfWork;

  before(() => {
    ({ market, unit } = test.world);
  });

  function token(key: string): PoolToken {
    const found = market.tokens.find(({ spec }) => spec.key === key);
    assert.ok(found !== undefined);
    return found;
  }

  function route(sell: PoolToken, buy: PoolToken, amount: bigint): Route {
    const found = bestRoute(market, sell, buy, amount);
    assert.ok(found !== undefined);
    return found;
  }

  it('A route uses the bin pool of both tokens that gives most', () => {
    for (const [sell, buy, amount] of [
      [market.sol, token('BONQ'), 3n * SOL],
      [market.sol, market.usdc, 40n * SOL],
      [token('JUPP'), market.sol, 900_000_000n],
    ] as const) {
      const { legs, out } = route(sell, buy, amount);
      const outs = market.pools.flatMap((pool) => {
        const side = sideOf(pool, sell.mint);
        return pool.type === 'bins' && side !== undefined && sideOf(pool, buy.mint) !== undefined
          ? [pool.quote(side, amount, market.now).amountOut]
          : [];
      });
      assert.ok(outs.length > 1);
      assert.equal(legs.length, 1);
      assert.ok(outs.every((other) => other <= out));
      assert.equal(legs[0]?.via.type, 'bins');
    }
  });

  it('A route leads over SOL or USDC if no pool has both tokens, and no further', () => {
    const { legs } = route(token('CHONKY'), market.usdc, 1_000_000_000n);
    assert.deepEqual(
      legs.map(({ via, sells }) => [via.tokenX.spec.key, via.tokenY.spec.key, sells]),
      [
        ['CHONKY', 'SOL', 'x'],
        ['SOL', 'USDC', 'x'],
      ],
    );
    assert.equal(bestRoute(market, token('CHONKY'), token('PUSD'), 1_000_000_000n), undefined);
  });

  it('No route exists if a pool cannot take the whole amount or there is nothing to swap', () => {
    assert.equal(bestRoute(market, token('MEWO'), market.sol, 10n ** 18n), undefined);
    assert.equal(bestRoute(market, market.sol, market.sol, SOL), undefined);
    assert.equal(bestRoute(market, market.sol, market.usdc, 0n), undefined);
  });

  it('A route gives exactly its quote', () => {
    const before = market.pools.map(({ price, vaults }) => [price, vaults]);
    for (const [sell, buy, amount] of [
      [market.sol, token('BONQ'), 5n * SOL],
      [token('CHONKY'), market.usdc, 2_000_000_000n],
      [market.usdc, token('WYFF'), 800_000_000n],
    ] as const) {
      const found = route(sell, buy, amount);
      assert.equal(
        unit.dryRun(() => tradeAlong(market, found)),
        found.out,
      );
    }
    assert.deepEqual(
      market.pools.map(({ price, vaults }) => [price, vaults]),
      before,
    );
  });
});
