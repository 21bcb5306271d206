import { CommandError, run } from './processes.mjs';

/**
 * Installs a VSIX with the command line of VS Code, as a user does, into a folder of extensions.
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./hostCache.mjs').VscodeHost} vscode
 * @param {{ vsix: string, extensions: string, profile: string }} options profile: the folder of user data
 * @throws CommandError where VS Code does not take it
 */
export async function installExtension(ending, vscode, { vsix, extensions, profile }) {
  const switches = ['--install-extension', vsix, '--extensions-dir', extensions, '--user-data-dir', profile];
  const result = await run(ending, vscode.node, ['out/server-main.js', ...switches, '--accept-server-license-terms'], {
    cwd: vscode.server,
  });
  if (result.code !== 0) throw new CommandError(`The installation of ${vsix}`, result);
}
