import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { sourcePlaces } from './sourcePlaces.mjs';

const SLOW_MS = 500;
/** Between two writes of the report while tests pass: a suite has thousands of them. */
const STORE_EVERY_MS = 500;
/** How many of the suites that took longest are named at the end. */
const SLOWEST_SUITES = 40;

/**
 * What came of a part of the tests, as it is handed from process to process.
 * @typedef {object} TestReport
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {Record<string, number>} skipReasons how many tests were skipped for a reason that they or their suite give (`skipReason`)
 * @property {boolean} finished false while tests still run, and for ever if the run was broken off
 * @property {{ title: string, message: string }[]} failures
 * @property {Record<string, number>} times how long each file took, in milliseconds
 */

/**
 * Makes a mocha reporter that says each test as it ends, and keeps a report of all runs up to date in a file, so that the count stands
 * even where the process is ended before its time: where it is killed, every failure, and all else up to half a second before.
 * @param {(line: string) => void} write
 * @param {string} file
 * @returns the reporter, for any number of runs, and what to call after the last of them
 */
export function createReport(write, file) {
  /** @type {TestReport} */
  const report = { passed: 0, failed: 0, skipped: 0, skipReasons: {}, finished: false, failures: [], times: {} };
  let storedMs = 0;
  const store = () => {
    writeFileSync(file, JSON.stringify(report));
    storedMs = performance.now();
  };
  const storeSoon = () => {
    if (performance.now() - storedMs >= STORE_EVERY_MS) store();
  };
  /** Of top-level suites, hooks included. @type {{ title: string, ms: number }[]} */
  const durations = [];
  store();
  process.once('exit', () => {
    if (!report.finished) store();
  });

  class Reporter {
    constructor(runner) {
      let depth = 0;
      const line = (text) => write(`${'  '.repeat(depth)}${text}`);
      let suiteStart = 0;
      runner.on('suite', (suite) => {
        if (!suite.root) line(suite.title);
        if (suite.parent?.root) suiteStart = performance.now();
        depth += 1;
      });
      runner.on('suite end', (suite) => {
        depth -= 1;
        if (suite.parent?.root) durations.push({ title: suite.title, ms: performance.now() - suiteStart });
      });
      runner.on('pass', (test) => {
        report.passed += 1;
        line(`✓ ${test.title}${test.duration >= SLOW_MS ? ` (${test.duration} ms)` : ''}`);
        storeSoon();
      });
      runner.on('pending', (test) => {
        report.skipped += 1;
        const reason = skipReasonOf(test);
        if (reason !== undefined) report.skipReasons[reason] = (report.skipReasons[reason] ?? 0) + 1;
        line(`- ${test.title} (skipped)`);
        storeSoon();
      });
      runner.on('fail', (test, error) => {
        const message = describeError(error);
        report.failed += 1;
        report.failures.push({ title: test.fullTitle(), message });
        line(`✗ ${test.title}`);
        for (const text of message.split('\n')) line(`    ${text}`);
        store();
      });
    }
  }

  const addTime = (name, ms) => {
    report.times[name] = Math.round(ms);
    storeSoon();
  };
  const finish = () => {
    report.finished = true;
    store();
    const slowest = durations.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST_SUITES);
    if (slowest.length === SLOWEST_SUITES)
      write(`Slowest: ${slowest.map(({ title, ms }) => `${title} (${Math.round(ms / 1000)} s)`).join(' · ')}`);
  };
  return { Reporter, addTime, finish };
}

/** Why a test, or a suite around it, is skipped. */
function skipReasonOf(test) {
  for (let place = test; place !== undefined; place = place.parent) {
    if (place.skipReason !== undefined) return place.skipReason;
  }
  return undefined;
}

/** The stack without the frames of Node and of mocha, and the causes below it. */
function describeError(error) {
  if (!(error instanceof Error)) return `Thrown: ${String(error)}`;
  const text = error.stack?.includes(error.message) ? error.stack : `${error.name}: ${error.message}\n${error.stack ?? ''}`;
  const own = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => !/^\s+at .*(node:|node_modules)/.test(line))
    .join('\n');
  const told = sourcePlaces(own);
  return error.cause === undefined ? told : `${told}\nCaused by: ${describeError(error.cause)}`;
}
