import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ending } from '../ending.mjs';
import { projectRoot } from '../paths.mjs';
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
      message: `Binsight cannot write to ${below} (ENOTDIR). Choose another.`,
    });
    await assert.rejects(
      makeWholeFolder(join(below, 'vscode'), new Ending(), () => assert.fail('it was filled')),
      /BINSIGHT_CACHE/,
    );
  });

  it('A registry that refuses is named at once, by npm itself', () => {
    const lock = { 'node_modules/some': { version: '1.0.0', integrity: 'sha512-AAAA' } };
    const manifest = { name: 'a', version: '1.0.0', dependencies: { some: '1.0.0' } };
    write(join(folder(), 'package.json'), manifest);
    write(join(folder(), 'package-lock.json'), { ...manifest, lockfileVersion: 3, packages: { '': manifest, ...lock } });
    const said = inProcess(`
      import { Ending } from '${projectRoot}/test/host/ending.mjs';
      import { npm } from '${projectRoot}/test/host/processes.mjs';
      await npm(new Ending(), ['ci'], ${JSON.stringify(folder())}).catch(({ message }) => console.log(message));`);
    assert.match(
      said,
      /^The npm registry cannot be reached, [^]+\n\nnpm error code ECONNREFUSED\nnpm error FetchError: request to http:\/\/127\.0\.0\.1:9\//,
    );
  });

  it('`npm start` says before it installs or builds anything that there is no place for the VS Code from npm', () => {
    const place = join(folder(), 'file', 'cache');
    write(join(folder(), 'file'), '');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['test/host/start.mjs', '--browser', '--no-open'], {
      cwd: projectRoot,
      env: { ...process.env, BINSIGHT_CACHE: place },
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.equal(
      `${stdout}${stderr}`.trim(),
      `Binsight cannot write to ${place} (ENOTDIR). Allow writing there, or name another folder in the environment variable BINSIGHT_CACHE.`,
    );
  });

  it('A read-only medium is called so, not a missing folder', function () {
    if (spawnSync('unshare', ['-rm', 'true']).status !== 0) this.skip();
    const medium = join(folder(), 'medium');
    mkdirSync(medium);
    const script = `import('${projectRoot}/test/host/setupProblems.mjs').then(({ requireWritable }) => requireWritable('${medium}/new', 'Choose another.'))`;
    const { stderr } = spawnSync(
      'unshare',
      [
        ...['-rm', 'sh', '-c', 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" -e "$3"', 'sh'],
        ...[medium, process.execPath, script],
      ],
      { encoding: 'utf8' },
    );
    assert.match(stderr, /Binsight cannot write to .*new \(EROFS\)\. Choose another\./);
  });

  /** What a module says whose npm has a registry that refuses, and stores nothing of what others have downloaded. */
  function inProcess(module) {
    const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: join(folder(), 'npm') };
    return spawnSync(process.execPath, ['--input-type=module', '-e', module], { env, encoding: 'utf8' }).stdout;
  }
});
