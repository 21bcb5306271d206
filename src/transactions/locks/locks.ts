import { mkdir, readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as later } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { lock } from 'proper-lockfile';
import { type ProcessTable, systemProcesses } from '../../base/processes';
import { describeFolderError } from '../journal/errors';
import {
  type Claim,
  claimOf,
  ENDING,
  HeartbeatMonitor,
  isOwnerDead,
  isPidReused,
  lockFileName,
  newClaim,
  processTag,
  thisMachine,
} from './claims';
import { type HeldLock, LockFolderError, type OperationLocks } from './types';

/** Where locks are, and how long their holders may be silent. */
export interface LockOptions {
  /** A folder of its own, the same for all windows. It is made when the first lock is taken. */
  readonly folder: string;
  /** A holder that has not been heard of for so long may have died; at least 2000. */
  readonly staleMs?: number;
  readonly log: (level: 'info' | 'warn', message: string) => void;
  /** The system's, unless another one is given. */
  readonly processes?: ProcessTable;
}

const DEFAULT_STALE_MS = 10_000;
/** proper-lockfile takes no less. */
const SHORTEST_STALE_MS = 2_000;
/** How many refreshes a holder misses before it counts as silent. */
const UPDATES = 4;
/** Nor does it update more often. */
const SHORTEST_UPDATE_MS = 1_000;
/** Where two claim a lock at once, the first one waits so long for the other one to step back, looking so often. */
const STEP_BACK_MS = 1_000;
const LOOK_EVERY_MS = 20;
/** Whoever waits for a lock looks so often, and a bit at random, so that not all come at once. */
const TRY_EVERY_MS = 250;

/**
 * Opens the locks of all windows.
 *
 * How they work: who wants a lock makes a claim (an empty folder with a name of its own, kept fresh by proper-lockfile), and
 * then looks whether there are others. It has the lock where there are none. Of any two, the one that looked later has seen
 * the other's claim, so that never two have it; and as no name is used twice, nobody who takes a dead claim away, or gives
 * back what he lost without knowing, can hit the claim of another. (To remove a stale lock and make it anew under the same
 * name, as is usual, has that gap: two who find it stale at once may both end up with it.)
 */
export function openLocks(options: LockOptions): OperationLocks {
  return new FolderLocks(options);
}

class FolderLocks implements OperationLocks {
  readonly #folder: string;
  readonly #staleMs: number;
  readonly #updateMs: number;
  readonly #log: LockOptions['log'];
  readonly #processes: ProcessTable;
  readonly #machine = thisMachine();
  readonly #held = new Set<Held>();
  readonly #heartbeats: HeartbeatMonitor;
  /** Identifies this process in its claims; asked for with the first one. */
  #tag: Promise<string | undefined> | undefined;
  #isDisposed = false;

  constructor({ folder, staleMs = DEFAULT_STALE_MS, log, processes = systemProcesses }: LockOptions) {
    this.#folder = folder;
    this.#staleMs = Math.max(staleMs, SHORTEST_STALE_MS);
    this.#updateMs = Math.max(this.#staleMs / UPDATES, SHORTEST_UPDATE_MS);
    this.#log = log;
    this.#processes = processes;
    this.#heartbeats = new HeartbeatMonitor({ staleMs: this.#staleMs, updateMs: this.#updateMs });
  }

  async tryAcquire(name: string): Promise<HeldLock | undefined> {
    return this.#withFolderErrors(() => this.#try(name, undefined));
  }

  async acquire(name: string, signal: AbortSignal): Promise<HeldLock> {
    for (;;) {
      signal.throwIfAborted();
      const held = await this.#withFolderErrors(() => this.#try(name, signal));
      if (held !== undefined) {
        return held;
      }
      await later(TRY_EVERY_MS * (0.5 + Math.random()), undefined, { signal });
    }
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([...this.#held].map((held) => held.release()));
  }

  /** @param signal ends the wait for claims that may be dead */
  async #try(name: string, signal: AbortSignal | undefined): Promise<HeldLock | undefined> {
    this.#assertOpen();
    // Nobody is disturbed by a claim that would not be granted anyway.
    if ((await this.#others(lockFileName(name), undefined, signal)).length > 0) {
      return undefined;
    }
    const claim = newClaim(name, this.#machine, await this.#ownTag(), this.#processes.ownPid);
    const held = await this.#claim(name, claim);
    try {
      if (await this.#isFirst(claim, signal)) {
        held.lost.throwIfAborted();
        this.#assertOpen();
        return held;
      }
      await held.release();
      return undefined;
    } catch (error) {
      await held.release();
      throw error;
    }
  }

  async #ownTag(): Promise<string | undefined> {
    const { ownPid } = this.#processes;
    this.#tag ??= this.#processes
      .startedAt(ownPid)
      .then((startedAt) => (startedAt === undefined ? undefined : processTag(ownPid, startedAt)));
    return this.#tag;
  }

  async #withFolderErrors<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && 'code' in error && 'syscall' in error) {
        const trouble = describeFolderError(typeof error.code === 'string' ? error.code : undefined, this.#folder);
        throw new LockFolderError(
          l10n.t`The locks between windows can't be used. ${trouble?.what ?? `${error.message}.`}`,
          error,
          trouble?.advice,
        );
      }
      throw error;
    }
  }

  #assertOpen(): void {
    if (this.#isDisposed) {
      throw new Error(l10n.t('This window is closing.'));
    }
  }

  /** Whether there is nobody else, or, of those who come at once, all others have stepped back. */
  async #isFirst(claim: Claim, signal: AbortSignal | undefined): Promise<boolean> {
    for (const startMs = performance.now(); ;) {
      const others = await this.#others(claim.lock, claim, signal);
      if (others.length === 0) {
        return true;
      }
      if (others.some(({ token }) => token < claim.token) || performance.now() - startMs > STEP_BACK_MS) {
        return false;
      }
      await later(LOOK_EVERY_MS);
    }
  }

  async #claim(name: string, claim: Claim): Promise<Held> {
    const lost = new AbortController();
    const give = await lock(join(this.#folder, claim.file), {
      realpath: false,
      stale: this.#staleMs,
      update: this.#updateMs,
      onCompromised: (error) => {
        this.#log('warn', `The lock ${name} was lost: ${error.message}`);
        lost.abort(new Error(l10n.t('This window was suspended for too long, and another one took over.')));
        this.#held.delete(held);
      },
    });
    const held = new Held(name, claim.file, join(this.#folder, `${claim.file}${ENDING}`), lost.signal, async () => {
      this.#held.delete(held);
      try {
        await give();
      } catch (error) {
        if (!lost.signal.aborted) {
          this.#log('warn', `Giving back the lock ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    });
    this.#held.add(held);
    return held;
  }

  /** The claims of others to a lock. Dead ones (those to other locks, too) are taken away; on silent ones it waits for a sign of life. */
  async #others(lockName: string, own: Claim | undefined, signal: AbortSignal | undefined): Promise<readonly Claim[]> {
    for (;;) {
      // What this window itself holds needs no looking at, unless it is asked for again.
      const held = new Set([...this.#held].map(({ file }) => file));
      const claims = (await this.#names())
        .flatMap((name) => claimOf(name) ?? [])
        .filter(({ file, lock: of }) => file !== own?.file && (of === lockName || !held.has(file)));
      const states = await Promise.all(claims.map((claim) => this.#stateOf(claim)));
      this.#heartbeats.forgetAllBut(claims.map(({ file }) => file));
      const ours = claims.map((claim, index) => ({ claim, state: states[index] ?? 'gone' })).filter(({ claim }) => claim.lock === lockName);
      const alive = ours.filter(({ state }) => state === 'alive').map(({ claim }) => claim);
      if (alive.length > 0 || !ours.some(({ state }) => state === 'silent')) {
        return alive;
      }
      await later(SHORTEST_UPDATE_MS / 4, undefined, signal === undefined ? {} : { signal });
    }
  }

  /** The names in the folder, which is made where it is not there. */
  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        throw error;
      }
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      return [];
    }
  }

  /**
   * Whether a claim's holder lives. It is certainly dead where its process is gone, or another process has its id. Otherwise its
   * signs of life decide, never the clock alone.
   */
  async #stateOf(claim: Claim): Promise<'alive' | 'silent' | 'gone'> {
    const path = join(this.#folder, `${claim.file}${ENDING}`);
    if (isOwnerDead(claim, this.#machine, this.#processes) || (await isPidReused(claim, this.#machine, this.#processes))) {
      return this.#removeClaim(claim, path);
    }
    const mtimeMs = await stat(path).then(
      (found) => found.mtimeMs,
      () => undefined,
    );
    if (mtimeMs === undefined) {
      return 'gone';
    }
    const state = this.#heartbeats.stateOf(claim.file, mtimeMs, { wallMs: Date.now(), steadyMs: performance.now() });
    return state === 'dead' ? this.#removeClaim(claim, path) : state;
  }

  async #removeClaim({ file, pid }: Claim, path: string): Promise<'gone'> {
    this.#heartbeats.forget(file);
    // Where it is gone already, another one was quicker.
    await rmdir(path).then(
      () => this.#log('info', `A lock that process ${pid} left behind was taken over.`),
      () => undefined,
    );
    return 'gone';
  }
}

class Held implements HeldLock {
  readonly name: string;
  /** Its claim. */
  readonly file: string;
  readonly lost: AbortSignal;
  readonly #path: string;
  readonly #give: () => Promise<void>;
  #released: Promise<void> | undefined;

  constructor(name: string, file: string, path: string, lost: AbortSignal, give: () => Promise<void>) {
    this.name = name;
    this.file = file;
    this.#path = path;
    this.lost = lost;
    this.#give = give;
  }

  async isStillHeld(): Promise<boolean> {
    if (this.#released !== undefined || this.lost.aborted) {
      return false;
    }
    return stat(this.#path).then(
      () => true,
      () => false,
    );
  }

  async release(): Promise<void> {
    this.#released ??= this.#give();
    return this.#released;
  }
}
