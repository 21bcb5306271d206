import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { oneLine } from '../../base/text';
import { errorText } from '../../base/thrown';
import type { ProcessError } from '../shell/errors';
import { didNotStart, type LaunchKind, type ServiceReady } from './processKind';

/** Where a process runs. */
export interface ProcessPlace {
  /** dist/sandbox.js or dist/service.js */
  readonly script: string;
  /** Folder of the state. Created if missing, readable only by this user. */
  readonly dataDir: string;
}

export interface LaunchOptions<Ready extends ServiceReady> extends ProcessPlace {
  readonly kind: LaunchKind;
  /** Node, or Electron running as Node. */
  readonly execPath: string;
  readonly timeoutMs: number;
  /** Arguments after `--port 0 --data DIR`. Every user of this machine can read them. */
  readonly more: readonly string[];
  /** Environment variables for this process only. Only this user can read them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Name of the log in the data folder. */
  readonly logName: string;
  /** Part of the message about a store that cannot be read. */
  readonly damagedHint?: string;
  /** Removes secrets from the output of the process. */
  readonly redact?: (text: string) => string;
  /** Parses the line that the process prints once it is ready. @throws ProcessError, which never quotes the line */
  readonly parse: (line: string) => Ready;
}

/** Exit code if the system cannot run the process. */
const EXIT_CANNOT_RUN = 3;
/** Exit code if another process holds the folder. The process prints that process's line first, or none if it doesn't respond. */
const EXIT_FOLDER_TAKEN = 4;
const LOOPBACK = '127.0.0.1';
/** A larger log is rotated at the next start. Within a run the process itself stops writing (`boundedLog` of src/engine/process/serviceProcess.ts). */
const MOST_LOG_BYTES = 1_000_000;
const LONGEST_LINE = 64 * 1024;
const LONGEST_TAIL = 2_000;
const LONGEST_QUOTE = 300;

/**
 * Starts a process or finds the one that already runs on the same state. In the second case the new process prints the
 * address of the first one and ends. The process belongs to no window: it runs as long as any window holds a lease.
 * @throws ProcessError if it doesn't start
 */
export async function launchProcess<Ready extends ServiceReady>(options: LaunchOptions<Ready>): Promise<Ready> {
  const { dataDir, execPath, script, more, environment = {}, timeoutMs, parse } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const logPath = join(dataDir, options.logName);
  await rotateLog(logPath);
  const logFile = await open(logPath, 'a', 0o600);
  try {
    const logStart = (await logFile.stat()).size;
    const child = spawn(execPath, [script, '--port', '0', '--data', dataDir, ...more], {
      cwd: dataDir,
      env: { ...process.env, ...environment, ELECTRON_RUN_AS_NODE: '1' },
      detached: true,
      windowsHide: true,
      // A file, not a pipe: the process keeps writing after this window has closed.
      stdio: ['ignore', 'pipe', logFile.fd],
    });
    const line = await firstLine(child, timeoutMs).catch(async (error: unknown) => {
      throw await startError(options, error, logPath, logStart);
    });
    child.unref();
    try {
      return parse(line);
    } catch (error) {
      // Without a valid line nothing can hold a lease on it.
      child.kill();
      throw error;
    }
  } finally {
    await logFile.close();
  }
}

/** The fields of a ready line. Their readers throw if the field is missing or invalid. */
export interface ReadyFields {
  readonly ready: ServiceReady;
  readonly text: (name: string) => string;
  readonly invalid: (name: string) => ProcessError;
}

/**
 * Parses the line that a process prints once it is ready.
 * @throws ProcessError if a field is missing or invalid, or if the process listens beyond this machine. The error never quotes
 * the line, which contains secrets.
 */
export function parseReadyLine(kind: LaunchKind, line: string): ReadyFields {
  const fields = parsedObject(line);
  if (fields === undefined) {
    throw didNotStart(kind, 'it did not report its address');
  }
  const invalid = (name: string): ProcessError => didNotStart(kind, `its "${name}" is missing or invalid`);
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') {
      throw invalid(name);
    }
    return value;
  };
  const url = text('url');
  if (!URL.canParse(url) || new URL(url).hostname !== LOOPBACK) {
    throw invalid('url');
  }
  const { pid } = fields;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) {
    throw invalid('pid');
  }
  return { ready: { url, apiKey: text('apiKey'), pid }, text, invalid };
}

function parsedObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined; // The parser's message would quote the line.
  }
}

/** Rotates a large log. Two files are kept. */
async function rotateLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MOST_LOG_BYTES) {
    // A running process keeps writing to the renamed file. A failed rename must not prevent the start.
    await rename(path, `${path}.1`).catch(() => undefined);
  }
}

/** The process ended before it was ready. */
class EarlyExit extends Error {
  constructor(
    readonly code: number | null,
    readonly signal: NodeJS.Signals | null,
  ) {
    super(code === null ? String(signal) : `exit code ${code}`);
  }
}

function firstLine(child: ChildProcess, timeoutMs: number): Promise<string> {
  const { stdout } = child;
  if (stdout === null) {
    throw new Error('The process was started without standard output');
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

async function startError<Ready extends ServiceReady>(
  { kind, damagedHint, redact = (text) => text }: LaunchOptions<Ready>,
  error: unknown,
  logPath: string,
  logStart: number,
): Promise<ProcessError> {
  const output = redact(await tail(logPath, logStart).catch(() => ''));
  // The output can be a stack trace, so it goes to the log as the cause.
  const cause = new Error(output === '' ? 'it wrote nothing' : `it wrote: ${output}`, { cause: error });
  // For these two exit codes, the last line is a message for the user.
  const last = oneLine(output.split('\n').at(-1) ?? '', LONGEST_QUOTE);
  if (error instanceof EarlyExit && error.code === EXIT_CANNOT_RUN) {
    const text = l10n.t`${kind.name()} cannot run on this system. Nothing was changed. Connect to another service.`;
    return kind.error('cannotRun', last === '' ? text : last, { cause });
  }
  if (error instanceof EarlyExit && error.code === EXIT_FOLDER_TAKEN && last !== '') {
    return kind.error('failed', last, { cause });
  }
  if (error instanceof EarlyExit && damagedHint !== undefined && output.includes(damagedHint)) {
    return kind.error('damaged', kind.damaged(), { cause });
  }
  return didNotStart(kind, errorText(error), { cause });
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
