import { resolve } from 'node:path';
import { errorText } from '../../base/thrown';
import { ArgumentError } from './commandLine';
import { type AnyReadyLine, claimFolder, type FolderClaim, InstanceError, type InstanceKind } from './instance';

const EXIT = { done: 0, failed: 1, wrongArguments: 2, cannotRunHere: 3, folderTaken: 4 } as const;

export interface RunningService<Line> {
  readonly line: Line;
  /** Resolves when the last lease has ended; never if the process does not end with it. */
  readonly abandoned: Promise<void>;
  /** Closes all connections and the store. Everything answered is stored already. */
  stop(): Promise<void>;
}

/** Receives messages and the fatal error of a service. */
export interface Watcher {
  readonly log: (message: string) => void;
  /** Ends the process at once: changes can't be stored, so they must not be answered. */
  readonly end: (error: Error) => never;
}

/** Starts the service in a folder that only this process uses. @throws errors of the store and the port */
type Start<Options, Line> = (options: Options, watcher: Watcher) => Promise<RunningService<Line>>;

/** A service as a process of its own. */
export interface ServiceProgram<Options extends { readonly data: string }, Line extends AnyReadyLine> {
  /** The program in messages: "sandbox". */
  readonly noun: string;
  readonly instance: InstanceKind<Line>;
  /** Output of `--help`. */
  readonly help: string;
  /** Reads the command line; `undefined` for `--help`. @throws ArgumentError */
  readonly readArguments: (given: readonly string[]) => Options | undefined;
  /** Loads the rest of the program; `undefined` if this system can't run it; the reason is logged. */
  readonly load: (log: (message: string) => void) => Promise<Start<Options, Line> | undefined>;
}

/**
 * Runs a service: one process per data folder, one line of JSON on standard output when it is ready, messages on standard error, and an end
 * on SIGINT, SIGTERM or with the last lease. Sets the exit code.
 */
export async function runServiceProcess<Options extends { readonly data: string }, Line extends AnyReadyLine>(
  program: ServiceProgram<Options, Line>,
): Promise<void> {
  // Standard output has only the ready line.
  const log = boundedLog((text) => process.stderr.write(text));
  try {
    process.exitCode = await main(program, log);
  } catch (error) {
    if (error instanceof ArgumentError) {
      log(`${error.message}\nTry --help.`);
      process.exitCode = EXIT.wrongArguments;
    } else {
      logFailure(program.noun, error, log);
      process.exitCode = error instanceof InstanceError ? EXIT.folderTaken : EXIT.failed;
    }
  }
}

async function main<Options extends { readonly data: string }, Line extends AnyReadyLine>(
  program: ServiceProgram<Options, Line>,
  log: (message: string) => void,
): Promise<number> {
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', () => undefined); // a closed pipe must not end the process
  }
  const options = program.readArguments(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(program.help);
    return EXIT.done;
  }
  const data = resolve(options.data);
  const claimed = await claimFolder(data, program.instance);
  if (claimed.kind === 'taken') {
    const { pid, url } = claimed.line;
    log(
      `Another ${program.noun} serves ${data}: process ${pid}, at ${url}. Use that one (its line is on standard output), end it, or name another folder with --data.`,
    );
    printReady(claimed.line);
    return EXIT.folderTaken;
  }
  try {
    return await run(program, { ...options, data }, claimed.claim, log);
  } finally {
    claimed.claim.release();
  }
}

/** Serves until a signal comes or the last lease ends. */
async function run<Options extends { readonly data: string }, Line extends AnyReadyLine>(
  program: ServiceProgram<Options, Line>,
  options: Options,
  claim: FolderClaim<Line>,
  log: (message: string) => void,
): Promise<number> {
  const ended = new Promise<string>((end) => {
    // `on`, not `once`: Ctrl-C in a terminal and the script that started this may both send one.
    process.on('SIGINT', () => end('SIGINT'));
    process.on('SIGTERM', () => end('SIGTERM'));
  });
  const start = await program.load(log);
  if (start === undefined) {
    return EXIT.cannotRunHere;
  }
  const service = await start(options, {
    log,
    end: (error) => {
      // No more requests are answered; the next start continues from the store.
      logFailure(program.noun, error, log);
      claim.release();
      process.exit(EXIT.failed);
    },
  });
  try {
    claim.publish(service.line);
    printReady(service.line);
    const why = await Promise.race([ended, service.abandoned.then(() => 'no client holds a lease')]);
    log(`Stopping: ${why}.`);
  } finally {
    // Also if publishing failed because the folder was deleted: changes could no longer be stored.
    await service.stop();
  }
  return EXIT.done;
}

function printReady(line: AnyReadyLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function logFailure(noun: string, error: unknown, log: (message: string) => void): void {
  log(`The ${noun} cannot start or continue: ${oneLine(error)}`);
}

/** Messages of SQLite and Node can have several lines. */
function oneLine(error: unknown): string {
  return errorText(error).replace(/\s*\n\s*/g, ' ');
}

/** Characters logged per run. */
const MOST = 4_000_000;
/** Characters logged of one message. */
const LONGEST_MESSAGE = 10_000;

/** A log that stops when it has become large, so that a repeating error can't fill the disk. @param most characters per run */
export function boundedLog(write: (text: string) => void, most = MOST): (message: string) => void {
  let written = 0;
  return (message) => {
    if (written >= most) {
      return;
    }
    const text = `${message.slice(0, LONGEST_MESSAGE)}\n`;
    write(text);
    written += text.length;
    if (written >= most) {
      write('The log is full: nothing more is logged until the next start.\n');
    }
  };
}
