import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withinTime } from '../changed.mjs';
import { affectedTests, readImportGraph } from '../importGraph.mjs';
import { addTimes, longestFirst, readTimes, USUAL_FILE_MS } from '../testTimes.mjs';
import { useTemporaryFolder } from './temporaryFolder.mjs';

/** test/unit/near imports it directly, test/unit/far through another file. */
const GRAPH = {
  tests: ['test/unit/review/rules.test.ts', 'test/unit/far.test.ts', 'test/unit/near.test.ts'],
  importers: new Map([
    ['src/a.ts', new Set(['src/b.ts', 'test/unit/near.test.ts'])],
    ['src/b.ts', new Set(['test/unit/far.test.ts', 'src/a.ts'])],
  ]),
};
// The file exists, and reads src/review/README.md.
const READERS = { tests: ['test/unit/review/rules.test.ts'], importers: new Map() };

describe('The tests that a change can affect', () => {
  const folder = useTemporaryFolder();

  it('A change affects the tests that import the file, through others too, and the nearest come first', () => {
    const imported = { ...GRAPH, tests: ['test/unit/far.test.ts', 'test/unit/near.test.ts'] };
    assert.deepEqual(
      [...affectedTests(imported, ['src/a.ts'], () => '')],
      [
        ['test/unit/near.test.ts', 1],
        ['test/unit/far.test.ts', 2],
      ],
    );
    assert.deepEqual([...affectedTests(imported, ['src/c.ts'], () => '').keys()], []);
  });

  it('A change affects itself, the tests that name a file that is read, and those that read its whole folder', () => {
    const texts = { 'test/unit/near.test.ts': "read('names.json')", 'test/unit/far.test.ts': "readdirSync('src')" };
    const found = (file) => [...affectedTests(GRAPH, [file], (test) => texts[test] ?? '').keys()];
    assert.deepEqual(found('media/names.json'), ['test/unit/near.test.ts']);
    assert.deepEqual(found('src/new.ts'), ['test/unit/far.test.ts']);
    assert.deepEqual(found('test/unit/near.test.ts'), ['test/unit/near.test.ts']);
    assert.deepEqual([...affectedTests(READERS, ['src/review/README.md']).keys()], READERS.tests);
  });

  it('The nearest tests that fit into the time are run, and the others are named', () => {
    const times = { a: 10, b: 100, c: 10 };
    assert.deepEqual(
      withinTime(['a', 'b', 'c'], (test) => times[test], 50),
      { chosen: ['a', 'c'], left: ['b'] },
    );
  });

  it('The files that took longest come first, and one of which nothing is known counts as two seconds', () => {
    const file = join(folder(), 'times.json');
    addTimes({ short: 1, long: 9_000 }, file);
    addTimes({ short: 2 }, file);
    const times = readTimes(file);
    assert.deepEqual(
      longestFirst(['short', 'new', 'long'], (name) => times[name]),
      ['long', 'new', 'short'],
    );
  });

  it('Where no test has run yet, as in CI, the files that usually take longest are known, and each of them exists', () => {
    const [longest, ...others] = Object.entries(readTimes(join(folder(), 'none.json')));
    assert.ok(others.length > 10);
    for (const [path, ms] of [longest, ...others]) {
      assert.ok(existsSync(join('test', path.replace(/\.js$/, '.ts'))), path);
      assert.ok(ms > USUAL_FILE_MS, path);
    }
  });

  it('The imports of everything that tests run can be read, whatever kinds of files they are', async () => {
    const graph = await readImportGraph();
    assert.equal(affectedTests(graph, ['src/review/rules/limits.ts']).get('test/unit/review/limits.test.ts') > 0, true);
    for (const kind of ['unit', 'sandbox', 'chain', 'editor', 'settings', 'browser']) {
      assert.ok(
        graph.tests.some((test) => test.startsWith(`test/${kind}/`)),
        kind,
      );
    }
    assert.ok(graph.importers.get('src/mcp/rangeApp.html')?.has('src/mcp/apps.ts'));
  });
});
