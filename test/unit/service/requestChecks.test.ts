import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkAdd } from '../../../src/service/calls/requestChecks';
import { ServiceError } from '../../../src/service/errors';
import type { AddRequest, DecreaseRequest } from '../../../src/service/transactions';
import type { LiquidityService } from '../../../src/service/service';
import { failureOf, OWNER, POOL } from '../../support/service/given';
import { ScriptedService } from '../../support/service/scriptedService';

const decrease: DecreaseRequest = { positionId: 'id', bps: 10_000, owner: OWNER, slippageBps: 500, output: 'allBaseToken' };
const place = { pool: POOL, owner: OWNER, strategy: 'Spot', fromBinId: -10, toBinId: 10, slippageBps: 500 } as const;
const zapIn: AddRequest = { ...place, mode: 'zap-in', inputSol: 0.5, percentX: 0.5 };
const normal: AddRequest = { ...place, mode: 'normal', amountX: 1, amountY: 2 };

describe('Request checks before sending', () => {
  let service: ScriptedService;

  before(async () => {
    service = await ScriptedService.start();
    service.willAnswer({ body: { status: 'success', data: [] } });
  });

  after(async () => {
    await service.stop();
  });

  const refused: readonly (readonly [string, string, (client: LiquidityService) => Promise<unknown>])[] = [
    ['page', 'page 0', async (client) => client.discoverPools({ page: 0 })],
    ['page', 'page 1.5', async (client) => client.discoverPools({ page: 1.5 })],
    ['pageSize', 'page size 0', async (client) => client.discoverPools({ pageSize: 0 })],
    ['pageSize', 'page size 101', async (client) => client.discoverPools({ pageSize: 101 })],
    ['pageSize', 'page size NaN', async (client) => client.topLpers({ pool: POOL, pageSize: Number.NaN })],
    ['page', 'a negative page', async (client) => client.closedPositions({ owner: OWNER, page: -1 })],
    ['pageSize', 'page size 21 of positions in a pool', async (client) => client.poolPositions({ pool: POOL, pageSize: 21 })],
    [
      'marketCapUsd.min',
      'an endless market cap',
      async (client) => client.discoverPools({ marketCapUsd: { min: Number.POSITIVE_INFINITY } }),
    ],
    ['binStepBps.min', 'bounds the wrong way round', async (client) => client.discoverPools({ binStepBps: { min: 100, max: 20 } })],
    ['volume1hUsd.max', 'a bound that is no number', async (client) => client.discoverPools({ volume1hUsd: { max: Number.NaN } })],
    ['from', 'dates the wrong way round', async (client) => client.closedPositions({ owner: OWNER, from: new Date(2), to: new Date(1) })],
    ['to', 'a date that is none', async (client) => client.closedPositions({ owner: OWNER, to: new Date(Number.NaN) })],
    ['range', 'a span of revenue that there is not', async (client) => client.revenue({ owner: OWNER, range: '1Y' })],
    ['positionId', 'an empty position', async (client) => client.decreaseQuote({ positionId: ' ', bps: 1 })],
    ['bps', 'a quote for 0 bps', async (client) => client.decreaseQuote({ positionId: 'id', bps: 0 })],
    ['bps', '0 bps', async (client) => client.buildDecrease({ ...decrease, bps: 0 })],
    ['bps', '10001 bps', async (client) => client.buildDecrease({ ...decrease, bps: 10_001 })],
    ['bps', 'half a bp', async (client) => client.buildDecrease({ ...decrease, bps: 0.5 })],
    ['slippageBps', 'negative slippage', async (client) => client.buildDecrease({ ...decrease, slippageBps: -1 })],
    ['slippageBps', 'slippage of more than all', async (client) => client.buildAdd({ ...zapIn, slippageBps: 10_001 })],
    ['percentX', 'a share of more than all', async (client) => client.buildAdd({ ...zapIn, percentX: 1.01 })],
    ['percentX', 'a negative share', async (client) => client.buildAdd({ ...zapIn, percentX: -0.01 })],
    ['percentX', 'a share that is no number', async (client) => client.buildAdd({ ...zapIn, percentX: Number.NaN })],
    ['fromBinId', 'bins the wrong way round', async (client) => client.buildAdd({ ...zapIn, fromBinId: 11 })],
    ['strategy', 'bins without a strategy', async (client) => client.buildAdd({ ...zapIn, strategy: undefined })],
    ['fromBinId', 'a range without a beginning', async (client) => client.buildAdd({ ...zapIn, fromBinId: undefined })],
    ['toBinId', 'a range without an end', async (client) => client.buildAdd({ ...zapIn, toBinId: undefined })],
    ['toBinId', 'half a bin', async (client) => client.buildAdd({ ...zapIn, toBinId: 10.5 })],
    ['inputSol', 'no SOL', async (client) => client.buildAdd({ ...zapIn, inputSol: 0 })],
    ['inputSol', 'negative SOL', async (client) => client.buildAdd({ ...zapIn, inputSol: -1 })],
    ['inputSol', 'endless SOL', async (client) => client.buildAdd({ ...zapIn, inputSol: Number.POSITIVE_INFINITY })],
    ['inputSol', 'a tenth of a lamport', async (client) => client.buildAdd({ ...zapIn, inputSol: 0.1000000001 })],
    ['amountX', 'a negative amount', async (client) => client.buildAdd({ ...normal, amountX: -1 })],
    ['amountY', 'an amount that is no number', async (client) => client.buildAdd({ ...normal, amountY: Number.NaN })],
    ['amountX', 'nothing of both tokens', async (client) => client.buildAdd({ ...normal, amountX: 0, amountY: 0 })],
    [
      'closeTransactions',
      'nothing to land',
      async (client) => client.landDecrease({ closeTransactions: [], swapTransactions: [], lastValidBlockHeight: 1 }),
    ],
    [
      'addTransactions',
      'nothing to land',
      async (client) => client.landAdd({ addTransactions: [], swapTransactions: [], lastValidBlockHeight: 1, meta: {} }),
    ],
  ];
  for (const [field, what, call] of refused) {
    it(`Requests with ${what} are refused, and the message names ${field}`, async () => {
      const error = await failureOf(call(service.client()), 'invalidRequest');
      assert.equal(error.field, field);
      assert.match(error.message, new RegExp(`^${field} (?:must|and) .*\\.$`));
      assert.equal(error.mayHaveLanded, false);
      assert.equal(service.received.length, 0);
    });
  }

  for (const request of [
    { ...zapIn, percentX: 0, slippageBps: 0, fromBinId: 10 },
    { ...zapIn, percentX: 1, slippageBps: 10_000, inputSol: 1e-9 },
    { ...normal, amountX: 0 },
  ]) {
    it(`Values at the limits are accepted: ${JSON.stringify(request)}`, () => {
      assert.doesNotThrow(() => checkAdd('POST /', request));
    });
  }

  it('Every whole number of lamports is accepted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 15 }), (lamports) => {
        assert.doesNotThrow(() => checkAdd('POST /', { ...zapIn, inputSol: Number(`${lamports}e-9`) }));
      }),
    );
  });

  it('Fractions of a lamport are refused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 1, max: 999 }), (lamports, thousandths) => {
        assert.throws(() => checkAdd('POST /', { ...zapIn, inputSol: Number(`${lamports * 1_000 + thousandths}e-12`) }), ServiceError);
      }),
    );
  });
});
