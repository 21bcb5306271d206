import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFileProblems } from '../bundles/lockFile.mjs';
import { PROJECT, TOOLS } from '../install.mjs';

const SETTINGS = { 'ignore-scripts': 'true' };

describe('The check of the lock file', () => {
  const [packages, tools] = [PROJECT, TOOLS].map(({ root }) => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages);
  const good = { version: '1.0.0', integrity: 'sha512-abc' };
  const problemsWith = (entry) => lockFileProblems([{ ...packages, 'node_modules/some': entry }, tools], SETTINGS);

  it('It passes for a package of the registry', () => {
    assert.deepEqual(problemsWith({ ...good, engines: { node: '>=18' } }), []);
  });

  for (const { what, entry, problem } of [
    { what: 'has an install script', entry: { ...good, hasInstallScript: true }, problem: /some 1\.0\.0 .*has an install script/ },
    {
      what: 'comes from an address',
      entry: { ...good, resolved: 'git+ssh://git@example.com/some.git' },
      problem: /has an address of its own/,
    },
    { what: 'has no checksum', entry: { version: '1.0.0' }, problem: /has no sha512 checksum/ },
    { what: 'is a folder', entry: { link: true, version: '1.0.0' }, problem: /is a link to a folder/ },
    { what: 'needs a newer Node', entry: { ...good, engines: { node: '>=99' } }, problem: /needs Node >=99/ },
  ]) {
    it(`It fails for a package that ${what}`, () => {
      const problems = problemsWith(entry);
      assert.equal(problems.length, 1);
      assert.match(problems[0], problem);
    });
  }

  it('It fails for a package that is asked for by an address', () => {
    const root = { ...packages[''], devDependencies: { ...packages[''].devDependencies, some: 'github:a/some' } };
    assert.match(lockFileProblems([{ ...packages, '': root }, tools], SETTINGS).join(), /some is asked for as github:a\/some/);
  });

  it('It fails where npm would run install scripts, and for exceptions that nothing needs', () => {
    assert.match(lockFileProblems([packages, tools], {}).join(), /ignore-scripts/);
    const without = Object.fromEntries(Object.entries(packages).filter(([path]) => path !== 'node_modules/esbuild'));
    assert.deepEqual(lockFileProblems([without, tools], SETTINGS), ['esbuild is excepted in test/host/bundles/lockFile.mjs without need.']);
  });
});
