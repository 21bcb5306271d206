import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { airdrop } from '../../../../src/ui/sandbox/sandboxControls';
import { SandboxError } from '../../../../src/ui/shell/errors';
import { OWNER } from '../../../support/portfolio/fixtures';

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
    await fails(/The sandbox refused: There is not so much\. OK\. Nothing was changed\.$/);
    answer = (_, response) => response.writeHead(500).end('<html>');
    await fails(/The sandbox refused: status 500/);
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
