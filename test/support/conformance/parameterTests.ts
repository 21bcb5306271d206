import assert from 'node:assert/strict';
import { type ContractClient, EMPTY_WALLET, type Query } from './contractClient';
import { CONTRACT_OPERATIONS } from './operations';

/** Tests of the parameters that the contract describes, and of the key. */
export function testParameters(service: ContractClient): void {
  for (const { method, path, parameters } of CONTRACT_OPERATIONS.filter((operation) => operation.method === 'GET')) {
    it(`${method} ${path} accepts every parameter within its bounds and names an invalid one`, async () => {
      const at = path.replace('{poolId}', service.engine.pools.meteora).replace('{owner}', service.owner);
      const required: Query = parameters.some(({ name, in: where }) => name === 'owner' && where === 'query')
        ? { owner: service.owner }
        : {};
      for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'query')) {
        const { enum: words, minimum, maximum, type } = schema;
        const good = words ?? [schema.default, minimum, maximum].filter((value) => value !== undefined);
        const bad = [
          ...(words === undefined ? [] : ['nonsense']),
          ...(minimum === undefined ? [] : [minimum - 1]),
          ...(maximum === undefined ? [] : [maximum + 1]),
          ...(type === 'integer' ? [1.5, 'one'] : type === 'number' ? ['many'] : []),
        ];
        for (const value of good) {
          await service.got(at, { ...required, [name]: String(value) });
        }
        for (const value of bad) {
          await service.failed(400, 'GET', at, { ...required, [name]: value }, new RegExp(name));
        }
      }
    });
  }

  it('A missing owner and an invalid owner are rejected', async () => {
    for (const path of ['/lp-positions/opening', '/lp-positions/historical', '/lp-positions/overview', '/token/balance']) {
      await service.failed(400, 'GET', path, {}, /^owner is required$/);
      await service.failed(400, 'GET', path, { owner: 'me' }, /owner/);
    }
  });

  it('No endpoint answers without a key or with a wrong key', async () => {
    assert.ok(CONTRACT_OPERATIONS.length > 0);
    for (const { method, path } of CONTRACT_OPERATIONS) {
      for (const headers of [{}, { 'x-api-key': 'another' }] as Readonly<Record<string, string>>[]) {
        await service.refusedWith(headers, method, path.replace('{poolId}', EMPTY_WALLET).replace('{owner}', EMPTY_WALLET));
      }
    }
  });
}
