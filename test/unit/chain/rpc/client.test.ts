import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { PublicKey } from '@solana/web3.js';
import * as z from 'zod';
import { createChainRpc } from '../../../../src/chain/rpc/client';
import { ChainRpcError, type ChainRpcErrorKind } from '../../../../src/chain/rpc/errors';
import { scriptedClient, type ScriptedAnswer } from '../../../support/chain/scriptedFetch';
import { AutoClock } from '../../../support/chain/autoClock';
import { ScriptedNode } from '../../../support/rpc/scriptedNode';

const KEY = 'f00dfacecafe1234';

/** The failure of a call. */
async function failureOf(run: Promise<unknown>): Promise<ChainRpcError> {
  const error: unknown = await run.then(
    () => assert.fail('The call succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ChainRpcError, inspect(error));
  return error;
}

/** The failure of `method` whose every attempt is answered like this, and the number of attempts. */
async function alwaysAnswered(
  answer: ScriptedAnswer,
  method = 'getSlot',
): Promise<{ readonly error: ChainRpcError; readonly attempts: number }> {
  const { rpc, requests } = scriptedClient(() => answer);
  return { error: await failureOf(rpc.call(method, [], z.int())), attempts: requests.length };
}

describe('Access to the chain', () => {
  it('A request gets the checked result, and is counted by its method', async () => {
    const { rpc, requests } = scriptedClient(({ method }) => ({ result: method === 'getSlot' ? 7 : 8 }));
    assert.equal(await rpc.call('getSlot', [{ commitment: 'confirmed' }], z.int()), 7);
    assert.equal(await rpc.connection.getBlockHeight(), 8);
    assert.deepEqual(requests[0]?.params, [{ commitment: 'confirmed' }]);
    assert.deepEqual(
      [...rpc.counts],
      [
        ['getSlot', 1],
        ['getBlockHeight', 1],
      ],
    );
  });

  it('Requests of the SDKs ask for the confirmed state, and a batch counts as its requests', async () => {
    const { rpc, requests } = scriptedClient(() => ({ result: null }));
    await rpc.connection.getAccountInfo(PublicKey.default).catch(() => undefined);
    assert.deepEqual(requests[0]?.params[1], { encoding: 'base64', commitment: 'confirmed' });
    await rpc.connection.getTransactions(['a', 'b', 'c'], { maxSupportedTransactionVersion: 0 });
    assert.equal(rpc.counts.get('getTransaction'), 3);
  });

  describe('A failed request has a kind of failure, and is repeated only where that may help', () => {
    const jsonError = (code: number, message: string): ScriptedAnswer => ({ error: { code, message } });
    for (const [what, answer, kind, attempts] of [
      ['429', { status: 429 }, 'rateLimited', 4],
      ['a rate limit in a JSON-RPC error', jsonError(-32005, 'rate limit exceeded'), 'rateLimited', 4],
      ['a node that is behind', jsonError(-32005, 'Node is behind by 150 slots'), 'unavailable', 4],
      ['an internal error', jsonError(-32603, 'Internal error'), 'unavailable', 4],
      ['500', { status: 500 }, 'unavailable', 4],
      ['504', { status: 504 }, 'timeout', 4],
      ['a cut answer', { status: 200, text: '{"jsonrpc":"2.0","id":1,"res' }, 'invalidResponse', 4],
      ['a method that is not indexed', jsonError(-32010, 'excluded from account secondary indexes'), 'refusedMethod', 1],
      ['a method that is not there', jsonError(-32601, 'Method not found'), 'refusedMethod', 1],
      ['a method that the plan lacks', jsonError(-32600, 'This method is not available on the free plan'), 'refusedMethod', 1],
      ['410', { status: 410 }, 'refusedMethod', 1],
      ['403', { status: 403, text: 'Forbidden' }, 'refusedMethod', 1],
      ['401', { status: 401 }, 'unauthorized', 1],
      ['a later version of transactions', jsonError(-32015, 'Transaction version (2) is not supported'), 'unsupportedVersion', 1],
      ['wrong parameters', jsonError(-32602, 'Invalid params'), 'refused', 1],
      ['a limit a second under a code of blocks', jsonError(-32007, '15/second request limit reached'), 'rateLimited', 4],
      ['a limit of requests in words alone', jsonError(-32000, 'You have exceeded the RPS limit'), 'rateLimited', 4],
      ['a limit of compute units a second', jsonError(-1, 'Your app has exceeded its compute units per second capacity'), 'rateLimited', 4],
      ['credits a second', jsonError(-32012, 'credits limited to 6000/sec'), 'rateLimited', 4],
      ['a limit a minute', jsonError(-32600, 'Only 600 requests per minute are allowed'), 'rateLimited', 4],
      ['a rate', jsonError(-32000, 'Request rate exceeded'), 'rateLimited', 4],
      ['queries a second', jsonError(-32052, 'QPS exceeded for this key'), 'rateLimited', 4],
      ['a request to be slower', { status: 200, text: 'Please slow down' }, 'rateLimited', 4],
      ['too many calls under a status of refusals', { status: 403, error: { code: -32602, message: 'Too many calls' } }, 'rateLimited', 4],
      ['a limit in plain text', { status: 200, text: 'rate limit exceeded' }, 'rateLimited', 4],
      ['a plan that is used up, in plain text', { status: 200, text: 'max usage reached' }, 'planUsedUp', 1],
      ['a plan that is used up, with 429', { status: 429, text: 'max usage reached' }, 'planUsedUp', 1],
      ['no credits', { status: 403, text: 'No credits remaining' }, 'planUsedUp', 1],
      ['a plan that has ended', jsonError(-32000, 'Your trial has expired'), 'planUsedUp', 1],
      ['a monthly quota', jsonError(-32003 - 1, 'Monthly request limit reached'), 'planUsedUp', 1],
      [
        '403 with any body',
        { status: 403, error: { code: -32602, message: 'Indexed requests require a personal token' } },
        'refusedMethod',
        1,
      ],
      ['402', { status: 402, text: 'Payment required' }, 'refusedMethod', 1],
      [
        'an unknown method',
        { status: 400, error: { code: -32600, message: 'Unsupported method: x. See available methods at y' } },
        'refusedMethod',
        1,
      ],
      ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' } }, 'unavailable', 1],
      ['a page', { status: 200, text: '"<html>"' }, 'invalidResponse', 1],
      ['another type of result', { result: 'seven' }, 'invalidResponse', 1],
    ] as const satisfies readonly (readonly [string, ScriptedAnswer, ChainRpcErrorKind, number])[]) {
      it(`${what} is ${kind}`, async () => {
        const failure = await alwaysAnswered(answer);
        assert.deepEqual({ kind: failure.error.kind, attempts: failure.attempts }, { kind, attempts });
        assert.equal(failure.error.method, 'getSlot');
      });
    }
  });

  it('A search that is refused for any lasting reason is one that the RPC does not offer; a rate limit, a fault and a wrong key are not', async () => {
    for (const [answer, kind] of [
      [
        { error: { code: -32600, message: 'Too many accounts requested (Large number of pubkeys), Please use getProgramAccountsV2' } },
        'refusedMethod',
      ],
      [{ status: 400, error: { code: -1, message: 'computer says no' } }, 'refusedMethod'],
      [{ status: 404, text: 'page' }, 'refusedMethod'],
      [{ error: { code: -32603, message: 'Too many accounts, use getProgramAccountsV2' } }, 'refusedMethod'],
      [{ status: 500, error: { code: -32603, message: 'Query returned more than 10000 accounts' } }, 'refusedMethod'],
      [{ error: { code: -32603, message: 'Internal error' } }, 'unavailable'],
      [{ status: 429, error: { code: -1, message: 'slow' } }, 'rateLimited'],
      [{ status: 503 }, 'unavailable'],
      [{ status: 401 }, 'unauthorized'],
    ] as const satisfies readonly (readonly [ScriptedAnswer, ChainRpcErrorKind])[]) {
      for (const method of ['getTokenAccountsByOwner', 'getTokenLargestAccounts']) {
        assert.equal((await alwaysAnswered(answer, method)).error.kind, kind);
      }
    }
  });

  it('What the node says of a transaction itself is no limit of the plan, whatever its words', async () => {
    const message = 'Transaction simulation failed: Program log: rate limit exceeded, max usage reached';
    assert.equal((await alwaysAnswered({ error: { code: -32002, message } }, 'sendTransaction')).error.kind, 'refused');
  });

  it('A fault that may pass is not waited for where there is another way', async () => {
    const { rpc, requests } = scriptedClient(() => ({ status: 503 }));
    assert.equal((await failureOf(rpc.call('simulateBundle', [], z.unknown(), { isOptional: true }))).kind, 'unavailable');
    assert.equal(requests.length, 1);
  });

  it('A request that fails temporarily succeeds in the end', async () => {
    const { rpc, requests } = scriptedClient((_request, number) =>
      number === 1
        ? { status: 502 }
        : number === 2
          ? () => {
              throw new Error('socket hang up');
            }
          : { result: 7 },
    );
    assert.equal(await rpc.call('getSlot', [], z.int()), 7);
    assert.equal(requests.length, 3);
  });

  it('Requests of the index are repeated for longer than those that a client waits for', async () => {
    const { rpc, requests } = scriptedClient((_request, number) => (number < 7 ? { status: 503 } : { result: 7 }));
    assert.equal(await rpc.call('getSlot', [], z.int(), { priority: 'background' }), 7);
    assert.equal(requests.length, 7);
  });

  it('A transaction is sent once, with any answer', async () => {
    for (const answer of [{ status: 429 }, { status: 504 }, { status: 500 }, { status: 200, text: '{' }]) {
      assert.equal((await alwaysAnswered(answer, 'sendTransaction')).attempts, 1);
    }
  });

  it('After a 429, nothing is sent before the time that the RPC asks for', async () => {
    const { rpc, requests } = scriptedClient((_request, number) =>
      number === 1 ? { status: 429, headers: { 'retry-after': '3' } } : { result: 7 },
    );
    const first = rpc.call('getSlot', [], z.int());
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, rpc.call('getBlockHeight', [], z.int())]);
    assert.deepEqual(
      requests.map(({ atMs }) => atMs),
      [0, 3_000, 3_000],
    );
  });

  it('After 429s without a time, the pauses grow', async () => {
    const { rpc, requests } = scriptedClient((_request, number) => (number < 4 ? { status: 429 } : { result: 7 }));
    await rpc.call('getSlot', [], z.int());
    assert.deepEqual(
      requests.map(({ atMs }) => atMs),
      [0, 400, 1_200, 2_800],
    );
  });

  it('A client gets the error at once if the RPC asks for a longer pause than the client waits', async () => {
    const { rpc, clock } = scriptedClient(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    assert.equal((await failureOf(rpc.call('getSlot', [], z.int()))).kind, 'rateLimited');
    assert.equal(clock.now(), 0);
  });

  it('The code and the data of a JSON-RPC error reach the caller', async () => {
    const data = { err: { InstructionError: [0, { Custom: 6003 }] }, logs: ['a'] };
    const { error } = await alwaysAnswered({ error: { code: -32002, message: 'Transaction simulation failed', data } }, 'sendTransaction');
    assert.deepEqual([error.kind, error.code, error.data], ['refused', -32002, data]);
  });

  it('A caller can cancel a request while it waits, and the end of the process cancels all', async () => {
    const [caller, process] = [new AbortController(), new AbortController()];
    const { rpc } = scriptedClient(() => ({ result: 7 }), { requestsPerSecond: 1, signal: process.signal });
    await rpc.call('getSlot', [], z.int());
    const mine = failureOf(rpc.call('getSlot', [], z.int(), { signal: caller.signal }));
    const others = failureOf(rpc.connection.getSlot());
    caller.abort();
    assert.equal((await mine).kind, 'cancelled');
    process.abort();
    assert.equal((await others).kind, 'cancelled');
  });
});

describe('The address of the chain', () => {
  it('A key in the address goes to the RPC alone, and never into an error', async () => {
    const leaking = `https://me:${KEY}@rpc.example/v2/${KEY}?api-key=${KEY}`;
    for (const answer of [
      { error: { code: -1, message: `Key ${KEY} is unknown` } },
      { status: 401, text: KEY },
      () => {
        throw new TypeError('fetch failed', { cause: new Error(`getaddrinfo ENOTFOUND rpc.example/v2/${KEY}`) });
      },
      () => {
        throw new Error(`request to https://rpc.example/v2/${KEY}?api-key=${KEY} failed`);
      },
      { result: KEY },
    ]) {
      const { rpc, requests } = scriptedClient(() => answer, { url: leaking });
      const error = await failureOf(rpc.call('getSlot', [], z.int()));
      assert.ok(!inspect(error, { depth: 9 }).includes(KEY), inspect(error, { depth: 9 }));
      assert.ok(!inspect(rpc.connection.rpcEndpoint).includes(KEY));
      assert.equal(requests[0]?.url, `https://rpc.example/v2/${KEY}?api-key=${KEY}`);
      assert.equal(requests[0].headers['authorization'], `Basic ${Buffer.from(`me:${KEY}`).toString('base64')}`);
    }
  });
});

describe('Access to the chain over HTTP', () => {
  let node: ScriptedNode;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());

  it('A broken connection is repeated, and a redirect is not followed', async () => {
    const rpc = createChainRpc({ url: node.url(`/v2/${KEY}`), requestsPerSecond: 100, random: () => 0 });
    node.willAnswer({
      getSlot: (response, id) => {
        if (node.received.length === 1) {
          response.writeHead(200, { 'content-length': '500' });
          response.write('{"jsonrpc"', () => response.destroy());
        } else {
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 7 }));
        }
      },
      getBlockHeight: (response) => response.writeHead(307, { location: node.url('/elsewhere') }).end(),
    });
    assert.equal(await rpc.call('getSlot', [], z.int()), 7);
    assert.equal((await failureOf(rpc.call('getBlockHeight', [], z.int()))).kind, 'unavailable');
    assert.deepEqual(
      node.received.map(({ path }) => path),
      [`/v2/${KEY}`, `/v2/${KEY}`, `/v2/${KEY}`],
    );
  });

  it('A node that does not answer in time is asked again, but not for a transaction', async () => {
    const rpc = createChainRpc({ url: node.url(), requestsPerSecond: 100, timeoutMs: 150, clock: new AutoClock() });
    node.willAnswer({
      getSlot: (response, id) => {
        if (node.received.length > 1) {
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 7 }));
        }
      },
      sendTransaction: () => undefined,
    });
    assert.equal(await rpc.call('getSlot', [], z.int()), 7);
    assert.equal((await failureOf(rpc.call('sendTransaction', ['AA=='], z.string()))).kind, 'timeout');
    assert.deepEqual(
      [...rpc.counts],
      [
        ['getSlot', 2],
        ['sendTransaction', 1],
      ],
    );
  });

  it('Twenty requests at a time work, and warn of nothing', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const rpc = createChainRpc({ url: node.url(), requestsPerSecond: 100, signal: new AbortController().signal });
    const { signal } = new AbortController();
    node.willAnswer({ getSlot: { result: 7 } });
    const slots = await Promise.all(Array.from({ length: 20 }, () => rpc.call('getSlot', [], z.int(), { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    assert.deepEqual([...new Set(slots), warnings], [7, []]);
  });
});
