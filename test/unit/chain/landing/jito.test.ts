import assert from 'node:assert/strict';
import { JitoClient, type JitoFetch } from '../../../../src/chain/landing/jito';
import { AutoClock } from '../../../support/chain/autoClock';

const KEY = 'f00dfacecafe1234';

interface EngineAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A client of an engine that gives these answers, one after the other. */
function client(answers: readonly (EngineAnswer | 'no answer')[]): { jito: JitoClient; clock: AutoClock; times: number[]; urls: string[] } {
  const clock = new AutoClock();
  const [times, urls]: [number[], string[]] = [[], []];
  const fetch: JitoFetch = async (url) => {
    const answer = answers[times.length] ?? 'no answer';
    times.push(clock.now());
    urls.push(url);
    if (answer === 'no answer') {
      throw new TypeError(`fetch failed: ${url}`);
    }
    const { status = 200, headers = {}, body } = answer;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers: { ...headers } });
  };
  return {
    jito: new JitoClient(`https://engine.example/?uuid=${KEY}`, new AbortController().signal, { fetch, clock }),
    clock,
    times,
    urls,
  };
}

const BUNDLE = [new Uint8Array([1, 2, 3])];

describe('The block engine', () => {
  it('A bundle is sent to the path of bundles, with the key of the address, and the answer is its id', async () => {
    const { jito, urls } = client([{ body: { result: 'id' } }]);
    assert.deepEqual(await jito.send(BUNDLE), { kind: 'accepted', id: 'id' });
    assert.deepEqual(urls, [`https://engine.example/api/v1/bundles?uuid=${KEY}`]);
  });

  for (const [what, answer, kind] of [
    ['429', { status: 429, body: { error: { code: -32097, message: 'Rate limit exceeded' } } }, 'unclear'],
    [
      'Congestion with status 200',
      { body: { error: { code: -32602, message: 'Network congested. Endpoint is globally rate limited.' } } },
      'unclear',
    ],
    ['A failure of the engine', { status: 502, body: '<html>' }, 'unclear'],
    ['An internal error', { body: { error: { code: -32603, message: 'Internal error' } } }, 'unclear'],
    ['Half an answer', { body: '{"result":' }, 'unclear'],
    ['An answer without an id', { body: { result: null } }, 'unclear'],
    ['No answer', 'no answer', 'unclear'],
    [
      'A refusal',
      { status: 400, body: { error: { code: -32602, message: 'Bundles must write lock at least one tip account' } } },
      'refused',
    ],
  ] as const) {
    it(`${what} to a bundle is ${kind === 'refused' ? 'a refusal' : 'unclear: the bundle may have been accepted'}, and names no key`, async () => {
      const answered = await client([answer]).jito.send(BUNDLE);
      assert.equal(answered.kind, kind, JSON.stringify(answered));
      assert.ok(!JSON.stringify(answered).includes(KEY));
    });
  }

  it('A key that the engine quotes is not in the reason', async () => {
    const { jito } = client([{ status: 400, body: { error: { code: -32000, message: `uuid ${KEY} is not known` } } }]);
    assert.deepEqual(await jito.send(BUNDLE), { kind: 'refused', reason: 'The block engine answered: uuid [key] is not known' });
  });

  it('Requests are spaced, and after a 429 wait as long as the engine asks, at most ten seconds', async () => {
    const { jito, times } = client([
      { body: { result: 'id' } },
      { status: 429, headers: { 'retry-after': '3' } },
      { status: 429, headers: { 'retry-after': '600' } },
      { body: { result: { value: [{ bundle_id: 'id' }] } } },
    ]);
    await jito.send(BUNDLE);
    await jito.send(BUNDLE);
    await jito.send(BUNDLE);
    assert.equal(await jito.isInBlock('id'), true);
    const [first = 0, second = 0, third = 0, fourth = 0] = times;
    assert.ok(second - first >= 250 && third - second >= 3_000 && fourth - third >= 10_000 && fourth - third < 11_000, String(times));
  });
});
