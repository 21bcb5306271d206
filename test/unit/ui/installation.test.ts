import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ReplacedError } from '../../../src/ui/shell/errors';
import { BUILD_FILE, Installation } from '../../../src/ui/shell/installation';
import { fail } from '../../support/ui/memory';

describe('The files of the extension', () => {
  let folder: string;
  let installation: Installation;
  let changes: number;
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const load = (name: string) => installation.load(() => import(pathToFileURL(join(folder, name)).href));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-files-'));
    write('package.json', '{ "type": "module" }');
    write(BUILD_FILE, 'one');
    write('dist/sandbox.js', '');
    changes = 0;
    installation = new Installation({ folder, build: 'one', log: () => undefined, onListenerError: fail });
    installation.onDidChange(() => (changes += 1));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('Nothing is said while the files are those of the code that runs, also if a part of it fails by itself', async () => {
    await installation.assertIntact('dist/sandbox.js');
    write('dist/defect.js', 'throw new TypeError("a defect");');
    await assert.rejects(load('dist/defect.js'), TypeError);
    assert.deepEqual([installation.isReplaced, changes], [false, 0]);
  });

  for (const [what, change] of [
    ['a removed folder', () => rmSync(folder, { recursive: true })],
    ['a folder that was emptied', () => rmSync(join(folder, 'dist'), { recursive: true })],
    ['files of another build with the same names', () => write(BUILD_FILE, 'two')],
    ['a file of the build that is written to its half', () => write(BUILD_FILE, 'o')],
    ['a missing program', () => rmSync(join(folder, 'dist', 'sandbox.js'))],
  ] as const) {
    it(`An update is noticed before a program is started or anything is signed: ${what}`, async () => {
      change();
      await assert.rejects(installation.assertIntact('dist/sandbox.js'), ReplacedError);
      assert.deepEqual([installation.isReplaced, changes], [true, 1]);
    });
  }

  for (const [what, text] of [
    ['is gone', undefined],
    ['is half written', 'export const half = {'],
    ['needs one that is gone', "import './gone.js';"],
  ] as const) {
    it(`An update is noticed when code is loaded that ${what}, although the build is the same`, async () => {
      if (text !== undefined) {
        write('dist/part.js', text);
      }
      await assert.rejects(load('dist/part.js'), ReplacedError);
      assert.deepEqual([installation.isReplaced, changes], [true, 1]);
    });
  }

  it('The window has to be reloaded even if the files come back: they may be of another build by then', async () => {
    rmSync(join(folder, 'dist'), { recursive: true });
    assert.equal(await installation.isIntact(), false);
    write(BUILD_FILE, 'one');
    assert.equal(await installation.isIntact(), false);
    await assert.rejects(
      installation.assertIntact(),
      /^ReplacedError: Binsight was updated\. This window signs nothing more\. Reload the window\.$/,
    );
    assert.equal(changes, 1);
  });

  it('A failure that is not about the files stays what it is', async () => {
    await assert.rejects(
      installation.load(() => Promise.reject(new Error('out of memory'))),
      /out of memory/,
    );
    assert.equal(installation.isReplaced, false);
  });
});
