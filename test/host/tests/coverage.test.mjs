import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { belowFloors, reportCoverage, roomsOf } from '../coverage/report.mjs';
import { projectRoot, runFolder } from '../paths.mjs';

const half = { total: 4, covered: 2 };
const whole = { total: 4, covered: 4 };

describe('Coverage', () => {
  it('What ran in a bundle counts for its source, once for several bundles, and a source that nothing loads counts as not run', async () => {
    const folder = join(runFolder, 'coverageTest');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const source = join(projectRoot, 'src', 'base', 'async', 'concurrency.ts');
    for (const [name, use] of [
      ['idle', ''],
      ['busy', 'await new Mutex().take(async () => 1);'],
    ]) {
      const entry = { contents: `import { Mutex } from ${JSON.stringify(source)};\n${use} console.log(Mutex.name);`, resolveDir: folder };
      const outfile = join(folder, `${name}.mjs`);
      await build({ stdin: entry, outfile, bundle: true, format: 'esm', platform: 'node', sourcemap: true, logLevel: 'silent' });
      const { status, stderr } = spawnSync(process.execPath, [outfile], { env: { ...process.env, NODE_V8_COVERAGE: join(folder, 'v8') } });
      assert.equal(status, 0, String(stderr));
    }
    const options = { builds: ['.vscode-test/coverageTest/'], rooms: ['src/base/async'] };
    const files = await reportCoverage(join(folder, 'v8'), join(folder, 'report'), options);
    const of = (name) => files.filter(({ file }) => file === `src/base/async/${name}`);
    assert.equal(of('concurrency.ts').length, 1);
    assert.ok(
      of('concurrency.ts')[0].functions.covered > 0 && of('concurrency.ts')[0].lines.covered > 0,
      JSON.stringify(of('concurrency.ts')),
    );
    assert.equal(of('slices.ts')[0].functions.covered, 0);
    assert.ok(readdirSync(join(folder, 'report')).includes('index.html'));
    rmSync(folder, { recursive: true, force: true });
  });

  it('A room sums up its files', () => {
    const files = [
      { file: 'src/review/rules/fees.ts', lines: half, functions: whole },
      { file: 'src/review/review.ts', lines: whole, functions: whole },
      { file: 'src/extension.ts', lines: whole, functions: half },
    ];
    assert.deepEqual(roomsOf(files), [
      { room: 'src', files: 1, lines: 100, functions: 50 },
      { room: 'src/review', files: 2, lines: 75, functions: 100 },
    ]);
  });

  it('A room below its floor, one without a floor and the floor of one that is gone are complaints', () => {
    const rooms = [
      { room: 'src/review', files: 2, lines: 75, functions: 100 },
      { room: 'src/new', files: 1, lines: 100, functions: 100 },
    ];
    const found = belowFloors(rooms, { 'src/review': { lines: 76, functions: 100 }, 'src/old': { lines: 1, functions: 1 } });
    assert.deepEqual(found, [
      'src/review: 75.0 % of its lines have run, and 76 % must',
      'src/new has no floor in test/coverage/floors.json',
      'src/old has a floor in test/coverage/floors.json and no files',
    ]);
    assert.deepEqual(belowFloors(rooms.slice(0, 1), { 'src/review': { lines: 75, functions: 100 } }), []);
  });
});
