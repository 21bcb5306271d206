import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { ArgumentError, HELP, readArguments, type SandboxOptions } from './arguments';
import type * as Sandbox from './sandbox';
import { boundedLog } from './boundedLog';
import { claimFolder, InstanceError, type FolderClaim, type ReadyLine } from './instance';

const EXIT = { done: 0, failed: 1, wrongArguments: 2, cannotRunHere: 3, folderTaken: 4 } as const;

/** Logs to standard error: standard output has only the ready line. */
const log = boundedLog((text) => process.stderr.write(text));

function printReady(line: ReadyLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function main(): Promise<number> {
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', () => undefined); // a closed pipe must not end the process
  }
  const options = readArguments(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  const data = resolve(options.data);
  const claimed = await claimFolder(data);
  if (claimed.kind === 'taken') {
    const { pid, url } = claimed.line;
    log(
      `Another sandbox serves ${data}: process ${pid}, at ${url}. Use that one (its line is on standard output), end it, or name another folder with --data.`,
    );
    printReady(claimed.line);
    return EXIT.folderTaken;
  }
  try {
    return await run({ ...options, data }, claimed.claim);
  } finally {
    claimed.claim.release();
  }
}

/** Serves until a signal comes or the last lease ends. */
async function run(options: SandboxOptions, claim: FolderClaim): Promise<number> {
  const ended = new Promise<string>((end) => {
    // `on`, not `once`: Ctrl-C in a terminal and the script that started this may both send one.
    process.on('SIGINT', () => end('SIGINT'));
    process.on('SIGTERM', () => end('SIGTERM'));
  });
  const module = await loadSandbox();
  if (module === undefined) {
    return EXIT.cannotRunHere;
  }
  const sandbox = await module.startSandbox(options, {
    log,
    end: (error) => {
      // No more requests are answered; the next start continues from the store.
      logFailure(error);
      claim.release();
      process.exit(EXIT.failed);
    },
  });
  try {
    claim.publish(sandbox.line);
    printReady(sandbox.line);
    const why = await Promise.race([ended, sandbox.abandoned.then(() => 'no client holds a lease')]);
    log(`Stopping: ${why}.`);
  } finally {
    // Also if publishing failed because the folder was deleted: changes could no longer be stored.
    await sandbox.stop();
  }
  return EXIT.done;
}

/** Loads the rest of the program, whose native code is not available on every system. */
async function loadSandbox(): Promise<typeof Sandbox | undefined> {
  try {
    // `require` first: an error that a CommonJS package throws during `import` ends the process even if it is caught.
    createRequire(import.meta.url)('litesvm/dist/internal.js');
  } catch (error) {
    log(
      `The sandbox cannot run on this system (${process.platform} ${process.arch}): litesvm, its Solana virtual machine, cannot be loaded. ${firstLine(error)}`,
    );
    return undefined;
  }
  return import('./sandbox');
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split(/\n|\. /, 1)[0] ?? '';
}

function logFailure(error: unknown): void {
  log(`The sandbox cannot start or continue: ${oneLine(error)}`);
}

/** Messages of SQLite and Node can have several lines. */
function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ');
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof ArgumentError) {
    log(`${error.message}\nTry --help.`);
    process.exitCode = EXIT.wrongArguments;
  } else {
    logFailure(error);
    process.exitCode = error instanceof InstanceError ? EXIT.folderTaken : EXIT.failed;
  }
}
