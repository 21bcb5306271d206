import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdSandboxLease, launchSandbox, parseSandboxLine } from '../../../src/ui/connection/sandboxLaunch';
import type { SandboxReady } from '../../../src/ui/connection/sandboxProcess';
import { SandboxError } from '../../../src/ui/shell/errors';
import { OWNER } from '../../support/portfolio/fixtures';
import { isRunning } from '../../support/isRunning';

const LINE = { url: 'http://127.0.0.1:4100/open-api/v1', apiKey: 'key', owner: OWNER, secretKey: 'very-secret', pid: 7 };

describe("The sandbox's ready line", () => {
  it('The ready line states where the sandbox is', () => {
    assert.deepEqual(parseSandboxLine(JSON.stringify({ ...LINE, more: true })), LINE);
  });

  it('An invalid ready line is refused in every field without being quoted', () => {
    const wrong: readonly unknown[] = [
      'no JSON very-secret',
      ...[
        { url: undefined },
        { url: 'http://192.168.1.5:4100/open-api/v1' },
        { apiKey: '' },
        { owner: 'nobody' },
        { secretKey: 5 },
        { pid: -1 },
        { pid: 1.5 },
      ].map((part) => ({ ...LINE, ...part })),
      null,
      [],
    ];
    for (const line of wrong) {
      assert.throws(
        () => parseSandboxLine(typeof line === 'string' ? line : JSON.stringify(line)),
        (error: unknown) => error instanceof SandboxError && !error.message.includes('very-secret'),
        JSON.stringify(line),
      );
    }
  });
});

describe('Launching the sandbox', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binsight-launch-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a program of these lines in the sandbox's place. */
  async function launch(program: string, timeoutMs = 10_000): Promise<SandboxReady> {
    const script = join(folder, 'program.mjs');
    await writeFile(script, program);
    return launchSandbox({ execPath: process.execPath, script, dataDir: join(folder, 'data'), timeoutMs });
  }

  it('The launch runs the sandbox as Node for this folder with a lease and returns its ready line', async () => {
    const ready = await launch(`
      import { writeFileSync } from 'node:fs';
      writeFileSync('seen.json', JSON.stringify({ given: process.argv.slice(2), node: process.env.ELECTRON_RUN_AS_NODE }));
      process.stdout.write('${JSON.stringify(LINE)}\\n');`);
    assert.deepEqual(ready, LINE);
    const data = join(folder, 'data');
    assert.deepEqual(JSON.parse(await readFile(join(data, 'seen.json'), 'utf8')), {
      given: ['--port', '0', '--data', data, '--seed', '7', '--lease'],
      node: '1',
    });
    assert.equal((await stat(data)).mode & 0o077, 0, 'no other user may look into the folder');
  });

  it('The launch returns the ready line of another sandbox that already serves the folder', async () => {
    const ready = await launch(
      `process.stderr.write('Another sandbox serves it.\\n'); process.stdout.write('${JSON.stringify(LINE)}\\n'); process.exitCode = 4;`,
    );
    assert.deepEqual(ready, LINE);
  });

  it('The launch reports in the process’s words that another sandbox holds the folder but is unreachable', async () => {
    const words = 'Another process holds /somewhere and does not answer.';
    await assert.rejects(
      launch(`process.stderr.write('${words}\\n'); process.exitCode = 4;`),
      (error: unknown) => error instanceof SandboxError && error.reason === 'failed' && error.message === words,
    );
  });

  it('The launch reports in the process’s words that the system cannot run the sandbox', async () => {
    const words = 'The sandbox cannot run on this system (plan9 x64): litesvm cannot be loaded.';
    for (const [program, message] of [
      [`process.stderr.write('(node:1) Warning: something\\n${words}\\n'); process.exitCode = 3;`, words],
      ['process.exitCode = 3;', 'Sandbox cannot run on this system. Nothing was changed. Connect to another service.'],
    ] as const) {
      await assert.rejects(
        launch(program),
        (error: unknown) => error instanceof SandboxError && error.reason === 'cannotRun' && error.message === message,
      );
    }
  });

  it('The launch puts the output of a failed process in the log and not in the message', async () => {
    await assert.rejects(launch("console.error('stack of things'); process.exitCode = 1;"), (error: unknown) => {
      assert.ok(error instanceof SandboxError && error.reason === 'failed');
      assert.match(error.message, /did not start \(exit code 1\)/);
      assert.ok(error.cause instanceof Error && error.cause.message.includes('stack of things'));
      return true;
    });
  });

  it('The sandbox keeps two logs, and a large log replaces the older one at the next start', async () => {
    const log = join(folder, 'data', 'sandbox.log');
    const says = (text: string, times: number): string =>
      `process.stderr.write('${text}\\n'.repeat(${times})); process.stdout.write('${JSON.stringify(LINE)}\\n');`;
    const ended = async (text: string): Promise<void> => {
      while (!(await readFile(log, 'utf8')).includes(text)) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await launch(says('first', 10));
    await launch(says('second', 200_000));
    await ended('second');
    assert.match(await readFile(log, 'utf8'), /^first\n/, 'one that is small goes on');
    await launch(says('third', 1));
    await ended('third');
    assert.equal(await readFile(log, 'utf8'), 'third\n');
    assert.match(await readFile(`${log}.1`, 'utf8'), /^first\n/);
    await launch(says('fourth', 200_000));
    await ended('fourth');
    await launch(says('fifth', 1));
    await ended('fifth');
    assert.equal(await readFile(log, 'utf8'), 'fifth\n');
    assert.match(await readFile(`${log}.1`, 'utf8'), /^third\nfourth\n/);
    assert.deepEqual((await readdir(join(folder, 'data'))).sort(), ['sandbox.log', 'sandbox.log.1']);
  });

  it('The launch passes --reset only if a new world is requested', async () => {
    const script = join(folder, 'program.mjs');
    await writeFile(
      script,
      `process.stdout.write(JSON.stringify({ ...${JSON.stringify(LINE)}, apiKey: String(process.argv.includes('--reset')) }) + '\\n');`,
    );
    const options = { execPath: process.execPath, script, dataDir: join(folder, 'data'), timeoutMs: 10_000 };
    assert.equal((await launchSandbox(options)).apiKey, 'false');
    assert.equal((await launchSandbox({ ...options, isReset: true })).apiKey, 'true');
  });

  it('The launch recognizes a damaged store from the process’s output and says what to do', async () => {
    const words =
      'The sandbox cannot start or continue: the store /x/sandbox.sqlite cannot be read (file is not a database). Only pretend money is in it. Start with --reset to make a new world; the old file is kept.';
    await assert.rejects(
      launch(`process.stderr.write('${words}\\n'); process.exitCode = 1;`),
      (error: unknown) =>
        error instanceof SandboxError && error.reason === 'damaged' && /Reset the world; the old file is kept\.$/.test(error.message),
    );
  });

  it('The launch ends a process with unexpected output and does not quote it', async () => {
    const program = `
      import { writeFileSync } from 'node:fs';
      writeFileSync('pid', String(process.pid));
      process.stdout.write('very-secret garbage\\n');
      setInterval(() => undefined, 1_000);`;
    await assert.rejects(
      launch(program),
      (error: unknown) =>
        error instanceof SandboxError &&
        error.reason === 'failed' &&
        /did not report its address/.test(error.message) &&
        !error.message.includes('very-secret'),
    );
    const pid = Number(await readFile(join(folder, 'data', 'pid'), 'utf8'));
    while (isRunning(pid)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it('The launch fails after a time limit', async () => {
    await assert.rejects(launch('setInterval(() => undefined, 1_000);', 300), /not ready after 0.3 seconds/);
  });

  it('The launch fails if the program is missing', async () => {
    await assert.rejects(
      launchSandbox({ execPath: join(folder, 'no-node'), script: 'x', dataDir: folder, timeoutMs: 1_000 }),
      SandboxError,
    );
  });
});

describe('A lease', () => {
  let server: Server;
  let held: ServerResponse[];
  let status = 200;

  beforeEach(async () => {
    held = [];
    status = 200;
    server = createServer((request, response) => {
      assert.equal(request.url, '/sandbox/lease');
      assert.equal(request.headers['x-api-key'], 'key');
      response.writeHead(status).flushHeaders();
      held.push(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const here = () => ({ ...LINE, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1` });

  it('A lease is held until it is released, and a release does not count as a break', async () => {
    let broken = 0;
    const lease = await holdSandboxLease(here(), () => (broken += 1));
    const [response] = held;
    assert.ok(response);
    const closed = new Promise((resolve) => response.once('close', resolve));
    lease.release();
    await closed;
    assert.equal(broken, 0);
  });

  it('A lease breaks once when the sandbox ends', async () => {
    let broken = 0;
    const told = new Promise<void>((resolve) => {
      void holdSandboxLease(here(), () => {
        broken += 1;
        resolve();
      }).then(() => server.closeAllConnections());
    });
    await told;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(broken, 1);
  });

  it('Holding a lease fails if the sandbox does not grant one', async () => {
    status = 401;
    await assert.rejects(
      holdSandboxLease(here(), () => assert.fail('it was never held')),
      SandboxError,
    );
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await assert.rejects(
      holdSandboxLease(LINE, () => assert.fail('it was never held')),
      SandboxError,
    );
  });
});
