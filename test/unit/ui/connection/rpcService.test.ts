import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRpcUrl, type RpcUrl } from '../../../../src/base/solana/rpcUrl';
import type { ServiceReady } from '../../../../src/ui/connection/processKind';
import { folderName, launchRpcService } from '../../../../src/ui/connection/rpcLaunch';
import { RPC_PROCESS, RpcService } from '../../../../src/ui/connection/rpcService';
import { ServiceProcess } from '../../../../src/ui/connection/serviceProcess';
import { ConnectionError, RpcServiceError } from '../../../../src/ui/shell/errors';
import { describeError, REDACTED } from '../../../../src/ui/shell/log';
import { MAINNET_GENESIS_HASH } from '../../../../src/ui/shell/serviceChoice';

const RPC = parseRpcUrl('https://rpc.example.org/v2/S3cretS3cret');
const OTHER = parseRpcUrl('https://other.example.org/');
const LINE = { url: 'http://127.0.0.1:4300/open-api/v1', apiKey: 'key', pid: 9 };

describe('Launching the local service', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binsight-service-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function launch(program: string): Promise<ServiceReady> {
    const script = join(folder, 'program.mjs');
    await writeFile(script, program);
    return launchRpcService({ script, dataDir: join(folder, 'data'), execPath: process.execPath, timeoutMs: 10_000 }, RPC, {
      more: ['--rpc-rps', '4'],
      environment: { HTTPS_PROXY: 'http://me:S3cretProxy@proxy.example.org' },
      secrets: ['S3cretProxy'],
    });
  }

  it('The address of the RPC is in the environment of the process and nowhere in its arguments or files', async () => {
    const ready = await launch(`
      import { writeFileSync } from 'node:fs';
      writeFileSync('seen.json', JSON.stringify({ given: process.argv.slice(2), isAddressed: process.env.BINSIGHT_RPC_URL === '${RPC}', proxy: process.env.HTTPS_PROXY }));
      process.stdout.write('${JSON.stringify({ ...LINE, more: 1 })}\\n');`);
    assert.deepEqual(ready, LINE);
    const data = join(folder, 'data');
    assert.deepEqual(JSON.parse(await readFile(join(data, 'seen.json'), 'utf8')), {
      given: ['--port', '0', '--data', data, '--lease', '--rpc-rps', '4'],
      isAddressed: true,
      proxy: 'http://me:S3cretProxy@proxy.example.org',
    });
    assert.equal(process.env['BINSIGHT_RPC_URL'], undefined, 'no other process may inherit it');
    assert.deepEqual((await readdir(data)).sort(), ['seen.json', 'service.log']);
  });

  it('What a failed process says reaches the user and the log without the address', async () => {
    const says = `The service cannot run: ${RPC} with S3cretS3cret and S3cretProxy`;
    for (const code of [1, 3, 4]) {
      const error: unknown = await launch(`process.stderr.write('${says}\\n'); process.exitCode = ${code};`).catch(
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof RpcServiceError);
      const text = describeError(error);
      assert.doesNotMatch(text, /S3cret/);
      assert.ok(text.includes(REDACTED));
    }
  });

  it('Damaged data is recognized from what the process says, which the log has', async () => {
    for (const says of [
      'landing.sqlite in the data folder cannot be read (file is not a database). Move it elsewhere to make a new one.',
      'identity.json in the data folder is not what the service writes. Remove it to make a new API key.',
    ]) {
      const error: unknown = await launch(`process.stderr.write('${says}\\n'); process.exitCode = 1;`).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof RpcServiceError && error.reason === 'damaged');
      assert.ok(describeError(error).includes(says));
    }
  });

  it('The ready line of the local service is checked like that of the sandbox', async () => {
    for (const line of [
      { ...LINE, url: 'http://192.168.1.5:4100/v1' },
      { ...LINE, apiKey: '' },
      { ...LINE, pid: 0 },
    ]) {
      await assert.rejects(
        launch(`process.stdout.write('${JSON.stringify(line)}\\n');`),
        (error: unknown) =>
          error instanceof RpcServiceError && /^Local service did not start \(its "(url|apiKey|pid)" is/.test(error.message),
      );
    }
  });

  it('Each address has its own data folder, whose name does not reveal it', () => {
    const names = [RPC, OTHER].map(folderName);
    assert.equal(new Set(names).size, 2);
    for (const name of names) {
      assert.match(name, /^[0-9a-f]{16}$/);
    }
  });
});

/** A local service that exists only as the extension sees it. */
class World {
  readonly events: string[] = [];
  readonly asked: RpcUrl[] = [];
  chain: string | Promise<string> | ConnectionError = MAINNET_GENESIS_HASH;
  crash: () => void = () => undefined;
  pid = 0;
  readonly service = new RpcService({
    supervise: (target) =>
      new ServiceProcess<ServiceReady>(RPC_PROCESS, {
        launch: () => {
          this.events.push(`started for ${target()?.url ?? 'none'}`);
          this.pid += 1;
          return Promise.resolve({ ...LINE, pid: this.pid });
        },
        holdLease: ({ pid }, onBroken) => {
          this.crash = onBroken;
          return Promise.resolve({ release: () => void this.events.push(`released ${pid}`) });
        },
        delay: () => Promise.resolve(),
        now: () => 0,
        log: () => undefined,
      }),
    readGenesisHash: async (url) => {
      this.asked.push(url);
      if (this.chain instanceof ConnectionError) {
        throw this.chain;
      }
      return this.chain;
    },
  });
}

const mainnet = (url: RpcUrl) => ({ url, genesisHash: MAINNET_GENESIS_HASH, apis: {} });

describe('The local service of a Solana RPC', () => {
  it('The process starts once for any number of callers, after the RPC has named its chain', async () => {
    const { service, events, asked } = new World();
    const [one, other] = await Promise.all([service.start(mainnet(RPC)), service.start(mainnet(RPC))]);
    assert.equal(one, other);
    assert.equal(await service.start(mainnet(RPC)), one);
    assert.deepEqual([events, asked], [[`started for ${RPC}`], [RPC]]);
  });

  it('No process starts for an RPC that does not answer, and the next attempt asks it again', async () => {
    const world = new World();
    world.chain = new ConnectionError('rpcUnavailable', 'No answer.');
    await assert.rejects(world.service.start(mainnet(RPC)), ConnectionError);
    assert.deepEqual([world.events, world.service.process.state.kind], [[], 'stopped']);
    world.chain = MAINNET_GENESIS_HASH;
    assert.equal((await world.service.start(mainnet(RPC))).pid, 1);
    assert.equal(world.asked.length, 2);
  });

  it('An RPC that has become one of another chain is not read', async () => {
    const world = new World();
    world.chain = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
    await assert.rejects(
      world.service.start(mainnet(RPC)),
      (error: unknown) => error instanceof ConnectionError && error.reason === 'rpcRefused' && /another chain/.test(error.message),
    );
    assert.deepEqual(world.events, []);
  });

  it('Another address releases the process and starts one of its own', async () => {
    const { service, events } = new World();
    await service.start(mainnet(RPC));
    await service.start(mainnet(OTHER));
    assert.deepEqual(events, [`started for ${RPC}`, 'released 1', `started for ${OTHER}`]);
  });

  it('A crashed process starts again for the same address', async () => {
    const world = new World();
    await world.service.start(mainnet(RPC));
    const restarted = new Promise((resolve) => world.service.process.onDidRestart(resolve));
    world.crash();
    await restarted;
    assert.deepEqual(world.events, [`started for ${RPC}`, `started for ${RPC}`]);
    assert.equal(world.asked.length, 1);
  });

  it('A start that was stopped while the RPC was asked starts no process', async () => {
    const world = new World();
    let answer: (chain: string) => void = () => undefined;
    world.chain = new Promise((resolve) => (answer = resolve));
    const pending = world.service.start(mainnet(RPC));
    world.service.stop();
    answer(MAINNET_GENESIS_HASH);
    await assert.rejects(pending, (error: unknown) => error instanceof RpcServiceError && error.reason === 'stopped');
    assert.deepEqual(world.events, []);
  });
});
