import { existsSync, readdirSync } from 'node:fs';
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
 * @returns {Promise<number>} how many failed
 */
export async function runTestFolder({ folder, resultsFile, write, timeoutMs, grep }) {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => /\.test\.m?js$/.test(name))
        .sort()
    : [];
  if (files.length === 0) throw new Error(`No tests in ${folder}.`);
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', timeout: timeoutMs, reporter: createReporter(write, resultsFile), fgrep: grep, forbidOnly: true });
  for (const name of files) mocha.addFile(join(folder, name));
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    mocha.run(resolve);
  });
}
