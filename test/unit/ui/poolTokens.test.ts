import assert from 'node:assert/strict';
import type { PoolInfo } from '../../../src/service/poolInfo';
import { namesInPool } from '../../../src/ui/rebalance/rebalanceMessages';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { addressOf, FakeClock, fakeService, openPosition, OWNER } from '../../support/portfolio/fixtures';

const POOL = addressOf(500);
const [MINT, OTHER] = [addressOf(700), addressOf(701)];
const TOKENS = [
  { address: MINT, symbol: 'BONQ', decimals: 5 },
  { address: OTHER, symbol: 'SOL$(x)', decimals: 9 },
] as unknown as PoolInfo['tokens'];

/** A wallet with these positions, and a service that says so of its pools. */
async function names(positions: Parameters<typeof openPosition>[1][], poolInfo: () => Promise<PoolInfo>) {
  const asked: string[] = [];
  const service = fakeService({
    openPositions: () => Promise.resolve({ items: positions.map((part, index) => openPosition(index, part)), warnings: [] }),
    poolInfo: (pool) => {
      asked.push(pool);
      return poolInfo();
    },
  });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock: new FakeClock() });
  portfolio.setOwner(OWNER);
  await portfolio.refresh('manual', ['positions']);
  const logged: string[] = [];
  const named = await namesInPool(POOL, { portfolio, log: (_, message) => logged.push(message) }, service);
  return { named, asked, logged };
}

describe('The names of a pool’s tokens', () => {
  it('Token names come from the service’s pool details if the pool is no longer listed', async () => {
    const { named, asked } = await names([], () => Promise.resolve({ tokens: TOKENS } as unknown as PoolInfo));
    assert.deepEqual([named(MINT), named(addressOf(702))], [{ symbol: 'BONQ', decimals: 5 }, undefined]);
    assert.doesNotMatch(named(OTHER)?.symbol ?? '$(', /\$\(/);
    assert.deepEqual(asked, [POOL]);
  });

  it('Token names come from the lists without another request if the pool is listed', async () => {
    const { named, asked } = await names([{ pool: POOL }], () => Promise.reject(new Error('nothing is asked')));
    const { token0 } = openPosition(0);
    assert.ok(token0.address);
    assert.deepEqual([named(token0.address)?.decimals, asked], [token0.decimals, []]);
  });

  it('Missing token names are left out and do not stop the operation', async () => {
    const { named, logged } = await names([], () => Promise.reject(new Error('The service is down')));
    assert.equal(named(MINT), undefined);
    assert.match(logged.join(), /are shown by their mints: The service is down/);
  });
});
