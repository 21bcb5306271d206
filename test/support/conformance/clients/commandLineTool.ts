import assert from 'node:assert/strict';
import * as z from 'zod';
import { type ClientWorld, get, post, sign } from './access';

const SOL = 'So11111111111111111111111111111111111111112';

/** A command-line tool that uses all of its commands. */
export async function useCommandLineTool(world: ClientWorld): Promise<void> {
  const { access: given, leastPools } = world;
  const owner = given.wallet.publicKey.toBase58();
  const Rows = z.object({ status: z.literal('success'), data: z.array(z.looseObject({})) });

  const Opening = z.object({
    data: z.array(
      z.looseObject({
        tokenId: z.string(),
        pool: z.string(),
        pairName: z.string(),
        age: z.string(),
        dpr: z.number(),
        currentValue: z.string(),
        pnl: z.object({ value: z.number(), percent: z.number() }),
      }),
    ),
  });
  const [position] = (await get(given, Opening, `/lp-positions/opening?owner=${owner}`)).data;
  assert.ok(position);

  const Historical = z.object({
    data: z.object({
      data: z.array(z.looseObject({ tokenId: z.string(), closeAt: z.string() })),
      pagination: z.object({ totalCount: z.int() }),
    }),
  });
  const closed = await get(
    given,
    Historical,
    `/lp-positions/historical?owner=${owner}&from_date=2020-01-01&to_date=2100-01-01&page=1&limit=10`,
  );
  assert.ok(closed.data.data.length > 0);

  const Single = z.object({ data: z.looseObject({ tokenId: z.string(), status: z.string(), pairName: z.string() }) });
  for (const [id, status] of [
    [position.tokenId, 'Open'],
    [closed.data.data[0]?.tokenId ?? '', 'Close'],
  ] as const) {
    const { data } = await get(given, Single, `/lp-positions/position?position=${id}`);
    assert.deepEqual([data.tokenId, data.status], [id, status]);
  }

  const Overview = z.object({
    data: z.looseObject({
      total_pnl: z.record(z.string(), z.number()),
      win_rate: z.record(z.string(), z.number()),
      opening_lp: z.string(),
    }),
  });
  await get(given, Overview, `/lp-positions/overview?owner=${owner}&protocol=meteora`);
  await get(given, Rows, `/lp-positions/logs?position=${position.tokenId}&chain=SOL`);
  await get(given, Rows, `/lp-positions/revenue/${owner}?period=week&range=1M`);

  const Discovered = z.object({
    data: z.array(z.looseObject({ pool: z.string(), pairName: z.string(), tvl: z.number(), fee_tvl_ratio: z.number() })),
    pagination: z.looseObject({}),
  });
  const pools = await get(
    given,
    Discovered,
    '/pools/discover?chain=SOL&sortBy=fee_tvl_ratio&sortOrder=desc&page=1&pageSize=20&feeTVLInterval=1h',
  );
  assert.equal(pools.data.length, Math.min(leastPools, 20));
  const found = await get(given, Discovered, `/pools/discover?search=${encodeURIComponent(position.pairName)}`);
  assert.ok(found.data.some(({ pool }) => pool === position.pool));

  await get(given, z.object({ data: z.looseObject({ type: z.string() }) }), `/pools/${position.pool}/info`);
  await get(given, Rows, `/pools/${position.pool}/top-lpers?order_by=roi&sort_order=desc&page=1&limit=5`);
  await get(
    given,
    z.object({ data: z.looseObject({ positions: z.array(z.looseObject({})) }) }),
    `/pools/${position.pool}/positions?status=Open&page=1&pageSize=5`,
  );
  await get(given, z.object({ data: z.looseObject({ poolStats: z.array(z.looseObject({})) }) }), `/pools/${position.pool}/onchain-stats`);

  const Balances = z.object({
    data: z.array(
      z.looseObject({
        tokenAddress: z.string(),
        balance: z.number(),
        rawBalance: z.string(),
        symbol: z.string(),
        decimals: z.int(),
        balanceInUsd: z.number(),
      }),
    ),
  });
  const before = await get(given, Balances, `/token/balance?owner=${owner}&ca=${SOL}`);
  assert.deepEqual(
    before.data.map(({ tokenAddress }) => tokenAddress),
    [SOL],
  );

  // It goes by the position's address, and lands what it was given without the lists that it does not use.
  await post(given, z.looseObject({}), '/position/decrease-quotes', { id: position.tokenId, bps: 5_000 });
  const Built = z.object({
    data: z.looseObject({ lastValidBlock: z.int(), closeTxsWithJito: z.array(z.string()), swapTxsWithJito: z.array(z.string()) }),
  });
  const { data: built } = await post(given, Built, '/position/decrease-tx', {
    position_id: position.tokenId,
    bps: 10_000,
    owner,
    slippage_bps: 500,
    output: 'allBaseToken',
    provider: 'JUPITER_ULTRA',
  });
  const Landed = z.object({ data: z.object({ signature: z.string(), method: z.string() }) });
  await post(given, Landed, '/position/landing-decrease-tx', {
    lastValidBlockHeight: built.lastValidBlock,
    closeTxsWithJito: sign(built.closeTxsWithJito, given.wallet),
    swapTxsWithJito: sign(built.swapTxsWithJito, given.wallet),
  });
  const { data: left } = await get(given, Opening, `/lp-positions/opening?owner=${owner}`);
  assert.ok(left.every(({ tokenId }) => tokenId !== position.tokenId));
  assert.ok(
    ((await get(given, Balances, `/token/balance?owner=${owner}&ca=${SOL}`)).data[0]?.balance ?? 0) > (before.data[0]?.balance ?? 0),
  );
}
