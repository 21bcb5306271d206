import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import bs58 from 'bs58';
import { projectRoot } from '../paths.mjs';
import { PROGRAM_FILES } from '../programFiles.mjs';
import { useTemporaryFolder } from './temporaryFolder.mjs';

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);

/** A u32 and what is behind it. */
const state = (kind, ...rest) => Buffer.concat([Buffer.from([kind, 0, 0, 0]), ...rest]);

describe('npm run programs', () => {
  const folder = useTemporaryFolder();
  /** Data of accounts of the upgradeable loader, by address. @type {Map<string, Buffer>} */
  const accounts = new Map();
  let server;

  before(async () => {
    server = createServer(async (request, response) => {
      const { params } = JSON.parse(await text(request));
      const data = accounts.get(params[0]);
      const value = data === undefined ? null : { owner: UPGRADEABLE_LOADER, data: [data.toString('base64'), 'base64'] };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { value } }));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());
  beforeEach(() => {
    accounts.clear();
    for (const [place, { program, file }] of PROGRAM_FILES.entries()) {
      const held = Buffer.alloc(32, place + 1);
      accounts.set(program, state(2, held));
      // Slot, authority, program.
      accounts.set(bs58.encode(held), state(3, Buffer.alloc(8), Buffer.alloc(33, 1), ELF, Buffer.from(file)));
    }
  });

  const run = () => {
    const rpc = `http://127.0.0.1:${server.address().port}/?api-key=SECRET`;
    return promisify(execFile)(process.execPath, [join(projectRoot, 'test', 'host', 'programs.mjs'), '--rpc', rpc, '--out', folder()]);
  };

  it('The code of programs that can be upgraded is in an account of its own', async () => {
    await run();
    for (const { file } of PROGRAM_FILES) {
      assert.deepEqual(readFileSync(join(folder(), file)), Buffer.concat([ELF, Buffer.from(file)]));
    }
  });

  it('A program that the chain does not have is named, nothing takes its place, and the address of the RPC is not shown', async () => {
    const [{ program, file }] = PROGRAM_FILES;
    accounts.delete(program);
    await assert.rejects(run(), ({ code, stderr }) => {
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`There is no account ${program}`));
      assert.ok(!stderr.includes('SECRET'));
      return true;
    });
    assert.equal(existsSync(join(folder(), file)), false);
  });

  it('What is not a program is not written', async () => {
    const [{ program }] = PROGRAM_FILES;
    accounts.set(program, state(2, Buffer.alloc(32, 99)));
    accounts.set(bs58.encode(Buffer.alloc(32, 99)), state(3, Buffer.alloc(41), Buffer.from('a page of HTML')));
    await assert.rejects(run(), /is not an ELF file/);
    assert.deepEqual(readdirSync(folder()), []);
  });
});
