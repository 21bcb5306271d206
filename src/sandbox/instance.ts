import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';

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
 * Claims a data folder for this process. A claim that a dead process left behind is taken over.
 * @throws InstanceError where somebody holds the folder, does not answer and does not go away.
 */
export async function claimFolder(folder: string): Promise<Claimed> {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY.folder });
  const lock = join(folder, 'sandbox.lock');
  const ready = join(folder, 'sandbox.json');
  const own = `${process.pid} ${randomUUID()}`;
  const deadline = Date.now() + GIVE_UP_MS;
  while (Date.now() < deadline) {
    if (created(lock, own)) {
      rmSync(ready, { force: true });
      return { kind: 'ours', claim: claimOf(lock, ready, own) };
    }
    const held = contentsOf(lock);
    const line = readyLineIn(ready);
    const state = line === undefined ? startingState(lock, held) : await probe(line);
    if (line !== undefined && state === 'alive') {
      return { kind: 'taken', line };
    }
    if (state === 'dead' && held !== undefined) {
      takeAway(lock, held);
    } else {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
  throw new InstanceError(`Another process holds ${folder} and does not answer. End it, or remove ${lock}.`);
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

/** Whoever has claimed the folder and is not ready yet is starting, or died before it was. */
function startingState(lock: string, held: string | undefined): 'dead' | 'unclear' {
  try {
    if (Date.now() - statSync(lock).mtimeMs > STARTING_MS) {
      return 'dead';
    }
    const pid = /^\d+(?= )/.exec(held ?? '')?.[0]; // none while it is being written
    return pid !== undefined && !isProcess(Number(pid)) ? 'dead' : 'unclear';
  } catch (error) {
    if (isErrno(error, 'ENOENT')) {
      return 'unclear';
    }
    throw error;
  }
}

/** Says whether there is a process of that number; it may be anybody's. */
function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

/** Asks the sandbox at the line's address whether it is the one. A port that nobody listens on any more is proof of death. */
function probe(line: ReadyLine): Promise<'alive' | 'dead' | 'unclear'> {
  return new Promise((resolve) => {
    const asked = request(new URL('/sandbox/status', line.url), { headers: { 'x-api-key': line.apiKey }, timeout: PROBE_MS, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve('unclear'));
      response.on('end', () => resolve(answeredPid(Buffer.concat(chunks).toString('utf8')) === line.pid ? 'alive' : 'dead'));
    });
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
