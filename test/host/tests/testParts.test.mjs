import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectRoot } from '../paths.mjs';
import { programFolder } from '../programFiles.mjs';
import { EVERYTHING, fileParts, PARTS, partsOnRecordings } from '../testParts.mjs';

const inTests = (path) => join(projectRoot, 'test', path);
const namesOf = (parts) => [...new Set(parts.map(({ name }) => name))];

describe('Everything', () => {
  it('What another part proves, too, runs only where it is asked for', () => {
    const within = PARTS.filter((part) => !EVERYTHING.includes(part));
    assert.deepEqual(namesOf(within), ['lint']);
    for (const part of within) assert.ok(namesOf(EVERYTHING).includes(part.within));
  });

  it('Where there are builds of the real programs, their tests can run without them as well', () => {
    const parts = partsOnRecordings();
    assert.equal(parts.length > 0, programFolder() !== undefined);
    for (const { args, env } of parts) {
      assert.ok(args.includes(join(projectRoot, 'dist', 'test', 'chain')));
      assert.deepEqual(env, { BINSIGHT_PROGRAMS: 'none' });
    }
  });
});

describe('Test files by name', () => {
  it('Several unit test files are built together and without the product', () => {
    const parts = fileParts([inTests('unit/review/rules.test.ts'), inTests('unit/review/damm.test.ts')]);
    assert.deepEqual(namesOf(parts), ['singleBuild', 'unit']);
    assert.ok(parts[0].args.includes('unit/review/rules.test.ts,unit/review/damm.test.ts'));
    assert.equal(parts.filter(({ name }) => name === 'unit').length, 2, 'two files need no third process');
  });

  it('Files that start a built process need the product', () => {
    assert.deepEqual(namesOf(fileParts([inTests('sandbox/rpc.test.ts'), inTests('chain/pools.test.ts')])), [
      'product',
      'singleBuild',
      'sandbox',
      'chain',
    ]);
  });

  it('Files of tests inside VS Code are the only ones of their part that run', () => {
    const parts = fileParts([inTests('editor/wallets.test.ts'), inTests('editor/plan.test.ts')]);
    assert.deepEqual(namesOf(parts), ['build', 'editor']);
    assert.deepEqual(parts[1].args.slice(-2), ['--files', 'wallets.test.js,plan.test.js']);
  });

  it('A file that is not there or holds no tests is refused by its name', () => {
    assert.throws(() => fileParts([inTests('unit/review/rules.test.ts'), inTests('support/patience.ts')]), /patience\.ts is not/);
    assert.throws(
      () => fileParts([inTests('unit/review/rules.test.ts'), inTests('unit/review/none.test.ts')]),
      /There is no .*none\.test\.ts/,
    );
  });
});
