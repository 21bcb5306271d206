import assert from 'node:assert/strict';
import * as z from 'zod';
import { good, landed, refused } from '../support/sandbox/client';
import { useSandbox } from '../support/sandbox/useSandbox';

const Named = z.object({ data: z.array(z.looseObject({ protocol: z.string(), bin_step: z.number(), pool: z.string() })) });

describe('Configured protocol names', function () {
  const client = useSandbox('all', { args: ['--protocol', 'dlmm_x'] });
  const owner = (): string => client().sandbox.owner;

  it('All records, filters and messages use the configured protocol names', async () => {
    const all = good(Named, await client().get('/pools/discover', { pageSize: 100 })).data;
    assert.deepEqual(new Set(all.map(({ protocol }) => protocol)), new Set(['dlmm_x', 'dlmm_x_damm_v2']));
    for (const type of ['dlmm_x', 'dlmm_x_damm_v2']) {
      const some = good(Named, await client().get('/pools/discover', { pageSize: 100, type })).data;
      assert.deepEqual(
        some.map(({ pool }) => pool).sort(),
        all
          .filter(({ protocol }) => protocol === type)
          .map(({ pool }) => pool)
          .sort(),
      );
      const [pool] = some;
      const Info = z.object({ data: z.looseObject({ type: z.literal(type) }) });
      good(Info, await client().get(`/pools/${pool?.pool ?? ''}/info`));
    }
    assert.match(
      refused(400, await client().get('/pools/discover', { type: 'meteora' })),
      /type must be one of all, dlmm_x, dlmm_x_damm_v2/,
    );
    const opening = good(
      z.object({ data: z.array(z.looseObject({ protocol: z.string() })) }),
      await client().get('/lp-positions/opening', { owner: owner() }),
    ).data;
    assert.ok(opening.every(({ protocol }) => protocol.startsWith('dlmm_x')));
  });

  it('Overviews and withdrawals expect the configured protocol names', async () => {
    const Overview = z.object({ data: z.looseObject({ protocol: z.literal('dlmm_x') }) });
    good(Overview, await client().get('/lp-positions/overview', { owner: owner() }));
    refused(404, await client().get('/lp-positions/overview', { owner: owner(), protocol: 'meteora' }));
    const [position] = await client().binPositions();
    const body = { position_id: position?.id, bps: 100, owner: owner(), slippage_bps: 500 };
    assert.match(refused(400, await client().post('/position/decrease-tx', { ...body, type: 'meteora' })), /type/);
    refused(400, await client().post('/position/decrease-tx', { ...body, type: 'dlmm_x_damm_v2' }));
    landed(await client().landDecrease(await client().decrease(position?.id ?? '', 100, { type: 'dlmm_x' })));
  });
});
