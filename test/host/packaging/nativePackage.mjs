import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, projectRoot } from '../paths.mjs';
import { npm } from '../processes.mjs';
import { makeWholeFolder } from '../wholeFolder.mjs';

/**
 * Gives the folder of an npm package with native code, also of one that is made for another system: npm leaves those out of
 * node_modules. npm then installs it into the cache and compares it with the hash in this project's lock file.
 * @param {string} name
 * @param {import('../ending.mjs').Ending} ending
 * @returns {Promise<string>}
 */
export async function nativePackage(name, ending) {
  const path = join('node_modules', name);
  const installed = join(projectRoot, path);
  if (existsSync(installed)) return installed;
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (integrity === undefined) throw new Error(`package-lock.json has no hash of ${name}.`);
  const folder = join(cacheFolder(), `${name}-${version}`);
  await makeWholeFolder(folder, ending, async (unfinished) => {
    const manifest = { name: 'native', version: '0.0.0', private: true, dependencies: { [name]: version } };
    // Without `os` and `cpu`: for those it would not be installed here.
    const lock = { lockfileVersion: 3, packages: { '': manifest, [`node_modules/${name}`]: { version, integrity } } };
    writeFileSync(join(unfinished, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(unfinished, 'package-lock.json'), JSON.stringify(lock));
    copyFileSync(join(projectRoot, '.npmrc'), join(unfinished, '.npmrc'));
    await npm(ending, ['ci', '--ignore-scripts'], unfinished);
  });
  return join(folder, path);
}
