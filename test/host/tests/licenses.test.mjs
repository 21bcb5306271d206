import assert from 'node:assert/strict';
import { join } from 'node:path';
import { collectLicenses, noticesOf } from '../bundles/licenses.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

describe('Licenses of what is shipped', () => {
  const root = useTemporaryFolder();
  const installed = (folder, description, texts = { LICENSE: 'Do what you like.' }) => {
    write(join(root(), folder, 'package.json'), { version: '1.0.0', ...description });
    for (const [file, text] of Object.entries(texts)) write(join(root(), folder, file), text);
  };
  /** A build of one file: what it holds of each source, and what it loads unbundled. */
  const collect = ({ holds = {}, loads = [], lock = {}, reviews = [] }) => {
    write(join(root(), 'package-lock.json'), { packages: lock });
    const inputs = Object.fromEntries(Object.entries(holds).map(([path, bytesInOutput]) => [path, { bytesInOutput }]));
    const imports = loads.map((path) => ({ path, kind: 'import-statement', external: true }));
    return collectLicenses({ root: root(), outputs: { 'dist/a.js': { inputs, imports } }, reviews });
  };

  it('The notices name each package once, in the order of names and versions, with its version, license and text', () => {
    installed('node_modules/b', { license: 'MIT' }, { LICENSE: 'Text of b.\r\n', 'NOTICE.md': 'Notice of b.' });
    installed('node_modules/@a/c/node_modules/b', { license: 'ISC', version: '0.9.0' }, { 'license.txt': 'Text of old b.' });
    installed('node_modules/@a/d/node_modules/b', { license: 'ISC', version: '0.9.0' }, { 'license.txt': 'Text of old b.' });
    const { packages, problems } = collect({
      holds: {
        'src/main.ts': 9,
        'node_modules/b/index.js': 5,
        'node_modules/@a/c/node_modules/b/index.js': 5,
        'node_modules/@a/d/node_modules/b/index.js': 5,
      },
    });
    assert.deepEqual(problems, []);
    const rule = '-'.repeat(80);
    assert.equal(
      noticesOf(packages),
      `Binsight contains the packages below. Their licenses follow.\n\nb 0.9.0: ISC\nb 1.0.0: MIT\n\n${rule}\n\nb 0.9.0\n\nText of old b.\n\n${rule}\n\nb 1.0.0\n\nText of b.\n\nNotice of b.\n`,
    );
  });

  it('A text that several packages share is written once', () => {
    for (const name of ['a', 'b']) installed(`node_modules/${name}`, { license: 'MIT' });
    const { packages } = collect({ holds: { 'node_modules/a/a.js': 1, 'node_modules/b/b.js': 1 } });
    assert.equal(noticesOf(packages).split('Do what you like.').length, 2);
    assert.match(noticesOf(packages), /\na 1\.0\.0\nb 1\.0\.0\n\nDo what you like\.\n$/);
  });

  it('A package of which nothing is in the bundle is not named', () => {
    installed('node_modules/a', { license: 'GPL-3.0-only' });
    assert.deepEqual(collect({ holds: { 'node_modules/a/a.js': 0 } }), { packages: [], problems: [] });
  });

  it('A package beside the bundle is named with its builds for other systems, of which none is installed', () => {
    installed('node_modules/a', { license: 'MIT' });
    const lock = {
      'node_modules/a': { optionalDependencies: { 'a-moon': '1.0.0' } },
      'node_modules/a-moon': { version: '1.0.0', license: 'MIT' },
    };
    const reviews = [{ package: 'a-moon', text: 'MIT', copyright: 'By A.', source: 'somewhere', holds: 'It holds a crater.' }];
    const { packages, problems } = collect({ loads: ['a/native.js', 'node:fs', 'buffer', 'vscode'], lock, reviews });
    assert.deepEqual(problems, []);
    assert.match(noticesOf(packages), /^a 1\.0\.0: MIT\na-moon 1\.0\.0: MIT\. It holds a crater\.$/m);
    assert.match(noticesOf(packages), /a-moon 1\.0\.0\n\nBy A\.\n\(somewhere\)\n\nPermission is hereby granted, free of charge/);
  });

  for (const { what, description, texts, problem } of [
    {
      what: 'a license that is not allowed',
      description: { license: 'LGPL-3.0-only' },
      texts: undefined,
      problem: /a 1\.0\.0 has the license LGPL-3\.0-only/,
    },
    {
      what: 'two licenses at once of which one is not allowed',
      description: { license: '(MIT AND GPL-2.0-only)' },
      texts: undefined,
      problem: /does not allow/,
    },
    { what: 'words instead of a license', description: { license: 'SEE LICENSE IN README' }, texts: undefined, problem: /does not allow/ },
    { what: 'no declared license', description: {}, texts: undefined, problem: /declares no license/ },
    { what: 'no text of its license', description: { license: 'MIT' }, texts: {}, problem: /carries no text of its license/ },
  ]) {
    it(`The check fails for a package with ${what}`, () => {
      installed('node_modules/a', description, texts);
      const { problems } = collect({ holds: { 'node_modules/a/a.js': 1 } });
      assert.equal(problems.length, 1);
      assert.match(problems[0], problem);
    });
  }

  it('A choice between licenses is allowed if one of them is', () => {
    installed('node_modules/a', { license: '(MIT OR GPL-3.0-or-later)' });
    assert.deepEqual(collect({ holds: { 'node_modules/a/a.js': 1 } }).problems, []);
  });

  it('The check fails for a review that no longer fits: another license, or nothing that is shipped', () => {
    installed('node_modules/a', { license: 'ISC' });
    const reviews = [
      { package: 'a', license: 'MIT' },
      { package: 'b', license: 'MIT' },
    ];
    const { problems } = collect({ holds: { 'node_modules/a/a.js': 1 }, reviews });
    assert.deepEqual(
      problems.map((problem) => problem.split('.')[0]),
      ['a 1', 'b is reviewed, but not shipped'],
    );
  });
});
