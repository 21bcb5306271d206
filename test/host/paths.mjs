import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest folder upwards that holds a package.json: right for this file, and where a test bundle has taken it in. */
function findProjectRoot() {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; folder !== parse(folder).root; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`No package.json in ${here} or above it.`);
}

/** The folder of the project. */
export const projectRoot = findProjectRoot();

/** What runs leave behind: profiles, results, the lock. Ignored by git, may be deleted at any time. */
export const runFolder = join(projectRoot, '.vscode-test');

/**
 * Where what is large and the same for every clone is kept: BINSIGHT_CACHE, else the user's cache folder.
 * @param {NodeJS.ProcessEnv} env
 */
export function cacheFolder(env = process.env) {
  if (env.BINSIGHT_CACHE) return resolve(env.BINSIGHT_CACHE);
  // The base directory specification: a relative path here is to be ignored.
  const base = env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : join(homedir(), '.cache');
  return join(base, 'binsight');
}
