import assert from 'node:assert/strict';
import { closeSync, cpSync, openSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import { ServiceError } from '../../src/service/errors';
import { resetWorldCommands } from '../../src/ui/sandbox/resetWorldCommand';
import { describeUserError } from '../../src/ui/shell/commands/errorMessage';
import type { Prompts } from '../../src/ui/shell/prompts/prompts';
import { resetWorld } from '../../src/ui/sandbox/sandboxControls';
import * as launcher from '../../src/ui/connection/sandboxLaunch';
import { superviseSandbox } from '../../src/ui/connection/sandboxProcess';
import { address } from '../../src/base/solana/address';
import { refused, TestClient, type Answer } from '../support/sandbox/client';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { runSandbox, sandboxExecutable, SHORT_PAST, startSandbox, temporaryFolder, type RunningSandbox } from '../support/sandbox/process';

const STORE = 'sandbox.sqlite';
const PAGE_BYTES = 4_096;

describe('A damaged store', function () {
  let original: string;
  let data: string;

  before(async () => (original = await copyOfNewWorld({ hasShortPast: true })));
  after(() => rmSync(original, { recursive: true, force: true }));
  beforeEach(() => {
    data = temporaryFolder();
    cpSync(original, data, { recursive: true });
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  const damages: Readonly<Record<string, (file: string) => void>> = {
    'is no database': (file) => writeFileSync(file, 'this is no database, however long it may be. '.repeat(100)),
    'was cut off': (file) => truncateSync(file, 20_000),
    'was cut off within its first page': (file) => truncateSync(file, 700),
    'is of a later version': (file) => {
      const database = new sqlite.Database(file);
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      database.exec('PRAGMA user_version = 999');
      database.close();
    },
    'has another form': (file) => {
      const database = new sqlite.Database(file);
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      database.exec('DROP TABLE meta');
      database.close();
    },
  };

  for (const [name, damage] of Object.entries(damages)) {
    it(`The sandbox reports in one line that its store ${name}, names a remedy, and changes nothing`, async () => {
      const file = join(data, STORE);
      damage(file);
      const before = readFileSync(file);
      const { code, stdout, stderr } = await runSandbox(['--data', data]);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(
        stderr,
        /^The sandbox cannot start or continue: the store [^\n]+sandbox\.sqlite cannot be read \([^\n]+\)\. Only pretend money is in it\. Start with --reset to make a new world; the old file is kept\.\n$/,
      );
      assert.ok(readFileSync(file).equals(before));
    });
  }

  it('The sandbox reports damaged pages that no start reads at once after the process before was killed', async () => {
    const file = join(data, STORE);
    await (await startSandbox({ data })).stop('SIGKILL');
    const handle = openSync(file, 'r+');
    const { size } = statSync(file);
    writeSync(handle, Buffer.alloc(20 * PAGE_BYTES, 0xff), 0, 20 * PAGE_BYTES, Math.floor(size / 2 / PAGE_BYTES) * PAGE_BYTES);
    closeSync(handle);
    const { code, stderr } = await runSandbox(['--data', data]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^The sandbox cannot start or continue: the store [^\n]+ cannot be read \([^\n]+\)\.[^\n]+the old file is kept\.\n$/,
    );
  });

  describe('Damage in rows that only some requests read', () => {
    let sandbox: RunningSandbox;
    let client: TestClient;

    beforeEach(async () => {
      const database = new sqlite.Database(join(data, STORE));
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      database.exec("UPDATE position SET closing = 'nonsense' WHERE closed_at IS NOT NULL");
      database.close();
      sandbox = await startSandbox({ data, args: SHORT_PAST });
      client = new TestClient(sandbox);
    });
    afterEach(() => sandbox.stop('SIGKILL'));

    const historical = (): Promise<Answer> => client.get('/lp-positions/historical', { owner: sandbox.owner });

    it('Requests that read damaged rows get an error with a remedy, others work, and the log has one line', async () => {
      for (let count = 0; count < 3; count += 1) {
        const said = refused(500, await historical());
        assert.match(
          said,
          /^The store of the sandbox cannot be read\. Reset its world to make a new one; only pretend money is lost, and the old file is kept \([^\n]+\)\.$/,
        );
      }
      assert.ok((await client.opening()).length > 0);
      const { stderr } = await sandbox.stop();
      const [said, ...others] = stderr.trim().split('\n');
      assert.match(
        said ?? '',
        /^GET \/open-api\/v1\/lp-positions\/historical failed: the store [^\n]+ cannot be read [^\n]+ the old file is kept\.$/,
      );
      assert.deepEqual(others, ['Stopping: SIGINT.']);
    });

    it('A reset makes a new world and keeps key, owner and the old file with a date in its name', async () => {
      refused(500, await historical());
      assert.equal((await client.control('reset')).status, 200);
      assert.equal((await historical()).status, 200);
      assert.ok((await client.opening()).length > 0);
      assert.deepEqual(await client.audit(), []);
      const aside = readdirSync(data).filter((name) => /^sandbox\.sqlite\.\d{8}T\d{6}Z$/.test(name));
      assert.equal(aside.length, 1);
      const old = new sqlite.Database(join(data, aside[0] ?? ''));
      old.exec('PRAGMA locking_mode = EXCLUSIVE');
      assert.ok(Number(old.get("SELECT count(*) AS count FROM position WHERE closing = 'nonsense'")?.['count']) > 0);
      old.close();
      const { stderr } = await sandbox.stop();
      assert.match(stderr, /\nThe old world was set aside as [^\n]+\n/);
      const again = await startSandbox({ data });
      assert.deepEqual([again.owner, again.apiKey], [sandbox.owner, sandbox.apiKey]);
      await again.stop();
    });

    it('The editor recognizes the failure by its message and offers to reset the world', async () => {
      const service = createLiquidityService({ baseUrl: parseBaseUrl(sandbox.url), apiKey: sandbox.apiKey });
      const failure: unknown = await service.closedPositions({ owner: address(sandbox.owner) }).catch((error: unknown) => error);
      assert.ok(failure instanceof ServiceError, String(failure));
      assert.deepEqual(describeUserError(failure)?.remedies[0], { label: 'Reset World…', command: 'binsight.resetSandboxWorld' });
    });
  });

  it('The reset button of the editor starts a sandbox that could not start and keeps the old file', async () => {
    const file = join(data, STORE);
    damages['is no database']?.(file);
    const before = readFileSync(file);
    const supervisor = superviseSandbox(
      { script: sandboxExecutable(), dataDir: data },
      () => undefined,
      () => Promise.resolve(launcher),
    );
    try {
      const failure: unknown = await supervisor.start().catch((error: unknown) => error);
      const worded = describeUserError(failure);
      assert.match(worded?.message ?? '', /^The sandbox cannot read its pretend world\. Reset the world/);
      const [button] = worded?.remedies ?? [];
      assert.deepEqual(button, { label: 'Reset World…', command: 'binsight.resetSandboxWorld' });
      const told: string[] = [];
      const prompts: Pick<Prompts, 'confirm' | 'notify'> = {
        confirm: ({ actions }) => Promise.resolve(actions.find((action) => action === 'Reset World')),
        notify: ({ message }) => Promise.resolve(void told.push(message)),
      };
      const commands = resetWorldCommands({
        prompts: prompts as Prompts,
        service: () => ({ kind: 'sandbox', id: 'sandbox', name: 'Sandbox' }) as never,
        sandbox: supervisor,
        resetWorld,
        reconnect: () => Promise.resolve(),
      });
      await commands['binsight.resetSandboxWorld'](undefined);
      assert.deepEqual(told, ['The sandbox has a new world.']);
      const ready = await supervisor.start();
      assert.ok((await new TestClient(ready).opening()).length > 0);
      const aside = readdirSync(data).filter((name) => /^sandbox\.sqlite\.\d{8}T\d{6}Z$/.test(name));
      assert.deepEqual(
        aside.map((name) => readFileSync(join(data, name)).equals(before)),
        [true],
      );
    } finally {
      const { state } = supervisor;
      supervisor.stop();
      if (state.kind === 'running') {
        process.kill(state.ready.pid, 'SIGKILL');
      }
    }
  });

  it('The option --reset makes a new world and keeps the old file with a date in its name', async () => {
    const file = join(data, STORE);
    damages['is no database']?.(file);
    const before = readFileSync(file);
    const sandbox = await startSandbox({ data, args: ['--reset', ...SHORT_PAST] });
    try {
      assert.ok((await new TestClient(sandbox).opening()).length > 0);
      const aside = readdirSync(data).filter((name) => /^sandbox\.sqlite\.\d{8}T\d{6}Z$/.test(name));
      assert.equal(aside.length, 1);
      assert.ok(readFileSync(join(data, aside[0] ?? '')).equals(before));
    } finally {
      const { stderr } = await sandbox.stop();
      assert.match(stderr, /The old world was set aside as /);
    }
  });
});
