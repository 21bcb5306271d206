import assert from 'node:assert/strict';
import { createRpc } from '../../../src/rpc/rpc';
import { parseRpcUrl, type RpcUrl } from '../../../src/base/solana/rpcUrl';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseBaseUrl } from '../../../src/service/baseUrl';
import { createService, ReviewRpc } from '../../../src/ui/connection/clients';
import { SecretError } from '../../../src/ui/shell/secrets';
import { readServiceChoice, SANDBOX, type ServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { addressOf } from '../../support/portfolio/fixtures';

const REAL = readServiceChoice('https://example.org/v1');
const READY = { url: 'http://127.0.0.1:4100/open-api/v1', apiKey: 'sandbox-key', owner: addressOf(1), secretKey: 'x', pid: 1 };

interface Found {
  readonly rpc: ReviewRpc;
  readonly created: RpcUrl[];
  readonly started: () => number;
}

/** `reviewRpc` is asked each time, as the profile is. */
function given(service: ServiceChoice, reviewRpc: () => Promise<string | undefined>): Found {
  const created: RpcUrl[] = [];
  let starts = 0;
  const start = () => {
    starts += 1;
    return Promise.resolve(READY);
  };
  const rpc = new ReviewRpc({
    service: () => service,
    sandbox: { start },
    rpcAddress: (id) => Promise.resolve(id === 'solana' ? parseRpcUrl('https://kept.example.org/K3yK3yK3y') : undefined),
    reviewRpc,
    create: (url) => {
      created.push(url);
      return Promise.resolve(createRpc({ url, fetch: () => Promise.reject(new Error('No request is expected.')) }));
    },
  });
  return { rpc, created, started: () => starts };
}

const OWN = () => Promise.resolve('https://rpc.example.org/v2/abc');

describe('The RPC of the review', () => {
  it('The review in the sandbox always uses the RPC of the sandbox with its key', async () => {
    const { rpc, created } = given(SANDBOX, OWN);
    assert.ok((await rpc.find()) !== undefined);
    assert.deepEqual(created, ['http://127.0.0.1:4100/rpc?api-key=sandbox-key']);
  });

  it('The review of another service uses the RPC of its profile and does not start the sandbox', async () => {
    const { rpc, created, started } = given(REAL, OWN);
    assert.ok((await rpc.find()) !== undefined);
    assert.deepEqual([created, started()], [['https://rpc.example.org/v2/abc'], 0]);
  });

  it('The review of a service that answers from a Solana RPC uses that RPC', async () => {
    const { rpc, created, started } = given(readServiceChoice('solana'), OWN);
    assert.ok((await rpc.find()) !== undefined);
    assert.deepEqual([created, started()], [['https://kept.example.org/K3yK3yK3y'], 0]);
    const other = given(readServiceChoice('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'), OWN);
    assert.equal(await other.rpc.find(), undefined, 'an RPC of another chain would review against other accounts');
  });

  it('The review uses no RPC where the profile has none', async () => {
    const { rpc, created } = given(REAL, () => Promise.resolve(undefined));
    assert.equal(await rpc.find(), undefined);
    assert.deepEqual(created, []);
  });

  it('An RPC that the secret storage does not give is not taken for none: a review without it would be laxer', async () => {
    let failure: Error = new SecretError('unanswered');
    const { rpc, created } = given(REAL, () => Promise.reject(failure));
    await assert.rejects(rpc.find(), failure);
    failure = new SecretError('notRead');
    await assert.rejects(rpc.find(), failure);
    assert.deepEqual(created, []);
  });

  it('The review reuses its RPC client while the address stays the same', async () => {
    let address = 'https://one.example.org/';
    const { rpc, created } = given(REAL, () => Promise.resolve(address));
    assert.equal(await rpc.find(), await rpc.find());
    address = 'https://other.example.org/';
    assert.ok((await rpc.find()) !== undefined);
    assert.deepEqual(created, ['https://one.example.org/', 'https://other.example.org/']);
  });
});

describe('The client of the local service', () => {
  it('A local service that has stopped is named, and no setting is blamed', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const service = createService(parseBaseUrl(`http://127.0.0.1:${port}/v1`), 'key', { isLocalService: true }, () => undefined, '');
    await assert.rejects(
      service.openPositions(addressOf(1)),
      /^ServiceError: The local service does not answer\. Binsight restarts it if it has stopped\.$/,
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
      const service = createService(baseUrl, 'key', { isLocalService: true }, () => undefined, '');
      await assert.rejects(service.openPositions(addressOf(1)), /Cannot reach the RPC/);
      assert.equal(requests, 1);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
