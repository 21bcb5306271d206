import assert from 'node:assert/strict';
import { join } from 'node:path';
import { BENCHES, chosenBenches, runBenches } from '../benches.mjs';
import { ROWS_VARIABLE, readRows, reportRow, tableOf } from '../benchRows.mjs';
import { useTemporaryFolder } from './temporaryFolder.mjs';

const ROW = { what: 'review', beside: 'web3.js: 1.0 ms', result: '4.1 ms', how: 'median of 500' };
const namesOf = (benches) => benches.map(({ name }) => name);

describe('The choice of benchmarks', () => {
  it('All benchmarks run where none is named', () => assert.deepEqual(namesOf(chosenBenches([])), namesOf(BENCHES)));

  it('Only the named benchmarks run', () => assert.deepEqual(namesOf(chosenBenches(['sandbox', 'review'])), ['review', 'sandbox']));

  it('A quick run replaces the options of benchmarks that have smaller ones', () => {
    const argsOf = (argv) => chosenBenches(argv).find(({ name }) => name === 'service').args;
    assert.deepEqual(argsOf([]), []);
    assert.deepEqual(argsOf(['--quick']), ['--transactions', '500', '--positions', '20']);
  });

  it('Options go to the one benchmark that is named, after its own', () => {
    assert.deepEqual(chosenBenches(['load', '--seconds', '5'])[0].args, ['--load', '--seconds', '5']);
    assert.throws(() => chosenBenches(['--seconds', '5']), /Name the one benchmark/);
    assert.throws(() => chosenBenches(['load', 'review', '--seconds', '5']), /Name the one benchmark/);
  });

  it('A name that no benchmark has is refused with the names that there are', () =>
    assert.throws(() => chosenBenches(['reviews']), /No benchmark is called reviews\. The benchmarks: startup, review/));
});

describe('The run of benchmarks', () => {
  it('A benchmark that fails, throws or reports nothing is named, and the others still run', async () => {
    const answers = { one: { code: 1, rows: [ROW] }, three: { code: 0, rows: [] }, four: { code: 0, rows: [ROW] } };
    const { results, failures } = await runBenches(
      ['one', 'two', 'three', 'four'].map((name) => ({ name })),
      ({ name }) => (name === 'two' ? Promise.reject(new Error('no file')) : Promise.resolve(answers[name])),
    );
    assert.deepEqual(failures, ['one: ended with code 1', 'two: no file', 'three: reported no result']);
    assert.deepEqual(namesOf(results), ['one', 'three', 'four']);
  });
});

describe('The rows of benchmarks', () => {
  const folder = useTemporaryFolder();

  it('Rows that a benchmark reports are read again, with and without a comparison', () => {
    const file = join(folder(), 'rows');
    const before = process.env[ROWS_VARIABLE];
    process.env[ROWS_VARIABLE] = file;
    const { beside: _, ...alone } = ROW;
    try {
      silently(() => [ROW, alone].forEach(reportRow));
    } finally {
      if (before === undefined) delete process.env[ROWS_VARIABLE];
      else process.env[ROWS_VARIABLE] = before;
    }
    assert.deepEqual(readRows(file), [ROW, alone]);
  });

  it('A benchmark without rows has none, and a row without a way of measuring is refused', () => {
    assert.deepEqual(readRows(join(folder(), 'none')), []);
    assert.throws(() => silently(() => reportRow({ ...ROW, how: '' })));
  });

  it('The table has a line for each row under the name of its benchmark, and long cells go on in the next line', () => {
    const long = { ...ROW, result: 'word '.repeat(20).trim() };
    const lines = tableOf([
      { name: 'review', rows: [ROW, long] },
      { name: 'panels', rows: [] },
    ]).split('\n');
    assert.match(lines[0], /^what +beside what +result +how measured$/);
    assert.equal(lines[2], '[review]');
    assert.match(lines[3], /^review +web3\.js: 1\.0 ms +4\.1 ms +median of 500$/);
    assert.equal(lines.length, 4 + Math.ceil('word '.repeat(20).trim().length / 44));
    assert.ok(!lines.join('\n').includes('[panels]'));
  });
});

/** What is printed here is no result of a test. */
function silently(work) {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return work();
  } finally {
    process.stdout.write = write;
  }
}
