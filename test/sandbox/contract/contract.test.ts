import assert from 'node:assert/strict';
import * as z from 'zod';
import { checkContract } from '../../support/conformance/checkContract';
import { checkSpec } from '../../support/conformance/checkSpec';
import { testConformance } from '../../support/conformance/conformanceTests';
import { ContractClient, type Json, list, record } from '../../support/conformance/contractClient';
import { AllowedNulls } from '../../support/conformance/differences';
import type { EngineUnderTest, Protocol } from '../../support/conformance/engine';
import { operationAt } from '../../support/conformance/operations';
import { good } from '../../support/sandbox/client';
import { STILL, useSandbox } from '../../support/sandbox/useSandbox';

const Pools = z.object({ data: z.array(z.looseObject({ pool: z.string() })) });
const Lpers = z.object({ data: z.array(z.looseObject({ owner: z.string() })) });

describe('Responses of the sandbox compared with the published contract and the specification', function () {
  // Prices stand still, so that pages of a list fit together.
  const client = useSandbox('all', STILL);
  let engine: EngineUnderTest;
  const service = new ContractClient(() => engine);

  before(async () => {
    /** A pool with many positions. */
    const poolOf = async (type: Protocol): Promise<string> => {
      const [pool] = good(Pools, await client().get('/pools/discover', { type, search: 'BONQ/SOL', sortBy: 'tvl' })).data;
      return pool?.pool ?? assert.fail(`There is no pool of ${type}`);
    };
    const pools = { meteora: await poolOf('meteora'), meteora_damm_v2: await poolOf('meteora_damm_v2') };
    const [provider] = good(Lpers, await client().get(`/pools/${pools.meteora}/top-lpers`)).data;
    // The sandbox knows everything.
    const nulls = new AllowedNulls([]);
    engine = { client: client(), pools, provider: provider?.owner ?? '', symbol: 'bonq', leastPools: 24, nulls };
  });

  testConformance(() => engine);

  it('The historical endpoint marks some positions as copies of another wallet', async () => {
    const { data } = await service.closed({ limit: 1_000 });
    const copies = data.filter((position) => 'followInfo' in position);
    assert.ok(copies.length >= 2 && copies.length < data.length, `${copies.length} of ${data.length}`);
    for (const copy of copies) {
      const { sourceOwner, sourceTokenId } = record(copy['followInfo']);
      const of = { owner: String(sourceOwner), position: String(sourceTokenId) };
      const events = list((await service.got('/lp-positions/logs', of))['data']);
      assert.ok(events.length > 0 && events.every((event) => event['pool'] === copy['pool'] && event['owner'] === sourceOwner));
    }
  });

  it('The contract checks detect every field that is missing or has another type, and every null that is not declared', async () => {
    const path = '/lp-positions/opening';
    const answer = await service.got(path, { owner: service.owner });
    const [first] = list(answer['data']);
    const with_ = (changed: Json): Json => ({ ...answer, data: [changed] });
    assert.doesNotThrow(() => checkSpec('GET', path, 200, with_(first ?? {})));
    const inContract = new Set(Object.keys(operationAt('GET', path)?.responses['200']?.properties?.['data']?.items?.properties ?? {}));
    assert.ok(inContract.size > 50);
    const others = new AllowedNulls([{ endpoints: [path], fields: ['another'], reason: 'of this test' }]);
    for (const name of Object.keys(first ?? {})) {
      const without = Object.fromEntries(Object.entries(first ?? {}).filter(([field]) => field !== name));
      const other = { ...first, [name]: { of: 'another type' } };
      for (const changed of [without, other]) {
        if (inContract.has(name)) {
          assert.throws(() => checkContract('GET', path, 200, with_(changed), others), new RegExp(name), name);
        }
        if (name !== 'uncollectedFeeNative') {
          assert.throws(() => checkSpec('GET', path, 200, with_(changed), others), new RegExp(name), name);
        }
      }
    }
    const unknown = with_({ ...first, pairName: null });
    for (const check of [checkContract, checkSpec]) {
      assert.throws(() => check('GET', path, 200, unknown, others), /pairName/);
      const allowed = new AllowedNulls([{ endpoints: [path], fields: ['pairName'], reason: 'of this test' }]);
      assert.deepEqual(allowed.unused, [`${path} pairName`]);
      assert.doesNotThrow(() => check('GET', path, 200, unknown, allowed));
      assert.deepEqual(allowed.unused, []);
    }
    assert.throws(() => checkContract('GET', path, 302, {}), /302/);
    assert.throws(() => checkContract('GET', '/lp-positions/nothing', 200, {}), /no GET/);
  });
});
