import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { request, type ClientRequest } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { landed, TestClient } from '../support/sandbox/client';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { runSandbox, SHORT_PAST, startSandbox, type ReadyLine, type RunningSandbox } from '../support/sandbox/process';

/** Of a delayed answer. */
const LATENCY_MS = 60_000;

describe('The sandbox process', function () {
  let data: string;
  const running: RunningSandbox[] = [];

  async function start(args: readonly string[] = [], seed = 7): Promise<RunningSandbox> {
    const sandbox = await startSandbox({ data, seed, args });
    running.push(sandbox);
    return sandbox;
  }

  beforeEach(async () => {
    data = await copyOfNewWorld({ hasShortPast: true });
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((sandbox) => sandbox.stop('SIGKILL')));
    rmSync(data, { recursive: true, force: true });
  });

  it('The sandbox prints exactly one line of JSON on standard output and everything else elsewhere', async () => {
    const sandbox = await start();
    const { stdout, code } = await sandbox.stop();
    assert.equal(code, 0);
    assert.match(stdout, /^\{[^\n]+\}\n$/);
    const line = JSON.parse(stdout) as ReadyLine;
    assert.deepEqual(Object.keys(line).sort(), ['apiKey', 'owner', 'pid', 'secretKey', 'url']);
    assert.match(line.url, /^http:\/\/127\.0\.0\.1:\d+\/open-api\/v1$/);
    assert.equal(bs58.decode(line.secretKey).length, 64);
    assert.equal(bs58.encode(bs58.decode(line.secretKey).subarray(32)), line.owner);
    assert.equal(line.pid, sandbox.pid);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`The sandbox ends on ${signal} faster than it started, even with open connections, and leaves only its data`, async () => {
      const started = performance.now();
      const sandbox = await start(['--lease']);
      const startMs = performance.now() - started;
      const lease = await holdLease(sandbox);
      const sent = performance.now();
      const { code } = await sandbox.stop(signal);
      assert.equal(code, 0);
      const stopMs = performance.now() - sent;
      assert.ok(stopMs < startMs, `took ${stopMs} ms to end, and ${startMs} ms to start`);
      lease.destroy();
      assert.deepEqual(readdirSync(data), ['sandbox.sqlite']);
    });
  }

  it('The sandbox ends without waiting for delayed requests and executes none of them', async () => {
    const sandbox = await start();
    const client = new TestClient(sandbox);
    const position = await client.anyPosition();
    const built = await client.decrease(position.id, 10_000);
    await client.setFaults({ kind: 'latency', ms: LATENCY_MS, times: 1 });
    const waiting = assert.rejects(client.landDecrease(built));
    while ((await client.status()).faults.length > 0) {
      // Asks again until the request has come in.
    }
    const sent = performance.now();
    const { code, stderr } = await sandbox.stop();
    assert.equal(code, 0, stderr);
    assert.ok(performance.now() - sent < LATENCY_MS / 2, `took ${performance.now() - sent} ms`);
    await waiting;
    const again = new TestClient(await start());
    assert.ok(await again.position(position.position));
    assert.deepEqual(await again.audit(), []);
  });

  it('A restart on the same folder keeps owner, key, positions, balances and landed bundles', async () => {
    const first = await start();
    const client = new TestClient(first);
    const [position, open] = [await client.anyPosition(), (await client.opening()).length];
    const built = await client.decrease(position.id, 10_000);
    const signature = landed(await client.landDecrease(built));
    const sol = await client.balance('So11111111111111111111111111111111111111112');
    await first.stop();

    const second = await start();
    assert.deepEqual([second.apiKey, second.owner, second.secretKey], [first.apiKey, first.owner, first.secretKey]);
    const again = new TestClient(second);
    assert.equal(await again.balance('So11111111111111111111111111111111111111112'), sol);
    assert.equal(await again.position(position.position), undefined);
    assert.equal((await again.opening()).length, open - 1);
    assert.equal(landed(await again.landDecrease(built)), signature);
    assert.deepEqual(await again.audit(), []);
  });

  it('A killed sandbox has kept everything that it answered', async () => {
    const first = await start();
    const client = new TestClient(first);
    const position = await client.anyPosition();
    const signature = landed(await client.landDecrease(await client.decrease(position.id, 10_000)));
    await first.stop('SIGKILL');

    const again = new TestClient(await start());
    assert.ok(signature.length > 0);
    assert.equal(await again.position(position.position), undefined);
  });

  it('The same seed makes the same world, and another seed makes another one', async () => {
    const of = async (seed: number): Promise<unknown> => {
      const sandbox = await startSandbox({ seed, args: SHORT_PAST });
      try {
        const opening = await new TestClient(sandbox).opening();
        return {
          owner: sandbox.owner,
          positions: opening.map(({ position, pool, tickLower, tickUpper, inputNative }) => ({
            position,
            pool,
            tickLower,
            tickUpper,
            inputNative,
          })),
        };
      } finally {
        await sandbox.stop();
      }
    };
    const [seven, sevenAgain, eight] = await Promise.all([of(7), of(7), of(8)]);
    assert.deepEqual(sevenAgain, seven);
    assert.notDeepEqual(eight, seven);
  });

  it('A folder in use is refused with an exit code, a message and the ready line of its holder', async () => {
    const first = await start();
    const second = await runSandbox(['--data', data, '--seed', '9']);
    assert.equal(second.code, 4);
    const { url, apiKey, owner, secretKey, pid } = first;
    assert.deepEqual(JSON.parse(second.stdout), { url, apiKey, owner, secretKey, pid });
    assert.match(second.stderr, /^Another sandbox serves [^\n]+\n$/);
    for (const said of [data, `process ${pid}`, url, '--data']) {
      assert.ok(second.stderr.includes(said), `${said} is not in: ${second.stderr}`);
    }
    assert.ok(!second.stderr.includes(apiKey) && !second.stderr.includes(secretKey));
    assert.ok((await new TestClient(first).opening()).length > 0);
  });

  it('One of several sandboxes started at once serves the folder, and the others are refused', async () => {
    const all = await Promise.all([start(), start(), start()]);
    assert.equal(new Set(all.map(({ pid, url }) => `${pid} ${url}`)).size, 1);
    const refused = all.filter(({ pid, ownPid }) => pid !== ownPid);
    assert.equal(refused.length, 2);
    for (const { ended } of refused) {
      assert.equal((await ended).code, 4);
    }
  });

  it('The sandbox starts without a folder and makes a private one', async () => {
    const folder = join(data, 'some', 'folder');
    const sandbox = await startSandbox({ data: folder, seed: 11, args: SHORT_PAST });
    running.push(sandbox);
    assert.equal((await new TestClient(sandbox).status()).seed, 11);
    assert.equal(statSync(folder).mode & 0o077, 0);
  });

  it('The sandbox accepts a given key and keeps it', async () => {
    const first = await start(['--api-key', 'open-sesame']);
    assert.equal(first.apiKey, 'open-sesame');
    await first.stop();
    const second = await start();
    assert.equal(second.apiKey, 'open-sesame');
    assert.ok((await new TestClient(second).opening()).length > 0);
    await second.stop();
    assert.equal((await start(['--api-key', 'other'])).apiKey, 'other');
  });

  it('The sandbox exits with code 1 if it cannot save, and the next start continues from the saved state', async () => {
    await (await start()).stop();
    const size = statSync(join(data, 'sandbox.sqlite')).size;
    const sandbox = await startSandbox({ data, mostFileBytes: size + 100_000 });
    running.push(sandbox);
    const client = new TestClient(sandbox);
    let now = '';
    await assert.rejects(async () => {
      for (;;) {
        await client.control('advance', { ms: 86_400_000 });
        ({ now } = await client.status());
      }
    }, /hang up|ECONNRE/);
    const { code, stderr } = await sandbox.ended;
    assert.equal(code, 1);
    assert.match(stderr, /The sandbox cannot start or continue: /);

    const again = new TestClient(await start());
    assert.ok((await again.status()).now >= now);
    assert.deepEqual(await again.audit(), []);
  });

  it('The sandbox takes over the folder of a process that has ended', async () => {
    const first = await start();
    await first.stop('SIGKILL');
    assert.ok(readdirSync(data).includes('sandbox.lock'));
    const second = await start();
    assert.notEqual(second.pid, first.pid);
    assert.equal(second.owner, first.owner);
  });

  it('The sandbox takes over a folder whose lock was left during a start', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(data, 'sandbox.lock'), `${pid} left-behind`);
    await start();
  });

  it('The files of the sandbox are readable only for their user', async () => {
    await start();
    for (const name of readdirSync(data).filter((file) => !statSync(join(data, file)).isDirectory())) {
      assert.equal(statSync(join(data, name)).mode & 0o077, 0, name);
    }
  });

  it('The sandbox listens only on 127.0.0.1', async () => {
    const port = Number(new URL((await start()).url).port);
    assert.equal(await connects('127.0.0.1', port), true);
    const others = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const foreign = others.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
    for (const address of ['127.0.0.2', '::1', ...foreign]) {
      assert.equal(await connects(address, port), false, address);
    }
  });

  it('The sandbox ends when the last lease is released, and not before', async () => {
    const sandbox = await start(['--lease', '--lease-seconds', '0.3']);
    const [first, second] = await Promise.all([holdLease(sandbox), holdLease(sandbox)]);
    first.destroy();
    const early = await Promise.race([sandbox.ended.then(() => 'ended'), new Promise((resolve) => setTimeout(resolve, 1_000, 'serves'))]);
    assert.equal(early, 'serves');
    second.destroy();
    assert.equal((await sandbox.ended).code, 0);
    assert.deepEqual(readdirSync(data), ['sandbox.sqlite']);
  });

  it('The sandbox saves and ends normally even if its output is no longer read', async () => {
    const sandbox = await start(['--lease', '--lease-seconds', '0.1']);
    const lease = await holdLease(sandbox);
    sandbox.deafen();
    lease.destroy();
    assert.equal((await sandbox.ended).code, 0);
    assert.deepEqual(readdirSync(data), ['sandbox.sqlite']);
  });

  // test/unit/sandbox/arguments.test.ts has all that is refused.
  it('The sandbox rejects an option out of bounds and changes nothing', async () => {
    const { code, stdout, stderr } = await runSandbox(['--data', join(data, 'new'), '--past-days', '91']);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /--past-days must be a whole number from 1 to 90/);
    assert.deepEqual(readdirSync(data), ['sandbox.sqlite']);
  });

  it('The sandbox prints help', async () => {
    const { code, stdout } = await runSandbox(['--help']);
    assert.equal(code, 0);
    for (const option of [
      'port',
      'data',
      'seed',
      'past-days',
      'api-key',
      'protocol',
      'price-speed',
      'indexing-lag',
      'slot-ms',
      'transactions',
      'rent-lamports-per-byte',
      'rate-limit',
      'lease',
      'lease-seconds',
    ]) {
      assert.ok(stdout.includes(`--${option} `), option);
    }
  });

  it('A missing virtual machine is reported in a sentence with its own exit code', async () => {
    const { code, stdout, stderr } = await runSandbox(['--data', data], { NAPI_RS_NATIVE_LIBRARY_PATH: join(data, 'missing.node') });
    assert.equal(code, 3);
    assert.equal(stdout, '');
    assert.match(stderr, /^The sandbox cannot run on this system \([^\n]+\n$/);
    assert.deepEqual(readdirSync(data), ['sandbox.sqlite']);
  });

  it('A port in use and a foreign data folder are reported', async () => {
    const port = new URL((await start()).url).port;
    const other = join(data, 'other');
    cpSync(await copyOfNewWorld({ hasShortPast: true }), other, { recursive: true });
    const taken = await runSandbox(['--data', other, '--port', port]);
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /EADDRINUSE/);

    const broken = join(data, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'sandbox.sqlite'), 'this is no database, however long it may be. '.repeat(100));
    const refused = await runSandbox(['--data', broken]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^The sandbox cannot start or continue: [^\n]+\n$/);
  });
});

/** Opens a lease; resolves when it is held. */
function holdLease(sandbox: ReadyLine): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const lease = request(
      new URL('/sandbox/lease', sandbox.url),
      { headers: { 'x-api-key': sandbox.apiKey }, agent: false },
      (response) => {
        response.on('error', () => undefined);
        response.once('data', () => resolve(lease));
      },
    );
    lease.on('error', reject);
    lease.end();
  });
}

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
