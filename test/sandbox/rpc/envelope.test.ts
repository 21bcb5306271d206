import assert from 'node:assert/strict';
import fc from 'fast-check';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { answerRpc, writeJson } from '../../../src/sandbox/rpc/rpc';
import { MINT, newNode, OWNER, SOMEBODY, type TestNode, WORLD } from '../../support/sandbox/rpc/common';

const METHODS = [
  'getHealth',
  'getVersion',
  'getLatestBlockhash',
  'isBlockhashValid',
  'getBlockHeight',
  'getSlot',
  'getBalance',
  'getAccountInfo',
  'getMultipleAccounts',
  'getTokenAccountsByOwner',
  'getTokenAccountBalance',
  'getSignatureStatuses',
  'getTransaction',
  'simulateTransaction',
  'getFeeForMessage',
  'requestAirdrop',
  'getGenesisHash',
  'getMinimumBalanceForRentExemption',
  'getEpochInfo',
  'getRecentPerformanceSamples',
  'getRecentPrioritizationFees',
  'sendTransaction',
];

describe('RPC: calls and responses', () => {
  let world: TestNode;
  const answer = (body: string): string => answerRpc(world.node, body);

  before(() => {
    world = newNode();
  });

  async function ask(body: unknown): Promise<unknown> {
    return JSON.parse(answer(JSON.stringify(body)));
  }

  async function call(
    method: string,
    ...params: readonly unknown[]
  ): Promise<{ readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } }> {
    return (await ask({ jsonrpc: '2.0', id: 1, method, params })) as never;
  }

  it('A call is answered with its id', async () => {
    assert.equal(answer('{"jsonrpc":"2.0","id":7,"method":"getHealth"}'), '{"jsonrpc":"2.0","result":"ok","id":7}');
    assert.deepEqual(await ask({ jsonrpc: '2.0', id: 'a', method: 'getHealth', params: [] }), { jsonrpc: '2.0', result: 'ok', id: 'a' });
    assert.deepEqual(await ask({ jsonrpc: '2.0', id: null, method: 'getHealth', params: null }), {
      jsonrpc: '2.0',
      result: 'ok',
      id: null,
    });
  });

  it('A batch is answered in order, each call on its own', async () => {
    const answers = await ask([
      { jsonrpc: '2.0', id: 1, method: 'getHealth' },
      { jsonrpc: '2.0', method: 'getHealth' },
      { jsonrpc: '2.0', id: 2, method: 'getNothing' },
      5,
    ]);
    assert.deepEqual(answers, [
      { jsonrpc: '2.0', result: 'ok', id: 1 },
      { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 2 },
      { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request' }, id: null },
    ]);
  });

  it('Notifications are executed and not answered', () => {
    const before = world.chain.lamports(SOMEBODY);
    const airdrop = { jsonrpc: '2.0', method: 'requestAirdrop', params: [SOMEBODY, 5_000_000] };
    assert.equal(answer(JSON.stringify(airdrop)), '');
    assert.equal(answer(JSON.stringify([airdrop])), '');
    assert.equal(world.chain.lamports(SOMEBODY) - before, 10_000_000n);
  });

  it('Invalid requests are refused', async () => {
    assert.equal(answer('{'), '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}');
    const invalid = { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request' }, id: null };
    assert.deepEqual(await ask([]), invalid);
    assert.deepEqual(await ask('getHealth'), invalid);
    assert.deepEqual(await ask({ id: 4, method: 'getHealth' }), { ...invalid, id: 4 });
    assert.deepEqual(await ask({ jsonrpc: '2.0', id: 4 }), { ...invalid, id: 4 });
    assert.deepEqual(await ask({ jsonrpc: '2.0', id: {}, method: 'getHealth' }), invalid);
  });

  it('An error names the wrong parameter', async () => {
    const message = async (method: string, ...params: readonly unknown[]): Promise<string> => {
      const { error } = await call(method, ...params);
      assert.equal(error?.code, -32602, method);
      return error.message;
    };
    assert.equal(await message('getBalance'), '`params` should have at least 1 argument(s)');
    assert.match(await message('getBalance', OWNER.address, { commitment: 'tomorrow' }), /^Invalid params: parameter 2 \(commitment\): /);
    assert.match(await message('getBalance', 5), /^Invalid params: parameter 1: /);
    assert.equal(await message('getBalance', 'O0Il'), 'Invalid param: Invalid');
    assert.equal(await message('getBalance', 'abc'), 'Invalid param: WrongSize');
    assert.equal(await message('getBalance', '1'.repeat(100_000)), 'Invalid param: WrongSize');
    assert.equal(await message('getTransaction', OWNER.address), 'Invalid param: WrongSize');
    assert.equal(await message('getHealth', 5), 'Invalid params: 1 are too many.');
    assert.equal(await message('getMultipleAccounts', Array<string>(101).fill(OWNER.address)), 'Too many inputs provided; max 100');
    assert.equal(await message('getSignatureStatuses', Array<string>(257).fill('1')), 'Too many inputs provided; max 256');
    assert.match(await message('requestAirdrop', OWNER.address, -1), /^Invalid params: parameter 2: /);
    assert.equal(await message('simulateTransaction', '!', { encoding: 'base64' }), 'invalid base64 encoding');
    assert.equal(
      await message('simulateTransaction', 'A'.repeat(5_468), { encoding: 'base64' }),
      'base64 encoded too large: 5468 bytes (max: encoded/raw 5464/4096)',
    );
    assert.match(
      await message('simulateTransaction', Buffer.alloc(1_233, 1).toString('base64'), { encoding: 'base64' }),
      /^failed to deserialize .* 1233 bytes; the network takes at most 1232$/,
    );
    assert.equal(
      await message('simulateTransaction', 'AAAA', { encoding: 'jsonParsed' }),
      'unsupported encoding: jsonParsed. Supported encodings: base58, base64',
    );
    assert.match(
      await message('simulateTransaction', 'AQID', { encoding: 'base64' }),
      /^failed to deserialize solana_transaction::versioned::VersionedTransaction: /,
    );
    assert.match(await message('getFeeForMessage', 'AQID'), /^failed to deserialize solana_message::versioned::VersionedMessage: /);
    assert.match(await message('getFeeForMessage', '/////w=='), /^failed to deserialize/);
    assert.match(
      ((await ask({ jsonrpc: '2.0', id: 1, method: 'getSlot', params: { commitment: 'confirmed' } })) as { error: { message: string } })
        .error.message,
      /by their place/,
    );
  });

  it('Accounts are written in the requested encoding', async () => {
    const tokens = associatedTokenAddress(OWNER.address, MINT);
    const data = async (of: string, config?: unknown): Promise<unknown> =>
      ((await call('getAccountInfo', of, config)).result as { value: { data: unknown } }).value.data;
    assert.equal(typeof (await data(MINT)), 'string', 'base58 without saying so');
    assert.deepEqual(await data(OWNER.address, { encoding: 'base58' }), ['', 'base58']);
    assert.equal(((await data(tokens, { encoding: 'base64' })) as string[])[1], 'base64');
    assert.equal(((await data(tokens, { encoding: 'base58', dataSlice: { offset: 0, length: 32 } })) as string[])[0], MINT);
    assert.deepEqual((await call('getAccountInfo', tokens)).error, {
      code: -32600,
      message: 'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    });
    assert.equal((await call('getAccountInfo', tokens, { encoding: 'base64+zstd' })).error?.code, -32602);
    assert.deepEqual(await data(PROGRAMS.system, { encoding: 'jsonParsed', dataSlice: { offset: 0, length: 2 } }), [
      Buffer.from('so').toString('base64'),
      'base64',
    ]);
  });

  it('Numbers of 64 bits keep all their digits', async () => {
    assert.equal(world.chain.lamports(WORLD) > 2n ** 53n, true);
    const text = answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [WORLD, { encoding: 'base64' }] }));
    assert.ok(text.includes(`"lamports":${world.chain.lamports(WORLD)},`), text);
    assert.ok(text.includes('"rentEpoch":18446744073709551615'), text);
    assert.ok(
      answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [WORLD] })).includes(
        `"value":${world.chain.lamports(WORLD)}}`,
      ),
    );
  });

  it('Every current and former commitment level is accepted', async () => {
    for (const commitment of ['processed', 'confirmed', 'finalized', 'recent', 'single', 'singleGossip', 'root', 'max']) {
      assert.equal((await call('getSlot', { commitment })).error, undefined, commitment);
    }
  });

  it('Every method answers any parameters with a result or a known error', async function () {
    const parameter = fc.oneof(
      fc.constantFrom<unknown>(OWNER.address, MINT, SOMEBODY, { encoding: 'jsonParsed' }, { mint: MINT }, { programId: PROGRAMS.token }, [
        OWNER.address,
      ]),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), fc.array(parameter, { maxLength: 4 }), async (method, params) => {
        const { result, error } = await call(method, ...params);
        assert.ok((result === undefined) !== (error === undefined));
        assert.ok(error === undefined || [-32600, -32601, -32602, -32603, -32015, -32016].includes(error.code), JSON.stringify(error));
      }),
      { numRuns: 2_000 },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (body) => {
        const answered = answer(body);
        assert.ok(answered === '' || JSON.parse(answered) !== undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it('An internal fault of the world is thrown, not answered as an RPC error', () => {
    const fault = new TypeError('a fault in the world');
    const broken = {
      ...world.node,
      commit: () => {
        throw fault;
      },
    };
    assert.throws(() => answerRpc(broken, '{"jsonrpc":"2.0","id":1,"method":"getLatestBlockhash"}'), fault);
  });
});

describe('RPC: JSON output', () => {
  it('The JSON writer matches JSON.stringify and writes bigints as numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // Zero has no sign in JSON.
        assert.deepEqual(JSON.parse(writeJson(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
    assert.equal(writeJson({ a: undefined, b: [undefined, null], c: 2n ** 64n - 1n }), '{"b":[null,null],"c":18446744073709551615}');
  });
});
