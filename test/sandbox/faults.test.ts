import assert from 'node:assert/strict';
import * as z from 'zod';
import { good, landed, refused, SOL } from './support/client';
import { useSandbox } from './support/useSandbox';

const Faults = z.object({ data: z.object({ faults: z.array(z.looseObject({ kind: z.string() })) }) });

describe('faults on purpose', function () {
  this.timeout(60_000);
  const client = useSandbox();

  afterEach(async () => {
    await client().control('faults', undefined, 'DELETE');
  });

  const opening = (): string => `/lp-positions/opening?owner=${client().sandbox.owner}`;

  it('answers later', async () => {
    await client().setFaults({ kind: 'latency', ms: 400, times: 1 });
    const from = performance.now();
    assert.equal((await client().sendRaw('GET', opening())).status, 200);
    assert.ok(performance.now() - from >= 400);
    assert.deepEqual((await client().status()).faults, []);
  });

  it('answers with another status and carries nothing out', async () => {
    const [position] = await client().opening();
    const built = await client().decrease(position?.id ?? '', 5_000);
    for (const [status, words] of [[429, /Too many requests/], [500, /Internal/], [502, /gateway/], [503, /unavailable/]] as const) {
      await client().setFaults({ kind: 'status', status, retryAfterSeconds: 7, path: '/position/landing-decrease-tx', times: 1 });
      const answer = await client().landDecrease(built);
      assert.match(refused(status, answer), words);
      assert.equal(answer.headers['retry-after'], '7');
    }
    assert.deepEqual((await client().position(position?.position ?? ''))?.['outputValue'], position?.outputValue);
    landed(await client().landDecrease(built));
  });

  it('stops half-way through the JSON', async () => {
    await client().setFaults({ kind: 'truncate', times: 1 });
    const { status, text } = await client().sendRaw('GET', opening());
    assert.equal(status, 200);
    assert.match(text, /^\{"status":"success"/);
    assert.throws(() => JSON.parse(text), SyntaxError);
    const whole = await client().sendRaw('GET', opening());
    assert.ok(Math.abs(whole.text.length / 2 - text.length) < 0.1 * text.length);
  });

  it('mixes up numbers and text', async () => {
    await client().setFaults({ kind: 'wrongTypes', times: 1 });
    const Mixed = z.object({ status: z.literal('success'), count: z.string().regex(/^\d+$/), data: z.array(z.looseObject({ position: z.string(), inputValue: z.string(), age: z.number(), pnl: z.object({ value: z.string() }), inRange: z.boolean() })).min(1) });
    Mixed.parse(JSON.parse((await client().sendRaw('GET', opening())).text));
  });

  it('cuts the connection after a bundle has landed: it is there, and landing it again says so', async () => {
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

  it('strikes only requests that fit, and only so often', async () => {
    await client().setFaults({ kind: 'status', status: 500, path: '/pools/discover', times: 2 }, { kind: 'status', status: 503, method: 'POST' });
    assert.equal((await client().get('/token/balance', { owner: client().sandbox.owner })).status, 200);
    assert.equal((await client().get('/pools/discover')).status, 500);
    assert.equal((await client().get('/pools/discover')).status, 500);
    assert.equal((await client().get('/pools/discover')).status, 200);
    assert.equal((await client().post('/position/decrease-quotes', {})).status, 503);
    assert.equal((await client().post('/position/decrease-quotes', {})).status, 503);
    assert.deepEqual((await client().status()).faults, [{ kind: 'status', status: 503, method: 'POST' }]);
  });

  it('lets several strike one request: a delay, and then a failure', async () => {
    await client().setFaults({ kind: 'latency', ms: 200 }, { kind: 'status', status: 503 });
    const from = performance.now();
    assert.equal((await client().get('/pools/discover')).status, 503);
    assert.ok(performance.now() - from >= 200);
  });

  it('strikes some of the requests where it is only likely', async () => {
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

  it('strikes JSON-RPC, and never the controls or somebody without the key', async () => {
    await client().setFaults({ kind: 'status', status: 502 });
    assert.equal((await client().send('POST', new URL('/rpc', client().sandbox.url).href, '{}')).status, 502);
    assert.equal((await client().send('GET', `${client().sandbox.url}/pools/discover`, undefined, { 'x-api-key': 'wrong' })).status, 401);
    assert.equal((await client().status()).faults.length, 1);
    assert.equal(good(Faults, await client().control('faults', undefined, 'GET')).data.faults.length, 1);
    assert.deepEqual(good(Faults, await client().control('faults', undefined, 'DELETE')).data.faults, []);
  });

  it('says which fault cannot be', async () => {
    const put = async (...faults: unknown[]): Promise<string> => refused(400, await client().control('faults', { faults }, 'PUT'));
    assert.match(await put({ kind: 'drop' }, { kind: 'fire' }), /^faults\[1\]: kind/);
    assert.match(await put({ kind: 'latency' }), /^faults\[0\]: ms is required/);
    assert.match(await put({ kind: 'status', status: 404 }), /^faults\[0\]: status must be 429/);
    assert.match(await put({ kind: 'drop', times: 0 }), /^faults\[0\]: times/);
    assert.match(await put({ kind: 'drop', probability: 2 }), /^faults\[0\]: probability/);
    assert.match(await put({ kind: 'drop', tmes: 1 }), /^faults\[0\]: .*tmes/);
    assert.match(refused(400, await client().control('faults', {}, 'PUT')), /faults must be a list/);
    assert.deepEqual((await client().status()).faults, []);
  });
});

describe('a limit to requests', function () {
  this.timeout(60_000);
  const client = useSandbox('all', { args: ['--rate-limit', '4'] });

  it('refuses what comes beyond it, says when to come again, and leaves controls and JSON-RPC alone', async () => {
    for (let count = 0; count < 4; count += 1) {
      assert.equal((await client().get('/pools/discover')).status, 200);
    }
    const answer = await client().get('/pools/discover');
    assert.match(refused(429, answer), /retry-after \d+/);
    const seconds = Number(answer.headers['retry-after']);
    assert.ok(Number.isInteger(seconds) && seconds >= 50 && seconds <= 60, `${seconds}`);
    assert.equal((await client().get('/no/such/path')).status, 429);
    assert.equal((await client().send('GET', `${client().sandbox.url}/pools/discover`, undefined, { 'x-api-key': 'wrong' })).status, 401);
    assert.equal((await client().send('POST', new URL('/rpc', client().sandbox.url).href, '{"jsonrpc":"2.0","id":1,"method":"getHealth"}')).status, 200);
    assert.equal((await client().status()).settings.rateLimitPerMinute, 4);
  });

  it('can be moved and taken away', async () => {
    good(z.object({}), await client().control('settings', { rateLimitPerMinute: 5 }));
    assert.equal((await client().get('/pools/discover')).status, 200);
    assert.equal((await client().get('/pools/discover')).status, 429);
    good(z.object({}), await client().control('settings', { rateLimitPerMinute: null }));
    assert.equal((await client().status()).settings.rateLimitPerMinute, null);
    assert.equal((await client().get('/pools/discover')).status, 200);
    assert.match(refused(400, await client().control('settings', { rateLimitPerMinute: 0 })), /rateLimitPerMinute/);
  });
});
