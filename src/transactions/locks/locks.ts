import { mkdir, readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as later } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { lock } from 'proper-lockfile';
import { type ProcessTable, systemProcesses } from '../../base/processes';
import { errorText, systemCode } from '../../base/thrown';
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

export interface LockOptions {
  /** A folder for locks only, the same for all windows. It is created with the first lock. */
  readonly folder: string;
  /** A holder without a heartbeat for this long may be dead; milliseconds, at least 2000. */
  readonly staleMs?: number;
  readonly log: (level: 'info' | 'warn', message: string) => void;
  /** Default: the system's. */
  readonly processes?: ProcessTable;
}

const DEFAULT_STALE_MS = 10_000;
/** Minimum of proper-lockfile. */
const SHORTEST_STALE_MS = 2_000;
/** Missed refreshes before a holder counts as silent. */
const UPDATES = 4;
/** Minimum of proper-lockfile. */
const SHORTEST_UPDATE_MS = 1_000;
/** Of two simultaneous claims, the winner waits this long for the other to withdraw, and checks this often. */
const STEP_BACK_MS = 1_000;
const LOOK_EVERY_MS = 20;
/** Interval of a waiting `acquire`; randomized so that waiting windows do not all try at once. */
const TRY_EVERY_MS = 250;

/**
 * Opens the locks of all windows.
 *
 * A window that wants a lock creates a claim (an empty folder with a unique name, kept fresh by proper-lockfile) and then lists the
 * claims. It has the lock if there is no other. Of any two windows, the one that lists later sees the other's claim, so two never hold
 * the same lock. No name is used twice, so removing a dead claim, or releasing a lock that was lost unnoticed, never removes the claim
 * of another window. (The usual scheme removes a stale lock and recreates it under the same name. Two windows that find it stale at the
 * same time may then both get it.)
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
  /** Identifies this process in its claims; read with the first claim. */
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

  /** @param signal stops the wait for claims that may be dead */
  async #try(name: string, signal: AbortSignal | undefined): Promise<HeldLock | undefined> {
    this.#assertOpen();
    // Checked first, so that a claim without a chance does not disturb others.
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
        const trouble = describeFolderError(systemCode(error), this.#folder);
        throw new LockFolderError(
          l10n.t`The locks between windows cannot be used. ${trouble?.what ?? `${error.message}.`}`,
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

  /** True if there is no other claim, or all simultaneous ones have withdrawn. */
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
        lost.abort(new Error(l10n.t('This window was suspended, and another one may have taken over.')));
        this.#held.delete(held);
      },
    });
    const held = new Held(name, claim.file, join(this.#folder, `${claim.file}${ENDING}`), lost.signal, async () => {
      this.#held.delete(held);
      try {
        await give();
      } catch (error) {
        if (!lost.signal.aborted) {
          this.#log('warn', `Giving back the lock ${name} failed: ${errorText(error)}`);
        }
      }
    });
    this.#held.add(held);
    return held;
  }

  /** The live claims of others to a lock. Removes dead claims (of all locks), and waits until silent ones are known to be alive or dead. */
  async #others(lockName: string, own: Claim | undefined, signal: AbortSignal | undefined): Promise<readonly Claim[]> {
    for (;;) {
      // Claims of this window count only if the same lock is requested again.
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

  /** The names in the folder, which is created if it is missing. */
  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') {
        throw error;
      }
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      return [];
    }
  }

  /** A holder is dead if its process is gone or its process id was reused. Otherwise its heartbeats decide, never the wall clock alone. */
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
    // Fails if another window removed it first.
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
