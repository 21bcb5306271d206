import * as l10n from '@vscode/l10n';
import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../../base/text';
import { SandboxError } from '../../shell/connectionErrors';
import type { LogFunction } from '../../shell/log';
import { holdLease } from './lease';
import { parseReadyLine, type SandboxReady } from './readyLine';
import { SandboxSupervisor } from './supervisor';

/** How the sandbox is started. */
export interface LaunchOptions {
  /** Node, or Electron, which is told to be Node. */
  readonly execPath: string;
  /** dist/sandbox.js */
  readonly script: string;
  /** Where it keeps its state; made where missing, readable by this user alone. */
  readonly dataDir: string;
  readonly timeoutMs: number;
  /** The world that is there is set aside, and a new one is made. */
  readonly isReset?: boolean;
}

/** The market of every sandbox is the same one, so that what is read about it holds. */
const SEED = 7;

/** The code with which the sandbox ends where the system cannot run it. */
const EXIT_CANNOT_RUN = 3;
/** The code with which it ends where another process has the folder: after that one's line, or without one where it does not answer. */
const EXIT_FOLDER_TAKEN = 4;

/** How it says that its store cannot be read (src/sandbox/store/damage.ts). */
const SAYS_DAMAGED = 'Start with --reset';

/** A log that is larger is set aside at the next start; within a run the sandbox itself stops writing (src/sandbox/main.ts). */
const MOST_LOG_BYTES = 1_000_000;

const LONGEST_LINE = 64 * 1024;
const LONGEST_TAIL = 2_000;
const LONGEST_QUOTE = 300;

/**
 * Starts the sandbox, or finds the one that already runs on the same state: then a second process says where the first
 * is, and ends. The sandbox belongs to no window: it goes on when this one closes, as long as another holds a lease.
 * @throws SandboxError where it does not come up.
 */
export async function launchSandbox(options: LaunchOptions): Promise<SandboxReady> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const logPath = join(options.dataDir, 'sandbox.log');
  await keepSmall(logPath);
  const logFile = await open(logPath, 'a', 0o600);
  try {
    const logStart = (await logFile.stat()).size;
    const child = spawn(
      options.execPath,
      [
        options.script,
        '--port',
        '0',
        '--data',
        options.dataDir,
        '--seed',
        String(SEED),
        '--lease',
        ...(options.isReset === true ? ['--reset'] : []),
      ],
      {
        cwd: options.dataDir,
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
        detached: true,
        windowsHide: true,
        // A file, not a pipe: the sandbox goes on writing after this window has gone.
        stdio: ['ignore', 'pipe', logFile.fd],
      },
    );
    const line = await firstLine(child, options.timeoutMs).catch(async (error: unknown) => {
      throw await explained(error, logPath, logStart);
    });
    child.unref();
    try {
      return parseReadyLine(line);
    } catch (error) {
      // Nobody would ever hold a lease on it.
      child.kill();
      throw error;
    }
  } finally {
    await logFile.close();
  }
}

/** Gives a log that has become large another name, in the place of the one before: two of them are kept. */
async function keepSmall(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MOST_LOG_BYTES) {
    // A sandbox that runs goes on writing to the file that it has open. Where it cannot be renamed, that is no reason not to start.
    await rename(path, `${path}.1`).catch(() => undefined);
  }
}

/** How the process ended before it was ready. */
class EarlyEnd extends Error {
  constructor(
    readonly code: number | null,
    readonly signal: NodeJS.Signals | null,
  ) {
    super(code === null ? l10n.t`ended by ${signal ?? l10n.t('nobody knows what')}` : l10n.t`ended with code ${code}`);
  }
}

function firstLine(child: ChildProcess, timeoutMs: number): Promise<string> {
  const { stdout } = child;
  if (stdout === null) {
    throw new Error('The sandbox was started without standard output');
  }
  return new Promise((resolve, reject) => {
    let received = '';
    const timer = setTimeout(() => {
      child.kill();
      fail(new Error(`was not ready after ${timeoutMs / 1000} seconds`));
    }, timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      stdout.destroy();
      reject(error);
    };
    child.once('error', fail);
    // Not `exit`: what it wrote last may still be on its way then.
    child.once('close', (code, signal) => fail(new EarlyEnd(code, signal)));
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
      const end = received.indexOf('\n');
      if (end >= 0) {
        clearTimeout(timer);
        resolve(received.slice(0, end));
        stdout.destroy();
      } else if (received.length > LONGEST_LINE) {
        child.kill();
        fail(new Error('wrote too much before it was ready'));
      }
    });
  });
}

async function explained(error: unknown, logPath: string, logStart: number): Promise<SandboxError> {
  const said = await tail(logPath, logStart).catch(() => '');
  // What it said may be a stack: that is for the log, as a cause.
  const cause = new Error(said === '' ? 'it said nothing' : `it said: ${said}`, { cause: error });
  // What it says of these two itself, last of all, is for users.
  const last = oneLine(said.split('\n').at(-1) ?? '', LONGEST_QUOTE);
  if (error instanceof EarlyEnd && error.code === EXIT_CANNOT_RUN) {
    return new SandboxError('cannotRun', last === '' ? l10n.t('The sandbox cannot run on this system.') : last, { cause });
  }
  if (error instanceof EarlyEnd && error.code === EXIT_FOLDER_TAKEN && last !== '') {
    return new SandboxError('failed', last, { cause });
  }
  if (error instanceof EarlyEnd && said.includes(SAYS_DAMAGED)) {
    return new SandboxError(
      'damaged',
      l10n.t(
        'The sandbox cannot start: its store cannot be read. Only pretend money is in it. Reset its world to make a new one; the old file is kept.',
      ),
      { cause },
    );
  }
  const how = error instanceof Error ? error.message : String(error);
  return new SandboxError('failed', l10n.t`The sandbox did not start: it ${how}.`, { cause });
}

/** What was written to the log from `start` on, its last lines. */
async function tail(path: string, start: number): Promise<string> {
  const file: FileHandle = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(start, size - LONGEST_TAIL);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await file.close();
  }
}

/** Where the sandbox is, and where it keeps its state. */
export interface SandboxPlace {
  /** dist/sandbox.js */
  readonly script: string;
  readonly dataDir: string;
}

/** Longer than a sandbox waits for another one that holds the same state: it gives up after 75 s, and says why. */
const START_TIMEOUT_MS = 90_000;

/** Makes the supervisor of the real sandbox, which runs in this same Node (or Electron). Starts nothing yet. */
export function superviseSandbox({ script, dataDir }: SandboxPlace, log: LogFunction): SandboxSupervisor {
  return new SandboxSupervisor({
    launch: (isReset) => launchSandbox({ execPath: process.execPath, script, dataDir, timeoutMs: START_TIMEOUT_MS, isReset }),
    holdLease,
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => Date.now(),
    log,
  });
}
