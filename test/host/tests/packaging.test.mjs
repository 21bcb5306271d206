import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemsOfManifest } from '../packaging/gallery.mjs';
import { isPreRelease, packagedManifest, readManifest } from '../packaging/stage.mjs';
import { TARGETS, targetsOf, vsixName } from '../packaging/targets.mjs';
import { problemsOfFiles } from '../packaging/vsixContents.mjs';
import { projectRoot } from '../paths.mjs';

const [LINUX] = targetsOf(['linux-x64']);
const [UNIVERSAL] = targetsOf(['universal']);
const BINARY = 'dist/node_modules/litesvm-linux-x64-gnu/litesvm.linux-x64-gnu.node';
/** What every package has, and for this test nothing else. */
const FILES = [
  ...['package.json', 'package.nls.json', 'readme.md', 'changelog.md', 'LICENSE.txt', 'dist/ThirdPartyNotices.txt', 'dist/build.txt'],
  ...['extension', 'sandbox', 'service', 'mcp'].map((name) => `dist/${name}.js`),
  ...['pool', 'overview', 'position'].flatMap((name) => [`dist/webview/${name}.js`, `dist/webview/${name}.css`]),
  ...['js', 'wasm'].map((ending) => `dist/node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.${ending}`),
];
const NATIVE = ['dist/node_modules/litesvm/dist/internal.js', BINARY];
const SMALL = 1_000_000;

const problems = (target, files, bytes = SMALL) =>
  problemsOfFiles(
    files.map((name) => ({ name: `extension/${name}`, bytes: 20, packedBytes: 10 })),
    target,
    bytes,
  );

describe('What a package has to be', () => {
  it('A package with what it needs has no problems', () => {
    assert.deepEqual(problems(UNIVERSAL, FILES), []);
    assert.deepEqual(problems(LINUX, [...FILES, ...NATIVE]), []);
  });

  it('A package without one of the files that it needs is refused', () => {
    for (const missing of [...FILES, ...NATIVE]) {
      const files = [...FILES, ...NATIVE].filter((name) => name !== missing);
      assert.equal(problems(LINUX, files).length, 1, missing);
    }
  });

  it('A package with source maps, tests, sources or the native code of another system is refused', () => {
    for (const name of [
      'dist/extension.js.map',
      'dist/test/x.js',
      'src/extension.ts',
      'media/pool-dark.png',
      'dist/extension.meta.json',
      '.npmrc',
    ]) {
      assert.deepEqual(problems(UNIVERSAL, [...FILES, name]), [`${name} is not meant to be in it.`]);
    }
    assert.equal(problems(UNIVERSAL, [...FILES, ...NATIVE]).length, 2);
    assert.equal(problems(LINUX, [...FILES, ...NATIVE, BINARY.replaceAll('linux-x64-gnu', 'darwin-x64')]).length, 1);
  });

  it('A package with more than 8 MB is refused', () => {
    assert.deepEqual(problems(UNIVERSAL, FILES, 8 * 1024 * 1024), []);
    assert.equal(problems(UNIVERSAL, FILES, 8 * 1024 * 1024 + 1).length, 1);
  });

  it('The Marketplace and Open VSX take the manifest, with and without an address of the repository', () => {
    for (const repository of [undefined, 'https://example.org/owner/name']) {
      const manifest = packagedManifest(readManifest(), repository);
      assert.deepEqual(checked(manifest), []);
      assert.equal(manifest.repository?.url, repository === undefined ? undefined : `${repository}.git`);
      assert.ok(!('scripts' in manifest) && !('devDependencies' in manifest) && !('private' in manifest));
    }
  });

  it('A manifest that a gallery would refuse is refused', () => {
    const good = packagedManifest(readManifest());
    for (const change of [
      { publisher: undefined },
      { version: '1.2.3-beta' },
      { license: undefined },
      { icon: 'media/icon.svg' },
      { keywords: Array.from({ length: 31 }, (_, index) => `word ${index}`) },
      { categories: ['Finance'] },
      { galleryBanner: {} },
      { enabledApiProposals: ['chatProvider'] },
      { sponsor: { url: 'https://example.org' } },
      { engines: { vscode: '*' } },
    ]) {
      assert.equal(checked({ ...good, ...change }).length, 1, JSON.stringify(change));
    }
  });

  it('Versions with an odd minor number are pre-releases', () => {
    assert.deepEqual(['0.2.0', '0.3.1', '1.10.0', '1.11.0'].map(isPreRelease), [false, true, false, true]);
  });

  it('The galleries show the extension as a preview, and among those for AI', () => {
    const { preview, categories } = packagedManifest(readManifest());
    assert.equal(preview, true);
    assert.ok(categories.includes('AI'));
  });

  it('The types of VS Code are those of the oldest version that the package runs in', () => {
    const { engines, devDependencies } = readManifest();
    assert.equal(engines.vscode, `^${devDependencies['@types/vscode']}`);
  });

  it('Each target has a file name of its own, and those with LiteSVM are in the lock file', () => {
    const names = TARGETS.map((target) => vsixName(target, { name: 'binsight', version: '1.2.3' }));
    assert.equal(new Set(names).size, TARGETS.length);
    assert.ok(names.includes('binsight-1.2.3.vsix') && names.includes('binsight-1.2.3-darwin-arm64.vsix'));
    assert.ok(names.includes('binsight-1.2.3-alpine-x64.vsix') && names.includes('binsight-1.2.3-alpine-arm64.vsix'));
    const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
    for (const { native } of TARGETS) if (native !== undefined) assert.match(packages[`node_modules/${native}`].integrity, /^sha512-/);
    assert.throws(() => targetsOf(['plan9']), /No target is called plan9/);
  });
});

function checked(manifest) {
  const texts = JSON.parse(readFileSync(join(projectRoot, 'package.nls.json'), 'utf8'));
  return problemsOfManifest(manifest, texts, projectRoot);
}
