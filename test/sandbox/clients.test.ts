import assert from 'node:assert/strict';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import * as z from 'zod';
import { useSandbox } from '../support/sandbox/useSandbox';

// Clients of the public service: each makes its calls and reads the answers in its own way, and gets only an address, a key and
// its wallet.

/** Everything a client knows of the service. */
interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly wallet: Keypair;
}

const SOL = 'So11111111111111111111111111111111111111112';

describe('Clients written for the public service', function () {
  const client = useSandbox('each');

  function access(): Access {
    const { url, apiKey, secretKey } = client().sandbox;
    return { baseUrl: url, apiKey, wallet: Keypair.fromSecretKey(bs58.decode(secretKey)) };
  }

  it('A command-line tool can use every command against the sandbox', async () => {
    const given = access();
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
    assert.equal(pools.data.length, 20);
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
  });

  it('A rebalance bot exits out-of-range positions and re-enters around the price', async () => {
    const given = access();
    const owner = given.wallet.publicKey.toBase58();
    await client().control('pause');
    await pushOutOfRange();

    const Opening = z.object({
      count: z.int(),
      data: z.array(
        z.looseObject({
          id: z.string(),
          position: z.string(),
          pool: z.string(),
          inRange: z.boolean(),
          inputNative: z.number(),
          valueNative: z.number(),
          uncollectedFeeNative: z.number(),
          ageHour: z.null(),
          pnl: z.object({ percentNative: z.number() }),
          token0Info: z.object({ token_symbol: z.string() }),
        }),
      ),
    });
    const outside = (await get(given, Opening, `/lp-positions/opening?owner=${owner}`)).data.filter(({ inRange }) => !inRange);
    assert.ok(outside.length > 0);
    let rebalanced = 0;
    for (const position of outside) {
      await zapOut(given, position.id);
      const solBefore = await solOf(given);

      const Info = z.object({
        data: z.looseObject({
          type: z.literal('meteora'),
          liquidityViz: z.object({
            activeBin: z.object({ binId: z.int() }),
            bins: z.array(z.object({ binId: z.int(), xAmount: z.number(), yAmount: z.number() })),
          }),
        }),
      });
      const {
        liquidityViz: { activeBin, bins },
      } = (await get(given, Info, `/pools/${position.pool}/info`)).data;
      // Four fifths of the bins shown, all of them below the price: SOL alone where it is the second token.
      const width = Math.floor(bins.length * 0.8);
      const fresh = await zapIn(given, position.pool, {
        inputSOL: Math.min(1, solBefore / 10),
        percentX: 0,
        fromBinId: activeBin.binId - width + 1,
        toBinId: activeBin.binId,
      });

      const { data } = await get(given, Opening, `/lp-positions/opening?owner=${owner}`);
      assert.ok(data.every(({ id }) => id !== position.id));
      const entered = data.find(({ position: at }) => at === fresh);
      assert.ok(entered, 'a position is listed as soon as it has landed');
      assert.equal(entered.inRange, true);
      assert.ok(Math.abs(entered.valueNative / entered.inputNative - 1) < 0.02);
      rebalanced += 1;
    }
    assert.equal(rebalanced, outside.length);
    assert.deepEqual(await client().audit(), []);
  });

  it('A dashboard reads and sums up everything, with the parameter names that it assumes', async () => {
    const given = access();
    const owner = given.wallet.publicKey.toBase58();
    await client().control('pause');
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
      data: z.array(z.looseObject({ pool: z.string(), mcap: z.number(), tvl: z.number(), vol_24h: z.number() })).length(30),
    });
    const { data: pools } = await get(
      given,
      Discovered,
      '/pools/discover?limit=30&sortBy=vol_24h&min_liquidity=50&min_market_cap=5&unknown=1',
    );
    const Lpers = z.object({
      data: z.array(z.looseObject({ owner: z.string(), win_rate: number, total_pnl: number, first_activity: z.coerce.date() })),
      pagination: z.looseObject({ pageSize: z.literal(5) }),
    });
    for (const { pool } of pools.slice(0, 3)) {
      await get(given, Lpers, `/pools/${pool}/top-lpers?pageSize=5&order_by=win_rate`);
    }
  });

  /** Moves the price of a position's pool until the position is out of its range, where the owner has none that is. */
  async function pushOutOfRange(): Promise<void> {
    const [position] = await client().binPositions();
    assert.ok(position);
    if (position.inRange) {
      await client().control('active-bin', { pool: position.pool, binId: position.tickUpper + 5 });
    }
  }
});

async function get<Schema extends z.ZodType>(access: Access, schema: Schema, path: string): Promise<z.output<Schema>> {
  return schema.parse(await call(access, 'GET', path));
}

async function post<Schema extends z.ZodType>(access: Access, schema: Schema, path: string, body: object): Promise<z.output<Schema>> {
  return schema.parse(await call(access, 'POST', path, body));
}

async function call({ baseUrl, apiKey }: Access, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, `${method} ${path}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
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

/** As the tutorials sign: every transaction as a versioned one, which legacy ones can be read as, too. */
function sign(transactions: readonly string[], wallet: Keypair): string[] {
  return transactions.map((text) => {
    const transaction = VersionedTransaction.deserialize(Buffer.from(text, 'base64'));
    transaction.sign([wallet]);
    return Buffer.from(transaction.serialize()).toString('base64');
  });
}

async function zapOut(access: Access, id: string): Promise<void> {
  const Built = z.object({
    data: z.object({ closeTxsWithJito: z.array(z.string()), swapTxsWithJito: z.array(z.string()), lastValidBlockHeight: z.int() }),
  });
  const { data } = await post(access, Built, '/position/decrease-tx', {
    position_id: id,
    bps: 10_000,
    owner: access.wallet.publicKey.toBase58(),
    slippage_bps: 500,
    output: 'allBaseToken',
    provider: 'OKX',
  });
  await post(access, z.object({ data: z.looseObject({ signature: z.string() }) }), '/position/landing-decrease-tx', {
    lastValidBlockHeight: data.lastValidBlockHeight,
    closeTxs: [],
    swapTxs: [],
    closeTxsWithJito: sign(data.closeTxsWithJito, access.wallet),
    swapTxsWithJito: sign(data.swapTxsWithJito, access.wallet),
  });
}

/** Gives the new position's address. */
async function zapIn(
  access: Access,
  pool: string,
  range: Readonly<Record<'inputSOL' | 'percentX' | 'fromBinId' | 'toBinId', number>>,
): Promise<string> {
  const Built = z.object({
    data: z.object({
      swapTxsWithJito: z.array(z.string()),
      addLiquidityTxsWithJito: z.array(z.string()),
      lastValidBlockHeight: z.int(),
      meta: z.looseObject({ positionPubKey: z.string() }),
    }),
  });
  const { data } = await post(access, Built, `/pools/${pool}/add-tx`, {
    stratergy: 'Spot',
    ...range,
    owner: access.wallet.publicKey.toBase58(),
    slippage_bps: 500,
    mode: 'zap-in',
  });
  await post(access, z.object({ data: z.looseObject({ signature: z.string() }) }), '/pools/landing-add-tx', {
    lastValidBlockHeight: data.lastValidBlockHeight,
    swapTxsWithJito: sign(data.swapTxsWithJito, access.wallet),
    addLiquidityTxsWithJito: sign(data.addLiquidityTxsWithJito, access.wallet),
    meta: data.meta,
  });
  return data.meta.positionPubKey;
}

/** Whole SOL, read as the tutorial's bot does. */
async function solOf(access: Access): Promise<number> {
  const Balances = z.object({ data: z.array(z.looseObject({ address: z.string(), uiAmount: z.string(), price: z.number().optional() })) });
  const { data } = await get(access, Balances, `/token/balance?owner=${access.wallet.publicKey.toBase58()}`);
  return Number(data.find(({ address }) => address === SOL)?.uiAmount ?? '0');
}
