import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createLiquidityService } from '../../../src/service/client';
import { DEFAULT_RETRIES, waitBeforeRetry } from '../../../src/service/calls/retry';
import { ServiceError } from '../../../src/service/errors';
import { failureOf, OWNER, success } from '../../support/service/given';
import { API_KEY, ScriptedService } from '../../support/service/scriptedService';

const NOW_MS = Date.UTC(2026, 0, 1, 12, 0, 0);
const ok = success([]);

describe('Transport', () => {
  let service: ScriptedService;

  before(async () => {
    service = await ScriptedService.start();
  });

  after(async () => {
    await service.stop();
  });

  /** A client whose waits are noted instead of waited, with a steady hand instead of chance. */
  function noting(waits: number[], random = 0.5): ReturnType<ScriptedService['client']> {
    return service.client({ random: () => random, now: () => NOW_MS, sleep: async (ms) => void waits.push(ms) });
  }

  describe('Requests', () => {
    it('Requests send the key as x-api-key, and ask for JSON', async () => {
      service.willAnswer(ok);
      await service.client().openPositions(OWNER);
      const headers = service.received[0]?.headers;
      assert.equal(headers?.['x-api-key'], API_KEY);
      assert.equal(headers['accept'], 'application/json');
      assert.equal(headers['user-agent'], 'binsight');
      assert.equal(headers['content-type'], undefined);
    });

    it('No request is sent without a usable key', async () => {
      service.willAnswer(ok);
      for (const apiKey of ['', '  ', 'two words', 'a\nb']) {
        const error = await failureOf(service.client({ apiKey }).openPositions(OWNER), 'unauthorized');
        assert.match(error.message, /requires an API key, and no valid one is set/);
      }
      assert.equal(service.received.length, 0);
    });

    it('Requests can be sent through any function like fetch', async () => {
      const asked: string[] = [];
      const client = createLiquidityService({
        baseUrl: service.baseUrl,
        apiKey: API_KEY,
        fetch: async (url, init) => {
          asked.push(`${init.method} ${url}`);
          return new Response(JSON.stringify({ status: 'success', data: [] }));
        },
      });
      assert.deepEqual((await client.openPositions(OWNER)).items, []);
      assert.deepEqual(asked, [`GET ${service.baseUrl}/lp-positions/opening?owner=${OWNER}`]);
    });

    it('Requests can be sent through the fetch of the runtime', async () => {
      service.willAnswer(ok);
      assert.deepEqual((await service.client({ fetch: globalThis.fetch }).openPositions(OWNER)).items, []);
    });
  });

  describe('Retries', () => {
    for (const status of [408, 429, 500, 502, 503, 504]) {
      it(`A call is retried after ${status}, until an answer comes`, async () => {
        const waits: number[] = [];
        service.willAnswer({ status, body: 'busy' }, { status, body: 'busy' }, ok);
        await noting(waits).openPositions(OWNER);
        assert.equal(service.received.length, 3);
        assert.equal(waits.length, 2);
      });
    }

    it('A call is retried after a broken connection', async () => {
      service.willAnswer(
        (response) => response.destroy(),
        (response) => void response.writeHead(200, { 'content-length': '100' }).write('{"st', () => response.destroy()),
        ok,
      );
      await service.client().openPositions(OWNER);
      assert.equal(service.received.length, 3);
    });

    it('Calls that build transactions are retried, too', async () => {
      service.willAnswer({ status: 503, body: '' }, success({ price: { token0: 1, token1: 2 } }));
      await service.client().decreaseQuote({ positionId: 'id', bps: 5_000 });
      assert.equal(service.received.length, 2);
      assert.deepEqual(service.received[1]?.body, service.received[0]?.body);
    });

    it('A call is sent three times at most', async () => {
      const waits: number[] = [];
      service.willAnswer({ status: 500, body: '' });
      await failureOf(noting(waits).openPositions(OWNER), 'server');
      assert.equal(service.received.length, DEFAULT_RETRIES.attempts);
      assert.deepEqual(waits, [250, 500]);
    });

    for (const status of [400, 401, 403, 404, 409, 422]) {
      it(`A call is not retried after ${status}`, async () => {
        service.willAnswer({ status, body: '' });
        await failureOf(service.client().openPositions(OWNER));
        assert.equal(service.received.length, 1);
      });
    }

    it('A call is not retried after an unreadable answer', async () => {
      service.willAnswer({ body: 'fine' });
      await failureOf(service.client().openPositions(OWNER), 'malformed');
      assert.equal(service.received.length, 1);
    });
  });

  describe('Waits between attempts', () => {
    for (const [name, answer, expected] of [
      ['as many seconds as Retry-After says', { headers: { 'retry-after': '7' }, body: '' }, 7_250],
      ['until the date that Retry-After names', { headers: { 'retry-after': new Date(NOW_MS + 12_000).toUTCString() }, body: '' }, 12_250],
      ['no time for a date that has passed', { headers: { 'retry-after': new Date(NOW_MS - 60_000).toUTCString() }, body: '' }, 250],
      ['as long as the text of the body says', { body: 'Too many requests, retry-after 9' }, 9_250],
      ['as long as the JSON of the body says', { body: { message: 'slow down', 'retry-after': 4 } }, 4_250],
      ['the default time if nothing says how long', { body: 'Too many requests' }, 3_750],
    ] as const) {
      it(`After a 429, the call waits ${name}`, async () => {
        const waits: number[] = [];
        service.willAnswer({ status: 429, ...answer }, ok);
        await noting(waits).openPositions(OWNER);
        assert.deepEqual(waits, [expected]);
      });
    }

    it('A call does not wait if the service asks for too long, and the error says how long', async () => {
      const waits: number[] = [];
      service.willAnswer({ status: 429, headers: { 'retry-after': '120' }, body: '' });
      const error = await failureOf(noting(waits).openPositions(OWNER), 'rateLimited');
      assert.deepEqual(waits, []);
      assert.equal(service.received.length, 1);
      assert.equal(error.retryAfterMs, 120_000);
      assert.match(error.message, /Try again in 120 s/);
    });

    it('The wait has full jitter, doubles after each failure, and never exceeds the limit', () => {
      const error = new ServiceError('', { kind: 'server', endpoint: '' });
      const policy = { attempts: 9, baseMs: 1_000, rateLimitBaseMs: 5_000, longestWaitMs: 3_000 };
      assert.deepEqual(
        [1, 2, 3, 9].map((failures) => waitBeforeRetry(failures, error, policy, () => 0.999)?.toFixed()),
        ['999', '1998', '3000', undefined],
      );
      assert.equal(
        waitBeforeRetry(2, error, policy, () => 0),
        0,
      );
    });
  });

  describe('Timeouts and cancellation', () => {
    const hang = (): void => undefined;

    it('The call times out if no answer begins in time', async () => {
      service.willAnswer(hang);
      const retries = { ...DEFAULT_RETRIES, attempts: 2 };
      const error = await failureOf(service.client({ timeoutMs: 60, retries }).openPositions(OWNER), 'timeout');
      assert.match(error.message, /did not answer within 0.06 s/);
      assert.equal(service.received.length, 2);
    });

    it('The call times out if the answer begins in time but does not end', async () => {
      service.willAnswer((response) => void response.writeHead(200).write('{"status":'));
      const retries = { ...DEFAULT_RETRIES, attempts: 1 };
      await failureOf(service.client({ timeoutMs: 60, retries }).openPositions(OWNER), 'timeout');
    });

    it('A call that was cancelled before is not sent', async () => {
      service.willAnswer(ok);
      await failureOf(service.client().openPositions(OWNER, { signal: AbortSignal.abort() }), 'cancelled');
      assert.equal(service.received.length, 0);
    });

    it('Cancelling ends the call at once while it waits for the answer', async () => {
      const controller = new AbortController();
      service.willAnswer(() => controller.abort());
      const error = await failureOf(service.client().openPositions(OWNER, { signal: controller.signal }), 'cancelled');
      assert.equal(error.mayHaveLanded, false);
      assert.equal(service.received.length, 1);
    });

    it('Cancelling ends the call at once in the middle of the answer', async () => {
      const controller = new AbortController();
      service.willAnswer((response) => void response.writeHead(200).write('{"status":', () => controller.abort()));
      await failureOf(service.client().openPositions(OWNER, { signal: controller.signal }), 'cancelled');
    });

    it('Cancelling ends the call at once between attempts', async () => {
      const controller = new AbortController();
      service.willAnswer({ status: 429, headers: { 'retry-after': '20' }, body: '' });
      const client = service.client({
        sleep: async (ms, signal) => {
          setImmediate(() => controller.abort());
          await delay(ms, undefined, { signal });
        },
      });
      await failureOf(client.openPositions(OWNER, { signal: controller.signal }), 'cancelled');
      assert.equal(service.received.length, 1);
    });

    it('Cancelling ends the call at once also during a wait of the default clock', async () => {
      service.willAnswer({ status: 429, headers: { 'retry-after': '20' }, body: '' });
      const client = createLiquidityService({ baseUrl: service.baseUrl, apiKey: API_KEY });
      await failureOf(client.openPositions(OWNER, { signal: AbortSignal.timeout(50) }), 'cancelled');
    });

    it('The call removes its listener from a signal that lives on', async () => {
      const { signal } = new AbortController();
      service.willAnswer(() => assert.equal(getEventListeners(signal, 'abort').length, 1), ok);
      await failureOf(
        service.client({ timeoutMs: 60, retries: { ...DEFAULT_RETRIES, attempts: 1 } }).openPositions(OWNER, { signal }),
        'timeout',
      );
      await service.client().openPositions(OWNER, { signal });
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    });
  });

  it('A finished call leaves no timer', async () => {
    // Without the server, which has timers of its own.
    const client = service.client({ fetch: async () => new Response('[]'), timeoutMs: 10_000 });
    const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    await client.openPositions(OWNER);
    const before = timers();
    await client.openPositions(OWNER);
    assert.equal(timers(), before);
  });

  describe('Refused answers', () => {
    it('An answer that is too long is refused, without a retry', async () => {
      service.willAnswer((response) => void response.writeHead(200).end(JSON.stringify({ status: 'success', data: 'x'.repeat(5_000) })));
      const error = await failureOf(service.client({ longestAnswerBytes: 1_000 }).openPositions(OWNER), 'malformed');
      assert.match(
        error.message,
        /^The answer of 127\.0\.0\.1:\d+ to GET \/lp-positions\/opening exceeds 1000 bytes and was not read\. Choose /,
      );
      assert.equal(service.received.length, 1);
    });

    it('An answer with too large a declared size is refused with its size, the limit and advice', async () => {
      let closed: Promise<unknown> = Promise.resolve();
      service.willAnswer((response) => {
        closed = once(response, 'close');
        response.writeHead(200, { 'content-length': String(80 * 1024 * 1024) }).write('{"status":');
      });
      const error = await failureOf(service.client().openPositions(OWNER), 'malformed');
      assert.match(error.message, /GET \/lp-positions\/opening exceeds 64 MiB and was not read\. Choose a wallet with less to list\.$/);
      await closed;
    });

    it('Answers with pages or about one item are limited to 10 MiB', async () => {
      service.willAnswer(
        (response) => void response.writeHead(200, { 'content-length': String(10 * 1024 * 1024 + 1) }).write('{"status":'),
      );
      assert.match((await failureOf(service.client().closedPositions({ owner: OWNER }), 'malformed')).message, /exceeds 10 MiB/);
    });

    it('A compressed answer is refused if it is too long once decompressed', async () => {
      const packed = gzipSync(Buffer.alloc(1_000_000, ' '));
      service.willAnswer((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed));
      await failureOf(service.client({ longestAnswerBytes: 100_000 }).openPositions(OWNER), 'malformed');
    });

    it('An answer of exactly the allowed length is read, and one byte more is refused', async () => {
      const body = JSON.stringify({ status: 'success', data: [] });
      service.willAnswer({ body });
      await service.client({ longestAnswerBytes: body.length }).openPositions(OWNER);
      await failureOf(service.client({ longestAnswerBytes: body.length - 1 }).openPositions(OWNER), 'malformed');
    });

    it('Redirects are not followed, so that the key goes nowhere else', async () => {
      const elsewhere = await ScriptedService.start();
      try {
        elsewhere.willAnswer(ok);
        for (const status of [301, 302, 303, 307, 308]) {
          service.willAnswer({ status, headers: { location: `${elsewhere.baseUrl}/lp-positions/opening?token=secret` }, body: '' });
          const error = await failureOf(service.client().openPositions(OWNER), 'rejected');
          assert.match(error.message, new RegExp(`redirect \\(${status}: ${new URL(elsewhere.baseUrl).host}\\)`));
          assert.doesNotMatch(error.message, /secret/);
          assert.equal(service.received.length, 1);
        }
        assert.equal(elsewhere.received.length, 0);
      } finally {
        await elsewhere.stop();
      }
    });
  });

  it('Each call and each retry is logged, without the key and the body', async () => {
    const lines: string[] = [];
    service.willAnswer({ status: 503, body: `down for ${API_KEY}` }, success([7]));
    await service
      .client({ random: () => 0.5, now: () => NOW_MS, log: (level, message) => void lines.push(`${level} ${message}`) })
      .openPositions(OWNER);
    assert.deepEqual(lines, [
      'info GET /lp-positions/opening: The service failed (503: down for [API key]). Try again later. Attempt 2 of 3 follows in 250 ms.',
      'debug GET /lp-positions/opening: answered in 0 ms',
      'debug GET /lp-positions/opening: data[0] left out: 7 is not a record',
    ]);
  });

  it('Compressed answers are read, and non-ASCII text that is split anywhere', async () => {
    const record = { status: 'success', data: [{ position: 'Ep22EwKegXis3bTC6P8JLgsHaT5J2beM2TncKe2Hmv24', pairName: '狗🐕/SOL' }] };
    const bytes = Buffer.from(JSON.stringify(record));
    service.willAnswer(
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes)),
      (response) => {
        const [first, ...rest] = [...bytes].map((byte) => Buffer.from([byte]));
        rest.forEach((byte, index) => response.write(index === 0 && first !== undefined ? Buffer.concat([first, byte]) : byte));
        response.end();
      },
    );
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await service.client().openPositions(OWNER)).items[0]?.pairName, '狗🐕/SOL');
    }
  });
});
