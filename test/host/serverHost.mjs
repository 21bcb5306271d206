import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installExtension } from './installedExtension.mjs';
import { linkExtension } from './linkedExtension.mjs';
import { endTree, startProcess } from './processes.mjs';
import { processTable } from './processTable.mjs';

const HOST = '127.0.0.1';
const READY = /Extension host agent listening on (\d+)/;
const READY_LIMIT_MS = 60_000;
const KEPT_LOG = 16 * 1024;
const GOODBYE_LIMIT_MS = 6_000;

/**
 * A running VS Code server.
 * @typedef {object} ServerHost
 * @property {string} address of its window, with the token
 * @property {Promise<string>} ended settles when the server has ended by itself, with the last it said
 * @property {() => Promise<void>} stop
 */

/**
 * Starts the VS Code server from npm on this machine's own address and waits until it takes connections. A window needs the
 * token in its address: other users of the machine, and other sites in the browser, do not have it.
 *
 * The extension is there as an installed one: with `vsix` it is installed from that file, else it is linked to its folder. With `tests` it is there as one in development, and that module's `run()` is
 * called in the window; VS Code then needs its smoke test driver, which keeps notifications from showing.
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./hostCache.mjs').VscodeHost} vscode
 * @param {object} options
 * @param {string} options.profile folder for user data, extensions and the token
 * @param {string} options.workspace the folder that a window opens
 * @param {string} options.extension the folder of the extension
 * @param {string} [options.vsix] the package to install in place of that
 * @param {string} [options.tests] the module of the tests
 * @param {number} [options.port] 0 or left out: any free one
 * @param {NodeJS.ProcessEnv} [options.env] what the extension host inherits
 * @param {number} [options.reconnectSeconds] how long an extension host outlives a window that went without a word
 * @returns {Promise<ServerHost>}
 */
export async function startServerHost(
  ending,
  vscode,
  { profile, workspace, extension, vsix, tests, port = 0, env = process.env, reconnectSeconds },
) {
  const token = connectionToken(profile);
  const extensions = join(profile, 'extensions');
  if (vsix !== undefined) await installExtension(ending, vscode, { vsix, extensions, profile });
  else if (tests === undefined) linkExtension(extensions, extension);
  const endWith = endOn(profile);
  const switches = [
    ...['--host', HOST, '--port', String(port), '--connection-token-file', token.file],
    ...['--accept-server-license-terms', '--telemetry-level', 'off', '--disable-workspace-trust', '--force-disable-user-env'],
    ...['--user-data-dir', profile, '--extensions-dir', extensions, '--default-folder', workspace],
    ...(tests === undefined ? [] : ['--enable-smoke-test-driver']),
    ...(reconnectSeconds === undefined ? [] : ['--reconnection-grace-time', String(reconnectSeconds)]),
  ];
  const server = startProcess(ending, vscode.node, ['out/server-main.js', ...switches], {
    cwd: vscode.server,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    endWith,
  });
  const { readyPort, ended } = follow(server);
  const authority = `${HOST}:${await readyPort}`;
  const payload = tests === undefined ? {} : { payload: testPayload(authority, extension, tests) };
  return {
    ended,
    address: `http://${authority}/?${new URLSearchParams({ tkn: token.value, ...payload })}`,
    stop: () => endTree(server, endWith),
  };
}

/**
 * The server itself ends at once; its extension hosts notice, and let their extensions end first. The sandbox and the local service are
 * left to another server's windows where there is one on the same profile: they end by themselves with the last of them.
 * @returns {import('./processes.mjs').EndOptions}
 */
function endOn(profile) {
  const isOtherServer = ({ command }) => command.includes('server-main.js') && command.includes(`--user-data-dir ${profile} `);
  return {
    patienceMs: GOODBYE_LIMIT_MS,
    goodbyes: ({ command }) => command.includes('--type=extensionHost'),
    spares: ({ command }) =>
      /\b(?:sandbox|service)\.js\b/.test(command) && command.includes(join(profile, '/')) && processTable().some(isOtherServer),
  };
}

/** What tells the workbench which extension to load from where, and which tests to run. */
function testPayload(authority, extension, tests) {
  const remote = (path) => `vscode-remote://${authority}${pathToFileURL(path).pathname}`;
  return JSON.stringify([
    ['extensionDevelopmentPath', remote(extension)],
    ['extensionTestsPath', remote(tests)],
    ['skipWelcome', 'true'],
  ]);
}

/** The same from start to start, so that a window left open in the browser finds its server again. */
function connectionToken(profile) {
  const file = join(profile, 'connection-token');
  mkdirSync(profile, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600 });
  return { file, value: readFileSync(file, 'utf8') };
}

/** Reads what the server says: the port once it listens, and the end of it all for when it ends by itself. */
function follow(server) {
  let log = '';
  const ended = new Promise((resolve) => server.once('close', () => resolve(log.trim())));
  const readyPort = new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The VS Code server was not ready after ${READY_LIMIT_MS / 1000} s.\n${log}`)),
      READY_LIMIT_MS,
    );
    const settle = (settleIt) => {
      clearTimeout(timer);
      settleIt();
    };
    const read = (chunk) => {
      log = (log + chunk).slice(-KEPT_LOG);
      const port = READY.exec(log)?.[1];
      if (port !== undefined) settle(() => resolve(Number(port)));
    };
    server.stdout.setEncoding('utf8').on('data', read);
    server.stderr.setEncoding('utf8').on('data', read);
    server.once('error', (error) => settle(() => reject(error)));
    void ended.then(() => settle(() => reject(new Error(`The VS Code server ended before it was ready.\n${log}`))));
  });
  return { readyPort, ended };
}
