import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findOnPath, isExecutable } from './findOnPath.mjs';

const OLDEST = [1, 101];
const NAMES = ['code', 'code-insiders', 'codium'];

/**
 * A VS Code on this machine's desktop.
 * @typedef {{ executable: string, version: string }} Desktop
 */

/**
 * Finds the desktop VS Code: the one that VSCODE_EXECUTABLE names, else the one whose command is on the PATH. Gives its
 * program itself, not the command, which would hand over to it and leave: so that it can be waited for and ended.
 * @param {(why: string) => void} onUnusable called with the reason why a VS Code that was found is not used
 * @param {NodeJS.ProcessEnv} env
 * @returns {Desktop | undefined}
 * @throws where VSCODE_EXECUTABLE does not name a usable VS Code
 */
export function findDesktop(onUnusable, env = process.env) {
  if (env.VSCODE_EXECUTABLE) {
    const found = describe(env.VSCODE_EXECUTABLE);
    if (typeof found === 'string') throw new Error(`VSCODE_EXECUTABLE: ${found}`);
    return found;
  }
  if (env.BINSIGHT_EDITOR === 'npm') return undefined;
  if (!hasScreen(env)) return undefined;
  for (const name of NAMES) {
    const command = findOnPath(name, env);
    if (command === undefined || isRemoteCommand(command)) continue;
    const found = describe(command);
    if (typeof found !== 'string') return found;
    onUnusable(found);
  }
  return undefined;
}

/**
 * The version of VS Code to download where BINSIGHT_EDITOR asks for the oldest or the newest; undefined for every other wish.
 * @param {string | undefined} wish
 * @param {{ vscode: string }} engines of package.json
 */
export function versionToDownload(wish, engines) {
  if (wish === 'newest') return 'stable';
  return wish === 'oldest' ? engines.vscode.replace(/^\^/, '') : undefined;
}

/**
 * Whether a window would be seen.
 * @param {NodeJS.ProcessEnv} env
 */
export function hasScreen(env = process.env) {
  return process.platform !== 'linux' || Boolean(env.DISPLAY ?? env.WAYLAND_DISPLAY);
}

/** In a terminal within a remote window, `code` only asks that window to open a file. */
const isRemoteCommand = (command) => command.includes('remote-cli');

/** The program behind a command or a program, with its version; or why there is none. */
function describe(path) {
  if (!isExecutable(path)) return `${path} is not there, or is not a program.`;
  const program = programOf(realpathSync(path));
  const version = program === undefined ? undefined : versionOf(program);
  if (program === undefined || version === undefined) return `${path} is not a VS Code with a readable version.`;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return `${path} is VS Code ${version}; Binsight needs ${OLDEST.join('.')} or later.`;
  }
  return { executable: program, version };
}

/** From `…/bin/code` to the program beside `bin`; a program is its own. */
function programOf(path) {
  if (basename(dirname(path)) !== 'bin') return path;
  const name = basename(path, '.cmd');
  const home = dirname(dirname(path));
  const candidates = {
    // …/Visual Studio Code.app/Contents/Resources/app/bin/code
    darwin: [join(home, '..', '..', 'MacOS', 'Electron'), join(home, '..', '..', 'MacOS', name)],
    win32: [join(home, 'Code.exe'), join(home, 'Code - Insiders.exe'), join(home, 'VSCodium.exe')],
  }[process.platform] ?? [join(home, name)];
  return candidates.find(isExecutable);
}

/** As written in the program's own folder: asking the program could open it. */
function versionOf(program) {
  const home = dirname(program);
  const places = [join(home, 'resources', 'app', 'package.json'), join(home, '..', 'Resources', 'app', 'package.json')];
  const file = places.find((place) => existsSync(place));
  return file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8')).version;
}

/**
 * The environment for a desktop VS Code: without what another one, in whose terminal this runs, has put there for itself.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function desktopEnvironment(env = process.env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('VSCODE_') && !name.startsWith('ELECTRON_')));
}
