import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/service/baseUrl';
import type { ServiceErrorKind } from '../../../src/service/errors';
import { isRequestAtFault, messageIn } from '../../../src/service/calls/failures';
import { DEFAULT_RETRIES } from '../../../src/service/calls/retry';
import { CLOSE_TX, failureOf, OWNER, POOL, success, SWAP_TX } from '../../support/service/given';
import { API_KEY, ScriptedService } from '../../support/service/scriptedService';

const once = { ...DEFAULT_RETRIES, attempts: 1 };

describe('Failed calls', () => {
  let service: ScriptedService;

  before(async () => {
    service = await ScriptedService.start();
  });

  after(async () => {
    await service.stop();
  });

  describe('Kind by status', () => {
    for (const [status, kind, says] of [
      [400, 'rejected', /^The service refused the request \(400: owner is required\)\.$/],
      [
        401,
        'unauthorized',
        /^Your API key or plan does not allow this \(401: owner is required\)\. Set another key with "Binsight: Set API Key…"\.$/,
      ],
      [403, 'unauthorized', /API key or plan does not allow this \(403: owner is required\).*Binsight: Set API Key/],
      [404, 'notFound', /cannot find this \(404: owner is required\)/],
      [407, 'unreachable', /proxy .* \(407\).*http\.proxy/],
      [408, 'timeout', /service failed \(408: owner is required\)/],
      [409, 'rejected', /refused the request \(409: owner is required\)/],
      [418, 'rejected', /refused the request \(418: owner is required\)/],
      [422, 'rejected', /refused the request \(422: owner is required\)/],
      [429, 'rateLimited', /Too many requests for your plan \(429: owner is required\)\. Try again later\./],
      [500, 'rejected', /^The service refused the request \(500: owner is required\)\.$/],
      [501, 'server', /failed \(501: owner is required\)/],
      [502, 'server', /^The service failed \(502: owner is required\)\. Try again later\.$/],
      [503, 'server', /failed \(503: owner is required\)/],
      [520, 'server', /failed \(520: owner is required\)/],
    ] as const satisfies readonly (readonly [number, ServiceErrorKind, RegExp])[]) {
      it(`A response with status ${status} is a failure of kind "${kind}" with a helpful message`, async () => {
        service.willAnswer({ status, body: { status: 'error', message: 'owner is required' } });
        const error = await failureOf(service.client({ retries: once }).openPositions(OWNER), kind);
        assert.match(error.message, says);
        assert.equal(error.status, status);
        assert.equal(error.endpoint, 'GET /lp-positions/opening');
        assert.equal(error.serviceMessage, 'owner is required');
        assert.equal(error.mayHaveLanded, false);
      });
    }

    it('An empty body adds no message of the service', async () => {
      service.willAnswer({ status: 401, body: '' });
      const error = await failureOf(service.client().openPositions(OWNER), 'unauthorized');
      assert.match(error.message, /^Your API key or plan does not allow this \(401\)\. Set/);
      assert.equal(error.serviceMessage, undefined);
    });
  });

  describe('Message of the body', () => {
    for (const [name, body, message] of [
      ['at the top', { status: 'error', message: 'Insufficient balance' }, 'Insufficient balance'],
      ['within data', { data: { status: 'error', message: 'Missing amount to ZapIn' } }, 'Missing amount to ZapIn'],
      ['as error', { error: 'Position account X not found' }, 'Position account X not found'],
      ['within error', { error: { code: 7, message: 'Token X price unavailable' } }, 'Token X price unavailable'],
      ['as a list', { message: ['bps must be an integer', 'owner is required'] }, 'bps must be an integer; owner is required'],
      ['as JSON text', '"no"', 'no'],
      ['as plain text', 'Too many requests.\n', 'Too many requests'],
      [
        'as the title of a page',
        '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>',
        '502 Bad Gateway',
      ],
      ['as the heading of a page', '<html><body><h1 class="x">Not here</h1></body></html>', 'Not here'],
      ['not at all from a page without either', '<html><body>secret stack trace</body></html>', undefined],
      ['not at all from JSON without one', { trace: 'at foo()' }, undefined],
      ['not at all from nothing', ' ', undefined],
    ] as const) {
      it(`The message of the service is read ${name}`, () => {
        assert.equal(messageIn(typeof body === 'string' ? body : JSON.stringify(body)), message);
      });
    }

    it('The message of the body is cut to 200 characters on one line', () => {
      const message = messageIn(JSON.stringify({ message: 'line\nbreak '.repeat(100) })) ?? '';
      assert.equal(Array.from(message).length, 200);
      assert.doesNotMatch(message, /\n/);
    });
  });

  it('A failure never contains the key, whatever the service sends back', async () => {
    for (const answer of [
      { status: 401, body: { message: `Unknown key ${API_KEY}` } },
      { status: 502, body: `upstream got x-api-key: ${API_KEY}` },
      { status: 200, body: { status: 'error', message: `Unknown key ${API_KEY}` } },
      { status: 302, headers: { location: `https://example.org/?key=${API_KEY}` }, body: '' },
    ]) {
      service.willAnswer(answer);
      const error = await failureOf(service.client({ retries: once }).openPositions(OWNER));
      assert.ok(!JSON.stringify([error.message, error.serviceMessage, String(error.cause)]).includes(API_KEY), error.message);
    }
  });

  it('A failure never contains the key if the service sends it back escaped, encoded or broken', async () => {
    const unicode = Array.from(API_KEY, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const partly = API_KEY.replace('-', '\\u002D');
    const encoded = API_KEY.replaceAll('-', '%2d');
    for (const body of [
      `{"message":"Unknown key ${unicode}"}`,
      `{"error":{"message":"${partly}"}}`,
      `{"message":"no ${encoded}"}`,
      `no "${partly}"`,
      `{"message":"{\\"key\\":\\"${API_KEY}\\"}"}`,
    ]) {
      for (const status of [401, 500, 200]) {
        service.willAnswer({ status, body: status === 200 ? body.replace('{', '{"status":"error",') : body });
        const error = await failureOf(service.client({ retries: once }).openPositions(OWNER));
        const said = decodeURIComponent(JSON.stringify([error.message, error.serviceMessage, error.field, String(error.cause)]));
        assert.ok(!said.includes(API_KEY), said);
        assert.ok(!said.replace(/\\+u002d/gi, '-').includes(API_KEY), said);
      }
    }
  });

  it('Neither parse warnings nor the log contain a key that a record contains in escaped form', async () => {
    const unicode = Array.from(API_KEY, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const lines: string[] = [];
    for (const body of [
      `{"status":"success","data":[{"position":"${unicode}","id":"x","value":"${unicode}"}]}`,
      `{"status":"success","data":"${unicode}"}`,
    ]) {
      service.willAnswer({ body });
      const outcome = await service
        .client({ log: (_, line) => void lines.push(line) })
        .openPositions(OWNER)
        .then(({ warnings }) => JSON.stringify(warnings), String);
      assert.ok(!`${outcome} ${lines.join(' ')}`.includes(API_KEY), outcome);
    }
  });

  describe('Failures with a success status', () => {
    for (const [name, body] of [
      ['a status that is not "success"', { status: 'error', message: 'Insufficient balance' }],
      ['such a status within data', { data: { status: 'error', message: 'Insufficient balance' } }],
      ['an error in place of data', { error: 'Insufficient balance' }],
      ['success: false', { success: false, message: 'Insufficient balance', data: [] }],
    ] as const) {
      it(`The call is rejected if the body has ${name}`, async () => {
        service.willAnswer({ body });
        const error = await failureOf(service.client().openPositions(OWNER), 'rejected');
        assert.equal(error.message, 'The service refused the request (Insufficient balance).');
        assert.equal(error.serviceMessage, 'Insufficient balance');
        assert.equal(service.received.length, 1);
      });
    }

    for (const [name, answer, field, says] of [
      ['text', { body: 'OK' }, undefined, /is invalid: no JSON\. Check the setting binsight\.service\.baseUrl/],
      ['a web page', { body: '<html><title>Welcome</title></html>' }, undefined, /is invalid: a web page instead of JSON\./],
      ['half of the JSON', { body: '{"status":"success","data":[' }, undefined, /is invalid: no JSON\./],
      ['nothing', { body: '' }, 'data', /"data" is missing/],
      ['no data', { body: {} }, 'data', /"data" is missing/],
      ['a number', { body: '7' }, 'data', /"data" is missing/],
      ['data of another kind', success({ a: 1 }), 'data', /"data" is an object instead of a list/],
    ] as const) {
      it(`A success with ${name} is malformed, and the message names the endpoint`, async () => {
        service.willAnswer(answer);
        const error = await failureOf(service.client().openPositions(OWNER), 'malformed');
        assert.match(error.message, says);
        assert.match(error.message, /GET \/lp-positions\/opening/);
        assert.equal(error.field, field);
      });
    }
  });

  describe('Calls without an answer', () => {
    it('The message says that the connection was refused', async () => {
      const gone = await ScriptedService.start();
      const { baseUrl } = gone;
      await gone.stop();
      const error = await failureOf(service.client({ baseUrl, retries: once }).openPositions(OWNER), 'unreachable');
      assert.match(error.message, new RegExp(`^No connection to ${new URL(baseUrl).host} \\(ECONNREFUSED\\)\\. Check your network`));
    });

    it('The message says that the connection was lost', async () => {
      service.willAnswer((response) => response.destroy());
      const error = await failureOf(service.client({ retries: once }).openPositions(OWNER), 'unreachable');
      assert.match(error.message, /^No connection to .+ \(ECONNRESET\)\./);
    });

    it('A server without https is reported, and the call is not retried', async () => {
      let sent = 0;
      const baseUrl = parseBaseUrl(service.baseUrl.replace('http:', 'https:'));
      const client = service.client({ baseUrl, sleep: async () => void (sent += 1) });
      assert.match(
        (await failureOf(client.openPositions(OWNER), 'unreachable')).message,
        /^No connection to .+ \(\w+\)\. .*binsight\.service\.baseUrl/,
      );
      assert.equal(sent, 0);
    });

    for (const [name, thrown, says, attempts] of [
      ['a name that is not found', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, /No connection to .+ \(ENOTFOUND\)/, 3],
      [
        'a certificate that is not trusted',
        { code: 'SELF_SIGNED_CERT_IN_CHAIN' },
        /cannot be trusted \(SELF_SIGNED_CERT_IN_CHAIN\).*http\.systemCertificates/,
        1,
      ],
      ['a certificate that has expired', { code: 'CERT_HAS_EXPIRED' }, /cannot be trusted/, 1],
      ['a certificate for another name', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /cannot be trusted/, 1],
      ['a network without a way there', { code: 'ENETUNREACH', syscall: 'connect' }, /No connection to .+ \(ENETUNREACH\)/, 3],
      [
        'several addresses that all fail',
        { errors: [{ code: 'ECONNREFUSED', syscall: 'connect' }] },
        /No connection to .+ \(ECONNREFUSED\)/,
        3,
      ],
      ['something else', {}, /No connection to [^ ()]+\. Check your network/, 3],
    ] as const) {
      it(`The message reports the cause: ${name}`, async () => {
        let calls = 0;
        const client = service.client({
          fetch: async () => {
            calls += 1;
            throw new TypeError('fetch failed', { cause: Object.assign(new Error('low level'), thrown) });
          },
        });
        const error = await failureOf(client.openPositions(OWNER), 'unreachable');
        assert.match(error.message, says);
        assert.ok(error.cause instanceof TypeError);
        assert.equal(calls, attempts);
      });
    }
  });
});

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

describe('Responses with status 500', () => {
  for (const [name, body] of AT_FAULT) {
    it(`A 500 is attributed to the request if ${name}`, () => {
      assert.equal(isRequestAtFault(typeof body === 'string' ? body : JSON.stringify(body)), true);
    });
  }

  for (const [name, body] of UNCLEAR) {
    it(`A 500 may be temporary if ${name}`, () => {
      assert.equal(isRequestAtFault(typeof body === 'string' ? body : JSON.stringify(body)), false);
    });
  }

  describe('Retries', () => {
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

    it('A 500 that names a missing parameter is not retried, for reading and building calls', async () => {
      for (const call of [() => service.client().openPositions(OWNER), () => service.client().buildAdd(zapIn)]) {
        service.willAnswer(missing);
        const error = await failureOf(call(), 'rejected');
        assert.equal(service.received.length, 1);
        assert.equal(error.status, 500);
        assert.equal(error.message, 'The service refused the request (500: Amount X or Amount Y or Percent X is required).');
      }
    });

    it('A 500 that does not concern the request is retried, for reading and building calls', async () => {
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

    it('A 500 of a landing is not retried, and the landing may have succeeded, whatever the message', async () => {
      service.willAnswer(missing);
      const error = await failureOf(
        service.client().landDecrease({ closeTransactions: [CLOSE_TX], swapTransactions: [], lastValidBlockHeight: 1 }),
        'server',
      );
      assert.equal(service.received.length, 1);
      assert.equal(error.mayHaveLanded, true);
    });

    for (const status of [502, 503, 504]) {
      it(`A ${status} of a gateway is retried, unlike a 500 with the same message`, async () => {
        service.willAnswer({ ...missing, status }, success([]));
        await service.client().openPositions(OWNER);
        assert.equal(service.received.length, 2);
      });
    }

    it('A 501 is never retried, unlike an unclear 500', async () => {
      service.willAnswer({ status: 501, body: '' });
      await failureOf(service.client().openPositions(OWNER), 'server');
      assert.equal(service.received.length, 1);
    });
  });
});
