import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { TestClient } from '../support/sandbox/client';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { startSandbox, type RunningSandbox } from '../support/sandbox/process';

describe('Aborted requests', () => {
  let data: string;
  let sandbox: RunningSandbox;

  beforeEach(async () => {
    data = await copyOfNewWorld({ hasShortPast: true });
    sandbox = await startSandbox({ data });
  });
  afterEach(async () => {
    await sandbox.stop('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  });

  /** Sends the beginning of a request, and cuts the connection once the sandbox has all of that. */
  async function cutOff(method: string, path: string, sent: string, bodyBytes?: number): Promise<void> {
    const { hostname, port, pathname } = new URL(sandbox.url);
    const length = bodyBytes === undefined ? '' : `content-type: application/json\r\ncontent-length: ${bodyBytes}\r\n`;
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    await new Promise((resolve) =>
      socket.write(
        `${method} ${pathname}${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-api-key: ${sandbox.apiKey}\r\n${length}\r\n${sent}`,
        resolve,
      ),
    );
    // A request that comes later and is answered: the sandbox has read what came before it.
    await new TestClient(sandbox).status();
    socket.resetAndDestroy();
    await once(socket, 'close');
  }

  it('An aborted request is one line in the log, without a stack trace, at any size of its partial body', async () => {
    const client = new TestClient(sandbox);
    await cutOff('POST', '/pools/landing-add-tx', '', 100);
    await cutOff('POST', '/position/decrease-tx', '{"position_id": "', 100);
    await cutOff('POST', '/position/landing-decrease-tx', '{"lastValid', 60_000);
    assert.ok((await client.opening()).length > 0, 'the sandbox goes on');
    const { stderr } = await sandbox.stop();
    const lines = stderr.trim().split('\n');
    const line = (path: string): string => `POST /open-api/v1${path}: the client ended the request`;
    assert.deepEqual(lines, [
      line('/pools/landing-add-tx'),
      line('/position/decrease-tx'),
      line('/position/landing-decrease-tx'),
      'Stopping: SIGINT.',
    ]);
  });

  it('A request that was complete before its client left is processed and not logged', async () => {
    const client = new TestClient(sandbox);
    for (let count = 0; count < 20; count += 1) {
      await cutOff('GET', `/lp-positions/opening?owner=${sandbox.owner}`, '');
    }
    assert.ok((await client.opening()).length > 0, 'the sandbox goes on');
    const { stderr } = await sandbox.stop();
    assert.equal(stderr, 'Stopping: SIGINT.\n');
  });
});
