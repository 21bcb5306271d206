import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { processScope, type ProcessTable, systemProcesses } from '../../base/processes';
import { systemCode } from '../../base/thrown';

/** What every service prints when it is ready; some print more. */
export interface AnyReadyLine {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
}

/** A kind of process of which each data folder has at most one. */
export interface InstanceKind<Line extends AnyReadyLine> {
  /** The files in the folder: `NAME.lock` and `NAME.json`. */
  readonly name: string;
  /** The line that a process prints when it is ready. */
  readonly line: z.ZodType<Line>;
  /** The path at which it answers `{data: {pid}}`. */
  readonly statusPath: string;
}

/** Another process holds the folder and does not answer. */
export class InstanceError extends Error {
  override readonly name = 'InstanceError';
}

/** Exclusive use of the folder until it is released. */
export interface FolderClaim<Line> {
  /** Publishes the address of this process for later ones. */
  publish(line: Line): void;
  release(): void;
}

/** The folder is ours, or a living process of this kind holds it. */
export type ClaimResult<Line> =
  | { readonly kind: 'ours'; readonly claim: FolderClaim<Line> }
  | { readonly kind: 'taken'; readonly line: Line };

const OWNER_ONLY = { file: 0o600, folder: 0o700 };

/** Longer than any process takes from its claim to its ready line. */
const STARTING_MS = 60_000;

const LOOK_AGAIN_MS = 100;

const GIVE_UP_MS = 75_000;

const PROBE_MS = 3_000;

/**
 * Claims a data folder for this process. The claim of a dead process is taken over; that of a process that certainly lives never is.
 * @throws InstanceError if another process holds the folder, does not answer and does not end.
 */
export async function claimFolder<Line extends AnyReadyLine>(folder: string, kind: InstanceKind<Line>): Promise<ClaimResult<Line>> {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY.folder });
  const lock = join(folder, `${kind.name}.lock`);
  const ready = join(folder, `${kind.name}.json`);
  const own = await ownLockText(randomUUID());
  const deadlineMs = performance.now() + GIVE_UP_MS;
  let watched: { readonly held: string | undefined; readonly sinceMs: number } = { held: undefined, sinceMs: performance.now() };
  while (performance.now() < deadlineMs) {
    if (created(lock, own)) {
      rmSync(ready, { force: true });
      return { kind: 'ours', claim: claimOf(lock, ready, own) };
    }
    const held = contentsOf(lock);
    if (held !== watched.held) {
      watched = { held, sinceMs: performance.now() };
    }
    const line = readyLineIn(ready, kind);
    const answer = line === undefined ? undefined : await probe(line, kind.statusPath);
    if (line !== undefined && answer === 'alive') {
      return { kind: 'taken', line };
    }
    if (held !== undefined && (await isStale({ lock, held, answer, watchedMs: performance.now() - watched.sinceMs }))) {
      removeStaleLock(lock, held);
    } else {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
  throw new InstanceError(`Another process holds ${folder} and does not answer. End it, or remove ${lock}.`);
}

/** Result of a probe. */
type Probed = 'alive' | 'dead' | 'unclear';

/** A lock and evidence about its holder. */
interface LockEvidence {
  readonly lock: string;
  /** Its contents. */
  readonly held: string;
  /** Result of a probe at the published address; `undefined`: none is published. */
  readonly answer: Probed | undefined;
  /** Milliseconds for which the contents have not changed. */
  readonly watchedMs: number;
}

/** The process that holds a lock has died. A living one may be starting or stopping. */
async function isStale({ lock, held, answer, watchedMs }: LockEvidence): Promise<boolean> {
  switch (await holderState(held)) {
    case 'dead':
      return true;
    case 'alive':
      return false;
    case 'unknown':
      return answer === undefined ? hasNotStarted(lock, held, watchedMs) : answer === 'dead';
  }
}

function claimOf<Line>(lock: string, ready: string, own: string): FolderClaim<Line> {
  return {
    publish: (line) => {
      // Renaming is atomic: readers see the whole file or none.
      const draft = `${ready}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(line), { mode: OWNER_ONLY.file });
      renameSync(draft, ready);
    },
    release: () => {
      if (contentsOf(lock) === own) {
        rmSync(ready, { force: true });
        rmSync(lock, { force: true });
      }
    },
  };
}

function created(lock: string, own: string): boolean {
  try {
    writeFileSync(lock, own, { flag: 'wx', mode: OWNER_ONLY.file });
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) {
      return false;
    }
    throw error;
  }
}

/** Removes the lock of a dead process only: a lock that was renewed meanwhile is restored. */
function removeStaleLock(lock: string, dead: string): void {
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) {
      return; // another process removed it
    }
    throw error;
  }
  const moved = contentsOf(aside);
  rmSync(aside, { force: true });
  if (moved !== dead && moved !== undefined) {
    created(lock, moved);
  }
}

/** The process that claimed the folder died before it was ready, as far as its number and the time show. */
function hasNotStarted(lock: string, held: string, watchedMs: number): boolean {
  try {
    // A file time in the future is no evidence: the clock was set back.
    if (watchedMs > STARTING_MS || Date.now() - statSync(lock).mtimeMs > STARTING_MS) {
      return true;
    }
    const pid = /^\d+(?= )/.exec(held)?.[0]; // none while it is being written
    return pid !== undefined && systemProcesses.isRunning(Number(pid)) === false;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) {
      return false;
    }
    throw error;
  }
}

/** Asks the service at the published address for its process number. A closed port proves that it is dead. */
function probe(line: AnyReadyLine, statusPath: string): Promise<Probed> {
  return new Promise((resolve) => {
    const asked = request(
      new URL(statusPath, line.url),
      { headers: { 'x-api-key': line.apiKey }, timeout: PROBE_MS, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve('unclear'));
        response.on('end', () => resolve(answeredPid(Buffer.concat(chunks).toString('utf8')) === line.pid ? 'alive' : 'dead'));
      },
    );
    asked.on('timeout', () => asked.destroy());
    asked.on('error', (error) => resolve(isErrno(error, 'ECONNREFUSED') ? 'dead' : 'unclear'));
    asked.end();
  });
}

const Status = z.object({ data: z.object({ pid: z.int() }) });

function answeredPid(body: string): number | undefined {
  try {
    return Status.safeParse(JSON.parse(body)).data?.data.pid;
  } catch {
    return undefined; // another program listens there now
  }
}

function readyLineIn<Line extends AnyReadyLine>(file: string, kind: InstanceKind<Line>): Line | undefined {
  try {
    return kind.line.safeParse(JSON.parse(contentsOf(file) ?? 'null')).data;
  } catch {
    return undefined; // not a ready line
  }
}

function contentsOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
}

function isErrno(error: unknown, code: string): boolean {
  return systemCode(error) === code;
}

/** The process that holds a folder, as its lock names it. */
interface Holder {
  readonly pid: number;
  /** Digest of the network name and the operating system. */
  readonly machine: string;
  /** Digest of the boot id. On systems without one it is constant, and start times are points in time. */
  readonly boot: string;
  /** Digest of the process namespace: containers number their processes themselves. */
  readonly counted: string;
  /** Digest of the start time, see {@link ProcessTable.startedAt}; `undefined` if the system does not report it. */
  readonly startedAt: string | undefined;
}

/** `PID ID MACHINE BOOT NAMESPACE STARTED`. */
const FORM = /^(\d{1,10}) \S+ ([0-9a-f]{16}) ([0-9a-f]{16}) ([0-9a-f]{16}) (\S+)$/;

const NOT_KNOWN = '-';

const DIGITS = 16;

/** The contents of a lock of this process. @param id a unique name */
export async function ownLockText(id: string, processes: ProcessTable = systemProcesses): Promise<string> {
  const startedAt = await processes.startedAt(processes.ownPid);
  const { machine, boot, counted } = ownScope();
  return `${processes.ownPid} ${id} ${machine} ${boot} ${counted} ${startedAt === undefined ? NOT_KNOWN : digest(startedAt)}`;
}

/**
 * Finds out if the process that wrote the lock is still running:
 * - `dead`: it ran before the last boot of this machine, or its number is free or belongs to another process now
 * - `alive`: the process with its number has the same start time
 * - `unknown`: everything else, such as a lock of another machine
 */
export async function holderState(text: string, processes: ProcessTable = systemProcesses): Promise<'alive' | 'dead' | 'unknown'> {
  const holder = holderIn(text);
  const { machine, boot, counted } = ownScope();
  if (holder?.machine !== machine) {
    return 'unknown';
  }
  if (holder.boot !== boot) {
    return 'dead';
  }
  if (holder.counted !== counted) {
    return 'unknown';
  }
  if (processes.isRunning(holder.pid) === false) {
    return 'dead';
  }
  const startedAt = await processes.startedAt(holder.pid);
  if (startedAt === undefined || holder.startedAt === undefined) {
    return 'unknown';
  }
  return digest(startedAt) === holder.startedAt ? 'alive' : 'dead';
}

function holderIn(text: string): Holder | undefined {
  const [, pid, machine, boot, counted, startedAt] = FORM.exec(text) ?? [];
  return pid === undefined || machine === undefined || boot === undefined || counted === undefined || startedAt === undefined
    ? undefined
    : { pid: Number(pid), machine, boot, counted, startedAt: startedAt === NOT_KNOWN ? undefined : startedAt };
}

/** Machine, boot and process namespace of this process. Containers have network names of their own. */
function ownScope(): Omit<Holder, 'pid' | 'startedAt'> {
  const [boot = '', counted = ''] = processScope();
  return { machine: digest(`${hostname()}\n${process.platform}`), boot: digest(boot), counted: digest(counted) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
}
