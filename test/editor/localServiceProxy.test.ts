import * as launcher from '../../src/ui/connection/rpcLaunch';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { createRpcService } from '../../src/ui/connection/rpcService';
import { MAINNET_GENESIS_HASH } from '../../src/ui/shell/serviceChoice';
import { childProxy } from '../../src/ui/shell/settings/localService';
import { extensionReady } from '../support/editor/extensionReady';

/** Nothing listens there. The proxy is asked for it. */
const RPC = parseRpcUrl('https://rpc.example.org/');

describe('The local service behind a proxy', () => {
  it('Requests to the RPC go through the proxy of the settings', async function () {
    const { extensionPath } = await extensionReady();
    const folder = await mkdtemp(join(tmpdir(), 'binsight-proxy-'));
    const proxy = createServer();
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const connected = new Promise<{ readonly target: string | undefined; readonly socket: Duplex }>((resolve) =>
      proxy.once('connect', ({ url: target }, socket) => resolve({ target, socket })),
    );
    const { port } = proxy.address() as AddressInfo;
    const { variables, problem } = childProxy({
      raw: (name) => (name === 'http.proxy' ? `http://127.0.0.1:${port}` : undefined),
      environment: {},
      nodeVersion: process.versions.node,
    });
    if (problem !== undefined) {
      // A desktop VS Code before 1.107.
      proxy.close();
      this.skip();
    }
    const service = createRpcService({
      ...{ script: join(extensionPath, 'dist', 'service.js'), folder, load: () => Promise.resolve(launcher) },
      settings: () => Promise.resolve({ more: ['--data-api', 'none', '--price-api', 'none'], environment: variables, secrets: [] }),
      ...{ hide: () => undefined, log: () => undefined, readGenesisHash: () => Promise.resolve(MAINNET_GENESIS_HASH) },
    });
    try {
      const { url, apiKey, pid } = await service.start({ url: RPC, genesisHash: MAINNET_GENESIS_HASH, apis: {} });
      const answer = fetch(`${url}/lp-positions/opening?owner=11111111111111111111111111111111`, { headers: { 'x-api-key': apiKey } });
      answer.catch(() => undefined);
      const { target, socket } = await connected;
      assert.equal(target, 'rpc.example.org:443');
      socket.destroy();
      process.kill(pid);
    } finally {
      service.stop();
      proxy.closeAllConnections();
      proxy.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
    }
  });
});
