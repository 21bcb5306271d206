import assert from 'node:assert/strict';
import * as z from 'zod';
import { useChainService } from '../support/chain/useChainService';
import { checkContract } from '../support/sandbox/contract/checkContract';
import { landed, type Answer, type TestClient } from '../support/sandbox/client';

type Query = Readonly<Record<string, string | number>>;

/** A wallet that has nothing. */
const NOBODY = 'BUrwCyYfPqeBbqQHH5cJnz8bDCeBgqEsVzPBDsW8EPEX';
const PROTOCOLS = ['meteora', 'meteora_damm_v2'] as const;

const Body = z.looseObject({ data: z.unknown() });
const Records = z.array(z.looseObject({ id: z.string().optional(), position: z.string().optional(), protocol: z.string().optional() }));
const Page = z.object({ data: Records, pagination: z.looseObject({ totalCount: z.int() }) });

describe('Responses of the service over a chain compared with the published contract', () => {
  const service = useChainService();
  let client: TestClient;

  /** Positions of both types: one of each that is open, and one that is closed. */
  before(async () => {
    const { mainnet } = service();
    const me = mainnet.wallet(0);
    const { solUsdc, dammSolUsdc } = mainnet.pools;
    client = service().client(0);
    const { position } = await solUsdc.open(me, { x: 10n ** 9n, y: 150_000_000n });
    await solUsdc.close(me, position);
    await solUsdc.open(me, { x: 10n ** 9n, y: 150_000_000n });
    await dammSolUsdc.open(me, { x: 10n ** 9n });
    mainnet.finalize();
  });

  async function got(path: string, query: Query = {}, status = 200): Promise<unknown> {
    return checked('GET', path, status, await client.get(path, query));
  }

  async function posted(path: string, body: unknown, status = 200): Promise<unknown> {
    return checked('POST', path, status, await client.post(path, body));
  }

  it('Open positions follow the contract, for the owner and for a wallet that has none', async () => {
    const { owner } = client.sandbox;
    const open = Records.parse(await got('/lp-positions/opening', { owner }));
    assert.deepEqual(open.map(({ protocol }) => protocol).sort(), [...PROTOCOLS]);
    assert.deepEqual(await got('/lp-positions/opening', { owner: NOBODY }), []);
  });

  it('History, results, logs and revenue follow the contract', async () => {
    const { owner } = client.sandbox;
    const { data, pagination } = Page.parse(await got('/lp-positions/historical', { owner, limit: 10 }));
    assert.deepEqual([data.length, pagination['totalCount']], [1, 1]);
    await got('/lp-positions/overview', { owner, protocol: 'meteora' });
    await got('/lp-positions/overview', { owner: NOBODY }, 404);
    assert.ok(Records.parse(await got('/lp-positions/logs', { owner })).length >= 5);
    await got('/lp-positions/logs', { position: NOBODY }, 404);
    await got('/lp-positions/logs', {}, 400);
    for (const period of ['day', 'week', 'month']) {
      assert.equal(Records.parse(await got(`/lp-positions/revenue/${owner}`, { period })).length, 1);
    }
  });

  it('Pools and balances follow the contract', async () => {
    const { pools } = service().mainnet;
    const known = Records.parse(await got('/pools/discover', { search: pools.solUsdc.address }));
    assert.equal(known.length, 1);
    for (const pool of [pools.solUsdc, pools.dammSolUsdc]) {
      await got(`/pools/${pool.address}/info`);
      for (const list of ['positions', 'top-lpers', 'onchain-stats']) {
        await got(`/pools/${pool.address}/${list}`);
      }
    }
    await got(`/pools/${NOBODY}/info`, {}, 404);
    assert.ok(Records.parse(await got('/token/balance', { owner: client.sandbox.owner })).length >= 2);
  });

  it('Entries and exits of both types follow the contract, from the quote to the landing', async () => {
    const { owner } = client.sandbox;
    const { pools } = service().mainnet;
    for (const { id = '', protocol } of Records.parse(await got('/lp-positions/opening', { owner }))) {
      await posted('/position/decrease-quotes', { id, bps: 5_000 });
      const exit = { position_id: id, bps: 5_000, owner, slippage_bps: 500, type: protocol };
      for (const output of ['allToken0', 'allToken1', 'both', 'allBaseToken']) {
        await posted('/position/decrease-tx', { ...exit, output });
      }
      landed(await client.landDecrease(await client.decrease(id, 5_000, { output: 'both' })));
    }
    const entry = { inputSOL: 0.5, percentX: 0.5 };
    await posted(`/pools/${pools.dammSolUsdc.address}/add-tx`, { stratergy: 'Spot', owner, mode: 'zap-in', ...entry });
    await posted(`/pools/${pools.solUsdc.address}/add-tx`, { stratergy: 'Spot', owner, mode: 'zap-in', ...entry }, 400);
    await posted('/pools/landing-add-tx', { lastValidBlockHeight: 1 }, 400);
  });

  it('Every parameter that is missing is named, as by the sandbox', async () => {
    for (const path of ['/lp-positions/opening', '/lp-positions/historical', '/lp-positions/overview', '/token/balance']) {
      const { body } = await client.get(path);
      assert.deepEqual(body, { status: 'error', message: 'owner is required' });
      await got(path, { owner: 'me' }, 400);
    }
  });
});

/** Checks an answer of that status; gives its `data`. */
function checked(method: string, path: string, status: number, answer: Answer): unknown {
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 300)}`);
  checkContract(method, path, answer.status, answer.body, { isUnknownNull: true });
  return status === 200 ? Body.parse(answer.body).data : answer.body;
}
