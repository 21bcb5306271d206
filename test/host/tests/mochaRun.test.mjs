import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

describe('A test part', () => {
  const folder = useTemporaryFolder();
  const results = () => join(folder(), 'results.json');

  /** Runs what is in the folder as `npm test` does. */
  function runPart(...more) {
    const script = join(projectRoot, 'test', 'host', 'mochaPart.mjs');
    const args = [script, '--folder', join(folder(), 'tests'), '--results', results(), '--timeout', '5000', ...more];
    return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 200_000 });
  }

  const report = () => JSON.parse(readFileSync(results(), 'utf8'));
  const addTests = (text) => write(join(folder(), 'tests', 'some.test.mjs'), text);

  it('A test part counts passed, failed and skipped tests and says why', () => {
    addTests(`describe('sums', () => {
      it('adds', () => {});
      it('later');
      it('fails', () => { throw new Error('wrong', { cause: new TypeError('deep down') }); });
    });`);
    const { status, stdout } = runPart();
    assert.equal(status, 1);
    const { failures, times, ...counts } = report();
    assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 1, skipReasons: {}, finished: true });
    assert.deepEqual(Object.keys(times), ['some.test.mjs']);
    assert.equal(failures[0].title, 'sums fails');
    assert.match(failures[0].message, /^Error: wrong\n[^]*\nCaused by: TypeError: deep down\n/);
    for (const line of ['sums', '✓ adds', '- later (skipped)', '✗ fails']) assert.ok(stdout.includes(line), line);
  });

  it('A failure says where it is in the sources', async () => {
    const { build } = await import('esbuild');
    const source = join(folder(), 'sources', 'some.ts');
    write(source, "const wrong: string = 'wrong';\nit('fails', () => {\n  throw new Error(wrong);\n});\n");
    await build({
      entryPoints: [source],
      outfile: join(folder(), 'tests', 'some.test.js'),
      sourcemap: true,
      minify: true,
      logLevel: 'error',
    });
    assert.equal(runPart().status, 1);
    assert.match(report().failures[0].message, /sources\/some\.ts:3:9/);
  });

  it('A test part says why a suite is skipped', () => {
    addTests(`describe('trades', () => {
      before(function () {
        this.test.parent.skipReason = 'the market is closed';
        this.skip();
      });
      it('buys', () => {});
      describe('short', () => it('sells', () => {}));
    });`);
    assert.equal(runPart().status, 0);
    assert.deepEqual(report().skipReasons, { 'the market is closed': 2 });
  });

  it('A test part succeeds when no test failed', () => {
    addTests("it('adds', () => {});");
    assert.equal(runPart().status, 0);
  });

  it('A test part runs only the requested tests', () => {
    addTests("it('adds', () => {}); it('fails', () => { throw new Error(); });");
    assert.equal(runPart('--grep', 'adds').status, 0);
    assert.equal(report().passed, 1);
  });

  it('A test part runs only the requested files', () => {
    addTests("it('fails', () => { throw new Error(); });");
    write(join(folder(), 'tests', 'review', 'other.test.mjs'), "it('adds', () => {});");
    assert.equal(runPart('--files', 'review/other.test.mjs').status, 0);
    assert.equal(report().passed, 1);
    assert.match(runPart('--files', 'review/none.test.mjs').stderr, /No tests in/);
  });

  it('A test part that ends early is not finished', () => {
    addTests("it('adds', () => {}); it('ends', () => process.exit(0));");
    runPart();
    const { passed, finished } = report();
    assert.deepEqual({ passed, finished }, { passed: 1, finished: false });
  });

  it('A test part fails if there is no test or one cannot be loaded', () => {
    assert.match(runPart().stderr, /No tests in/);
    addTests("import './nowhere.mjs';");
    const { status, stderr } = runPart();
    assert.equal(status, 1);
    assert.match(stderr, /nowhere\.mjs/);
  });

  it('A test part fails if a test leaves something running', () => {
    addTests("it('starts a timer', () => { setInterval(() => {}, 1000); });");
    const { status, stderr } = runPart('--end-limit', '1000');
    assert.equal(status, 1);
    assert.match(stderr, /left something running: .*Timeout/);
  });
});
