import assert from 'node:assert/strict';
import { summarize } from '../testSummary.mjs';

const outcome = (name, counts) => ({ part: { name }, passed: 0, failed: 0, skipped: 0, failures: [], ...counts });
const lastLine = ({ lines }) => lines.at(-1);

describe('The test summary', () => {
  it('The summary counts tests over all parts', () => {
    const summary = summarize([outcome('unit', { passed: 2 }), outcome('sandbox', { passed: 3 })]);
    assert.equal(lastLine(summary), '5 passed, 0 failed');
    assert.equal(summary.ok, true);
  });

  it('The summary names the failed tests', () => {
    const summary = summarize([outcome('unit', { passed: 2, failed: 1, failures: [{ title: 'adds', message: 'no' }] })]);
    assert.deepEqual(summary.lines, ['', 'FAILED  unit: adds', '2 passed, 1 failed']);
    assert.equal(summary.ok, false);
  });

  it('The summary treats a part that did not run as a failure and names it', () => {
    const summary = summarize([outcome('unit', { passed: 2 }), outcome('editor', { problem: 'did not run' })]);
    assert.deepEqual(summary.lines, ['', 'FAILED  editor: did not run', '2 passed, 1 failed']);
    assert.equal(summary.ok, false);
  });

  it('The summary reports the number of skipped tests, if any', () => {
    assert.equal(lastLine(summarize([outcome('unit', { passed: 2, skipped: 1 })])), '2 passed, 0 failed, 1 skipped');
  });

  it('The summary says why tests were skipped, over all parts', () => {
    const skipped = { passed: 1, skipped: 2, skipReasons: { 'no programs': 2 } };
    assert.deepEqual(summarize([outcome('unit', skipped), outcome('chain', skipped)]).lines, [
      '',
      'SKIPPED 4 tests: no programs',
      '2 passed, 0 failed, 4 skipped',
    ]);
  });

  it('The summary fails if no part ran', () => assert.equal(summarize([]).ok, false));
});
