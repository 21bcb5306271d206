import assert from 'node:assert/strict';
import * as z from 'zod';
import { good, refused, SOL } from '../support/sandbox/client';
import { useSandbox } from '../support/sandbox/useSandbox';

/** An address without any use. */
const NOBODY = '5ZWj7a1f8tWkjBESHKgrLmXshuXxqeY9SYcfbshpAqPG';
const TOO_SHORT = 'abc';

const Closed = z.object({ data: z.object({ data: z.array(z.looseObject({ closeAt: z.iso.datetime() })) }) });

describe('Parameter bounds', function () {
  const client = useSandbox();
  let pool: string;

  before(async () => {
    ({ pool } = await client().pool('BONQ/SOL', 100));
  });

  /** The message names the parameter. */
  function names(parameter: string, message: string): void {
    assert.ok(message.includes(parameter), `"${message}" does not name ${parameter}`);
  }

  for (const path of ['/lp-positions/opening', '/lp-positions/historical', '/lp-positions/overview', '/token/balance']) {
    it(`${path} requires an owner`, async () => {
      assert.equal(refused(400, await client().get(path)), 'owner is required');
      assert.equal(refused(400, await client().get(path, { owner: '' })), 'owner is required');
      names('owner', refused(400, await client().get(path, { owner: TOO_SHORT })));
      names('owner', refused(400, await client().get(path, { owner: `${NOBODY}0` })));
    });
  }

  for (const [parameter, values] of [
    ['page', ['0', '-1', '1.5', 'x', '']],
    ['limit', ['0', '-5', '1001', 'x']],
    ['from_date', ['yesterday', '2024-13-45', '20240101', '2026-02-31', '2026-11-20 (noon)', '']],
    ['to_date', ['x', '2024-02-31T99:00:00Z']],
  ] as const) {
    it(`The historical endpoint rejects ${parameter} out of bounds`, async () => {
      for (const value of values) {
        names(
          parameter,
          refused(400, await client().get('/lp-positions/historical', { owner: client().sandbox.owner, [parameter]: value })),
        );
      }
    });
  }

  for (const [parameter, values] of [
    ['page', ['0', '-1', '2.5', 'one']],
    ['pageSize', ['0', '101', '-1', 'ten', '1e9']],
    ['sortBy', ['apr', '']],
    ['sortOrder', ['up']],
    ['feeTVLInterval', ['2h']],
    ['type', ['orca']],
    ['quote_token', [TOO_SHORT]],
    ['min_market_cap', ['much', '1,000', 'NaN', 'Infinity']],
    ['max_bin_step', ['wide']],
    ['min_organic_score', ['x']],
    ['max_base_fee', ['x']],
    ['min_age_hr', ['x']],
    ['max_liquidity', ['x']],
    ['min_24h_fees', ['x']],
    ['max_24h_vol', ['x']],
    ['min_1h_vol', ['x']],
  ] as const) {
    it(`The discover endpoint rejects ${parameter} out of bounds`, async () => {
      for (const value of values) {
        names(parameter, refused(400, await client().get('/pools/discover', { [parameter]: value })));
      }
    });
  }

  it('An optional parameter that is empty is rejected, not treated as missing', async () => {
    for (const [path, parameter] of [
      ['/pools/discover', 'quote_token'],
      ['/lp-positions/overview', 'protocol'],
      [`/lp-positions/revenue/${NOBODY}`, 'protocol'],
      [`/pools/${pool}/positions`, 'owner'],
    ] as const) {
      assert.match(
        refused(400, await client().get(path, { ...(path.includes('overview') ? { owner: NOBODY } : {}), [parameter]: '' })),
        new RegExp(`^${parameter} must `),
        path,
      );
    }
    assert.equal((await client().get('/pools/discover', { search: '' })).status, 200);
  });

  it('A NUL character does not end a parameter', async () => {
    const { id, position } = await client().anyPosition();
    names('search', refused(400, await client().get('/pools/discover', { search: 'BONQ\0' })));
    names('position', refused(400, await client().get('/lp-positions/logs', { position: `${position}\0` })));
    names('id', refused(400, await client().post('/position/decrease-quotes', { id: `${id}\0`, bps: 1 })));
    names(
      'position_id',
      refused(
        400,
        await client().post('/position/decrease-tx', { position_id: `${id}\0`, bps: 1, owner: client().sandbox.owner, slippage_bps: 1 }),
      ),
    );
  });

  it('Times without a zone are read as UTC, as the service writes them', async () => {
    const { owner } = client().sandbox;
    const closings = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const { data } = good(Closed, await client().get('/lp-positions/historical', { owner, limit: 100, ...query }));
      return data.data.map(({ closeAt }) => closeAt);
    };
    const all = await closings({});
    const from = all[Math.floor(all.length / 2)] ?? '';
    const expected = all.filter((at) => at >= from);
    assert.ok(expected.length > 1 && expected.length < all.length);
    for (const text of [from, from.replace('Z', ''), from.replace('T', ' ').replace('Z', ''), from.replace('Z', '+00:00')]) {
      assert.deepEqual(await closings({ from_date: text }), expected, text);
    }
  });

  it('The logs endpoint requires a position or an owner', async () => {
    assert.equal(refused(400, await client().get('/lp-positions/logs')), 'position or owner parameter is required');
    assert.equal(
      refused(400, await client().get('/lp-positions/logs', { position: '', owner: '' })),
      'position or owner parameter is required',
    );
    names('owner', refused(400, await client().get('/lp-positions/logs', { owner: TOO_SHORT })));
    assert.deepEqual((await client().get('/lp-positions/logs', { owner: NOBODY })).body, { status: 'success', count: 0, data: [] });
    assert.deepEqual((await client().get('/lp-positions/logs', { owner: client().sandbox.owner, chain: 'ETH' })).body, {
      status: 'success',
      count: 0,
      data: [],
    });
    refused(404, await client().get('/lp-positions/logs', { position: NOBODY }));
    refused(404, await client().get('/lp-positions/position', { position: NOBODY }));
    names('position', refused(400, await client().get('/lp-positions/position')));
  });

  for (const [parameter, values] of [
    ['period', ['year', '']],
    ['range', ['1Y', '7d']],
    ['protocol', ['', ',']],
  ] as const) {
    it(`The revenue endpoint rejects ${parameter} out of bounds`, async () => {
      for (const value of values) {
        names(parameter, refused(400, await client().get(`/lp-positions/revenue/${client().sandbox.owner}`, { [parameter]: value })));
      }
      names('owner', refused(400, await client().get(`/lp-positions/revenue/${TOO_SHORT}`)));
      assert.deepEqual((await client().get(`/lp-positions/revenue/${NOBODY}`)).body, { status: 'success', data: [] });
    });
  }

  for (const [parameter, values] of [
    ['page', ['0', 'x']],
    ['pageSize', ['0', '21', 'x']],
    ['order_by', ['luck']],
    ['sort_order', ['default']],
    ['status', ['open', 'Closed']],
    ['owner', [TOO_SHORT]],
    ['pnl_threshold', ['much']],
    ['pnl_native_threshold', ['1,5']],
  ] as const) {
    it(`The list of positions of a pool rejects ${parameter} out of bounds`, async () => {
      for (const value of values) {
        names(parameter, refused(400, await client().get(`/pools/${pool}/positions`, { [parameter]: value })));
      }
    });
  }

  for (const [parameter, values] of [
    ['page', ['0', 'x']],
    ['limit', ['0', '101']],
    ['order_by', ['luck', 'owner']],
    ['sort_order', ['default']],
  ] as const) {
    it(`The top-lpers endpoint rejects ${parameter} out of bounds`, async () => {
      for (const value of values) {
        names(parameter, refused(400, await client().get(`/pools/${pool}/top-lpers`, { [parameter]: value })));
      }
    });
  }

  for (const [parameter, values] of [
    ['position_id', [undefined, null, '', 5]],
    ['bps', [undefined, 0, -1, 10_001, 1.5, '5000', null]],
    ['owner', [undefined, '', TOO_SHORT, 7]],
    ['slippage_bps', [undefined, -1, 10_001, 0.5, '100']],
    ['output', ['allToken2', '', 3]],
    ['type', ['orca']],
    ['fromBinId', [1.5, 'low']],
  ] as const) {
    it(`The decrease-tx endpoint rejects ${parameter} out of bounds`, async () => {
      const [position] = await client().opening();
      for (const value of values) {
        const body = {
          position_id: position?.id,
          bps: 5_000,
          owner: client().sandbox.owner,
          slippage_bps: 500,
          output: 'both',
          [parameter]: value,
        };
        names(parameter, refused(400, await client().post('/position/decrease-tx', body)));
      }
    });
  }

  it('The decrease-tx endpoint accepts parts of the range and nothing beyond it', async () => {
    const position = await client().anyPosition();
    const message = async (fromBinId: number, toBinId: number): Promise<string> =>
      refused(
        400,
        await client().post('/position/decrease-tx', {
          position_id: position.id,
          bps: 5_000,
          owner: client().sandbox.owner,
          slippage_bps: 500,
          fromBinId,
          toBinId,
        }),
      );
    names('fromBinId', await message(position.tickUpper + 1, position.tickUpper + 5));
    names('fromBinId', await message(position.tickUpper, position.tickLower));
  });

  for (const [parameter, values] of [
    ['stratergy', [undefined, 'spot', '', 1]],
    ['owner', [undefined, TOO_SHORT]],
    ['inputSOL', [undefined, 0, -1, '1', 1e-10, 2e9]],
    ['percentX', [undefined, -0.1, 1.1, '0.5']],
    ['fromBinId', [undefined, 1.5, 'x', 1e9]],
    ['toBinId', [undefined, 0.5]],
    ['slippage_bps', [-1, 10_001, 2.5]],
    ['mode', ['zap-out']],
  ] as const) {
    it(`The add-tx endpoint rejects ${parameter} out of bounds`, async () => {
      const active = await client().activeBin(pool);
      for (const value of values) {
        const body = {
          stratergy: 'Spot',
          owner: client().sandbox.owner,
          inputSOL: 1,
          percentX: 0.5,
          fromBinId: active - 10,
          toBinId: active + 10,
          slippage_bps: 500,
          [parameter]: value,
        };
        names(parameter, refused(400, await client().post(`/pools/${pool}/add-tx`, body)));
      }
    });
  }

  it('The add-tx endpoint rejects ranges that are inverted, too wide, out of reach or on the wrong side', async () => {
    const active = await client().activeBin(pool);
    const message = async (body: object): Promise<string> =>
      refused(
        400,
        await client().post(`/pools/${pool}/add-tx`, {
          stratergy: 'Spot',
          owner: client().sandbox.owner,
          inputSOL: 1,
          percentX: 0.5,
          ...body,
        }),
      );
    assert.match(await message({ fromBinId: active + 1, toBinId: active }), /fromBinId has to be at most toBinId/);
    assert.match(await message({ fromBinId: active, toBinId: active + 1_400 }), /1401 bins/);
    names('fromBinId', await message({ fromBinId: 400_000, toBinId: 400_010 }));
    names('toBinId', await message({ fromBinId: active, toBinId: 9e15 }));
    assert.match(await message({ fromBinId: active - 20, toBinId: active - 5, percentX: 1 }), /percentX leaves nothing to put in/);
    assert.match(await message({ fromBinId: active + 5, toBinId: active + 20, percentX: 0 }), /percentX leaves nothing to put in/);
  });

  it('The add-tx endpoint requires amounts in mode normal', async () => {
    const active = await client().activeBin(pool);
    const body = { stratergy: 'Spot', owner: client().sandbox.owner, mode: 'normal', fromBinId: active - 5, toBinId: active + 5 };
    names('amountX', refused(400, await client().post(`/pools/${pool}/add-tx`, body)));
    names('amountX', refused(400, await client().post(`/pools/${pool}/add-tx`, { ...body, amountX: -1, amountY: 1 })));
    for (const amount of [1e14, 1e30, 1e308]) {
      names('amountX', refused(400, await client().post(`/pools/${pool}/add-tx`, { ...body, amountX: amount * 10 })));
      names('amountY', refused(400, await client().post(`/pools/${pool}/add-tx`, { ...body, amountY: amount })));
    }
  });

  for (const [parameter, values] of [
    ['id', [undefined, '', 5]],
    ['bps', [undefined, -1, 10_001, 0.5]],
  ] as const) {
    it(`The decrease-quotes endpoint rejects ${parameter} out of bounds`, async () => {
      const { id } = await client().anyPosition();
      for (const value of values) {
        names(parameter, refused(400, await client().post('/position/decrease-quotes', { id, bps: 5_000, [parameter]: value })));
      }
    });
  }

  for (const [path, parameter, values] of [
    ['/position/landing-decrease-tx', 'lastValidBlockHeight', [undefined, null, '5', 1.5, -1]],
    ['/position/landing-decrease-tx', 'closeTxsWithJito', [undefined, 'AAAA', ['not base64!'], [5], ['AB']]],
    ['/position/landing-decrease-tx', 'swapTxsWithJito', [['?'], {}]],
    ['/position/landing-decrease-tx', 'closeTxs', [[1]]],
    ['/pools/landing-add-tx', 'lastValidBlockHeight', [undefined]],
    ['/pools/landing-add-tx', 'addLiquidityTxsWithJito', [undefined, [null]]],
    ['/pools/landing-add-tx', 'swapTxsWithJito', ['x']],
  ] as const) {
    it(`${path} rejects an invalid ${parameter}`, async () => {
      for (const value of values) {
        const body = { lastValidBlockHeight: 5, closeTxsWithJito: [], addLiquidityTxsWithJito: [], [parameter]: value };
        names(parameter, refused(400, await client().post(path, body)));
      }
    });
  }

  it('The sandbox rejects pools, positions and owners that do not exist', async () => {
    refused(404, await client().get(`/pools/${NOBODY}/info`));
    refused(404, await client().get(`/pools/${TOO_SHORT}/info`));
    refused(404, await client().get(`/pools/${NOBODY}/top-lpers`));
    refused(404, await client().get(`/pools/${NOBODY}/positions`));
    refused(404, await client().get(`/pools/${NOBODY}/onchain-stats`));
    refused(
      404,
      await client().post(`/pools/${NOBODY}/add-tx`, {
        stratergy: 'Spot',
        owner: client().sandbox.owner,
        inputSOL: 1,
        percentX: 0.5,
        fromBinId: 0,
        toBinId: 1,
      }),
    );
    assert.match(
      refused(
        404,
        await client().post('/position/decrease-tx', { position_id: NOBODY, bps: 1, owner: client().sandbox.owner, slippage_bps: 1 }),
      ),
      /Position account .* not found/,
    );
    refused(404, await client().post('/position/decrease-quotes', { id: NOBODY, bps: 1 }));
    assert.equal(refused(404, await client().get('/lp-positions/overview', { owner: NOBODY })), 'Owner overview not found');
    assert.equal(
      refused(404, await client().get('/lp-positions/overview', { owner: client().sandbox.owner, protocol: 'orca' })),
      'Owner overview not found',
    );
    assert.deepEqual(await client().opening(NOBODY), []);
    assert.deepEqual((await client().get('/lp-positions/historical', { owner: NOBODY })).body, {
      status: 'success',
      data: { data: [], pagination: { currentPage: 1, totalPages: 0, totalCount: 0, pageSize: 20 } },
    });
  });

  it('Only the owner of a position can withdraw from it', async () => {
    const [position] = await client().opening();
    const body = { position_id: position?.id, bps: 10_000, owner: NOBODY, slippage_bps: 500 };
    names('owner', refused(400, await client().post('/position/decrease-tx', body)));
  });

  it('The sandbox reports the missing amount when the balance is too low', async () => {
    const active = await client().activeBin(pool);
    const range = { stratergy: 'Spot', percentX: 0.5, fromBinId: active - 10, toBinId: active + 10 };
    const message = refused(400, await client().post(`/pools/${pool}/add-tx`, { ...range, owner: client().sandbox.owner, inputSOL: 500 }));
    assert.match(message, /^Insufficient balance: 500\.\d+ SOL are needed .* 25 SOL are there$/);
    assert.match(
      refused(400, await client().post(`/pools/${pool}/add-tx`, { ...range, owner: NOBODY, inputSOL: 0.1 })),
      /Insufficient balance/,
    );
    const normal = { ...range, owner: client().sandbox.owner, mode: 'normal', amountX: 1e9, amountY: 0.1 };
    assert.match(refused(400, await client().post(`/pools/${pool}/add-tx`, normal)), /Insufficient balance: .* BONQ/);
  });

  it('The sandbox accepts parameter names that clients use by mistake', async () => {
    const active = await client().activeBin(pool);
    const entry = {
      strategy: 'Spot',
      owner: client().sandbox.owner,
      inputSOL: 0.1,
      percentX: 0.5,
      fromBinId: active - 5,
      toBinId: active + 5,
    };
    assert.equal((await client().post(`/pools/${pool}/add-tx`, entry)).status, 200);
    assert.equal(
      (await client().get('/lp-positions/historical', { owner: client().sandbox.owner, startDate: '2020-01-01', endDate: '2020-01-02' }))
        .status,
      200,
    );
    names('from_date', refused(400, await client().get('/lp-positions/historical', { owner: client().sandbox.owner, startDate: 'x' })));
    assert.match(JSON.stringify((await client().get(`/pools/${pool}/positions`, { limit: 3 })).body), /"pageSize":3/);
    const pageSizeOf = async (path: string, query: Record<string, string | number>): Promise<unknown> =>
      JSON.stringify((await client().get(path, query)).body);
    assert.match(String(await pageSizeOf('/pools/discover', { limit: 3 })), /"pageSize":3/);
    assert.match(String(await pageSizeOf(`/pools/${pool}/top-lpers`, { pageSize: 4 })), /"pageSize":4/);
    assert.match(String(await pageSizeOf('/lp-positions/historical', { owner: client().sandbox.owner, pageSize: 5 })), /"pageSize":5/);
    assert.equal((await client().get('/pools/discover', { unknown: 'parameter', chain: 'SOL' })).status, 200);
    assert.match(JSON.stringify((await client().get('/pools/discover', { chain: 'ETH' })).body), /"totalCount":0/);
    assert.match(
      JSON.stringify((await client().get('/token/balance', { owner: client().sandbox.owner, ca: SOL })).body),
      /"uiAmount":"25"/,
    );
  });
});
