import assert from 'node:assert/strict';
import * as z from 'zod';
import { ChainRpcError } from '../../../../src/chain/rpc/errors';
import { scriptedClient, type ScriptedAnswer } from '../../../support/chain/scriptedFetch';

const Accounts = z.object({ value: z.array(z.unknown()) });
const addresses = (count: number): readonly string[] => Array.from({ length: count }, (_, number) => `account ${number}`);

/** A client whose RPC gives at most so many accounts, and refuses more like this. */
function limitedTo(most: number, refusal: ScriptedAnswer) {
  return scriptedClient(({ params }) => {
    const asked = z.array(z.string()).parse(params[0]);
    return asked.length > most ? refusal : { result: { context: { slot: 9 }, value: asked } };
  });
}
const sizesOf = (requests: readonly { readonly params: readonly unknown[] }[]): readonly number[] =>
  requests.map(({ params }) => z.array(z.string()).parse(params[0]).length);

describe('Accounts where the plan limits how many are given at a time', () => {
  it('More than a hundred are asked for in parts, and the answer is as if there were none', async () => {
    const { rpc, requests } = limitedTo(100, { status: 500 });
    const all = addresses(230);
    assert.deepEqual(await rpc.call('getMultipleAccounts', [all, {}], Accounts), { value: all });
    assert.deepEqual(sizesOf(requests), [100, 100, 30]);
  });

  for (const [provider, most, refusal] of [
    [
      'with the number in its refusal',
      5,
      {
        status: 413,
        error: {
          code: -32615,
          message: 'getMultipleAccounts is limited to a 5 range, upgrade from discover plan at <url> to increase the limit',
        },
      },
    ],
    ['with another number and code', 75, { status: 413, error: { code: -32602, message: 'getMultipleAccounts is limited to a 75 range' } }],
    ['in a JSON-RPC error', 10, { error: { code: -32602, message: 'Too many inputs provided; max 10' } }],
    ['as an excess', 20, { error: { code: -32000, message: 'The number of accounts exceeds the maximum of 20' } }],
    ['as a length without a number', 12, { error: { code: -32602, message: 'Invalid params: array too long' } }],
    ['in words without a limit', 5, { error: { code: -32602, message: 'You may request no more than 5 accounts per call' } }],
    ['in words of its own', 7, { status: 400, error: { code: 7, message: 'computer says no' } }],
    ['with a status alone', 5, { status: 403, text: 'Your plan allows five accounts' }],
    ['without a number', 12, { status: 413, text: 'Request Entity Too Large' }],
  ] as const satisfies readonly (readonly [string, number, ScriptedAnswer])[]) {
    it(`A provider ${provider} gets requests that it answers, and is not asked for more again`, async () => {
      const { rpc, requests } = limitedTo(most, refusal);
      const all = addresses(100);
      assert.deepEqual((await rpc.call('getMultipleAccounts', [all, {}], Accounts)).value, all);
      const learned = requests.length;
      assert.deepEqual((await rpc.call('getMultipleAccounts', [all, {}], Accounts)).value, all);
      const sizes = sizesOf(requests.slice(learned));
      assert.ok(sizes.every((size) => size <= most));
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        100,
      );
    });
  }

  it('Requests under way at the same time learn of the limit together', async () => {
    const { rpc } = limitedTo(5, { status: 413, error: { code: -32615, message: 'limited to a 5 range' } });
    const lists = await Promise.all([20, 30, 40].map((count) => rpc.call('getMultipleAccounts', [addresses(count), {}], Accounts)));
    assert.deepEqual(
      lists.map(({ value }) => value.length),
      [20, 30, 40],
    );
  });

  it('A refusal for another reason, or of a single account, is the answer', async () => {
    for (const [count, refusal, sizes] of [
      // One alone shows that it is not their number.
      [20, { error: { code: -32602, message: 'Invalid param: WrongSize' } }, [20, 1]],
      [20, { status: 401 }, [20]],
      [1, { status: 413 }, [1]],
    ] as const) {
      const { rpc, requests } = limitedTo(0, refusal);
      await assert.rejects(rpc.call('getMultipleAccounts', [addresses(count), {}], Accounts), ChainRpcError);
      assert.deepEqual(sizesOf(requests), sizes);
    }
  });
});

describe('Searches where the provider has pages of them alone', () => {
  const refusal: ScriptedAnswer = {
    error: { code: -32600, message: 'Too many accounts requested. Please use getProgramAccountsV2 with pagination.' },
  };
  const Found = z.array(z.object({ pubkey: z.string() }));
  const page = (keys: readonly string[], paginationKey: string | null): ScriptedAnswer => ({
    result: { accounts: keys.map((pubkey) => ({ pubkey })), paginationKey },
  });

  it('All pages are read, also behind a short or an empty one, and the refused method is not asked again', async () => {
    const { rpc, requests } = scriptedClient(({ method, params }) => {
      if (method === 'getProgramAccounts') {
        return refusal;
      }
      const { paginationKey } = z.looseObject({ paginationKey: z.string().optional() }).parse(params[1]);
      return paginationKey === undefined ? page(['a'], '1') : paginationKey === '1' ? page([], '2') : page(['b', 'c'], null);
    });
    const search = () => rpc.call('getProgramAccounts', ['program', { encoding: 'base64', filters: [{ dataSize: 8 }] }], Found);
    assert.deepEqual(await search(), [{ pubkey: 'a' }, { pubkey: 'b' }, { pubkey: 'c' }]);
    assert.deepEqual(requests[1]?.params, ['program', { encoding: 'base64', filters: [{ dataSize: 8 }], limit: 5_000 }]);
    await search();
    assert.equal(requests.filter(({ method }) => method === 'getProgramAccounts').length, 1);
  });

  it('Where pages are refused, too, the first refusal is the answer, and neither is asked again for ten minutes', async () => {
    const { rpc, requests, clock } = scriptedClient(() => refusal);
    const search = () => rpc.call('getProgramAccounts', ['program', {}], Found);
    const isRefused = (error: unknown) =>
      error instanceof ChainRpcError && error.kind === 'refusedMethod' && error.method === 'getProgramAccounts';
    await assert.rejects(search(), isRefused);
    await assert.rejects(search(), isRefused);
    assert.equal(requests.length, 2);
    await new Promise<void>((resolve) => clock.after(10 * 60_000, resolve));
    await assert.rejects(search(), isRefused);
    assert.equal(requests.length, 4);
  });

  it('A key that is refused for a search alone is not wrong: the search is one that the plan lacks', async () => {
    for (const method of ['getProgramAccounts', 'getTokenAccountsByOwner', 'getTokenLargestAccounts']) {
      for (const refused of [{ status: 401 }, { status: 401, error: { code: -32001, message: 'A personal token is required' } }] as const) {
        const { rpc } = scriptedClient((request) => (request.method === 'getSlot' ? { result: 7 } : refused));
        const isRefused = (error: unknown) => error instanceof ChainRpcError && error.kind === 'refusedMethod' && error.method === method;
        await assert.rejects(rpc.call(method, ['program', {}], Found), isRefused);
      }
    }
  });

  it('Pages without an end are an error', async () => {
    let number = 0;
    const { rpc } = scriptedClient(({ method }) => (method === 'getProgramAccounts' ? refusal : page(['a'], String((number += 1)))));
    await assert.rejects(rpc.call('getProgramAccounts', ['program', {}], Found), ChainRpcError);
  });
});
