import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';
import { systemProcesses } from '../base/processes';
import { holderState, ownLockText } from './folderLock';

/** What a sandbox prints when it is ready. */
export const ReadyLine = z.object({ url: z.url(), apiKey: z.string(), owner: z.string(), secretKey: z.string(), pid: z.int() });
export type ReadyLine = z.output<typeof ReadyLine>;

/** The folder could not be had: somebody else has it and does not answer. */
export class InstanceError extends Error {
  override readonly name = 'InstanceError';
}

/** The folder is this process's alone until it is released. */
export interface Claim {
  /** Tells those who come later where this process is reached. */
  publish(line: ReadyLine): void;
  release(): void;
}

/** Either the folder is ours, or a living sandbox has it. */
export type Claimed = { readonly kind: 'ours'; readonly claim: Claim } | { readonly kind: 'taken'; readonly line: ReadyLine };

const OWNER_ONLY = { file: 0o600, folder: 0o700 };
/** Longer than any sandbox takes from its claim to its ready line. */
const STARTING_MS = 60_000;
const LOOK_AGAIN_MS = 100;
const GIVE_UP_MS = 75_000;
const PROBE_MS = 3_000;

/**
 * Claims a data folder for this process. A claim that a dead process left behind is taken over; one of a process that certainly lives never is.
 * @throws InstanceError where somebody holds the folder, does not answer and does not go away.
 */
export async function claimFolder(folder: string): Promise<Claimed> {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY.folder });
  const lock = join(folder, 'sandbox.lock');
  const ready = join(folder, 'sandbox.json');
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
    const line = readyLineIn(ready);
    const answer = line === undefined ? undefined : await probe(line);
    if (line !== undefined && answer === 'alive') {
      return { kind: 'taken', line };
    }
    if (held !== undefined && (await isLeftBehind({ lock, held, answer, watchedMs: performance.now() - watched.sinceMs }))) {
      takeAway(lock, held);
    } else {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
  throw new InstanceError(`Another process holds ${folder} and does not answer. End it, or remove ${lock}.`);
}

/** What asking a sandbox whether it is there shows. */
type Probed = 'alive' | 'dead' | 'unclear';

/** What is known of a lock. */
interface LookedAt {
  readonly lock: string;
  /** What is in it. */
  readonly held: string;
  /** What came of asking at the address that its holder has published; `undefined`: it has published none. */
  readonly answer: Probed | undefined;
  /** For how long just that has been in it. */
  readonly watchedMs: number;
}

/** Whether the process that holds a lock has died. One that lives may be starting or stopping. */
async function isLeftBehind({ lock, held, answer, watchedMs }: LookedAt): Promise<boolean> {
  switch (await holderState(held)) {
    case 'dead':
      return true;
    case 'alive':
      return false;
    case 'unknown':
      return answer === undefined ? hasNotStarted(lock, held, watchedMs) : answer === 'dead';
  }
}

function claimOf(lock: string, ready: string, own: string): Claim {
  return {
    publish: (line) => {
      // Appears whole or not at all.
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

/** Removes a dead process's lock, and only that: a lock that was renewed meanwhile is put back. */
function takeAway(lock: string, dead: string): void {
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) {
      return; // somebody else took it away
    }
    throw error;
  }
  const moved = contentsOf(aside);
  rmSync(aside, { force: true });
  if (moved !== dead && moved !== undefined) {
    created(lock, moved);
  }
}

/** Whether the process that has claimed the folder, and is not ready yet, has died before it was: as far as its number and the time tell. */
function hasNotStarted(lock: string, held: string, watchedMs: number): boolean {
  try {
    // The time of the file says nothing where it is in the future: the clock was set back.
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

/** Asks the sandbox at the line's address whether it is the one. A port that nobody listens on any more is proof of death. */
function probe(line: ReadyLine): Promise<Probed> {
  return new Promise((resolve) => {
    const asked = request(
      new URL('/sandbox/status', line.url),
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
    return undefined; // somebody else listens there now
  }
}

function readyLineIn(file: string): ReadyLine | undefined {
  try {
    return ReadyLine.safeParse(JSON.parse(contentsOf(file) ?? 'null')).data;
  } catch {
    return undefined; // no line of ours
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
  return error instanceof Error && 'code' in error && error.code === code;
}
