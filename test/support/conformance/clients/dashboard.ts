import assert from 'node:assert/strict';
import * as z from 'zod';
import { type Access, type ClientWorld, get } from './access';

/** A dashboard that reads and sums up everything, with the names of parameters that it assumes. */
export async function readDashboard(world: ClientWorld): Promise<void> {
  const { access: given, leastPools, knowsAllProviders } = world;
  const owner = given.wallet.publicKey.toBase58();
  const number = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?(e-?\d+)?$/)]).transform(Number);
  const Opening = z.object({
    count: z.int(),
    data: z.array(
      z.looseObject({
        value: number,
        currentValue: number,
        unCollectedFee: number,
        uncollectedFee: number,
        inputValue: number,
        outputValue: number,
        collectedFee: number,
        age: number,
        createdAt: z.coerce.date(),
        pnl: z.object({ value: z.number() }),
        range: z.array(z.int()).length(3),
        priceRange: z.array(z.number()).length(3),
      }),
    ),
  });
  const Historical = z.object({
    data: z.object({
      data: z.array(
        z.looseObject({
          position: z.string(),
          pnl: z.object({ value: z.number(), valueNative: z.number() }),
          collectedFee: number,
          close_At: z.coerce.date(),
          ageHour: number,
        }),
      ),
      pagination: z.object({ currentPage: z.int(), totalPages: z.int(), totalCount: z.int(), pageSize: z.literal(7) }),
    }),
  });
  const Overview = z.object({
    data: z.looseObject({
      total_pnl: z.looseObject({ ALL: z.number() }),
      total_pnl_native: z.looseObject({ ALL: z.number() }),
      closed_lp: z.looseObject({ ALL: z.string() }),
      opening_lp: z.string(),
      win_lp: z.string(),
    }),
  });

  const open = await get(given, Opening, `/lp-positions/opening?owner=${owner}&chain=SOL&_=${Date.now()}`);
  assert.equal(open.count, open.data.length);
  for (const { value, unCollectedFee, inputValue, outputValue, collectedFee, pnl } of open.data) {
    assert.ok(Math.abs(value + unCollectedFee + collectedFee + outputValue - inputValue - pnl.value) < 1e-6 * Math.max(1, inputValue));
  }
  const byProtocol = await Promise.all(
    ['meteora', 'meteora_damm_v2'].map(async (protocol) => overviewOf(given, owner, protocol, Overview)),
  );
  const overviews = byProtocol.filter((overview) => overview !== undefined);
  const closed: z.output<typeof Historical>['data']['data'] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data } = await get(
      given,
      Historical,
      `/lp-positions/historical?owner=${owner}&protocol=meteora&startDate=2020-01-01&page=${page}&pageSize=7`,
    );
    pages = data.pagination.totalPages;
    closed.push(...data.data);
  }
  assert.equal(new Set(closed.map(({ position }) => position)).size, closed.length);
  assert.equal(
    overviews.reduce((sum, { closed_lp }) => sum + Number(closed_lp.ALL), 0),
    closed.length,
  );
  assert.equal(
    overviews.reduce((sum, { opening_lp }) => sum + Number(opening_lp), 0),
    open.count,
  );
  assert.equal(
    overviews.reduce((sum, { win_lp }) => sum + Number(win_lp), 0),
    closed.filter(({ pnl }) => pnl.value > 0).length,
  );
  const total = closed.reduce((sum, { pnl }) => sum + pnl.value, 0);
  assert.ok(Math.abs(overviews.reduce((sum, { total_pnl }) => sum + total_pnl.ALL, 0) - total) < 1e-6 * Math.max(1, Math.abs(total)));

  const Discovered = z.object({
    data: z
      .array(z.looseObject({ pool: z.string(), mcap: z.number(), tvl: z.number(), vol_24h: z.number() }))
      .length(Math.min(leastPools, 30)),
  });
  const { data: pools } = await get(
    given,
    Discovered,
    '/pools/discover?limit=30&sortBy=vol_24h&min_liquidity=50&min_market_cap=5&unknown=1',
  );
  const figure = knowsAllProviders ? number : number.nullable();
  const Lpers = z.object({
    data: z.array(z.looseObject({ owner: z.string(), win_rate: figure, total_pnl: figure, first_activity: z.coerce.date() })),
    pagination: z.looseObject({ pageSize: z.literal(5) }),
  });
  for (const { pool } of pools.slice(0, 3)) {
    await get(given, Lpers, `/pools/${pool}/top-lpers?pageSize=5&order_by=win_rate`);
  }
}

/** `undefined` where the service has no overview of that protocol, which it says with 404. */
async function overviewOf<Data>(
  { baseUrl, apiKey }: Access,
  owner: string,
  protocol: string,
  schema: z.ZodType<{ readonly data: Data }>,
): Promise<Data | undefined> {
  const response = await fetch(`${baseUrl}/lp-positions/overview?owner=${owner}&protocol=${protocol}`, {
    headers: { 'x-api-key': apiKey },
  });
  return response.status === 404 ? undefined : schema.parse(await response.json()).data;
}
