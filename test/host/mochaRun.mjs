import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReporter } from './testReport.mjs';

/**
 * Runs every *.test.js and *.test.mjs in a folder and those below it. mochaRun.d.mts has the types.
 * @param {object} options
 * @param {string} options.folder
 * @param {string} options.resultsFile where the report goes (testReport.mjs)
 * @param {(line: string) => void} options.write
 * @param {number} options.timeoutMs of a test that does not say otherwise
 * @param {string} [options.grep] only tests whose whole title holds this
 * @param {string} [options.claims] a folder that several processes share, each of which runs the suites that no other has claimed
 * @returns {Promise<number>} how many failed
 */
export async function runTestFolder({ folder, resultsFile, write, timeoutMs, grep, claims }) {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => /\.test\.m?js$/.test(name))
        .sort()
    : [];
  if (files.length === 0) throw new Error(`No tests in ${folder}.`);
  const { default: Mocha } = await import('mocha');
  const Reporter = createReporter(write, resultsFile);
  const reporter = claims === undefined ? Reporter : sharing(Reporter, claims);
  const mocha = new Mocha({ ui: 'bdd', timeout: timeoutMs, reporter, fgrep: grep, forbidOnly: true });
  for (const name of files) mocha.addFile(join(folder, name));
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    mocha.run(resolve);
  });
}

/**
 * Makes a reporter whose runner leaves out the top-level suites that another process has claimed. Mocha has no option for it; the reporter is
 * the first to get hold of the runner.
 */
function sharing(Reporter, claims) {
  return class extends Reporter {
    constructor(runner) {
      super(runner);
      const runSuite = runner.runSuite.bind(runner);
      runner.runSuite = (suite, done) => (suite.parent?.root && !claim(claims, suite) ? done() : runSuite(suite, done));
    }
  };
}

/** Whether this process is the first to come to a suite. */
function claim(folder, suite) {
  const name = createHash('sha256').update(JSON.stringify([suite.file, suite.title, suite.parent.suites.indexOf(suite)]));
  try {
    writeFileSync(join(folder, name.digest('hex')), '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}
