// `npm start`: from a fresh clone to a VS Code with Binsight in it.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { mkdirSync } = await import('node:fs');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { startChain } = await import('./chain.mjs');
const { desktopEnvironment, findDesktop } = await import('./desktop.mjs');
const { runToEnd } = await import('./ending.mjs');
const { isFree } = await import('./freePort.mjs');
const { requirePlaceOfVscode, vscodeFromNpm } = await import('./hostCache.mjs');
const { openInBrowser } = await import('./openInBrowser.mjs');
const { projectRoot, runFolder } = await import('./paths.mjs');
const { prepareProject } = await import('./prepare.mjs');
const { startProcess } = await import('./processes.mjs');
const { makeProfile } = await import('./profile.mjs');
const { startServerHost } = await import('./serverHost.mjs');
const { createTeller } = await import('./tell.mjs');

const HELP = `npm start [-- OPTIONS]
Opens VS Code with Binsight, connected to the sandbox: pretend money on this machine.
With --chain: on a little Solana chain on this machine, with the real programs of Meteora and pretend money.
Uses the desktop VS Code if there is one (\`code\` on the PATH, or VSCODE_EXECUTABLE), otherwise the one from npm, in the browser.

  --chain      a little chain instead of the sandbox; it needs builds of the programs (npm run programs -- --rpc URL)
  --browser    use the VS Code from npm even if there is a desktop VS Code
  --no-open    print the address of the VS Code from npm, and do not open it
  --no-build   use what is built already
  --port N     port of the VS Code from npm
  --help       print this help`;

/** The same at each start if it is free: the browser stores the state of a window by its address. */
const USUAL_PORT = 8473;

const tell = createTeller();

/** Makes Binsight show its views at each start (src/ui/start.ts). */
const SHOWN = { BINSIGHT_SHOW: '1' };

/** The folder that the window opens. It is empty: Binsight needs no folder. */
function makeWorkspace() {
  const workspace = join(runFolder, 'workspace');
  mkdirSync(workspace, { recursive: true });
  return workspace;
}

/** The folder of a profile: one for the sandbox, and one for the little chain, from which nothing goes to public services. */
function makeProfileFor(name, chain) {
  const profile = join(runFolder, chain === undefined ? name : `${name}-chain`);
  makeProfile(profile, chain === undefined ? {} : chain.settings);
  return profile;
}

/** Opens the desktop VS Code and waits until its window is closed. @returns its exit code */
async function openDesktop(ending, { executable, version }, chain) {
  const profile = makeProfileFor('desktop', chain);
  tell.say(`Opening VS Code ${version} with a profile of its own (${profile}): your settings and extensions are not touched.`);
  tell.say('Close its window, or press Ctrl-C here, to end it.');
  const window = startProcess(
    ending,
    executable,
    [
      ...['--new-window', '--skip-welcome', '--skip-release-notes', '--disable-workspace-trust', '--disable-updates'],
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${profile}`,
      `--extensions-dir=${join(profile, 'extensions')}`,
      `--extensionDevelopmentPath=${projectRoot}`,
      makeWorkspace(),
    ],
    { env: { ...desktopEnvironment(), ...SHOWN, ...chain?.environment }, stdio: 'ignore' },
  );
  return new Promise((resolve, reject) => {
    window.once('error', reject);
    window.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Serves the VS Code from npm until Ctrl-C; never returns. */
async function serveInBrowser(ending, options) {
  const vscode = await vscodeFromNpm(ending, tell);
  const profile = makeProfileFor('browser', options.chain);
  const port = await choosePort(options.port);
  const host = await tell.step(`Starting VS Code ${vscode.version} (from npm, in the browser)`, () =>
    startServerHost(ending, vscode, {
      ...{ profile, workspace: makeWorkspace(), extension: projectRoot, port },
      env: { ...process.env, ...SHOWN, ...options.chain?.environment },
    }),
  );
  tell.say(`\nOpen this address in a browser on this machine:\n\n  ${host.address}\n\nPress Ctrl-C here to end it.`);
  if (options.open) openInBrowser(host.address);
  const log = await host.ended;
  throw new Error(`The VS Code server ended by itself.\n${log}`);
}

/** The requested port; otherwise the usual one, or any free one if that is taken. */
async function choosePort(wish) {
  if (wish === undefined) return (await isFree(USUAL_PORT)) ? USUAL_PORT : 0;
  // VS Code's own server would wait forever, without a message.
  if (!(await isFree(wish))) throw new Error(`Port ${wish} is in use, or may not be used.`);
  return wish;
}

/** @returns {{ port?: number, browser: boolean, open: boolean, build: boolean, chain: boolean } | undefined} undefined: for `--help` */
function readOptions() {
  const { values } = parseArgs({
    options: {
      browser: { type: 'boolean', default: false },
      chain: { type: 'boolean', default: false },
      'no-open': { type: 'boolean', default: false },
      'no-build': { type: 'boolean', default: false },
      port: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new Error(`--port takes a number from 0 to 65535, not "${values.port}".`);
  }
  return { port, browser: values.browser, open: !values['no-open'], build: !values['no-build'], chain: values.chain };
}

/** A VS Code that ends sooner than this did not start. */
const FAILED_AT_ONCE_MS = 10_000;

await runToEnd(
  async (ending) => {
    const options = readOptions();
    if (options === undefined) {
      tell.say(HELP);
      return 0;
    }
    const desktop = options.browser ? undefined : findDesktop(tell.say);
    if (desktop === undefined) requirePlaceOfVscode();
    await prepareProject(ending, tell, { build: options.build });
    const chain = options.chain ? await startChain(ending, tell) : undefined;
    if (chain !== undefined) tell.say(chain.greeting);
    if (desktop !== undefined) {
      const start = performance.now();
      const code = await openDesktop(ending, desktop, chain);
      if (code === 0 || performance.now() - start > FAILED_AT_ONCE_MS) {
        tell.say('VS Code was closed.');
        return code;
      }
      tell.say(`The desktop VS Code ended at once with code ${code}. Using the one from npm instead.`);
    } else if (!options.browser) {
      tell.say('No desktop VS Code was found. Using the one from npm instead. (VSCODE_EXECUTABLE can name yours.)');
    }
    return serveInBrowser(ending, { ...options, chain });
  },
  { onSignal: () => tell.say('\nStopping …') },
);
