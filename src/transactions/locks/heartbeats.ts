/** What both clocks of this machine say, milliseconds. */
export interface Now {
  /** Since 1970: jumps when the clock is set. */
  readonly wallMs: number;
  /** Since some moment: never goes back, and stands still while the machine sleeps. */
  readonly steadyMs: number;
}

/** How long a holder may be silent. */
export interface Patience {
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
  readonly #patience: Patience;
  /** By the file of the claim. */
  readonly #watched = new Map<string, Watched>();

  constructor(patience: Patience) {
    this.#patience = patience;
  }

  /**
   * Whether a claim that has this time now is alive; `silent`: that is not certain yet, and has to be asked again.
   * @param mtimeMs when it was refreshed last, by the clock of its holder or of the file system, milliseconds since 1970
   */
  stateOf(file: string, mtimeMs: number, { wallMs, steadyMs }: Now): 'alive' | 'silent' | 'dead' {
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
