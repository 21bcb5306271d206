import assert from 'node:assert/strict';
import { isRequestAtFault } from '../../../src/service/failures';
import { failureOf, OWNER, POOL, success, SWAP_TX, CLOSE_TX } from './given';
import { ScriptedService } from './scriptedService';

/** What services say when the same request fails again. */
const AT_FAULT: readonly (readonly [string, unknown])[] = [
  ['a parameter is missing', { status: 'error', message: 'Amount X or Amount Y or Percent X is required' }],
  ['a parameter is missing, in other words', { data: { status: 'error', message: 'Missing amount to ZapIn' } }],
  ['a parameter is wrong', { error: 'Invalid public key input' }],
  ['a value is out of its bounds', { message: 'slippage_bps must be less than or equal to 10000' }],
  ['there is not enough money', { error: { code: 7, message: 'Insufficient balance' } }],
  ['there is no such position', { error: 'Position account 5rCf1DM8LjKTw4YqhnoLcngyZYeNnQqztScTogYHAS6 not found' }],
  ['plain text says so', 'owner is required'],
  ['it has a 4xx of its own', { statusCode: 400, message: 'nope' }],
  ['it has a 4xx of its own as text', { error: { status: '422' } }],
  ['it lists validation issues', { errors: [{ path: ['bps'], message: 'Expected number' }] }],
  ['it is named after validation', { name: 'ZodError' }],
  ['it is a bad request', { statusCode: 500, error: 'Bad Request' }],
];

/** What they say when the next one may succeed. */
const UNCLEAR: readonly (readonly [string, unknown])[] = [
  ['it is empty', ''],
  ['it is a web page', '<html><title>Owner is required</title></html>'],
  ['it says nothing more', { status: 'error', message: 'Internal server error' }],
  ['it says nothing of the request', { error: "Cannot read properties of undefined (reading 'mint')" }],
  ['something behind it took too long', { message: 'Request timed out: pool not found in time' }],
  ['its node lags behind', { message: 'Blockhash not found' }],
  ['what is behind it answered nonsense', { message: 'Invalid response from upstream' }],
  ['a price is away for the moment', { message: 'Token BONK price unavailable' }],
  ['no route was found', { message: 'Route not found' }],
  ['it has too many requests of its own', { statusCode: 429, message: 'Too many requests' }],
  ['it has a timeout of its own', { code: 408 }],
];

describe('A 500', () => {
  for (const [name, body] of AT_FAULT) {
    it(`blames the request where ${name}`, () => {
      assert.equal(isRequestAtFault(typeof body === 'string' ? body : JSON.stringify(body)), true);
    });
  }

  for (const [name, body] of UNCLEAR) {
    it(`may pass where ${name}`, () => {
      assert.equal(isRequestAtFault(typeof body === 'string' ? body : JSON.stringify(body)), false);
    });
  }

  describe('over the wire', () => {
    let service: ScriptedService;

    before(async () => {
      service = await ScriptedService.start();
    });

    after(async () => {
      await service.stop();
    });

    const zapIn = {
      pool: POOL,
      owner: OWNER,
      strategy: 'Spot',
      fromBinId: 1,
      toBinId: 2,
      slippageBps: 500,
      mode: 'zap-in',
      inputSol: 1,
      percentX: 0.5,
    } as const;
    const missing = { status: 500, body: { status: 'error', message: 'Amount X or Amount Y or Percent X is required' } };

    it('that names a missing parameter is sent once, by calls that read and by calls that build, and offers no repetition', async () => {
      for (const call of [() => service.client().openPositions(OWNER), () => service.client().buildAdd(zapIn)]) {
        service.willAnswer(missing);
        const error = await failureOf(call(), 'rejected');
        assert.equal(service.received.length, 1);
        assert.equal(error.status, 500);
        assert.equal(error.message, 'The service refused the request (500): Amount X or Amount Y or Percent X is required.');
      }
    });

    it('that says nothing of the request is sent again, by calls that read and by calls that build', async () => {
      service.willAnswer({ status: 500, body: { message: 'Internal server error' } }, success([]));
      await service.client().openPositions(OWNER);
      assert.equal(service.received.length, 2);
      service.willAnswer(
        { status: 500, body: '' },
        success({ addLiquidityTxsWithJito: [CLOSE_TX], swapTxsWithJito: [SWAP_TX], lastValidBlockHeight: 1 }),
      );
      await service.client().buildAdd(zapIn);
      assert.equal(service.received.length, 2);
    });

    it('of a landing is sent once, and proves nothing, whatever it says', async () => {
      service.willAnswer(missing);
      const error = await failureOf(
        service.client().landDecrease({ closeTransactions: [CLOSE_TX], swapTransactions: [], lastValidBlockHeight: 1 }),
        'server',
      );
      assert.equal(service.received.length, 1);
      assert.equal(error.mayHaveLanded, true);
    });

    for (const status of [502, 503, 504]) {
      it(`is told from ${status} of a gateway, which is sent again whatever it says`, async () => {
        service.willAnswer({ ...missing, status }, success([]));
        await service.client().openPositions(OWNER);
        assert.equal(service.received.length, 2);
      });
    }

    it('is told from 501, which is never sent again', async () => {
      service.willAnswer({ status: 501, body: '' });
      await failureOf(service.client().openPositions(OWNER), 'server');
      assert.equal(service.received.length, 1);
    });
  });
});
