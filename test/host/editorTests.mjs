// The tests inside a real VS Code, through @vscode/test-electron:
//   node editorTests.mjs --entry editor --results FILE --log FILE --console FILE --timeout MS [--grep TEXT] [--files A,B]
// The desktop one where there is one to be had and a screen to show it on, else the one from npm. BINSIGHT_EDITOR=npm or
// =desktop decides otherwise; =oldest and =newest download the oldest VS Code that Binsight runs in, and the newest.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { mkdirSync, mkdtempSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { delimiter, dirname, join, resolve } = await import('node:path');
const { parseArgs } = await import('node:util');
const { downloadAndUnzipVSCode, runTests } = await import('@vscode/test-electron');
const { desktopEnvironment, findDesktop, hasScreen, versionToDownload } = await import('./desktop.mjs');
const { messageOf } = await import('./ending.mjs');
const { readManifest } = await import('./packaging/stage.mjs');
const { cacheFolder, projectRoot } = await import('./paths.mjs');
const { endProcessesIn } = await import('./processes.mjs');
const { makeProfile, STILL_SETTINGS } = await import('./profile.mjs');
const { programFolder } = await import('./programFiles.mjs');
const { createTeller } = await import('./tell.mjs');

const NPM_EXECUTABLE = join(projectRoot, 'test', 'host', 'editorExecutable.mjs');
const DOWNLOAD_SITE = 'https://update.code.visualstudio.com/api/releases/stable';
const REACHABLE_LIMIT_MS = 3_000;
const DOWNLOAD = { cachePath: join(cacheFolder(), 'desktop'), timeout: 15_000 };

const tell = createTeller();

/** The program to run the tests in. */
async function chooseExecutable() {
  const wish = process.env.BINSIGHT_EDITOR;
  if (wish === 'npm') return NPM_EXECUTABLE;
  const version = versionToDownload(wish, readManifest().engines);
  if (version !== undefined) return downloadAndUnzipVSCode({ ...DOWNLOAD, version });
  const desktop = findDesktop(tell.say)?.executable ?? (hasScreen() ? await download() : undefined);
  if (desktop !== undefined) return desktop;
  if (wish === 'desktop') throw new Error('No desktop VS Code is to be had here, or there is no screen to show it on.');
  return NPM_EXECUTABLE;
}

/** The desktop VS Code as test-electron downloads it, or undefined where the site cannot be reached. */
async function download() {
  try {
    await fetch(DOWNLOAD_SITE, { method: 'HEAD', signal: AbortSignal.timeout(REACHABLE_LIMIT_MS) });
    return await downloadAndUnzipVSCode(DOWNLOAD);
  } catch (error) {
    tell.say(`The desktop VS Code cannot be downloaded here (${messageOf(error)}).`);
    return undefined;
  }
}

// It goes to the whole group: the editor ends, and with it this.
process.on('SIGTERM', () => undefined);

const { values } = parseArgs({
  options: {
    results: { type: 'string' },
    log: { type: 'string' },
    console: { type: 'string' },
    timeout: { type: 'string' },
    grep: { type: 'string' },
    files: { type: 'string' },
    // The folder within dist/test whose index.js is run.
    entry: { type: 'string' },
    // For measurements (bench.mjs): a folder whose profile stays for the next run.
    folder: { type: 'string' },
  },
});
// Short: VS Code makes sockets in it, whose paths may have about a hundred characters.
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'binsight-'));
try {
  const executable = await chooseExecutable();
  tell.say(executable === NPM_EXECUTABLE ? 'In the VS Code from npm.' : `In ${executable}.`);
  const profile = join(folder, 'profile');
  const workspace = join(folder, 'workspace');
  // A notice would come at any time between those that a test counts. The tests of notices switch them on.
  makeProfile(profile, { ...STILL_SETTINGS, 'binsight.notifications.leftRange': false });
  mkdirSync(workspace, { recursive: true });
  // test-electron hands on the environment of this process.
  const programs = programFolder();
  const clean = desktopEnvironment();
  for (const name of Object.keys(process.env)) if (!(name in clean)) delete process.env[name];
  process.exitCode = await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: projectRoot,
    extensionTestsPath: join(projectRoot, 'dist', 'test', values.entry, 'index.js'),
    launchArgs: [workspace, `--user-data-dir=${profile}`, `--extensions-dir=${join(profile, 'extensions')}`],
    extensionTestsEnv: {
      // For the first line of the stand-in: the Node that runs this, whatever the PATH says.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      // The views are open, as a user's may be (src/ui/start.ts).
      BINSIGHT_SHOW: '1',
      BINSIGHT_TEST_RESULTS: values.results,
      BINSIGHT_TEST_LOG: values.log,
      BINSIGHT_TEST_CONSOLE: values.console,
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('BINSIGHT_BENCH_'))),
      BINSIGHT_TEST_TIMEOUT_MS: values.timeout,
      // The extension host runs in another folder.
      ...(programs === undefined ? {} : { BINSIGHT_PROGRAMS: resolve(programs) }),
      ...(values.grep === undefined ? {} : { BINSIGHT_TEST_GREP: values.grep }),
      ...(values.files === undefined ? {} : { BINSIGHT_TEST_FILES: values.files }),
    },
  });
} catch (error) {
  tell.say(messageOf(error));
  process.exitCode = 1;
} finally {
  await endProcessesIn(folder);
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
