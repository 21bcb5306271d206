import assert from 'node:assert/strict';
import { join } from 'node:path';
import { measure, sizeProblems, unmeasured } from '../bundles/sizes.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

const output = (bytes, { inputs = {}, loads = [], later = [] } = {}) => ({
  bytes,
  inputs: Object.fromEntries(Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }])),
  imports: [
    ...loads.map((path) => ({ path, kind: 'import-statement' })),
    ...later.map((path) => ({ path, kind: 'dynamic-import' })),
    { path: 'node:fs', kind: 'import-statement', external: true },
  ],
});

describe('Sizes of the bundles', () => {
  const root = useTemporaryFolder();

  it('An entry and each chunk that is loaded later count with all that they load at once', () => {
    const sizes = measure(root(), {
      'dist/a.js': output(10, { loads: ['dist/chunks/chunk-AAAAAAAA.js'], later: ['dist/chunks/more-BBBBBBBB.js'] }),
      'dist/chunks/chunk-AAAAAAAA.js': output(100, { loads: ['dist/chunks/chunk-CCCCCCCC.js'] }),
      'dist/chunks/chunk-CCCCCCCC.js': output(1_000),
      'dist/chunks/more-BBBBBBBB.js': output(10_000, { loads: ['dist/chunks/chunk-CCCCCCCC.js'] }),
      'dist/a.js.map': output(99_999),
    });
    assert.deepEqual(
      Object.entries(sizes).map(([name, { bytes }]) => [name, bytes]),
      [
        ['dist/a.js', 1_110],
        ['dist/chunks/more.js', 11_000],
        ['all bundles', 11_110],
      ],
    );
  });

  it('A package that is loaded unbundled counts with its build for this system', () => {
    for (const [file, text] of [
      ['native/index.js', '12345'],
      ['native/README.md', '1234567'],
      ['native-moon/code.node', '123'],
      ['other/index.js', '1'],
    ])
      write(join(root(), 'node_modules', file), text);
    const loading = { ...output(1), imports: [{ path: 'native/index.js', kind: 'import-statement', external: true }] };
    const sizes = measure(root(), { 'dist/a.js': loading });
    assert.deepEqual(Object.keys(sizes), ['dist/a.js', 'node_modules/native', 'node_modules/native-moon', 'all bundles']);
    assert.deepEqual([sizes['node_modules/native'].bytes, sizes['node_modules/native-moon'].bytes], [5, 3]);
  });

  it('A bundle above its budget is named with the modules and packages that grew', () => {
    const inputs = (review) => ({ 'src/review/a.ts': review, 'src/ui/b.ts': 4_000, 'node_modules/zod/index.js': 2_000 });
    const before = measure(root(), { 'dist/a.js': output(10_000, { inputs: inputs(4_000) }) });
    assert.deepEqual(sizeProblems(before, before), []);
    const after = measure(root(), { 'dist/a.js': output(11_000, { inputs: inputs(5_000) }) });
    const [problem, ofAll, ...more] = sizeProblems(after, before);
    assert.equal(problem, 'dist/a.js has 11,000 bytes, 800 more than its budget. Grown since it was accepted: src/review by 1,000.');
    assert.match(ofAll, /^all bundles has 11,000 bytes/);
    assert.deepEqual(more, []);
  });

  it('A bundle without a budget fails, and so does a budget without a bundle', () => {
    assert.deepEqual(sizeProblems({ a: { bytes: 1 } }, { b: { bytes: 1 }, 'node_modules/native-moon': { bytes: 1 } }), [
      'a (1 bytes) has no budget.',
      'b has a budget, but is not built.',
    ]);
  });

  it('A file that no metafile knows is found', () => {
    write(join(root(), 'a.js'), '');
    write(join(root(), 'chunks', 'b.js'), '');
    write(join(root(), 'chunks', 'b.js.map'), '');
    assert.deepEqual(unmeasured(root(), { 'dist/a.js': output(1) }), ['b.js']);
  });
});
