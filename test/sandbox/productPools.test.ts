import assert from 'node:assert/strict';
import * as z from 'zod';
import { good, landed, refused, SOL } from '../support/sandbox/client';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';

describe('Pools without bins', function () {
  const client = useSandbox('all', STILL);

  for (const pairName of ['BONQ/SOL', 'SOL/USDC', 'RAYO/USDC']) {
    it(`A zap-in without a range, a withdrawal of half, and one of the rest work in ${pairName}`, async () => {
      const { pool } = await client().productPool(pairName);
      const before = await client().balance(SOL);
      const count = (await client().opening()).length;
      // What the price may move by is left out: half the slippage of either token.
      const built = await client().add(pool, { inputSOL: 2, slippage_bps: 100 });
      landed(await client().landAdd(built));

      const address = built.meta.positionPubKey;
      const position = await client().position(address);
      assert.ok(position);
      assert.equal(position['protocol'], 'meteora_damm_v2');
      assert.deepEqual([position.pool, position.pairName, position.inRange], [pool, pairName, true]);
      assert.ok(position.valueNative > 1.96 && position.valueNative < 2.005, `worth ${position.valueNative} SOL`);
      assert.ok(
        Math.abs(position.current.amount0Adjusted * Number(position['price0']) - position.value / 2) < 0.02 * position.value,
        'half of it in each token',
      );

      landed(await client().landDecrease(await client().decrease(position.id, 5_000, { type: 'meteora_damm_v2' })));
      const half = await client().position(address);
      assert.ok(Math.abs((half?.valueNative ?? 0) - position.valueNative / 2) < 0.02);
      landed(await client().landDecrease(await client().decrease(address, 10_000)));
      assert.equal(await client().position(address), undefined);
      assert.equal((await client().opening()).length, count);
      const lost = Number(before - (await client().balance(SOL))) / 1e9;
      assert.ok(lost > 0 && lost < 0.05, `lost ${lost} SOL`);
      assert.deepEqual(await client().audit(), []);
    });
  }

  it('A withdrawal returns both tokens without a swap', async () => {
    const { pool, token0 } = await client().productPool('BONQ/SOL');
    const built = await client().add(pool, { inputSOL: 2 });
    landed(await client().landAdd(built));
    const position = await client().position(built.meta.positionPubKey);
    const before = await client().balance(token0);
    const out = await client().decrease(built.meta.positionPubKey, 10_000, { output: 'both' });
    assert.deepEqual(out.swapTxsWithJito, []);
    landed(await client().landDecrease(out));
    const gained = Number((await client().balance(token0)) - before) / Number(position?.current.amount0);
    assert.ok(gained > 0.98 && gained < 1.02, `${gained}`);
  });

  it('Mode normal deposits given amounts at the price of the pool', async () => {
    const { pool, token0 } = await client().productPool('BONQ/SOL');
    const { pool: bins } = await client().pool('BONQ/SOL', 25);
    const active = await client().activeBin(bins);
    // Brings BONQ into the wallet.
    const above = await client().add(bins, { inputSOL: 2, percentX: 1, fromBinId: active + 1, toBinId: active + 20 });
    landed(await client().landAdd(above));
    landed(await client().landDecrease(await client().decrease(above.meta.positionPubKey, 10_000, { output: 'both' })));
    const bonq = Number(await client().balance(token0)) / 1e5;
    const built = await client().add(pool, { mode: 'normal', amountX: bonq / 2, amountY: 1 });
    assert.deepEqual(built.swapTxsWithJito, []);
    landed(await client().landAdd(built));
    const position = await client().position(built.meta.positionPubKey);
    assert.ok(position !== undefined && position.valueNative > 0.5 && position.valueNative < 2.1, `${position?.valueNative ?? 0}`);
  });

  it('Pool types are recognized, and a position without bins is not treated as one with bins', async () => {
    const { pool, bin_step } = await client().productPool('BONQ/SOL');
    assert.equal(bin_step, 0);
    const Info = z.object({
      data: z.looseObject({ type: z.literal('meteora_damm_v2'), amountX: z.number().positive(), amountY: z.number().positive() }),
    });
    const info = good(Info, await client().get(`/pools/${pool}/info`)).data;
    assert.equal('liquidityViz' in info, false);
    const built = await client().add(pool, { inputSOL: 1 });
    landed(await client().landAdd(built));
    const body = { position_id: built.meta.positionPubKey, bps: 10_000, owner: client().sandbox.owner, slippage_bps: 500 };
    refused(400, await client().post('/position/decrease-tx', { ...body, type: 'meteora' }));
    const { data } = good(
      z.object({ data: z.looseObject({ protocol: z.string(), opening_lp: z.string() }) }),
      await client().get('/lp-positions/overview', { owner: client().sandbox.owner, protocol: 'meteora_damm_v2' }),
    );
    assert.equal(data.protocol, 'meteora_damm_v2');
    assert.ok(Number(data.opening_lp) >= 1);
  });

  it('Operations do not land if the price has moved beyond the slippage', async () => {
    const { pool } = await client().productPool('BONQ/SOL');
    const before = await client().balance(SOL);
    const built = await client().add(pool, { inputSOL: 1, slippage_bps: 100 });
    await client().control('shock', { pool, percent: 15 });
    assert.match(refused(422, await client().landAdd(built)), /[Ss]lippage/);
    assert.equal(await client().balance(SOL), before);
    assert.deepEqual(await client().audit(), []);
  });
});
