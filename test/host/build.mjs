import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, run } from './processes.mjs';

/** What a build is made of. */
const SOURCES = ['src', 'webview', 'test/host/bundles', 'esbuild.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** What a build writes last. */
const LAST_OUTPUT = join('dist', 'ThirdPartyNotices.txt');

/**
 * Builds the extension and the sandbox where the build is missing or older than the sources.
 * @param {string} root
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 */
export async function buildProduct(root, ending, tell) {
  if (isBuilt(root)) return;
  await tell.step('Building (node esbuild.mjs)', async () => {
    const result = await run(ending, process.execPath, ['esbuild.mjs'], { cwd: root });
    if (result.code !== 0) throw new CommandError('The build', result);
  });
}

/**
 * Whether the build is whole and newer than all it is made of.
 * @param {string} root
 */
export function isBuilt(root) {
  const output = join(root, LAST_OUTPUT);
  if (!existsSync(output)) return false;
  const builtAt = statSync(output).mtimeMs;
  return SOURCES.every((name) => newestChange(join(root, name)) <= builtAt);
}

/** When the file, or anything in the folder, changed last; a folder changes when something in it is removed. */
function newestChange(path) {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
