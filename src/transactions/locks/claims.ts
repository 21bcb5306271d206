import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { processScope, type ProcessTable, systemProcesses } from '../../base/processes';

/**
 * A claim to a lock: a file of its own in the folder of all locks. Its name says which lock it is for, on which machine, and
 * by which process: none of them is ever made a second time.
 */
export interface Claim {
  /** Without the ending that proper-lockfile adds. */
  readonly file: string;
  /** Which lock it is for. */
  readonly lock: string;
  /** The machine (or container) whose processes `pid` counts, since its last boot. */
  readonly machine: string;
  readonly pid: number;
  /** Of two claims that are made at once, the one with the smaller token comes first. */
  readonly token: string;
  /** Identifies the process among all that ever have its `pid`; see {@link processTag}. `undefined`: earlier versions do not write it, nor does a system that does not know it. */
  readonly processTag: string | undefined;
}

/** What proper-lockfile adds to the name of what it locks. */
export const ENDING = '.lock';

/*
 * Names of claims. Windows with an earlier version of Binsight read them, too, and would overlook a claim in another form:
 *
 *   LOCK.MACHINE-PID-TOKEN                 as earlier versions write it: TOKEN is 16 random digits
 *   LOCK.MACHINE-0PID-TOKEN with a tag     PID is filled up to ten digits, which no earlier version does, and begins with a zero, as no id
 *                                          of a process has ten digits; the last six digits of TOKEN are the tag of the process
 */
const FORM = /^([0-9a-f]{40})\.([0-9a-f]{8})-(\d{1,10})-([0-9a-f]{16})$/;
const PID_DIGITS = 10;
const TAG_DIGITS = 6;
const TOKEN_BYTES = 8;

/** Names may hold anything and differ in case alone, which some disks do not tell apart. */
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

/** Makes a claim to the lock of this name. @param tag of this process; without it the claim has the form of earlier versions */
export function newClaim(name: string, machine: string, tag?: string, pid = process.pid): Claim {
  const random = randomBytes(TOKEN_BYTES).toString('hex');
  const lock = lockFileName(name);
  const token = tag === undefined ? random : `${random.slice(0, -TAG_DIGITS)}${tag}`;
  const written = tag === undefined ? String(pid) : String(pid).padStart(PID_DIGITS, '0');
  return { file: `${lock}.${machine}-${written}-${token}`, lock, machine, pid, token, processTag: tag };
}

/** The claim that a file in the folder is; `undefined`: it is something else. */
export function claimOf(fileName: string): Claim | undefined {
  const file = fileName.endsWith(ENDING) ? fileName.slice(0, -ENDING.length) : '';
  const [, lock, machine, pid, token] = FORM.exec(file) ?? [];
  if (lock === undefined || machine === undefined || pid === undefined || token === undefined) {
    return undefined;
  }
  const hasTag = pid.length === PID_DIGITS && pid.startsWith('0');
  return { file, lock, machine, pid: Number(pid), token, processTag: hasTag ? token.slice(-TAG_DIGITS) : undefined };
}

/**
 * Names the machine since it was started, and where processes are counted apart (containers) the place in it: only there does
 * the number of a process say anything.
 */
export function thisMachine(): string {
  return digest([hostname(), process.platform, ...processScope()].join('\n')).slice(0, 8);
}

/**
 * Whether no process has the id of a claim's maker. Where that cannot be told (another machine, an earlier boot) it is not: then
 * only time tells.
 */
export function isOwnerDead({ machine, pid }: Claim, here: string, processes: ProcessTable = systemProcesses): boolean {
  return machine === here && pid !== processes.ownPid && processes.isRunning(pid) === false;
}

/**
 * Whether another process has the id of a claim's maker by now, so that the maker is dead. Only proof counts: `false` where the
 * claim does not say when its maker was started, or the system does not say it of the process that has the id.
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

/** What both clocks of this machine say, milliseconds. */
export interface ClockTimes {
  /** Since 1970: jumps when the clock is set. */
  readonly wallMs: number;
  /** Since some moment: never goes back, and stands still while the machine sleeps. */
  readonly steadyMs: number;
}

/** How long a holder may be silent. */
export interface HeartbeatTimes {
  /** A claim that was refreshed less than so long ago is alive, milliseconds. */
  readonly staleMs: number;
  /** How often a holder refreshes its claim, milliseconds. */
  readonly updateMs: number;
}

/** A claim that is watched. */
interface Watched {
  readonly mtimeMs: number;
  /** Since when it has had this time. */
  readonly sinceSteadyMs: number;
  readonly lastLookSteadyMs: number;
  /** For how long it has to stay as it is until its holder is dead. */
  readonly neededMs: number;
  /** It had another time before: its holder lives, whatever the clocks say. */
  readonly wasRefreshed: boolean;
}

/** A holder whose refresh is due is given this much more than the interval. */
const SLACK = 1.5;

/**
 * Tells from the times at which a claim was refreshed whether its holder lives. A time that is recent by the clock is a sign of life. Any
 * other time proves nothing: after the machine slept, or its clock was set, all holders look dead, or ahead of the present. So
 * the claim is watched, by a clock that nobody can set, and is dead only if it has not changed for as long as a holder may be silent:
 * - a time in the past: for one and a half intervals, as it had been silent for `staleMs` before
 * - a time in the future, or one that has changed while it was watched (another machine's clock may differ): for `staleMs` longer
 *
 * Looks that are far apart do not count as watching: the machine may have slept between them, and the holder with it.
 */
export class HeartbeatMonitor {
  readonly #patience: HeartbeatTimes;
  /** By the file of the claim. */
  readonly #watched = new Map<string, Watched>();

  constructor(patience: HeartbeatTimes) {
    this.#patience = patience;
  }

  /**
   * Whether a claim that has this time now is alive; `silent`: that is not certain yet, and has to be asked again.
   * @param mtimeMs when it was refreshed last, by the clock of its holder or of the file system, milliseconds since 1970
   */
  stateOf(file: string, mtimeMs: number, { wallMs, steadyMs }: ClockTimes): 'alive' | 'silent' | 'dead' {
    const { staleMs, updateMs } = this.#patience;
    const before = this.#watched.get(file);
    const isWatched = before !== undefined && steadyMs - before.lastLookSteadyMs <= updateMs;
    if (isWatched && before.mtimeMs === mtimeMs) {
      // Also where it has become recent meanwhile: a time in the future does, by itself.
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
