import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { good, refused, send, type Answer } from '../support/sandbox/client';
import { type RunningChainService, runService, serviceFolder, startChainService } from '../support/chain/serviceProcess';
import { ScriptedNode } from '../support/rpc/scriptedNode';

const GENESIS = { getGenesisHash: { result: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' } };
const KEY = 'f00dfacecafe1234';

const Status = z.object({
  data: z.object({
    pid: z.int(),
    startedAt: z.iso.datetime(),
    rpc: z.object({ host: z.string(), requests: z.record(z.string(), z.int()) }),
    index: z.array(z.object({ owner: z.string(), state: z.string(), transactions: z.int(), left: z.int() })),
    landing: z.array(z.object({ operation: z.int(), kind: z.string(), transactions: z.int(), landed: z.int() })),
  }),
});

describe('The process of the service over a chain', () => {
  let node: ScriptedNode;
  let folder: ReturnType<typeof serviceFolder>;
  const running: RunningChainService[] = [];

  before(async () => (node = await ScriptedNode.start()));
  after(() => node.stop());
  beforeEach(() => {
    folder = serviceFolder();
    node.willAnswer(GENESIS);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')));
    folder.remove();
  });

  async function start(args: readonly string[] = [], rpcUrl: string = node.url(`/?api-key=${KEY}`)): Promise<RunningChainService> {
    const service = await startChainService({ rpcUrl, data: folder.path, args });
    running.push(service);
    return service;
  }

  const get = ({ url, apiKey }: RunningChainService, path: string): Promise<Answer> =>
    send('GET', path.startsWith('/status') ? new URL(path, url).href : `${url}${path}`, { 'x-api-key': apiKey });

  it('It prints one line when it is ready, has the same API key after a restart, and ends cleanly on both signals', async () => {
    const keys = new Set<string>();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const service = await start();
      assert.match(service.url, /^http:\/\/127\.0\.0\.1:\d+\/open-api\/v1$/);
      assert.equal(service.pid, service.ownPid);
      keys.add(service.apiKey);
      const { code, stdout, stderr } = await service.stop(signal);
      assert.equal(code, 0, stderr);
      assert.deepEqual(Object.keys(JSON.parse(stdout) as object), ['url', 'apiKey', 'pid']);
      assert.match(stderr, new RegExp(`^(?:There is no data API[^\\n]*\\n){2}Stopping: ${signal}\\.\\n$`));
    }
    assert.equal(keys.size, 1);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => /lock|wal|service\.json/.test(name)),
      [],
    );
  });

  it('A folder has one process: a second one prints the line of the first one and ends', async () => {
    const first = await start();
    const second = await runService(['--rpc', node.url(), '--data', folder.path]);
    assert.equal(second.code, 4);
    assert.deepEqual(JSON.parse(second.stdout), { url: first.url, apiKey: first.apiKey, pid: first.pid });
    assert.match(second.stderr, /Another service serves/);
  });

  it('A folder is taken over from a process that was killed', async () => {
    const killed = await start();
    await killed.stop('SIGKILL');
    const next = await start();
    assert.equal(next.apiKey, killed.apiKey);
    good(Status, await get(next, '/status'));
  });

  it('The status names the RPC by its host and counts its requests, and no secret is in it, in the log or in the folder', async () => {
    const service = await start();
    await get(service, '/pools/nonsense/info');
    const answer = await get(service, '/status');
    const { data } = good(Status, answer);
    assert.equal(data.pid, service.pid);
    assert.equal(data.rpc.host, new URL(node.url()).host);
    assert.equal(data.rpc.requests['getGenesisHash'], 1);
    const { stderr, stdout } = await service.stop();
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name), 'latin1'));
    for (const text of [JSON.stringify(answer.body), stderr, stdout, ...files]) {
      assert.ok(!text.includes(KEY), text.slice(0, 200));
    }
    if (process.platform !== 'win32') {
      readdirSync(folder.path).forEach((name) => assert.equal(statSync(join(folder.path, name)).mode & 0o077, 0, name));
    }
  });

  it('Requests need the API key and a host name of this machine, and web pages of other hosts get no answer', async () => {
    const { url, apiKey } = await start();
    const status = new URL('/status', url).href;
    assert.match(refused(401, await send('GET', status, {})), /x-api-key is required/);
    assert.match(refused(401, await send('GET', status, { 'x-api-key': 'wrong' })), /not valid/);
    refused(403, await send('GET', status, { 'x-api-key': apiKey, host: 'attacker.example' }));
    for (const origin of ['https://attacker.example', 'null', 'http://127.0.0.1.attacker.example']) {
      refused(403, await send('GET', status, { 'x-api-key': apiKey, origin }));
    }
    refused(404, await send('GET', `${url}/nothing`, { 'x-api-key': apiKey, origin: new URL(url).origin }));
  });

  it('If the RPC does not answer, requests get a clear error, and the service continues when it answers again', async () => {
    node.willAnswer({
      getGenesisHash: (response) => {
        response.writeHead(403);
        response.end();
      },
    });
    const service = await start();
    assert.match(refused(503, await get(service, '/pools/nonsense/info')), /does not allow getGenesisHash/);
    good(Status, await get(service, '/status'));
    node.willAnswer(GENESIS);
    refused(404, await get(service, '/nothing'));
  });

  it('A folder is not used with another chain', async () => {
    await get(await start(), '/pools/discover');
    await running[0]?.stop();
    node.willAnswer({ getGenesisHash: { result: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' } });
    assert.match(refused(503, await get(await start(), '/pools/discover')), /another chain/);
  });

  it('It ends when the last window has released it', async () => {
    const service = await start(['--lease', '--lease-seconds', '0.2']);
    const lease = await holdLease(service);
    lease.destroy();
    assert.match((await service.ended).stderr, /no client holds a lease/);
  });

  it('It names a wrong argument, and quotes no address', async () => {
    const { code, stderr } = await runService(['--rpc', `http://rpc.example/${KEY}`]);
    assert.equal(code, 2);
    assert.match(stderr, /https.*\nTry --help\.\n$/s);
    assert.ok(!stderr.includes(KEY), stderr);
    assert.match((await runService(['--help'])).stdout, /--rpc URL/);
  });

  it('A store that is damaged is named, and nothing is overwritten', async () => {
    const file = join(folder.path, 'landing.sqlite');
    const text = 'this is no database, however long it may be. '.repeat(100);
    writeFileSync(file, text);
    const { code, stderr } = await runService(['--rpc', node.url(), '--data', folder.path]);
    assert.equal(code, 1);
    assert.match(stderr, /^The service cannot start or continue: [^\n]*landing\.sqlite[^\n]*\n$/);
    assert.equal(readFileSync(file, 'utf8'), text);
  });
});

/** Opens a lease; resolves when it is held. */
function holdLease({ url, apiKey }: RunningChainService): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const lease = request(new URL('/lease', url), { headers: { 'x-api-key': apiKey }, agent: false }, (response) => {
      response.on('error', () => undefined);
      response.once('data', () => resolve(lease));
    });
    lease.on('error', reject);
    lease.end();
  });
}
