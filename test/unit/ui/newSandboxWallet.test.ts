import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { airdrop } from '../../../src/ui/connection/sandboxControls';
import { SandboxError, UserError } from '../../../src/ui/shell/errors';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { OWNER } from '../portfolio/fixtures';
import { REAL, walletWindow } from './walletWindow';

describe('A new sandbox wallet', () => {
  it('A new sandbox wallet is confirmed by its address, gets pretend SOL and is in use', async () => {
    const { owners, run, airdrops, secrets } = walletWindow({ service: SANDBOX });
    const prompts = await run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]);
    const owner = owners.active(SANDBOX) ?? assert.fail('no wallet is in use');
    assert.equal(owner.origin, 'generated');
    assert.equal(owner.canSign, true);
    const question = prompts.asked[0] ?? assert.fail('nothing was asked');
    assert.ok(question.title.includes(owner.address));
    assert.match(question.text, /Never send real money to it/);
    assert.deepEqual(airdrops, [[owner.address, 25]]);
    assert.equal(secrets.kept.size, 1);
    assert.deepEqual(owners.known(REAL), []);
    assert.match((await run('binsight.switchWallet', ['escape'])).asked[0]?.text ?? '', /created for the sandbox · can sign · current/);
  });

  it('Each new sandbox wallet is a different one', async () => {
    const { owners, run } = walletWindow({ service: SANDBOX });
    await run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]);
    await run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]);
    assert.equal(new Set(owners.known(SANDBOX).map(({ address }) => address)).size, 2);
  });

  it('A cancelled wallet or a refused airdrop leaves nothing behind', async () => {
    const cancelled = walletWindow({ service: SANDBOX });
    await cancelled.run('binsight.newSandboxWallet', ['escape']);
    const refused = walletWindow({ service: SANDBOX, airdrop: () => Promise.reject(new SandboxError('failed', 'No.')) });
    await assert.rejects(refused.run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]), SandboxError);
    for (const { secrets, state } of [cancelled, refused]) {
      assert.equal(secrets.kept.size + state.kept.size, 0);
    }
    assert.deepEqual(cancelled.airdrops, []);
  });

  it('A sandbox wallet can be created for the sandbox only', async () => {
    const { run, airdrops } = walletWindow();
    await assert.rejects(run('binsight.newSandboxWallet', []), UserError);
    assert.deepEqual(airdrops, []);
  });

  it('A sandbox wallet can be forgotten with its address after a warning that no copy exists', async () => {
    const { owners, run, secrets } = walletWindow({ service: SANDBOX });
    await run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]);
    const { address } = owners.active(SANDBOX) ?? assert.fail();
    const prompts = await run('binsight.forgetWalletKey', [{ pick: address }, { press: 'Forget Key and Address' }]);
    assert.match(prompts.asked.at(-1)?.text ?? '', /no copy of its key/);
    assert.equal(secrets.kept.size, 0);
    assert.deepEqual(owners.known(SANDBOX), []);
  });
});

describe('An airdrop of the sandbox', () => {
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let url = '';

  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`;
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const give = (timeoutMs?: number): Promise<void> => airdrop({ url, apiKey: 'very-secret' }, OWNER, 2.5, timeoutMs);
  const fails = async (message: RegExp, timeoutMs?: number): Promise<void> => {
    await assert.rejects(give(timeoutMs), (error: unknown) => {
      assert.ok(error instanceof SandboxError && error.reason === 'failed');
      assert.match(error.message, message);
      assert.ok(!error.message.includes('very-secret'));
      return true;
    });
  };

  it('An airdrop calls the control interface of the sandbox with its key', async () => {
    let seen: unknown;
    answer = (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        seen = [request.method, request.url, request.headers['x-api-key'], JSON.parse(body)];
        response.end('{"status":"success","data":{}}');
      });
    };
    await give();
    assert.deepEqual(seen, ['POST', '/sandbox/airdrop', 'very-secret', { owner: OWNER, sol: 2.5 }]);
  });

  it('A refused airdrop shows the sandbox’s reason without deceptive characters', async () => {
    answer = (_, response) => response.writeHead(400).end(JSON.stringify({ status: 'error', message: 'There is not so much.\n\u202eOK' }));
    await fails(/did not add pretend SOL: There is not so much\. OK\. Nothing was changed\.$/);
    answer = (_, response) => response.writeHead(500).end('<html>');
    await fails(/did not add pretend SOL: status 500/);
  });

  it('An airdrop says so if the response is missing, incomplete or too large', async () => {
    answer = () => undefined;
    await fails(/did not respond/, 50);
    answer = (request) => request.socket.destroy();
    await fails(/did not respond/);
    answer = (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setImmediate(() => request.socket.destroy());
    };
    await fails(/did not respond/);
    answer = (_, response) => response.end('x'.repeat(200_000));
    await fails(/did not respond/);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await fails(/did not respond/);
  });
});
