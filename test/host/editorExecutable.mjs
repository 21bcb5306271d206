#!/usr/bin/env node
// Stands in for the desktop VS Code's program: takes its switches, runs the extension's tests in the VS Code from npm, in a
// Chromium, and ends with the code that the desktop one would give. `runTests({ vscodeExecutablePath })` starts it.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { writeFileSync } = await import('node:fs');
const { resolve } = await import('node:path');
const { openEditor } = await import('./browserEditor.mjs');
const { runToEnd } = await import('./ending.mjs');
const { createTeller } = await import('./tell.mjs');

/** The switches that mean something here, and the folder; the others are about a desktop. */
function readSwitches(args) {
  const valueOf = (name) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const pathOf = (name) => {
    const value = valueOf(name);
    return value === undefined ? undefined : resolve(value);
  };
  const folder = args.find((arg) => !arg.startsWith('-'));
  return {
    extension: pathOf('extensionDevelopmentPath'),
    tests: pathOf('extensionTestsPath'),
    profile: pathOf('user-data-dir'),
    workspace: folder === undefined ? undefined : resolve(folder),
  };
}

await runToEnd(async (ending) => {
  const { extension, tests, profile, workspace } = readSwitches(process.argv.slice(2));
  if (extension === undefined || tests === undefined) {
    throw new Error('--extensionDevelopmentPath=… and --extensionTestsPath=… are needed.');
  }
  const tell = createTeller(process.stderr);
  let finish;
  const finished = new Promise((resolveFinished) => {
    finish = resolveFinished;
  });
  const editor = await openEditor({
    ...{ ending, tell, extension, tests, profile, workspace },
    // Nobody looks at it, and each row that is drawn takes its time.
    size: { width: 640, height: 480 },
    // The workbench calls these where tests are run in it.
    pageFunctions: { codeAutomationLog: () => undefined, codeAutomationExit: (code) => finish(Number(code)) },
  });
  const outcome = await Promise.race([finished, editor.broken]);
  if (outcome !== 0 && process.env.BINSIGHT_TEST_CONSOLE)
    writeFileSync(process.env.BINSIGHT_TEST_CONSOLE, editor.consoleLines().join('\n'));
  await editor.stop();
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome;
});
