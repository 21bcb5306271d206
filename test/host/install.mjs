import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderSize, megabytes } from './folderSize.mjs';
import { npm } from './processes.mjs';

/** The installed packages, in megabytes (measured on Linux). */
const SIZE_MB = 450;

/**
 * Installs the project's packages where they are missing or are not those of the lock file.
 * @param {string} root
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 */
export async function installPackages(root, ending, tell) {
  if (areInstalled(root)) return;
  // The development packages are needed too, whatever NODE_ENV or the user's npm settings say.
  await tell.step(
    "Installing the project's packages (npm ci)",
    () => npm(ending, ['ci', '--ignore-scripts', '--include=dev', '--include=optional'], root),
    async () => `${megabytes(await folderSize(join(root, 'node_modules')))} of about ${SIZE_MB} MB`,
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
