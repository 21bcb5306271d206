import assert from 'node:assert/strict';
import { createRpc } from '../../../src/rpc/rpc';
import { parseRpcUrl, type RpcUrl } from '../../../src/base/solana/rpcUrl';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseBaseUrl } from '../../../src/service/baseUrl';
import { createService, ReviewRpc } from '../../../src/ui/connection/clients';
import { Log, REDACTED, Redactor } from '../../../src/ui/shell/log';
import { readServiceChoice, SANDBOX, type ServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { addressOf } from '../../support/portfolio/fixtures';

const REAL = readServiceChoice('https://example.org/v1');
const READY = { url: 'http://127.0.0.1:4100/open-api/v1', apiKey: 'sandbox-key', owner: addressOf(1), secretKey: 'x', pid: 1 };

interface Found {
  readonly rpc: ReviewRpc;
  readonly created: RpcUrl[];
  readonly warnings: string[];
  readonly redactor: Redactor;
  readonly started: () => number;
}

/** `setting` is asked each time, as the real one is. */
function given(service: ServiceChoice, setting: () => string): Found {
  const created: RpcUrl[] = [];
  const warnings: string[] = [];
  const redactor = new Redactor();
  let starts = 0;
  const start = () => {
    starts += 1;
    return Promise.resolve(READY);
  };
  const rpc = new ReviewRpc({
    service: () => service,
    sandbox: { start },
    rpcAddress: (id) => Promise.resolve(id === 'solana' ? parseRpcUrl('https://kept.example.org/K3yK3yK3y') : undefined),
    settings: {
      get rpcUrl() {
        return setting();
      },
      warnOfRpcUrl: (problem) => void warnings.push(problem),
    },
    hide: (secret) => redactor.register(secret),
    create: (url) => {
      created.push(url);
      return Promise.resolve(createRpc({ url, fetch: () => Promise.reject(new Error('No request is expected.')) }));
    },
  });
  return { rpc, created, warnings, redactor, started: () => starts };
}

describe('The RPC of the review', () => {
  it('The review in the sandbox always uses the RPC of the sandbox with its key', async () => {
    const { rpc, created } = given(SANDBOX, () => 'https://rpc.example.org/');
    assert.ok((await rpc.find()) !== undefined);
    assert.deepEqual(created, ['http://127.0.0.1:4100/rpc?api-key=sandbox-key']);
  });

  it('The review of another service uses the RPC of the setting and does not start the sandbox', async () => {
    const { rpc, created, started } = given(REAL, () => 'https://rpc.example.org/v2/abc');
    assert.ok((await rpc.find()) !== undefined);
    assert.deepEqual([created, started()], [['https://rpc.example.org/v2/abc'], 0]);
  });

  it('The review of a service that answers from a Solana RPC uses that RPC, whatever the setting is', async () => {
    const { rpc, created, started } = given(readServiceChoice('solana'), () => 'https://rpc.example.org/');
    assert.ok((await rpc.find()) !== undefined);
    assert.deepEqual([created, started()], [['https://kept.example.org/K3yK3yK3y'], 0]);
    const other = given(readServiceChoice('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'), () => 'https://rpc.example.org/');
    assert.equal(await other.rpc.find(), undefined, 'an RPC of another chain would review against other accounts');
  });

  it('The review uses no RPC without the setting', async () => {
    const { rpc, created, warnings } = given(REAL, () => '');
    assert.equal(await rpc.find(), undefined);
    assert.deepEqual([created, warnings], [[], []]);
  });

  it('The review uses no RPC with an invalid setting, and the warning does not quote the setting', async () => {
    for (const setting of [
      'http://rpc.example.org/S3cretS3cret',
      'wss://rpc.example.org/S3cretS3cret',
      'S3cretS3cret',
      'https://rpc.example.org/#S3cretS3cret',
      '{"url":"https://S3cretS3cret"}',
    ]) {
      const { rpc, created, warnings } = given(REAL, () => setting);
      assert.equal(await rpc.find(), undefined);
      assert.deepEqual([created.length, warnings.length], [0, 1], setting);
      assert.doesNotMatch(warnings[0] ?? '', /S3cret/);
    }
  });

  it('The review reuses its RPC client while the address stays the same', async () => {
    let setting = 'https://one.example.org/';
    const { rpc, created } = given(REAL, () => setting);
    assert.equal(await rpc.find(), await rpc.find());
    setting = 'https://other.example.org/';
    assert.ok((await rpc.find()) !== undefined);
    assert.deepEqual(created, ['https://one.example.org/', 'https://other.example.org/']);
  });

  it('The RPC address and the keys in it never appear in the log', async () => {
    const { rpc, redactor } = given(REAL, () => 'https://rpc.example.org/v2/T0kenT0kenT0ken/?api-key=K%2BeyKeyKey');
    await rpc.find();
    const lines: string[] = [];
    const write = (message: string) => void lines.push(message);
    const tell = new Log({ debug: write, info: write, warn: write, error: write }, redactor).of('rpc');
    tell('warn', 'request to https://rpc.example.org/v2/T0kenT0kenT0ken/?api-key=K%2BeyKeyKey failed');
    tell('warn', 'rpc.example.org refused the key K+eyKeyKey, or T0kenT0kenT0ken');
    assert.deepEqual(lines, [`[rpc] request to ${REDACTED} failed`, `[rpc] rpc.example.org refused the key ${REDACTED}, or ${REDACTED}`]);
  });

  it('An invalid RPC address is also kept out of the log', async () => {
    const { rpc, redactor } = given(REAL, () => 'http://rpc.example.org/S3cretS3cret');
    await rpc.find();
    assert.equal(redactor.redact('http://rpc.example.org/S3cretS3cret'), REDACTED);
  });
});

describe('The client of the local service', () => {
  it('A local service that has stopped is named, and no setting is blamed', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const service = createService(parseBaseUrl(`http://127.0.0.1:${port}/v1`), 'key', { isLocalService: true }, () => undefined);
    await assert.rejects(
      service.openPositions(addressOf(1)),
      /^ServiceError: The connection to the local service failed \(ECONNREFUSED\)\. Binsight restarts it if it has stopped\.$/,
    );
  });

  it('A request that failed at the RPC is not sent again: the local service has repeated it', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response
        .writeHead(503, { 'content-type': 'application/json' })
        .end(JSON.stringify({ status: 'error', message: 'Cannot reach the RPC' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const baseUrl = parseBaseUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`);
      const service = createService(baseUrl, 'key', { isLocalService: true }, () => undefined);
      await assert.rejects(service.openPositions(addressOf(1)), /Cannot reach the RPC/);
      assert.equal(requests, 1);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
