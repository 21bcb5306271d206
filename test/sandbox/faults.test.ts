import assert from 'node:assert/strict';
import bs58 from 'bs58';
import * as z from 'zod';
import { good, landed, refused, SOL, type Answer, type DecreaseBuild, type OpenPosition } from '../support/sandbox/client';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';

const Faults = z.object({ data: z.object({ faults: z.array(z.looseObject({ kind: z.string() })) }) });

describe('Injected faults', function () {
  const client = useSandbox('all', { hasShortPast: true });

  afterEach(async () => {
    await client().control('faults', undefined, 'DELETE');
  });

  const opening = (): string => `/lp-positions/opening?owner=${client().sandbox.owner}`;

  it('A latency fault delays the response', async () => {
    await client().setFaults({ kind: 'latency', ms: 400, times: 1 });
    const from = performance.now();
    assert.equal((await client().sendRaw('GET', opening())).status, 200);
    assert.ok(performance.now() - from >= 400);
    assert.deepEqual((await client().status()).faults, []);
  });

  it('A status fault returns another status and executes nothing', async () => {
    const [position] = await client().opening();
    const built = await client().decrease(position?.id ?? '', 5_000);
    for (const [status, words] of [
      [429, /Too many requests/],
      [500, /Internal/],
      [502, /gateway/],
      [503, /unavailable/],
    ] as const) {
      await client().setFaults({ kind: 'status', status, retryAfterSeconds: 7, path: '/position/landing-decrease-tx', times: 1 });
      const answer = await client().landDecrease(built);
      assert.match(refused(status, answer), words);
      assert.equal(answer.headers['retry-after'], '7');
    }
    assert.deepEqual((await client().position(position?.position ?? ''))?.['outputValue'], position?.outputValue);
    landed(await client().landDecrease(built));
  });

  it('A truncation fault ends the response in the middle of the JSON', async () => {
    await client().setFaults({ kind: 'truncate', times: 1 });
    const { status, text } = await client().sendRaw('GET', opening());
    assert.equal(status, 200);
    assert.match(text, /^\{"status":"success"/);
    assert.throws(() => JSON.parse(text), SyntaxError);
    const whole = await client().sendRaw('GET', opening());
    assert.ok(Math.abs(whole.text.length / 2 - text.length) < 0.1 * text.length);
  });

  it('A type fault swaps numbers and text', async () => {
    await client().setFaults({ kind: 'wrongTypes', times: 1 });
    const Mixed = z.object({
      status: z.literal('success'),
      count: z.string().regex(/^\d+$/),
      data: z
        .array(
          z.looseObject({
            position: z.string(),
            inputValue: z.string(),
            age: z.number(),
            pnl: z.object({ value: z.string() }),
            inRange: z.boolean(),
          }),
        )
        .min(1),
    });
    Mixed.parse(JSON.parse((await client().sendRaw('GET', opening())).text));
  });

  it('A dropped connection after a landing leaves the bundle landed, and a repeated request confirms it', async () => {
    const [position] = await client().opening();
    const built = await client().decrease(position?.id ?? '', 2_500);
    const before = await client().balance(SOL);
    await client().setFaults({ kind: 'drop', path: '/open-api/v1/position/landing-decrease-tx', method: 'POST', times: 1 });
    await assert.rejects(client().landDecrease(built), /socket hang up|ECONNRESET/);
    const after = await client().balance(SOL);
    assert.notEqual(after, before);
    landed(await client().landDecrease(built));
    assert.equal(await client().balance(SOL), after);
  });

  it('A fault affects only matching requests, and only the given number of times', async () => {
    await client().setFaults(
      { kind: 'status', status: 500, path: '/pools/discover', times: 2 },
      { kind: 'status', status: 503, method: 'POST' },
    );
    assert.equal((await client().get('/token/balance', { owner: client().sandbox.owner })).status, 200);
    assert.equal((await client().get('/pools/discover')).status, 500);
    assert.equal((await client().get('/pools/discover')).status, 500);
    assert.equal((await client().get('/pools/discover')).status, 200);
    assert.equal((await client().post('/position/decrease-quotes', {})).status, 503);
    assert.equal((await client().post('/position/decrease-quotes', {})).status, 503);
    assert.deepEqual((await client().status()).faults, [{ kind: 'status', status: 503, method: 'POST' }]);
  });

  it('Several faults can affect one request: a delay, then a failure', async () => {
    await client().setFaults({ kind: 'latency', ms: 200 }, { kind: 'status', status: 503 });
    const from = performance.now();
    assert.equal((await client().get('/pools/discover')).status, 503);
    assert.ok(performance.now() - from >= 200);
  });

  it('A fault with a probability affects only some of the requests', async () => {
    await client().setFaults({ kind: 'status', status: 503, probability: 0.5 });
    const statuses: number[] = [];
    for (let count = 0; count < 60; count += 1) {
      statuses.push((await client().sendRaw('GET', '/nothing')).status);
    }
    // All alike once in 10^18 times.
    assert.deepEqual(new Set(statuses), new Set([404, 503]));
    await client().setFaults({ kind: 'status', status: 503, probability: 0 });
    assert.equal((await client().sendRaw('GET', '/nothing')).status, 404);
  });

  it('Faults affect JSON-RPC, but never the controls or requests without the key', async () => {
    await client().setFaults({ kind: 'status', status: 502 });
    assert.equal((await client().send('POST', new URL('/rpc', client().sandbox.url).href, '{}')).status, 502);
    assert.equal((await client().send('GET', `${client().sandbox.url}/pools/discover`, undefined, { 'x-api-key': 'wrong' })).status, 401);
    assert.equal((await client().status()).faults.length, 1);
    assert.equal(good(Faults, await client().control('faults', undefined, 'GET')).data.faults.length, 1);
    assert.deepEqual(good(Faults, await client().control('faults', undefined, 'DELETE')).data.faults, []);
  });

  it('An invalid fault is rejected with the reason', async () => {
    const put = async (...faults: unknown[]): Promise<string> => refused(400, await client().control('faults', { faults }, 'PUT'));
    assert.match(await put({ kind: 'drop' }, { kind: 'fire' }), /^faults\[1\]: kind/);
    assert.match(await put({ kind: 'latency' }), /^faults\[0\]: ms is required/);
    assert.match(await put({ kind: 'status', status: 404 }), /^faults\[0\]: status must be 429/);
    assert.match(await put({ kind: 'landed', status: 418 }), /^faults\[0\]: status must be 307, 400, 401, .* 503 or 504/);
    assert.match(await put({ kind: 'landed', message: '' }), /^faults\[0\]: message/);
    assert.match(await put({ kind: 'partial', transactions: -1 }), /^faults\[0\]: transactions/);
    assert.match(await put({ kind: 'drop', times: 0 }), /^faults\[0\]: times/);
    assert.match(await put({ kind: 'drop', probability: 2 }), /^faults\[0\]: probability/);
    assert.match(await put({ kind: 'drop', tmes: 1 }), /^faults\[0\]: .*tmes/);
    assert.match(refused(400, await client().control('faults', {}, 'PUT')), /faults must be a list/);
    assert.deepEqual((await client().status()).faults, []);
  });
});

describe('Injected landing faults', function () {
  const client = useSandbox('all', { ...STILL, hasShortPast: true });

  const lamports = async (): Promise<bigint> =>
    BigInt(rpcResult(z.object({ value: z.int() }), await rpc('getBalance', [client().sandbox.owner])).value);
  const rpc = (method: string, params: readonly unknown[]): Promise<Answer> =>
    client().send('POST', new URL('/rpc', client().sandbox.url).href, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));

  /** A position of 121 bins, which takes several transactions to leave. */
  async function widePosition(): Promise<OpenPosition> {
    const { pool } = await client().pool('SOL/USDC', 4);
    const active = await client().activeBin(pool);
    const built = await client().add(pool, { inputSOL: 1, fromBinId: active - 100, toBinId: active + 100 });
    landed(await client().landAdd(built));
    return opened(built.meta.positionPubKey);
  }

  async function opened(address: string): Promise<OpenPosition> {
    const position = await client().position(address);
    assert.ok(position !== undefined, `${address} is not listed`);
    return position;
  }

  /** Of each transaction, whether the chain has it. */
  async function onChain(transactions: readonly string[]): Promise<readonly boolean[]> {
    const signatures = transactions.map(signatureOf);
    const { value } = rpcResult(
      z.object({ value: z.array(z.looseObject({ err: z.null() }).nullable()) }),
      await rpc('getSignatureStatuses', [signatures]),
    );
    return value.map((status) => status !== null);
  }

  /** What transactions changed for the owner, by their own word: lamports, and raw tokens by mint. */
  async function changesOf(signatures: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    const { owner } = client().sandbox;
    const changes = new Map<string, bigint>();
    const add = (mint: string, amount: bigint): unknown => changes.set(mint, (changes.get(mint) ?? 0n) + amount);
    for (const signature of signatures) {
      const { transaction, meta } = rpcResult(
        Transaction,
        await rpc('getTransaction', [signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }]),
      );
      const place = transaction.message.accountKeys.indexOf(owner);
      add('lamports', BigInt(meta.postBalances[place] ?? 0) - BigInt(meta.preBalances[place] ?? 0));
      meta.preTokenBalances.filter((token) => token.owner === owner).forEach(({ mint, uiTokenAmount }) => add(mint, -uiTokenAmount.amount));
      meta.postTokenBalances.filter((token) => token.owner === owner).forEach(({ mint, uiTokenAmount }) => add(mint, uiTokenAmount.amount));
    }
    return changes;
  }

  it('A landing fault lands the bundle and returns another status', async () => {
    for (const [fault, status, words] of [
      [{}, 502, /gateway/],
      [{ status: 500 }, 500, /Internal/],
      [{ status: 504 }, 504, /timeout/],
      [{ status: 400, message: 'Blockhash not found' }, 400, /^Blockhash not found$/],
      [{ status: 401 }, 401, /Unauthorized/],
      [{ status: 403 }, 403, /Forbidden/],
      [{ status: 409 }, 409, /Conflict/],
      [{ status: 422, message: 'Slippage exceeded' }, 422, /^Slippage exceeded$/],
      [{ status: 429, retryAfterSeconds: 7 }, 429, /Too many requests/],
    ] as const) {
      const built = await client().decrease((await client().soldOutPosition()).id, 1_000);
      const before = await lamports();
      await client().setFaults({ kind: 'landed', ...fault, times: 1 });
      assert.match(refused(status, await client().landDecrease(built)), words);
      const after = await lamports();
      assert.notEqual(after, before);
      landed(await client().landDecrease(built));
      assert.equal(await lamports(), after);
    }
    const { pool } = await client().pool('SOL/USDC', 4);
    const active = await client().activeBin(pool);
    const entry = await client().add(pool, { inputSOL: 0.1, fromBinId: active - 5, toBinId: active + 5 });
    await client().setFaults({ kind: 'landed' });
    assert.match(refused(502, await client().landAdd(entry)), /gateway/);
    assert.match(refused(502, await client().landAdd(entry)), /gateway/);
    await opened(entry.meta.positionPubKey);
    assert.deepEqual(await client().audit(), []);
  });

  it('A landing fault also hides a refusal behind another status', async () => {
    const built = await client().decrease((await client().soldOutPosition()).id, 1_000);
    await client().setFaults({ kind: 'landed', status: 503, times: 1 });
    assert.match(refused(503, await client().post('/position/landing-decrease-tx', { ...built })), /unavailable/);
    assert.deepEqual(
      await onChain(client().sign(built.closeTxsWithJito)),
      built.closeTxsWithJito.map(() => false),
    );
    landed(await client().landDecrease(built));
  });

  it('A landing fault affects only landings', async () => {
    await client().setFaults({ kind: 'landed', times: 1 }, { kind: 'partial', times: 1 });
    const built = await client().decrease((await client().soldOutPosition()).id, 1_000);
    assert.deepEqual((await client().status()).faults, [
      { kind: 'landed', status: 502, times: 1 },
      { kind: 'partial', transactions: 1, times: 1 },
    ]);
    refused(502, await client().landDecrease(built));
    assert.deepEqual((await client().status()).faults, []);
  });

  it('A partial landing of a withdrawal empties only some bins, and the rest needs newly built transactions', async () => {
    const position = await widePosition();
    const built = await client().decrease(position.id, 10_000);
    const body = client().signedDecrease(built);
    const signed = [...client().sign(built.closeTxsWithJito), ...client().sign(built.swapTxsWithJito)];
    assert.ok(signed.length >= 3, `${signed.length} transactions`);
    await client().setFaults({ kind: 'partial', transactions: 1, times: 1 });
    assert.match(refused(500, await client().post('/position/landing-decrease-tx', body)), /Internal server error/);
    assert.deepEqual(
      await onChain(signed),
      signed.map((_, index) => index === 0),
    );
    const rest = await opened(position.position);
    assert.ok(
      rest.valueNative > 0.05 * position.valueNative && rest.valueNative < 0.95 * position.valueNative,
      `${rest.valueNative} of ${position.valueNative} SOL are left`,
    );

    const before = await lamports();
    assert.match(
      refused(500, await client().post('/position/landing-decrease-tx', body)),
      new RegExp(`Only the first 1 of ${signed.length} transactions`),
    );
    const plain = {
      lastValidBlockHeight: built.lastValidBlockHeight,
      closeTxs: client().sign(built.closeTxs),
      swapTxs: client().sign(built.swapTxs),
    };
    assert.match(refused(500, await client().post('/position/landing-decrease-tx', plain)), /Only the first 1/);
    assert.equal(await lamports(), before);
    assert.deepEqual(await opened(position.position), rest);
    assert.deepEqual(await client().audit(), []);

    landed(await client().landDecrease(await client().decrease(rest.id, 10_000)));
    assert.equal(await client().position(position.position), undefined);
    assert.deepEqual(await client().audit(), []);
  });

  it('A partial landing of an entry leaves the bought tokens in the wallet and opens no position', async () => {
    const { pool, token0, token1 } = await client().pool('SOL/USDC', 4);
    const bought = token0 === SOL ? token1 : token0;
    const active = await client().activeBin(pool);
    const built = await client().add(pool, { inputSOL: 1, fromBinId: active - 5, toBinId: active + 5 });
    assert.ok(built.swapTxsWithJito.length > 0);
    const had = await client().balance(bought);
    await client().setFaults({ kind: 'partial', transactions: built.swapTxsWithJito.length, times: 1 });
    refused(500, await client().landAdd(built));
    assert.ok((await client().balance(bought)) > had);
    assert.equal(await client().position(built.meta.positionPubKey), undefined);
    assert.match(refused(500, await client().landAdd(built)), /others were dropped/);
    assert.deepEqual(await client().audit(), []);
  });

  it('The method getTransaction reports exactly what each landed transaction moved, for every partial landing', async () => {
    const position = await widePosition();
    const mints = [position.token0, position.token1].filter((mint) => mint !== SOL);
    const balances = async (): Promise<ReadonlyMap<string, bigint>> =>
      new Map([
        ['lamports', await lamports()],
        ...(await Promise.all(mints.map(async (mint) => [mint, await client().balance(mint)] as const))),
      ]);
    /** Leaves, but only with so many of the transactions; gives those that landed. */
    const leave = async (land: (built: DecreaseBuild) => number): Promise<readonly string[]> => {
      const built = await client().decrease(position.id, 10_000);
      const signed = [...client().sign(built.closeTxsWithJito), ...client().sign(built.swapTxsWithJito)];
      const transactions = land(built);
      await client().setFaults({ kind: 'partial', transactions, times: 1 });
      refused(500, await client().landDecrease(built));
      assert.deepEqual(
        await onChain(signed),
        signed.map((_, index) => index < transactions),
      );
      const [missing] = signed.slice(transactions);
      assert.equal(
        rpcResult(z.unknown(), await rpc('getTransaction', [signatureOf(missing ?? ''), { maxSupportedTransactionVersion: 0 }])),
        null,
      );
      return signed.slice(0, transactions);
    };
    // Some of the bins, of which nothing is swapped; then all others, and SOL stays wrapped.
    for (const land of [
      () => 1,
      ({ closeTxsWithJito, swapTxsWithJito }: DecreaseBuild) => closeTxsWithJito.length + swapTxsWithJito.length - 1,
    ]) {
      const before = await balances();
      const told = await changesOf((await leave(land)).map(signatureOf));
      const after = await balances();
      for (const [what, amount] of after) {
        assert.equal(told.get(what) ?? 0n, amount - (before.get(what) ?? 0n), what);
      }
      assert.notEqual(told.get('lamports'), 0n);
      assert.ok(
        [...mints, SOL].some((mint) => (told.get(mint) ?? 0n) > 0n),
        'what came out is in the wallet as it is',
      );
    }
    assert.equal(await client().position(position.position), undefined);
    assert.deepEqual(await client().audit(), []);
  });

  it('A partial landing can lose a whole operation, and lands all of a short one', async () => {
    const before = await lamports();
    const lost = await client().decrease((await client().soldOutPosition()).id, 1_000);
    await client().setFaults({ kind: 'partial', transactions: 0, times: 1 });
    refused(500, await client().landDecrease(lost));
    assert.match(refused(500, await client().landDecrease(lost)), /Only the first 0 of/);
    assert.equal(await lamports(), before);

    const whole = await client().decrease((await client().soldOutPosition()).id, 1_000);
    await client().setFaults({ kind: 'partial', transactions: 100, times: 1 });
    refused(500, await client().landDecrease(whole));
    const after = await lamports();
    assert.notEqual(after, before);
    landed(await client().landDecrease(whole));
    assert.equal(await lamports(), after);
    assert.deepEqual(await client().audit(), []);
  });

  it('A partial landing of a failing or unsigned bundle changes nothing and loses nothing', async () => {
    const position = await widePosition();
    const built = await client().decrease(position.id, 10_000);
    await client().setFaults({ kind: 'partial', transactions: 1, times: 1 });
    refused(
      500,
      await client().post('/position/landing-decrease-tx', { ...client().signedDecrease(built), swapTxsWithJito: built.swapTxsWithJito }),
    );
    landed(await client().landDecrease(built));
    assert.deepEqual(await client().audit(), []);
  });

  it('A partial landing stays partial, and is listed after the indexing lag', async () => {
    const position = await widePosition();
    assert.equal((await client().control('settings', { indexingLagMs: 60_000 })).status, 200);
    const built = await client().decrease(position.id, 10_000);
    await client().setFaults({ kind: 'partial', transactions: 1, times: 1 });
    refused(500, await client().landDecrease(built));
    assert.equal((await opened(position.position)).valueNative, position.valueNative);
    assert.equal((await client().control('advance', { ms: 61_000 })).status, 200);
    assert.ok((await opened(position.position)).valueNative < 0.95 * position.valueNative);
  });
});

describe('The request limit', function () {
  const client = useSandbox('all', { args: ['--rate-limit', '4'] });

  it('Requests beyond the limit are refused with a retry time, except for controls and JSON-RPC', async () => {
    for (let count = 0; count < 4; count += 1) {
      assert.equal((await client().get('/pools/discover')).status, 200);
    }
    const answer = await client().get('/pools/discover');
    assert.match(refused(429, answer), /retry-after \d+/);
    const seconds = Number(answer.headers['retry-after']);
    assert.ok(Number.isInteger(seconds) && seconds >= 50 && seconds <= 60, `${seconds}`);
    assert.equal((await client().get('/no/such/path')).status, 429);
    assert.equal((await client().send('GET', `${client().sandbox.url}/pools/discover`, undefined, { 'x-api-key': 'wrong' })).status, 401);
    assert.equal(
      (await client().send('POST', new URL('/rpc', client().sandbox.url).href, '{"jsonrpc":"2.0","id":1,"method":"getHealth"}')).status,
      200,
    );
    assert.equal((await client().status()).settings.rateLimitPerMinute, 4);
  });

  it('The request limit can be changed and removed', async () => {
    good(z.object({}), await client().control('settings', { rateLimitPerMinute: 5 }));
    assert.equal((await client().get('/pools/discover')).status, 200);
    assert.equal((await client().get('/pools/discover')).status, 429);
    good(z.object({}), await client().control('settings', { rateLimitPerMinute: null }));
    assert.equal((await client().status()).settings.rateLimitPerMinute, null);
    assert.equal((await client().get('/pools/discover')).status, 200);
    assert.match(refused(400, await client().control('settings', { rateLimitPerMinute: 0 })), /rateLimitPerMinute/);
  });
});

const RpcResult = z.object({ result: z.unknown() });
const TokenBalances = z.array(
  z.object({ owner: z.string(), mint: z.string(), uiTokenAmount: z.object({ amount: z.string().transform(BigInt) }) }),
);
const Transaction = z.object({
  transaction: z.object({ message: z.object({ accountKeys: z.array(z.string()) }) }),
  meta: z.object({
    preBalances: z.array(z.int()),
    postBalances: z.array(z.int()),
    preTokenBalances: TokenBalances,
    postTokenBalances: TokenBalances,
  }),
});

/** What an RPC answered. */
function rpcResult<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.output<Schema> {
  return schema.parse(good(RpcResult, answer).result);
}

/** The first signature of a signed transaction in base64, base58. */
function signatureOf(transaction: string): string {
  return bs58.encode(Buffer.from(transaction, 'base64').subarray(1, 65));
}
