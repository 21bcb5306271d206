import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * A claim to a lock: a file of its own in the folder of all locks. Its name says which lock it is for, on which machine, and
 * by which process: none of them is ever made a second time.
 */
export interface Claim {
  /** Without the ending that proper-lockfile adds. */
  readonly file: string;
  /** Which lock it is for. */
  readonly lock: string;
  /** The machine (or container) whose processes `pid` counts. */
  readonly machine: string;
  readonly pid: number;
  /** Of two claims that are made at once, the one with the smaller token comes first. */
  readonly token: string;
}

/** What proper-lockfile adds to the name of what it locks. */
export const ENDING = '.lock';

const FORM = /^([0-9a-f]{40})\.([0-9a-f]{8})-(\d{1,10})-([0-9a-f]{16})$/;

/** Names may hold anything and differ in case alone, which some disks do not tell apart. */
export function lockFileName(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 40);
}

/** Makes a claim to the lock of this name. */
export function newClaim(name: string, machine: string): Claim {
  const token = randomBytes(8).toString('hex');
  const lock = lockFileName(name);
  return { file: `${lock}.${machine}-${process.pid}-${token}`, lock, machine, pid: process.pid, token };
}

/** The claim that a file in the folder is; `undefined`: it is something else. */
export function claimOf(fileName: string): Claim | undefined {
  const file = fileName.endsWith(ENDING) ? fileName.slice(0, -ENDING.length) : '';
  const [, lock, machine, pid, token] = FORM.exec(file) ?? [];
  return lock === undefined || machine === undefined || pid === undefined || token === undefined ? undefined : { file, lock, machine, pid: Number(pid), token };
}

/**
 * Names the machine since it was started, and where processes are counted apart (containers) the place in it: only there does
 * the number of a process say anything.
 */
export function thisMachine(): string {
  const parts = [hostname(), process.platform, ...(process.platform === 'linux' ? [bootId(), pidNamespace()] : [])];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8);
}

/**
 * Whether the process that made a claim is certainly no more. Where that cannot be told (another machine, or another process
 * has its number by now) it is not: then only time tells.
 */
export function isMakerDead({ machine, pid }: Claim, here: string): boolean {
  if (machine !== here || pid === process.pid) {
    return false;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
  } catch {
    return '';
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
