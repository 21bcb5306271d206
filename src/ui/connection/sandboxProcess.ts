import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../base/solana/address';
import { oneLine } from '../../base/text';
import { SandboxError } from '../shell/errors';

/** The line that the sandbox prints once it listens. */
export interface SandboxReady {
  /** "http://127.0.0.1:PORT/open-api/v1" */
  readonly url: string;
  readonly apiKey: string;
  readonly owner: Address;
  /** 64-byte key of `owner` in base58. It holds pretend money, but is kept like a real key. */
  readonly secretKey: string;
  readonly pid: number;
}

export interface LaunchOptions {
  /** Node, or Electron running as Node. */
  readonly execPath: string;
  /** dist/sandbox.js */
  readonly script: string;
  /** Folder of the state. Created if missing, readable only by this user. */
  readonly dataDir: string;
  readonly timeoutMs: number;
  /** Sets the existing world aside and creates a new one. */
  readonly isReset?: boolean;
}

/** All sandboxes share one market, so the documentation applies to every one. */
const SEED = 7;
/** Exit code if the system cannot run the sandbox. */
const EXIT_CANNOT_RUN = 3;
/** Exit code if another process holds the folder. The sandbox prints that process's line first, or none if it doesn't respond. */
const EXIT_FOLDER_TAKEN = 4;
/** Part of the message about a store that cannot be read (src/sandbox/store/damage.ts). */
const STORE_DAMAGED_HINT = 'Start with --reset';
const LOOPBACK = '127.0.0.1';
/** A larger log is rotated at the next start. Within a run the sandbox itself stops writing (src/sandbox/main.ts). */
const MOST_LOG_BYTES = 1_000_000;
const LONGEST_LINE = 64 * 1024;
const LONGEST_TAIL = 2_000;
const LONGEST_QUOTE = 300;

/**
 * Starts the sandbox or finds the one that already runs on the same state. In the second case the new process prints the
 * address of the first one and ends. The sandbox belongs to no window: it runs as long as any window holds a lease.
 * @throws SandboxError if it doesn't start
 */
export async function launchSandbox(options: LaunchOptions): Promise<SandboxReady> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const logPath = join(options.dataDir, 'sandbox.log');
  await rotateLog(logPath);
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
        // A file, not a pipe: the sandbox keeps writing after this window has closed.
        stdio: ['ignore', 'pipe', logFile.fd],
      },
    );
    const line = await firstLine(child, options.timeoutMs).catch(async (error: unknown) => {
      throw await startError(error, logPath, logStart);
    });
    child.unref();
    try {
      return parseReadyLine(line);
    } catch (error) {
      // Without a valid line nothing can hold a lease on it.
      child.kill();
      throw error;
    }
  } finally {
    await logFile.close();
  }
}

/**
 * Parses the line that the sandbox prints once it is ready.
 * @throws SandboxError if a field is missing or invalid, or if the sandbox listens beyond this machine. The error never quotes
 * the line, which contains secrets.
 */
export function parseReadyLine(line: string): SandboxReady {
  const fields = parseObject(line);
  const owner = parseAddress(text(fields, 'owner'));
  if (owner === undefined) {
    throw invalidField('owner');
  }
  const url = text(fields, 'url');
  if (!URL.canParse(url) || new URL(url).hostname !== LOOPBACK) {
    throw invalidField('url');
  }
  const { pid } = fields;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) {
    throw invalidField('pid');
  }
  return { url, apiKey: text(fields, 'apiKey'), owner, secretKey: text(fields, 'secretKey'), pid };
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed === 'object' && parsed !== null) {
      return parsed as Readonly<Record<string, unknown>>;
    }
  } catch {
    // The parser's message would quote the line.
  }
  throw new SandboxError('failed', l10n.t('The sandbox started but did not report its address.'));
}

function text(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') {
    throw invalidField(name);
  }
  return value;
}

function invalidField(field: string): SandboxError {
  return new SandboxError('failed', l10n.t`The sandbox started, but its "${field}" is missing or invalid.`);
}

/** Rotates a large log. Two files are kept. */
async function rotateLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MOST_LOG_BYTES) {
    // A running sandbox keeps writing to the renamed file. A failed rename must not prevent the start.
    await rename(path, `${path}.1`).catch(() => undefined);
  }
}

/** The process ended before it was ready. */
class EarlyExit extends Error {
  constructor(
    readonly code: number | null,
    readonly signal: NodeJS.Signals | null,
  ) {
    super(code === null ? l10n.t`ended by ${signal ?? l10n.t('an unknown signal')}` : l10n.t`ended with code ${code}`);
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
      fail(new Error(`not ready after ${timeoutMs / 1000} seconds`));
    }, timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      stdout.destroy();
      reject(error);
    };
    child.once('error', fail);
    // Not `exit`: the last output can still arrive after it.
    child.once('close', (code, signal) => fail(new EarlyExit(code, signal)));
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

async function startError(error: unknown, logPath: string, logStart: number): Promise<SandboxError> {
  const output = await tail(logPath, logStart).catch(() => '');
  // The output can be a stack trace, so it goes to the log as the cause.
  const cause = new Error(output === '' ? 'it said nothing' : `it said: ${output}`, { cause: error });
  // For these two exit codes, the last line is a message for the user.
  const last = oneLine(output.split('\n').at(-1) ?? '', LONGEST_QUOTE);
  if (error instanceof EarlyExit && error.code === EXIT_CANNOT_RUN) {
    return new SandboxError('cannotRun', last === '' ? l10n.t('The sandbox cannot run on this system.') : last, { cause });
  }
  if (error instanceof EarlyExit && error.code === EXIT_FOLDER_TAKEN && last !== '') {
    return new SandboxError('failed', last, { cause });
  }
  if (error instanceof EarlyExit && output.includes(STORE_DAMAGED_HINT)) {
    return new SandboxError(
      'damaged',
      l10n.t(
        'The sandbox cannot start because its store cannot be read. The store holds only pretend money. Reset the sandbox world to create a new store; the old file is kept.',
      ),
      { cause },
    );
  }
  const how = error instanceof Error ? error.message : String(error);
  return new SandboxError('failed', l10n.t`The sandbox did not start (${how}).`, { cause });
}

/** Reads the end of the log, from offset `start` at the earliest. */
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
