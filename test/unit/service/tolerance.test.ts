import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseBaseUrl } from '../../../src/service/baseUrl';
import { createLiquidityService } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import type { LiquidityService } from '../../../src/service/service';
import { CLOSE_TX, closedRecord, CONTRACT, openRecord, OWNER, POOL, poolRecord, POSITION, SOL_MINT } from '../../support/service/given';

/** A client whose every call gets this body: thousands of answers go without a network. */
function answering(body: unknown): LiquidityService {
  return createLiquidityService({
    baseUrl: parseBaseUrl('http://127.0.0.1:9'),
    apiKey: 'k',
    fetch: async () => new Response(JSON.stringify(body)),
    now: () => Date.UTC(2026, 0, 1),
  });
}

const READERS: readonly (readonly [string, (client: LiquidityService) => Promise<unknown>])[] = [
  ['openPositions', async (client) => client.openPositions(OWNER)],
  ['closedPositions', async (client) => client.closedPositions({ owner: OWNER })],
  ['overview', async (client) => client.overview({ owner: OWNER })],
  ['positionLogs', async (client) => client.positionLogs({ owner: OWNER })],
  ['revenue', async (client) => client.revenue({ owner: OWNER })],
  ['discoverPools', async (client) => client.discoverPools({})],
  ['poolInfo', async (client) => client.poolInfo(POOL)],
  ['poolPositions', async (client) => client.poolPositions({ pool: POOL })],
  ['onchainStats', async (client) => client.onchainStats(POOL)],
  ['topLpers', async (client) => client.topLpers({ pool: POOL })],
  ['tokenBalances', async (client) => client.tokenBalances({ owner: OWNER })],
  ['decreaseQuote', async (client) => client.decreaseQuote({ positionId: 'id', bps: 1 })],
  ['buildDecrease', async (client) => client.buildDecrease({ positionId: 'id', bps: 1, owner: OWNER, slippageBps: 0, output: 'both' })],
  [
    'buildAdd',
    async (client) =>
      client.buildAdd({
        pool: POOL,
        owner: OWNER,
        strategy: 'Spot',
        fromBinId: 0,
        toBinId: 1,
        slippageBps: 0,
        mode: 'zap-in',
        inputSol: 1,
        percentX: 0,
      }),
  ],
  ['landDecrease', async (client) => client.landDecrease({ closeTransactions: [CLOSE_TX], swapTransactions: [], lastValidBlockHeight: 1 })],
  ['landAdd', async (client) => client.landAdd({ addTransactions: [CLOSE_TX], swapTransactions: [], lastValidBlockHeight: 1, meta: {} })],
];

/** Records of the contract, and what lists them. */
const LISTS: readonly (readonly [
  string,
  Readonly<Record<string, unknown>>,
  (client: LiquidityService) => Promise<{ readonly items: readonly unknown[] }>,
])[] = [
  ['openPositions', openRecord({ position: POSITION }), async (client) => client.openPositions(OWNER)],
  ['closedPositions', closedRecord(), async (client) => client.closedPositions({ owner: OWNER })],
  ['positionLogs', CONTRACT['GET /lp-positions/logs 200'].data[0] ?? {}, async (client) => client.positionLogs({ owner: OWNER })],
  ['revenue', CONTRACT['GET /lp-positions/revenue/{owner} 200'].data[0] ?? {}, async (client) => client.revenue({ owner: OWNER })],
  ['discoverPools', poolRecord({ token1: SOL_MINT, vol_5m: 1, price_1h_change: -2 }), async (client) => client.discoverPools({})],
  [
    'topLpers',
    { owner: OWNER, pool: POOL, total_pnl: 1, win_rate: 0.5, total_lp: 3, first_activity: '2025-04-25 01:37:08.000' },
    async (client) => client.topLpers({ pool: POOL }),
  ],
  ['tokenBalances', { ...CONTRACT['GET /token/balance 200'].data[0] }, async (client) => client.tokenBalances({ owner: OWNER })],
];

/** Values of every kind that JSON has, and those that JSON has but numbers have not. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown[]>(
    null,
    '',
    ' ',
    'NaN',
    '1e999',
    -1,
    1.5,
    1e308,
    2 ** 53,
    true,
    [],
    {},
    [null],
    { __proto__: 1 },
    '2025-02-30',
    'SOL',
  ),
);

/** The same record with every number as text, or the other way round. */
function withNumbersAsText(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withNumbersAsText);
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withNumbersAsText(entry)]));
  }
  return typeof value === 'number' ? String(value) : value;
}

describe('Tolerance of arbitrary answers', function () {
  // Some hundred answers a test, which take a second where nothing else runs.

  for (const [name, read] of READERS) {
    it(`Every answer to ${name} leads to a result or a ServiceError`, async () => {
      const data = fc.oneof(
        anything,
        fc.array(anything, { maxLength: 4 }),
        fc.record({ data: anything, pagination: anything, positions: anything, prices: anything }),
      );
      const body = fc.oneof(anything, fc.record({ status: fc.constant('success'), data, pagination: anything }));
      await fc.assert(
        fc.asyncProperty(body, async (answer) => {
          try {
            await read(answering(answer));
          } catch (error) {
            assert.ok(error instanceof ServiceError, String(error));
          }
        }),
        { numRuns: 200 },
      );
    });
  }

  for (const [name, record, list] of LISTS) {
    it(`An invalid record in an answer to ${name} leaves the other records unchanged`, async () => {
      const [untouched] = (await list(answering({ status: 'success', data: [record] }))).items;
      assert.ok(untouched !== undefined);
      const changes = fc.dictionary(fc.constantFrom(...Object.keys(record)), anything, { minKeys: 1, maxKeys: 6 });
      await fc.assert(
        fc.asyncProperty(changes, anything, async (odd, other) => {
          const { items } = await list(answering({ status: 'success', data: [record, { ...record, ...odd }, other] }));
          assert.deepEqual(items[0], untouched);
          const { items: turned } = await list(answering({ status: 'success', data: [other, record] }));
          assert.ok(turned.some((item) => JSON.stringify(item, bigintAsText) === JSON.stringify(untouched, bigintAsText)));
        }),
      );
    });

    it(`An answer to ${name} with numbers as text is read the same`, async () => {
      assert.deepEqual(
        await list(answering({ status: 'success', data: [withNumbersAsText(record)] })),
        await list(answering({ status: 'success', data: [record] })),
      );
    });

    it(`An answer to ${name} with null for absent fields is read the same`, async () => {
      const keys = Object.keys(record);
      await fc.assert(
        fc.asyncProperty(fc.subarray(keys), async (absent) => {
          const nulls = { ...record, ...Object.fromEntries(absent.map((key) => [key, null])) };
          const missing = Object.fromEntries(Object.entries(record).filter(([key]) => !absent.includes(key)));
          assert.deepEqual(
            await list(answering({ status: 'success', data: [nulls] })),
            await list(answering({ status: 'success', data: [missing] })),
          );
        }),
      );
    });
  }

  it('Unknown fields never change what is read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.string().map((key) => `x-${key}`),
          fc.jsonValue(),
        ),
        async (extra) => {
          const plain = await answering({ status: 'success', data: [openRecord()] }).openPositions(OWNER);
          assert.deepEqual(await answering({ status: 'success', data: [{ ...extra, ...openRecord() }] }).openPositions(OWNER), plain);
        },
      ),
    );
  });
});

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
