import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { createReport } from './testReport.mjs';
import { longestFirst } from './testTimes.mjs';

/**
 * Runs every *.test.js and *.test.mjs in a folder and those below it, one file after the other. mochaRun.d.mts has the types.
 * @param {object} options
 * @param {string} options.folder
 * @param {string} options.resultsFile where the report goes (testReport.mjs)
 * @param {(line: string) => void} options.write
 * @param {number} options.timeoutMs of a test that does not say otherwise
 * @param {string} [options.grep] only tests whose whole title holds this
 * @param {readonly string[]} [options.files] only these, by their paths in the folder: `review/fees.test.js`
 * @param {(file: string) => number | undefined} [options.timeOf] how long a file took before: the longest come first
 * @param {boolean} [options.bail] ends with the first failure
 * @param {string} [options.claims] a folder that several processes share, each of which loads and runs the files that no other has claimed
 * @returns {Promise<number>} how many failed
 */
export async function runTestFolder({
  folder,
  resultsFile,
  write,
  timeoutMs,
  grep,
  files: asked,
  timeOf = () => undefined,
  bail = false,
  claims,
}) {
  const found = existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => /\.test\.m?js$/.test(name))
        .map((name) => name.split(sep).join('/'))
    : [];
  const files = longestFirst(asked === undefined ? found : found.filter((name) => asked.includes(name)), timeOf);
  if (files.length === 0) throw new Error(`No tests in ${folder}.`);
  const { default: Mocha } = await import('mocha');
  const report = createReport(write, resultsFile);
  let failed = 0;
  /** Hooks that shared modules add for all tests: such a module is loaded only once, with the first file that needs it. */
  let afterEach = [];
  for (const name of files) {
    if (claims !== undefined && !claim(claims, name)) continue;
    const options = {
      ui: 'bdd',
      timeout: timeoutMs,
      reporter: report.Reporter,
      fgrep: grep,
      forbidOnly: true,
      bail,
      rootHooks: { afterEach },
    };
    const mocha = new Mocha(options);
    mocha.addFile(join(folder, name));
    await mocha.loadFilesAsync();
    afterEach = mocha.suite._afterEach.map(({ fn }) => fn);
    const startMs = performance.now();
    let runner;
    failed += await new Promise((resolve) => {
      runner = mocha.run(resolve);
    });
    // Removes its listeners from the process.
    runner.dispose();
    report.addTime(name, performance.now() - startMs);
    if (bail && failed > 0) break;
  }
  report.finish();
  return failed;
}

/** Whether this process is the first to come to a file. */
function claim(folder, name) {
  try {
    writeFileSync(join(folder, createHash('sha256').update(name).digest('hex')), '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}
