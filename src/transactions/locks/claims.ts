import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { processScope, type ProcessTable, systemProcesses } from '../../base/processes';

/**
 * A claim to a lock: an entry of its own in the folder of all locks. Its name contains the lock, the machine, the process and a random
 * token, and is never used twice.
 */
export interface Claim {
  /** Without the ending that proper-lockfile adds. */
  readonly file: string;
  /** Digest of the lock's name. */
  readonly lock: string;
  /** The machine (or container) and boot that `pid` belongs to. */
  readonly machine: string;
  readonly pid: number;
  /** Of two simultaneous claims, the smaller token wins. */
  readonly token: string;
  /** Identifies the process among all that ever have its `pid`; see {@link processTag}. `undefined`: the system does not say when a process was started. */
  readonly processTag: string | undefined;
}

/** Suffix that proper-lockfile adds. */
export const ENDING = '.lock';

/*
 * Names of claims. Windows with version 0.2.0 read them too, and would overlook a claim in another form:
 *
 *   LOCK.MACHINE-PID-TOKEN                 without a tag: TOKEN is 16 random digits
 *   LOCK.MACHINE-0PID-TOKEN                with one: PID is filled up to ten digits, and begins with a zero, as no id of a process has ten
 *                                          digits; the last six digits of TOKEN are the tag of the process
 */
const FORM = /^([0-9a-f]{40})\.([0-9a-f]{8})-(\d{1,10})-([0-9a-f]{16})$/;
const PID_DIGITS = 10;
const TAG_DIGITS = 6;
const TOKEN_BYTES = 8;

/** Hashed, because names may contain any character and some file systems ignore case. */
export function lockFileName(name: string): string {
  return digest(name).slice(0, 40);
}

/**
 * Identifies a process among all that ever have its id: a digest of when it was started. Two processes have the same tag with a
 * probability of one in sixteen million; a dead one then counts as alive until it has been silent for long enough.
 * @param startedAt as {@link ProcessTable.startedAt} gives it
 */
export function processTag(pid: number, startedAt: string): string {
  return digest(`${pid}\n${startedAt}`).slice(0, TAG_DIGITS);
}

/** Makes a claim to the lock of this name. @param tag of this process; `undefined`: not known */
export function newClaim(name: string, machine: string, tag?: string, pid = process.pid): Claim {
  const random = randomBytes(TOKEN_BYTES).toString('hex');
  const lock = lockFileName(name);
  const token = tag === undefined ? random : `${random.slice(0, -TAG_DIGITS)}${tag}`;
  const written = tag === undefined ? String(pid) : String(pid).padStart(PID_DIGITS, '0');
  return { file: `${lock}.${machine}-${written}-${token}`, lock, machine, pid, token, processTag: tag };
}

/** Parses a file name; `undefined` if it is not a claim. */
export function claimOf(fileName: string): Claim | undefined {
  const file = fileName.endsWith(ENDING) ? fileName.slice(0, -ENDING.length) : '';
  const [, lock, machine, pid, token] = FORM.exec(file) ?? [];
  if (lock === undefined || machine === undefined || pid === undefined || token === undefined) {
    return undefined;
  }
  const hasTag = pid.length === PID_DIGITS && pid.startsWith('0');
  return { file, lock, machine, pid: Number(pid), token, processTag: hasTag ? token.slice(-TAG_DIGITS) : undefined };
}

/** Identifies the machine since its last boot and, in a container, its process namespace: process ids are only comparable within it. */
export function thisMachine(): string {
  return digest([hostname(), process.platform, ...processScope()].join('\n')).slice(0, 8);
}

/** Whether the process of a claim no longer exists. False if that is unknown (another machine or boot): then only heartbeats decide. */
export function isOwnerDead({ machine, pid }: Claim, here: string, processes: ProcessTable = systemProcesses): boolean {
  return machine === here && pid !== processes.ownPid && processes.isRunning(pid) === false;
}

/**
 * Whether another process has the claim's process id by now, which proves that its holder is dead. `false` if the claim has no process tag,
 * or the system does not report the start time.
 */
export async function isPidReused(
  { machine, pid, processTag: written }: Claim,
  here: string,
  processes: ProcessTable = systemProcesses,
): Promise<boolean> {
  if (machine !== here || written === undefined) {
    return false;
  }
  const startedAt = await processes.startedAt(pid);
  return startedAt !== undefined && processTag(pid, startedAt) !== written;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The time by both clocks of this machine, milliseconds. */
export interface ClockTimes {
  /** Since 1970. Jumps when the clock is set. */
  readonly wallMs: number;
  /** Monotonic, from any origin. Pauses while the machine sleeps. */
  readonly steadyMs: number;
}

export interface HeartbeatTimes {
  /** A claim that was refreshed within this time is alive, milliseconds. */
  readonly staleMs: number;
  /** How often a holder refreshes its claim, milliseconds. */
  readonly updateMs: number;
}

interface Watched {
  readonly mtimeMs: number;
  /** When this modification time was first seen. */
  readonly sinceSteadyMs: number;
  readonly lastLookSteadyMs: number;
  /** How long it has to stay unchanged before its holder counts as dead. */
  readonly neededMs: number;
  /** Its modification time changed while it was watched: the holder is alive, whatever the clocks say. */
  readonly wasRefreshed: boolean;
}

/** Factor on the refresh interval before a missing refresh counts. */
const SLACK = 1.5;

/**
 * Decides from the modification times of a claim whether its holder is alive. A recent time is a sign of life. Any other time proves
 * nothing: after the machine slept, or its clock was set, all claims look stale or lie in the future. Such a claim is watched by a
 * monotonic clock, and its holder is dead only if the claim stays unchanged for long enough:
 * - a time in the past: one and a half refresh intervals, since it was already silent for `staleMs`
 * - a time in the future, or one that changed while it was watched (another machine's clock may differ): `staleMs` longer
 *
 * Checks that are far apart do not count as watching: the machine may have slept in between, and the holder with it.
 */
export class HeartbeatMonitor {
  readonly #times: HeartbeatTimes;
  /** By the file of the claim. */
  readonly #watched = new Map<string, Watched>();

  constructor(times: HeartbeatTimes) {
    this.#times = times;
  }

  /**
   * `silent`: not certain yet, check again.
   * @param mtimeMs when it was refreshed last, by the clock of its holder or of the file system, milliseconds since 1970
   */
  stateOf(file: string, mtimeMs: number, { wallMs, steadyMs }: ClockTimes): 'alive' | 'silent' | 'dead' {
    const { staleMs, updateMs } = this.#times;
    const before = this.#watched.get(file);
    const isWatched = before !== undefined && steadyMs - before.lastLookSteadyMs <= updateMs;
    if (isWatched && before.mtimeMs === mtimeMs) {
      // Even if it has become recent meanwhile: a time in the future does so by itself.
      if (steadyMs - before.sinceSteadyMs >= before.neededMs) {
        return 'dead';
      }
      this.#watched.set(file, { ...before, lastLookSteadyMs: steadyMs });
      return before.wasRefreshed ? 'alive' : 'silent';
    }
    const ageMs = wallMs - mtimeMs;
    // A file system may round up, and clocks within a network differ by some seconds.
    if (ageMs <= staleMs && ageMs >= -staleMs) {
      this.#watched.delete(file);
      return 'alive';
    }
    const isInPast = ageMs > 0;
    const neededMs = SLACK * updateMs + (isInPast && !isWatched ? 0 : staleMs);
    this.#watched.set(file, { mtimeMs, sinceSteadyMs: steadyMs, lastLookSteadyMs: steadyMs, neededMs, wasRefreshed: isWatched });
    return isWatched ? 'alive' : 'silent';
  }

  forget(file: string): void {
    this.#watched.delete(file);
  }

  /** Forgets all claims but these. */
  forgetAllBut(files: readonly string[]): void {
    const kept = new Set(files);
    for (const file of this.#watched.keys()) {
      if (!kept.has(file)) {
        this.#watched.delete(file);
      }
    }
  }
}
