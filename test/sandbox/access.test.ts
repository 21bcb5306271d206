import assert from 'node:assert/strict';
import { SOL, refused, send } from '../support/sandbox/client';
import { useSandbox } from '../support/sandbox/useSandbox';

describe('Access to the sandbox', function () {
  const client = useSandbox();

  const PATHS = [
    ['GET', '/lp-positions/opening'],
    ['GET', '/lp-positions/historical'],
    ['GET', '/lp-positions/overview'],
    ['GET', '/pools/discover'],
    ['GET', `/pools/${SOL}/info`],
    ['GET', `/pools/${SOL}/top-lpers`],
    ['GET', '/token/balance'],
    ['POST', '/position/decrease-tx'],
    ['POST', '/position/landing-decrease-tx'],
    ['POST', '/position/decrease-quotes'],
    ['POST', `/pools/${SOL}/add-tx`],
    ['POST', '/pools/landing-add-tx'],
    ['GET', '/lp-positions/logs'],
    ['GET', `/lp-positions/revenue/${SOL}`],
    ['GET', '/lp-positions/position'],
    ['GET', `/pools/${SOL}/positions`],
    ['GET', `/pools/${SOL}/onchain-stats`],
    ['GET', '/nothing/here'],
    ['GET', '/../../sandbox/status'],
    ['GET', '/../../sandbox/lease'],
    ['POST', '/../../sandbox/advance'],
    ['POST', '/../../sandbox/shock'],
    ['GET', '/../../sandbox/audit'],
    ['PUT', '/../../sandbox/faults'],
    ['POST', '/../../sandbox/reset'],
    ['POST', '/../../rpc'],
  ] as const;

  for (const [method, path] of PATHS) {
    it(`${method} ${path} rejects every request without the right key`, async () => {
      const url = new URL(`${client().sandbox.url}${path}`).href;
      assert.match(refused(401, await send(method, url, {})), /x-api-key/);
      assert.match(refused(401, await send(method, url, { 'x-api-key': '' })), /x-api-key/);
      assert.match(refused(401, await send(method, url, { 'x-api-key': `${client().sandbox.apiKey}0` })), /not valid/);
    });
  }

  it('The sandbox answers only to its own host names', async () => {
    const url = `${client().sandbox.url}/pools/discover`;
    const port = new URL(url).port;
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`]) {
      refused(403, await client().send('GET', url, undefined, { host }));
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, '127.0.0.1']) {
      assert.equal((await client().send('GET', url, undefined, { host })).status, 200);
    }
  });

  it('The sandbox rejects requests from web pages', async () => {
    const preflight = await send('OPTIONS', `${client().sandbox.url}/pools/discover`, {
      origin: 'https://evil.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key',
    });
    assert.equal(preflight.status, 401);
    const { url, apiKey } = client().sandbox;
    const rpc = new URL(`/rpc/?api-key=${apiKey}`, url).href;
    refused(403, await send('POST', rpc, { origin: 'https://evil.example' }, '{"jsonrpc":"2.0","id":1,"method":"getHealth"}'));
  });

  it('The sandbox ignores a slash at the end of a path', async () => {
    const { url, apiKey } = client().sandbox;
    assert.equal((await client().get('/pools/discover/')).status, 200);
    refused(401, await send('GET', `${url}/pools/discover/`, {}));
    const rpc = await send('POST', new URL(`/rpc/?api-key=${apiKey}`, url).href, {}, '{"jsonrpc":"2.0","id":1,"method":"getHealth"}');
    assert.deepEqual(rpc.body, { jsonrpc: '2.0', id: 1, result: 'ok' });
  });

  it('The sandbox answers unknown paths with JSON', async () => {
    assert.match(refused(404, await client().get('/lp-positions/closing')), /There is no GET/);
    refused(404, await client().post('/pools/discover', {}));
  });

  it('The sandbox rejects bodies that are not JSON objects or are too large', async () => {
    const url = `${client().sandbox.url}/position/decrease-tx`;
    for (const body of ['', '{', '[]', 'null', '"text"', '5']) {
      assert.match(refused(400, await client().send('POST', url, body)), /body/);
    }
    const large = JSON.stringify({ position_id: 'x'.repeat(700_000) });
    assert.match(refused(413, await client().send('POST', url, large)), /larger/);
  });
});
