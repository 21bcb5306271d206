import assert from 'node:assert/strict';
import type { CallOptions, LiquidityService } from '../../../src/service/service';
import type { Landed } from '../../../src/service/transactions';
import type { ParseWarning } from '../../../src/service/common';
import { ADD_TX, CLOSE_TX, failureOf, SIGNATURE, success, SWAP_TX } from '../../support/service/given';
import { ScriptedService, type Answer } from '../../support/service/scriptedService';

const LANDINGS: readonly (readonly [string, (client: LiquidityService, options?: CallOptions) => Promise<Landed>])[] = [
  [
    'landDecrease',
    async (client, options) =>
      client.landDecrease({ closeTransactions: [CLOSE_TX], swapTransactions: [SWAP_TX], lastValidBlockHeight: 9 }, options),
  ],
  [
    'landAdd',
    async (client, options) =>
      client.landAdd({ swapTransactions: [SWAP_TX], addTransactions: [ADD_TX], lastValidBlockHeight: 9, meta: {} }, options),
  ],
];

for (const [name, land] of LANDINGS) {
  describe(`Landing with ${name}`, () => {
    let service: ScriptedService;

    before(async () => {
      service = await ScriptedService.start();
    });

    after(async () => {
      await service.stop();
    });

    const unknown: readonly (readonly [string, Answer])[] = [
      ['500', { status: 500, body: { message: 'failed' } }],
      ['502', { status: 502, body: '<html></html>' }],
      ['503 with Retry-After', { status: 503, headers: { 'retry-after': '1' }, body: '' }],
      ['504', { status: 504, body: '' }],
      ['408', { status: 408, body: '' }],
      ['409, since the same was submitted before', { status: 409, body: { error: 'Already submitted' } }],
      ['303, which a server sends after it has done the work', { status: 303, headers: { location: '/done' }, body: '' }],
      ['a connection that broke', (response) => response.destroy()],
      [
        'an answer that broke off',
        (response) => void response.writeHead(200, { 'content-length': '100' }).write('{"st', () => response.destroy()),
      ],
      ['no answer in time', () => undefined],
      ['a success that says it failed', { body: { status: 'error', message: 'Bundle not confirmed' } }],
      ['a success that is not JSON', { body: 'landed' }],
    ];
    for (const [what, answer] of unknown) {
      it(`The landing is sent once and may have succeeded after ${what}`, async () => {
        service.willAnswer(answer);
        const error = await failureOf(land(service.client({ timeoutMs: 80 })));
        assert.equal(error.mayHaveLanded, true);
        assert.equal(service.received.length, 1);
      });
    }

    // A gateway, a retry or a bug may answer so after the landing was carried out.
    for (const status of [400, 401, 403, 404, 407, 413, 418, 422, 425, 429, 301, 302, 307, 308]) {
      it(`The landing is sent once and may have succeeded after ${status}, since the answer of the service proves nothing`, async () => {
        service.willAnswer({ status, headers: { 'retry-after': '1', location: '/x' }, body: { message: 'bad signature' } });
        const error = await failureOf(land(service.client()));
        assert.deepEqual([error.status, error.mayHaveLanded], [status, true]);
        assert.equal(service.received.length, 1);
      });
    }

    it('The landing was not sent if no connection was established', async () => {
      const gone = await ScriptedService.start();
      const { baseUrl } = gone;
      await gone.stop();
      assert.equal((await failureOf(land(service.client({ baseUrl })), 'unreachable')).mayHaveLanded, false);
    });

    it('The landing may have succeeded if it is cancelled after it was sent', async () => {
      const controller = new AbortController();
      service.willAnswer(() => controller.abort());
      const error = await failureOf(land(service.client(), { signal: controller.signal }), 'cancelled');
      assert.equal(error.mayHaveLanded, true);
    });

    it('The landing is not sent if it was cancelled before', async () => {
      service.willAnswer(success({ signature: SIGNATURE }));
      const error = await failureOf(land(service.client(), { signal: AbortSignal.abort() }), 'cancelled');
      assert.equal(error.mayHaveLanded, false);
      assert.equal(service.received.length, 0);
    });

    for (const [what, answer] of [
      ['data.signature', success({ method: 'JITO', signature: SIGNATURE })],
      ['the last of data.signatures', success({ signatures: ['1'.repeat(64), SIGNATURE] })],
      ['data.txSignature', { body: { data: { txSignature: SIGNATURE, bundleId: 'b' } } }],
      ['the top level', { body: { signature: SIGNATURE } }],
    ] as const) {
      it(`The signature of the landing is read from ${what}`, async () => {
        service.willAnswer(answer);
        assert.deepEqual(await land(service.client()), { signature: SIGNATURE });
      });
    }

    for (const [what, answer] of [
      ['no signature', success({ method: 'JITO' })],
      ['an empty list of them', success({ signatures: [] })],
      ['null', success(null)],
      ['nothing at all', { status: 204 }],
      ['an empty object', { body: {} }],
    ] as const) {
      it(`The landing succeeds without a signature if the answer has ${what}`, async () => {
        service.willAnswer(answer);
        assert.deepEqual(await land(service.client()), { signature: undefined });
      });
    }

    it('The landing succeeds without a signature if the signature is invalid, and reports a warning', async () => {
      const told: ParseWarning[] = [];
      service.willAnswer(success({ signature: '<b>https://example.org</b>' }));
      const client = service.client({ onWarnings: (_endpoint, warnings) => void told.push(...warnings) });
      assert.deepEqual(await land(client), { signature: undefined });
      assert.deepEqual(told, [{ path: 'data.signature', message: 'is not the signature of a transaction' }]);
    });
  });
}
