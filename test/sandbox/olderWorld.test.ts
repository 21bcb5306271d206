import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import * as z from 'zod';
import { TestClient } from '../support/sandbox/client';
import { startSandbox, temporaryFolder } from '../support/sandbox/process';
import { rpcOf } from '../support/sandbox/rpcOf';

/** test/fixtures/README.md */
const FIXTURE = join('test', 'fixtures', '0.2.0');
const { owner } = z.object({ owner: z.string() }).parse(JSON.parse(readFileSync(join(FIXTURE, 'expected.json'), 'utf8')));
/** Signatures by the wallet that landed, as the journal of that version has them. */
const LANDED = /"kind":"landed","signature":"(\w+)"/g;

describe('The folder of a sandbox of version 0.2.0', () => {
  it('It opens with its wallet, positions and landed transactions, and passes the audit', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'sandbox.sqlite'), brotliDecompressSync(readFileSync(join(FIXTURE, 'sandbox.sqlite.br'))));
    const sandbox = await startSandbox({ data });
    try {
      assert.equal(sandbox.owner, owner);
      const client = new TestClient(sandbox);
      assert.ok((await client.opening()).length > 3);
      const journal = join(FIXTURE, 'journal');
      const lines = readdirSync(journal).map((name) => readFileSync(join(journal, name), 'utf8'));
      const signatures = [...lines.join('').matchAll(LANDED)].flatMap(([, signature = '']) => signature);
      assert.ok(signatures.length > 5);
      const statuses = await rpcOf(sandbox).signatureStatuses(signatures);
      assert.ok(statuses.every((status) => status !== undefined && status.error === undefined));
      assert.deepEqual(await client.audit(), []);
    } finally {
      await sandbox.stop();
      rmSync(data, { recursive: true, force: true });
    }
  });
});
