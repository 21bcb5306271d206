import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The file that a shell would run for `name`, or undefined.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
export function findOnPath(name, env = process.env) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find(isExecutable);
}

/**
 * Whether a file is there and may be run.
 * @param {string} path
 */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
