import assert from 'node:assert/strict';
import * as z from 'zod';
import { createRunTool } from '../../src/assistants/runTool';
import { address } from '../../src/base/solana/address';
import { systemClock } from '../../src/base/async/clock';
import { Portfolio } from '../../src/portfolio/portfolio';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { PROTOCOL_OF } from '../../src/service/common';
import { createLiquidityService } from '../../src/service/client';
import type { LiquidityService } from '../../src/service/service';
import { windowReads } from '../../src/ui/assistants/windowReads';
import { readServiceChoice } from '../../src/ui/shell/serviceChoice';
import { fail } from '../support/ui/memory';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';

const Results = z.object({
  wallet: z.string(),
  closedPositions: z.object({ ALL: z.int() }),
  totalPnl: z.record(z.string(), z.object({ usd: z.number(), sol: z.number() })),
  winRate: z.record(z.string(), z.unknown()),
});
const History = z.object({ total: z.int(), positions: z.array(z.unknown()) });
const Pools = z.object({ pools: z.array(z.object({ pool: z.string() })) });
const Described = z.object({ activeBin: z.object({ binId: z.int() }) });

describe('What assistants read from the sandbox', () => {
  const client = useSandbox('each', STILL);
  let portfolio: Portfolio;
  let service: LiquidityService;
  let ask: (name: string, input?: unknown) => Promise<Readonly<Record<string, unknown>>>;
  let logged: string[];

  beforeEach(() => {
    const { url, apiKey, owner } = client().sandbox;
    service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
    const connect = () => Promise.resolve(service);
    logged = [];
    portfolio = new Portfolio({ service: connect, log: () => undefined, clock: systemClock });
    portfolio.setOwner(address(owner));
    const reads = windowReads({
      portfolio,
      connect,
      service: () => readServiceChoice(''),
      owners: { active: () => ({ address: address(owner), canSign: true, origin: 'sandbox', hasPassphrase: false }) },
      // It cannot be reached.
      rpc: () => Promise.reject(new Error('no RPC')),
      defaultSlippageBps: () => 100,
      policy: () => ({}),
      clock: systemClock,
      log: (_, message) => logged.push(message),
    });
    const run = createRunTool({
      reads,
      propose: () => fail(new Error('Nothing is proposed')),
      nowMs: () => systemClock.now(),
      onError: fail,
    });
    ask = async (name, input = {}) => {
      const { isError, json } = await run(name, input, new AbortController().signal);
      assert.equal(isError, false, json);
      return JSON.parse(json) as Readonly<Record<string, unknown>>;
    };
  });
  afterEach(() => portfolio.dispose());

  it('The results cover the positions of all pool types, in dollars and SOL, and the history has as many as they count', async () => {
    const { wallet, closedPositions, totalPnl, winRate } = Results.parse(await ask('binsight_overview'));
    const { owner } = client().sandbox;
    assert.equal(wallet, owner);
    const [dlmm, dammV2] = await Promise.all([
      service.overview({ owner: address(owner) }),
      service.overview({ owner: address(owner), protocol: PROTOCOL_OF.dammV2 }),
    ]);
    const parts = [dlmm, dammV2].map((part) => part?.closedPositions.ALL ?? 0);
    assert.ok(
      parts.every((count) => count > 0),
      parts.join(),
    );
    assert.equal(
      closedPositions.ALL,
      parts.reduce((sum, count) => sum + count),
    );
    assert.deepEqual(Object.keys(totalPnl), Object.keys(winRate));
    const { total, positions } = History.parse(await ask('binsight_history', { limit: 2 }));
    assert.deepEqual([total, positions.length], [closedPositions.ALL, 2]);
  });

  it('A pool is found, described and planned for, and without an RPC the rent is an upper bound and the reason is logged', async () => {
    const { pools } = Pools.parse(await ask('binsight_pools', { poolType: 'dlmm', limit: 1 }));
    const pool = pools[0]?.pool ?? assert.fail('no pool');
    const { activeBin } = Described.parse(await ask('binsight_pool', { pool }));
    assert.equal(typeof activeBin.binId, 'number');
    const plan = await ask('binsight_plan_cost', { pool, amountSol: 0.1 });
    assert.equal(plan['pool'], pool);
    assert.deepEqual([plan['isRentUpperBound'], plan['isAffordable']], [true, true]);
    assert.match(logged.join(), /no RPC/);
  });
});
