import assert from 'node:assert/strict';
import * as z from 'zod';
import { send, type Answer } from '../../support/sandbox/client';
import { STILL, useSandbox } from '../../support/sandbox/useSandbox';
import { checkContract, CONTRACT_OPERATIONS, operationAt } from '../../support/sandbox/contract/checkContract';
import { checkSpec } from '../../support/sandbox/contract/checkSpec';

type Json = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string | number>>;

/** A wallet that has nothing. */
const NOBODY = 'BUrwCyYfPqeBbqQHH5cJnz8bDCeBgqEsVzPBDsW8EPEX';
const PROTOCOLS = ['meteora', 'meteora_damm_v2'] as const;

const Listed = z.object({ data: z.array(z.looseObject({})) });
const Message = z.object({ message: z.string() });

describe('Responses compared with the published contract and the specification', function () {
  // Prices stand still, so that pages of a list fit together.
  const client = useSandbox('all', STILL);
  const owner = (): string => client().sandbox.owner;

  describe('/lp-positions', () => {
    it('The opening endpoint follows the contract for the owner, another provider and an unknown owner', async () => {
      const own = await got('/lp-positions/opening', { owner: owner() });
      assert.equal(own['count'], list(own['data']).length);
      assert.deepEqual(new Set(list(own['data']).map(({ protocol }) => protocol)), new Set(PROTOCOLS));
      const [provider] = await lpers(await poolOf('meteora'));
      await got('/lp-positions/opening', { owner: String(provider?.['owner']) });
      assert.deepEqual((await got('/lp-positions/opening', { owner: NOBODY }))['data'], []);
    });

    it('The historical endpoint follows the contract by page, between dates and for an unknown owner', async () => {
      const all = await closed({ limit: 1_000 });
      assert.ok(all.data.length > 5, 'there is something to page through');
      const pages = await Promise.all(
        Array.from({ length: Math.ceil(all.data.length / 4) }, (_, index) => closed({ page: index + 1, limit: 4 })),
      );
      assert.deepEqual(
        pages.flatMap(({ data }) => data),
        all.data,
      );
      assert.ok(
        pages.every(
          ({ pagination }) =>
            pagination['totalCount'] === all.data.length && pagination['totalPages'] === pages.length && pagination['pageSize'] === 4,
        ),
      );
      assert.deepEqual((await closed({ page: pages.length + 5, limit: 4 })).data, []);

      const [from, to] = [closing(all.data[3]).slice(0, 10), closing(all.data[1])];
      const between = await closed({ from_date: from, to_date: to, limit: 1_000 });
      assert.deepEqual(
        between.data,
        all.data.filter((record) => closing(record) >= from && closing(record) <= to),
      );
      assert.deepEqual(record((await got('/lp-positions/historical', { owner: NOBODY }))['data'])['data'], []);
    });

    it('The historical endpoint marks some positions as copies of another wallet', async () => {
      const { data } = await closed({ limit: 1_000 });
      const copies = data.filter((position) => 'followInfo' in position);
      assert.ok(copies.length >= 2 && copies.length < data.length, `${copies.length} of ${data.length}`);
      for (const copy of copies) {
        const { sourceOwner, sourceTokenId } = record(copy['followInfo']);
        const events = list((await got('/lp-positions/logs', { owner: String(sourceOwner), position: String(sourceTokenId) }))['data']);
        assert.ok(events.length > 0 && events.every((event) => event['pool'] === copy['pool'] && event['owner'] === sourceOwner));
      }
    });

    it('The overview endpoint follows the contract for both protocols and is empty for an unknown owner', async () => {
      for (const protocol of PROTOCOLS) {
        const overview = record((await got('/lp-positions/overview', { owner: owner(), protocol }))['data']);
        assert.equal(overview['protocol'], protocol);
        const { data } = await closed({ limit: 1_000 });
        assert.equal(record(overview['closed_lp'])['ALL'], String(data.filter((position) => position['protocol'] === protocol).length));
      }
      await failed(404, 'GET', '/lp-positions/overview', { owner: NOBODY });
      await failed(404, 'GET', '/lp-positions/overview', { owner: owner(), protocol: 'orca' });
    });

    it('The logs endpoint follows the contract for an owner, a position of each type, and both together', async () => {
      const all = await got('/lp-positions/logs', { owner: owner() });
      assert.equal(all['count'], list(all['data']).length);
      for (const protocol of PROTOCOLS) {
        const { tokenId, id } = await openIn(protocol);
        const of = await got('/lp-positions/logs', { position: tokenId });
        assert.ok(list(of['data']).length > 0);
        assert.deepEqual(list((await got('/lp-positions/logs', { position: id, owner: owner() }))['data']), of['data']);
      }
      assert.deepEqual((await got('/lp-positions/logs', { owner: NOBODY }))['data'], []);
      await failed(404, 'GET', '/lp-positions/logs', { position: NOBODY });
      await failed(400, 'GET', '/lp-positions/logs', {}, /position or owner parameter is required/);
    });

    it('The revenue endpoint follows the contract by day, week and month, over ranges and protocols', async () => {
      for (const period of ['day', 'week', 'month']) {
        for (const range of [undefined, '7D', '1M']) {
          const rows = list((await got(`/lp-positions/revenue/${owner()}`, { period, ...(range === undefined ? {} : { range }) }))['data']);
          assert.ok(range === '7D' || rows.length > 0);
        }
      }
      const both = await got(`/lp-positions/revenue/${owner()}`, { period: 'month' });
      assert.deepEqual(
        (await got(`/lp-positions/revenue/${owner()}`, { period: 'month', protocol: PROTOCOLS.join(',') }))['data'],
        both['data'],
      );
      assert.deepEqual((await got(`/lp-positions/revenue/${NOBODY}`))['data'], []);
      await failed(400, 'GET', '/lp-positions/revenue/nobody', {}, /owner/);
    });
  });

  describe('/pools', () => {
    it('The discover endpoint follows the contract on every page, in every order and for every type', async () => {
      const all = await discovered({ pageSize: 100 });
      assert.ok(all.length >= 24);
      for (const sortBy of ['mcap', 'created_at', 'vol_24h', 'tvl', 'fee_tvl_ratio', 'volatility']) {
        for (const sortOrder of ['asc', 'desc', 'default']) {
          const pages = await Promise.all(
            Array.from({ length: Math.ceil(all.length / 9) }, (_, index) =>
              discovered({ sortBy, sortOrder, page: index + 1, pageSize: 9 }),
            ),
          );
          assert.deepEqual(
            pages
              .flat()
              .map(({ pool }) => pool)
              .sort(),
            all.map(({ pool }) => pool).sort(),
            `${sortBy} ${sortOrder}`,
          );
        }
      }
      for (const type of PROTOCOLS) {
        assert.deepEqual(new Set((await discovered({ type, pageSize: 100 })).map(({ protocol }) => protocol)), new Set([type]));
      }
      assert.ok((await discovered({ search: 'bonq', pageSize: 100 })).every(({ pairName }) => String(pairName).includes('BONQ')));
      assert.deepEqual(await discovered({ search: 'no such token' }), []);
    });

    it('The info endpoint follows the contract for every pool', async () => {
      for (const { pool, protocol } of await discovered({ pageSize: 100 })) {
        const info = record((await got(`/pools/${String(pool)}/info`))['data']);
        assert.equal(info['type'], protocol);
        assert.equal('liquidityViz' in info, protocol === 'meteora');
      }
      await failed(404, 'GET', `/pools/${NOBODY}/info`);
      await failed(404, 'GET', '/pools/nonsense/info');
    });

    it('The positions endpoint of a pool follows the contract by page, status, owner and profit, in both types of pool', async () => {
      for (const protocol of PROTOCOLS) {
        const pool = await poolOf(protocol);
        const { total, totalPages } = record((await positionsIn(pool, { pageSize: 7 }))['pagination']);
        const pages = await Promise.all(
          Array.from({ length: Number(totalPages) }, (_, index) => positionsIn(pool, { page: index + 1, pageSize: 7 })),
        );
        const all = pages.flatMap(({ positions }) => list(positions));
        assert.equal(new Set(all.map(({ tokenId }) => tokenId)).size, total);
        assert.ok(all.length > 7, `${all.length} positions`);
        const filters: readonly Query[] = [
          { status: 'Open' },
          { status: 'Close' },
          { owner: String(all[0]?.['owner']) },
          { pnl_threshold: 1 },
          { pnl_native_threshold: 0.01, order_by: 'pnl', sort_order: 'asc' },
        ];
        for (const query of filters) {
          const answer = await positionsIn(pool, query);
          assert.ok(Number(record(answer['pagination'])['total']) < Number(total), JSON.stringify(query));
        }
        const { activeBin, positionState } = await positionsIn(pool, { status: 'Open' });
        assert.equal(activeBin !== undefined, protocol === 'meteora');
        assert.equal(list(positionState).length > 0, protocol === 'meteora');
      }
      await failed(404, 'GET', `/pools/${NOBODY}/positions`);
    });

    it('The onchain-stats endpoint follows the contract for both types and rejects an address that is not a pool', async () => {
      for (const protocol of PROTOCOLS) {
        const [stats] = list(record((await got(`/pools/${await poolOf(protocol)}/onchain-stats`))['data'])['poolStats']);
        assert.ok(Number(stats?.['total_open_positions']) >= Number(stats?.['unique_owners']) && Number(stats?.['unique_owners']) > 0);
      }
      await failed(404, 'GET', `/pools/${NOBODY}/onchain-stats`);
    });

    it('The top-lpers endpoint follows the contract by page and in every order', async () => {
      const pool = await poolOf('meteora');
      const all = await lpers(pool, { limit: 100 });
      const pages = await Promise.all(
        Array.from({ length: Math.ceil(all.length / 5) }, (_, index) => lpers(pool, { limit: 5, page: index + 1 })),
      );
      assert.deepEqual(
        pages.flat().map(({ owner: of }) => of),
        all.map(({ owner: of }) => of),
      );
      for (const order_by of ['total_pnl', 'win_rate', 'roi', 'total_lp', 'avg_age_hour', 'first_activity', 'last_activity']) {
        for (const sort_order of ['asc', 'desc']) {
          const figures = (await lpers(pool, { order_by, sort_order, limit: 100 })).map((lper) =>
            order_by.endsWith('_activity') ? Date.parse(String(lper[order_by])) : Number(lper[order_by]),
          );
          assert.deepEqual(
            figures,
            [...figures].sort((a, b) => (sort_order === 'asc' ? a - b : b - a)),
          );
        }
      }
      await lpers(await poolOf('meteora_damm_v2'));
      await failed(404, 'GET', `/pools/${NOBODY}/top-lpers`);
      await failed(400, 'GET', `/pools/${pool}/top-lpers`, { order_by: 'owner' }, /order_by/);
    });
  });

  it('The /token/balance endpoint follows the contract for the owner, for some mints and for an unknown owner', async () => {
    const all = list((await got('/token/balance', { owner: owner() }))['data']);
    const ca = all
      .map(({ address }) => address)
      .slice(0, 2)
      .join(',');
    assert.deepEqual(list((await got('/token/balance', { owner: owner(), ca }))['data']), all.slice(0, 2));
    assert.deepEqual((await got('/token/balance', { owner: owner(), ca: NOBODY }))['data'], []);
    assert.deepEqual(
      list((await got('/token/balance', { owner: NOBODY }))['data']).map(({ rawBalance }) => rawBalance),
      ['0'],
    );
  });

  describe('Withdrawals and entries', () => {
    it('The decrease-quotes endpoint follows the contract for both types, by id and by address', async () => {
      for (const protocol of PROTOCOLS) {
        const { id, tokenId } = await openIn(protocol);
        const quote = record((await posted('/position/decrease-quotes', { id, bps: 10_000 }))['data']);
        assert.deepEqual(Object.keys(record(quote['outputs'])).sort(), ['allBaseToken', 'allToken0', 'allToken1', 'both']);
        await posted('/position/decrease-quotes', { id: tokenId, bps: 1 });
      }
      await failed(404, 'POST', '/position/decrease-quotes', { id: NOBODY, bps: 100 });
      await failed(400, 'POST', '/position/decrease-quotes', { id: NOBODY, bps: 10_001 }, /bps/);
    });

    it('The decrease-tx endpoint follows the contract for every output and both types', async () => {
      for (const protocol of PROTOCOLS) {
        const { id } = await openIn(protocol);
        for (const output of ['allBaseToken', 'allToken0', 'allToken1', 'both']) {
          const built = record(
            (
              await posted('/position/decrease-tx', {
                position_id: id,
                bps: 2_500,
                owner: owner(),
                slippage_bps: 500,
                output,
                type: protocol,
              })
            )['data'],
          );
          assert.equal(built['lastValidBlock'], built['lastValidBlockHeight']);
          assert.ok((built['closeTxs'] as unknown[]).length > 0 && (built['closeTxsWithJito'] as unknown[]).length > 0);
          assert.ok(output !== 'both' || (built['swapTxsWithJito'] as unknown[]).length === 0);
        }
      }
      const { id } = await openIn('meteora');
      const body = { position_id: id, bps: 2_500, owner: owner(), slippage_bps: 500 };
      for (const [wrong, name] of [
        [{ bps: 0 }, 'bps'],
        [{ bps: 10_001 }, 'bps'],
        [{ bps: '50' }, 'bps'],
        [{ slippage_bps: -1 }, 'slippage_bps'],
        [{ owner: 'me' }, 'owner'],
        [{ output: 'SOL' }, 'output'],
        [{ position_id: undefined }, 'position_id'],
      ] as const) {
        await failed(400, 'POST', '/position/decrease-tx', { ...body, ...wrong }, new RegExp(name));
      }
      await failed(404, 'POST', '/position/decrease-tx', { ...body, position_id: NOBODY });
    });

    it('The landing-decrease-tx endpoint lands a part of a position of each type and rejects unsigned transactions', async () => {
      for (const protocol of PROTOCOLS) {
        const { id } = await openIn(protocol);
        const built = await client().decrease(id, 1_000, { type: protocol });
        await failed(422, 'POST', '/position/landing-decrease-tx', { ...built });
        await posted('/position/landing-decrease-tx', client().signedDecrease(built));
      }
      await failed(400, 'POST', '/position/landing-decrease-tx', { lastValidBlockHeight: 1 }, /closeTxsWithJito/);
      await failed(400, 'POST', '/position/landing-decrease-tx', { closeTxsWithJito: [] }, /lastValidBlockHeight/);
    });

    it('The endpoints add-tx and landing-add-tx follow the contract for every strategy and both types', async () => {
      const bins = await poolOf('meteora');
      const active = await client().activeBin(bins);
      for (const stratergy of ['Spot', 'Curve', 'BidAsk']) {
        const body = {
          stratergy,
          inputSOL: 0.2,
          percentX: 0.5,
          fromBinId: active - 12,
          toBinId: active + 12,
          owner: owner(),
          slippage_bps: 500,
          mode: 'zap-in',
        };
        await entered(bins, body);
      }
      await entered(await poolOf('meteora_damm_v2'), {
        stratergy: 'Spot',
        inputSOL: 0.2,
        percentX: 0.5,
        owner: owner(),
        slippage_bps: 500,
        mode: 'zap-in',
      });
    });

    it('The add-tx endpoint rejects parameters out of bounds and names them', async () => {
      const pool = await poolOf('meteora');
      const active = await client().activeBin(pool);
      const body = {
        stratergy: 'Spot',
        inputSOL: 0.2,
        percentX: 0.5,
        fromBinId: active - 3,
        toBinId: active + 3,
        owner: owner(),
        slippage_bps: 500,
        mode: 'zap-in',
      };
      for (const [wrong, name] of [
        [{ stratergy: 'Even' }, 'stratergy'],
        [{ percentX: 1.1 }, 'percentX'],
        [{ inputSOL: -1 }, 'inputSOL'],
        [{ inputSOL: undefined }, 'inputSOL'],
        [{ fromBinId: 1.5 }, 'fromBinId'],
        [{ fromBinId: active + 4 }, 'BinId'],
        [{ toBinId: active + 2_000 }, 'BinId|bins'],
        [{ mode: 'zap' }, 'mode'],
        [{ slippage_bps: 10_001 }, 'slippage_bps'],
        [{ owner: undefined }, 'owner'],
      ] as const) {
        await failed(400, 'POST', `/pools/${pool}/add-tx`, { ...body, ...wrong }, new RegExp(name));
      }
      await failed(404, 'POST', `/pools/${NOBODY}/add-tx`, body);
      await failed(400, 'POST', '/pools/landing-add-tx', { lastValidBlockHeight: 1 }, /addLiquidityTxsWithJito/);
    });

    async function entered(pool: string, body: Json): Promise<void> {
      const built = record((await posted(`/pools/${pool}/add-tx`, body))['data']);
      assert.equal(built['lastValidBlock'], built['lastValidBlockHeight']);
      assert.ok((built['addLiquidityTxs'] as unknown[]).length > 0);
      await posted('/pools/landing-add-tx', client().signedAdd(await client().add(pool, body)));
    }
  });

  describe('Parameters of the contract', () => {
    for (const { method, path, parameters } of CONTRACT_OPERATIONS.filter((operation) => operation.method === 'GET')) {
      it(`${method} ${path} accepts every parameter within its bounds and names an invalid one`, async () => {
        const at = path.replace('{poolId}', await poolOf('meteora')).replace('{owner}', owner());
        const required: Query = parameters.some(({ name, in: where }) => name === 'owner' && where === 'query') ? { owner: owner() } : {};
        for (const { name, schema, in: where } of parameters.filter((parameter) => parameter.in === 'query')) {
          const { enum: words, minimum, maximum, type } = schema;
          const good_ = words ?? [schema.default, minimum, maximum].filter((value) => value !== undefined);
          const bad = [
            ...(words === undefined ? [] : ['nonsense']),
            ...(minimum === undefined ? [] : [minimum - 1]),
            ...(maximum === undefined ? [] : [maximum + 1]),
            ...(type === 'integer' ? [1.5, 'one'] : type === 'number' ? ['many'] : []),
          ];
          for (const value of good_) {
            await got(at, { ...required, [name]: String(value) });
          }
          for (const value of bad) {
            await failed(400, 'GET', at, { ...required, [name]: value }, new RegExp(name));
          }
          assert.equal(where, 'query');
        }
      });
    }

    it('A missing owner and an invalid owner are rejected', async () => {
      for (const path of ['/lp-positions/opening', '/lp-positions/historical', '/lp-positions/overview', '/token/balance']) {
        await failed(400, 'GET', path, {}, /^owner is required$/);
        await failed(400, 'GET', path, { owner: 'me' }, /owner/);
      }
    });
  });

  it('No endpoint answers without a key or with a wrong key', async () => {
    for (const { method, path } of CONTRACT_OPERATIONS) {
      for (const headers of [{}, { 'x-api-key': 'another' }] as Readonly<Record<string, string>>[]) {
        const answer = await send(method, `${client().sandbox.url}${path.replace('{poolId}', NOBODY).replace('{owner}', NOBODY)}`, headers);
        checked(method, path.replace(/[{}]/g, ''), 401, answer);
      }
    }
  });

  it('The contract checks detect every field that is missing or has another type', async () => {
    const query = { owner: owner() };
    const path = '/lp-positions/opening';
    const answer = await got(path, query);
    const [first] = list(answer['data']);
    const with_ = (changed: Json): Json => ({ ...answer, data: [changed] });
    assert.doesNotThrow(() => checkSpec('GET', path, 200, with_(first ?? {})));
    const inContract = new Set(Object.keys(operationAt('GET', path)?.responses['200']?.properties?.['data']?.items?.properties ?? {}));
    assert.ok(inContract.size > 50);
    for (const name of Object.keys(first ?? {})) {
      const without = Object.fromEntries(Object.entries(first ?? {}).filter(([field]) => field !== name));
      const other = { ...first, [name]: { of: 'another type' } };
      for (const changed of [without, other]) {
        if (inContract.has(name)) {
          assert.throws(() => checkContract('GET', path, 200, with_(changed)), new RegExp(name), name);
        }
        if (name !== 'uncollectedFeeNative') {
          assert.throws(() => checkSpec('GET', path, 200, with_(changed)), new RegExp(name), name);
        }
      }
    }
    assert.throws(() => checkContract('GET', path, 302, {}), /302/);
    assert.throws(() => checkContract('GET', '/lp-positions/nothing', 200, {}), /no GET/);
  });

  /** A success, checked. */
  async function got(path: string, query: Query = {}): Promise<Json> {
    return checked('GET', path, 200, await client().get(path, query));
  }

  async function posted(path: string, body: Json): Promise<Json> {
    return checked('POST', path, 200, await client().post(path, body));
  }

  async function failed(status: number, method: 'GET' | 'POST', path: string, given: Json = {}, message = /./): Promise<void> {
    const answer = method === 'GET' ? await client().get(path, given as Query) : await client().post(path, given);
    checked(method, path, status, answer);
    assert.match(Message.parse(answer.body).message, message);
  }

  async function closed(query: Query): Promise<{ readonly data: readonly Json[]; readonly pagination: Json }> {
    const { data, pagination } = record((await got('/lp-positions/historical', { owner: owner(), ...query }))['data']);
    return { data: list(data), pagination: record(pagination) };
  }

  async function discovered(query: Query): Promise<readonly Json[]> {
    return list((await got('/pools/discover', query))['data']);
  }

  async function lpers(pool: string, query: Query = {}): Promise<readonly Json[]> {
    return list((await got(`/pools/${pool}/top-lpers`, query))['data']);
  }

  async function positionsIn(pool: string, query: Query = {}): Promise<Json> {
    return record((await got(`/pools/${pool}/positions`, query))['data']);
  }

  /** A pool of that protocol, one with many positions. */
  async function poolOf(protocol: (typeof PROTOCOLS)[number]): Promise<string> {
    const [pool] = await discovered({ type: protocol, search: 'BONQ/SOL', sortBy: 'tvl' });
    return String(pool?.['pool']);
  }

  /** An open position of the owner. */
  async function openIn(protocol: (typeof PROTOCOLS)[number]): Promise<{ readonly id: string; readonly tokenId: string }> {
    const position = list((await got('/lp-positions/opening', { owner: owner() }))['data']).find((one) => one['protocol'] === protocol);
    assert.ok(position, `The owner has nothing open in ${protocol}`);
    return { id: String(position['id']), tokenId: String(position['tokenId']) };
  }
});

/** Checks an answer of that status; gives its body. */
function checked(method: string, path: string, status: number, answer: Answer): Json {
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 300)}`);
  checkContract(method, path, answer.status, answer.body);
  checkSpec(method, path, answer.status, answer.body);
  return record(answer.body);
}

function closing(position: Json | undefined): string {
  return String(position?.['closeAt']);
}

function record(value: unknown): Json {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `${JSON.stringify(value)} is no record`);
  return value as Json;
}

function list(value: unknown): readonly Json[] {
  return Listed.parse({ data: value }).data;
}
