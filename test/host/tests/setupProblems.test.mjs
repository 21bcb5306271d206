import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Ending } from '../ending.mjs';
import { npm } from '../processes.mjs';
import { makeWholeFolder } from '../wholeFolder.mjs';
import { requireWritable } from '../setupProblems.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

describe('What somebody reads where the project cannot be set up', () => {
  const folder = useTemporaryFolder();
  const executable = process.env.npm_execpath;
  afterEach(() => {
    if (executable === undefined) delete process.env.npm_execpath;
    else process.env.npm_execpath = executable;
  });

  /** The message of a run of npm that fails with these lines. */
  async function failureOfNpm(lines) {
    process.env.npm_execpath = join(folder(), 'npm-cli.js');
    write(process.env.npm_execpath, `console.error(${JSON.stringify(lines)}); process.exitCode = 1;`);
    return npm(new Ending(), ['ci'], folder()).then(
      () => assert.fail('npm did not fail'),
      ({ message }) => message,
    );
  }

  for (const { code, expected } of [
    { code: 'ENOTFOUND', expected: /^The npm registry cannot be reached, .* Check the network/ },
    { code: 'ETIMEDOUT', expected: /^The npm registry cannot be reached/ },
    { code: 'EACCES', expected: /^npm may not write to a folder/ },
    { code: 'ENOSPC', expected: /^The disk is full/ },
  ]) {
    it(`With ${code}, it begins with what happened and what to do, and keeps the words of npm`, async () => {
      const message = await failureOfNpm(`npm error code ${code}\nnpm error more`);
      assert.match(message, expected);
      assert.match(message, /`npm ci` failed with code 1\.\nnpm error code/);
    });
  }

  it('A failure of another kind has the words of npm alone', async () => {
    assert.match(await failureOfNpm('npm error code EUSAGE'), /^`npm ci` failed/);
  });

  it('A folder that cannot be written to is named before anything is installed, with what to do', async () => {
    write(join(folder(), 'file'), '');
    const below = join(folder(), 'file', 'cache');
    assert.throws(() => requireWritable(below, 'Choose another.'), {
      message: `Binsight cannot write to ${below} (ENOTDIR). Nothing was installed or built. Choose another.`,
    });
    await assert.rejects(
      makeWholeFolder(join(below, 'vscode'), new Ending(), () => assert.fail('it was filled')),
      /BINSIGHT_CACHE/,
    );
  });
});
