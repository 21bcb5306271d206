import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../paths.mjs';
import { nativePackage } from './nativePackage.mjs';

/** Beside the manifest. Of the folders only what .vscodeignore names gets into the package. */
const FILES = ['package.nls.json', 'README.md', 'CHANGELOG.md', 'LICENSE', '.vscodeignore'];
const FOLDERS = ['dist', 'media'];
/** Large, and of no use in a package. */
const LEFT_OUT = [join('dist', 'test')];
/** Fields of package.json that are about this project and mean nothing to VS Code. */
const PROJECT_FIELDS = ['private', 'scripts', 'dependencies', 'devDependencies'];
/** What the bundles leave in its package: SQLite as WebAssembly. */
const SQLITE = ['package.json', 'LICENSE', join('dist', 'node-sqlite3-wasm.js'), join('dist', 'node-sqlite3-wasm.wasm')];
/** What loads the native code of LiteSVM. The rest of that package is an interface that is not used here. */
const LITESVM = ['package.json', join('dist', 'internal.js')];

/**
 * Fills a folder with what the package of a target is made from. Packages with native code and WebAssembly lie in `dist/node_modules`,
 * where Node finds them from `dist`: vsce takes a folder `node_modules` beside the manifest for the development packages.
 * @param {string} folder
 * @param {import('./targets.mjs').Target} target
 * @param {{ ending: import('../ending.mjs').Ending, repository?: string }} options repository: its address, for the links of README
 */
export async function stagePackage(folder, target, { ending, repository }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packagedManifest(readManifest(), repository), null, 2)}\n`);
  const translations = readdirSync(projectRoot).filter((name) => /^package\.nls\.[\w-]+\.json$/.test(name));
  for (const name of [...FILES, ...translations]) copyFileSync(join(projectRoot, name), join(folder, name));
  for (const name of FOLDERS) {
    cpSync(join(projectRoot, name), join(folder, name), {
      recursive: true,
      filter: (source) => !source.endsWith('.map') && !LEFT_OUT.some((path) => source === join(projectRoot, path)),
    });
  }
  copyModule(folder, join(projectRoot, 'node_modules', 'node-sqlite3-wasm'), 'node-sqlite3-wasm', SQLITE);
  if (target.native === undefined) return;
  const native = await nativePackage(target.native, ending);
  copyModule(folder, join(projectRoot, 'node_modules', 'litesvm'), 'litesvm', LITESVM);
  copyModule(folder, native, target.native, ['package.json', ...readdirSync(native).filter((name) => name.endsWith('.node'))]);
}

/** The manifest of this project. */
export function readManifest() {
  return JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
}

/**
 * The manifest as it goes into a package.
 * @param {Record<string, unknown>} manifest
 * @param {string} [repository] the address of the public repository; without it the package names none
 */
export function packagedManifest(manifest, repository) {
  const fields = Object.entries(manifest).filter(([name]) => !PROJECT_FIELDS.includes(name));
  const links =
    repository === undefined
      ? {}
      : { homepage: `${repository}#readme`, bugs: { url: `${repository}/issues` }, repository: { type: 'git', url: `${repository}.git` } };
  return { ...Object.fromEntries(fields), engines: { vscode: manifest.engines.vscode }, ...links };
}

/**
 * Whether a version belongs to the pre-release channel of the galleries: those with an odd minor number do.
 * @param {string} version
 */
export function isPreRelease(version) {
  return Number(version.split('.')[1]) % 2 === 1;
}

/**
 * The tag to which the links and pictures of a package's README lead: what they show stays what it was at that version.
 * @param {string} version
 */
export function tagOf(version) {
  return `v${version}`;
}

function copyModule(folder, from, name, files) {
  for (const file of files) {
    const to = join(folder, 'dist', 'node_modules', name, file);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(from, file), to);
  }
}
