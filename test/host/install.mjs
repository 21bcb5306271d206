import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderSize, megabytes } from './folderSize.mjs';
import { projectRoot } from './paths.mjs';
import { npm } from './processes.mjs';
import { requireWritable } from './setupProblems.mjs';

/**
 * Folders with packages of their own, and their size in megabytes (measured on Linux).
 * @typedef {{ readonly root: string, readonly what: string, readonly sizeMb: number }} Packages
 */

/** What every script needs. @type {Packages} */
export const PROJECT = { root: projectRoot, what: "the project's packages", sizeMb: 380 };
/** What only packages, translations and the check of the workflows need: `npm start` does without. @type {Packages} */
export const TOOLS = { root: join(projectRoot, 'test', 'host', 'tools'), what: 'the tools of test/host/tools', sizeMb: 170 };

/**
 * Installs packages where they are missing or are not those of the lock file.
 * @param {Packages} packages
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 */
export async function installPackages({ root, what, sizeMb }, ending, tell) {
  if (areInstalled(root)) return;
  // npm tells its scripts where it stores what it downloads.
  const { npm_config_cache: npmCache } = process.env;
  if (npmCache)
    requireWritable(
      npmCache,
      'npm stores downloads there. Allow writing there, or name another folder in the environment variable npm_config_cache.',
    );
  // The development packages are needed too, whatever NODE_ENV or the user's npm settings say.
  await tell.step(
    `Installing ${what} (npm ci), about ${sizeMb} MB, into ${join(root, 'node_modules')}`,
    () => npm(ending, ['ci', '--ignore-scripts', '--include=dev', '--include=optional'], root),
    async () => `${megabytes(await folderSize(join(root, 'node_modules')))} of about ${sizeMb} MB`,
  );
}

/**
 * Whether node_modules holds what the lock file asks for. npm writes down there, last of all, what it has installed, so an
 * installation that was broken off does not count.
 * @param {string} root
 */
export function areInstalled(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined) throw new Error(`${join(root, 'package-lock.json')} is missing or cannot be read.`);
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, link }]) => {
    if (path === '' || link) return true;
    // npm leaves out what is made for other systems.
    if (installed[path] === undefined) return optional === true || devOptional === true;
    return installed[path].version === version;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
