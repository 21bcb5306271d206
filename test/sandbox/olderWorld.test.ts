import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { TestClient } from '../support/sandbox/client';
import { startSandbox, temporaryFolder } from '../support/sandbox/process';

describe('The folder of a sandbox of an older version', () => {
  it('A folder of an older version opens with its wallet and positions and passes the audit', async () => {
    const data = temporaryFolder();
    // Made by commit afb5afb (test/fixtures/README.md).
    writeFileSync(
      join(data, 'sandbox.sqlite'),
      brotliDecompressSync(readFileSync(join('test', 'fixtures', 'afb5afb', 'sandbox.sqlite.br'))),
    );
    const sandbox = await startSandbox({ data });
    try {
      assert.equal(sandbox.owner, '2sDbRX4jMpiv62dfXeDpp8tNG3jtWLhAQCkEJLStQMdY');
      const client = new TestClient(sandbox);
      assert.ok((await client.opening()).length > 3);
      assert.deepEqual(await client.audit(), []);
    } finally {
      await sandbox.stop();
      rmSync(data, { recursive: true, force: true });
    }
  });
});
