import type { Subscription } from '../../base/async/clock';
import { errorMessageOf } from '../errors';
import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import type { HeldLock } from '../locks/types';
import { LandingProbe, type LockedOperation } from '../outcome/landingProbe';
import { conclude, type Conclusion } from '../outcome/reconcile';
import { childOperationsOf, rebalanceStatusOf, unreadableSince } from '../rebalance/rebalanceStatus';
import { wasSubmitted } from '../signedAttempts';
import { lockedTargets, operationLock } from '../target';
import type { WatcherDependencies } from '../types';
import { acknowledgeCompleted } from './acknowledge';

/** Pause after a change in the journal: its writer is likely to write more soon. */
const AFTER_CHANGE_MS = 5_000;
/** Pause until the next check of an operation whose outcome is unknown; it doubles each time. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** Interval of checks whether the writer of an operation still holds its lock. */
const HELD_PAUSE_MS = 30_000;
/** Younger operations are checked at least every `HELD_PAUSE_MS`, also those of other windows, which may close at any moment. */
const YOUNG_MS = 900_000;

/** The result of one check. */
export interface ObservationRound {
  /** Unfinished operations of all windows. */
  readonly unfinished: readonly OperationRecord[];
  /** Milliseconds until another check can settle one of them; `undefined`: unknown. */
  readonly dueInMs: number | undefined;
}

/**
 * Finds the outcomes of operations that no window works on any more: after a crash, a closed window, a lost connection, or because the user
 * stopped waiting. Never submits anything. Outcomes are journaled and reported (`onFound`); unknown ones are checked again at growing
 * intervals until the watcher is disposed of.
 */
export class OperationWatcher {
  readonly #dependencies: WatcherDependencies;
  readonly #probe: LandingProbe;
  #looking: Promise<ObservationRound> | undefined;
  #timer: Subscription | undefined;
  #dueAtMs = Number.POSITIVE_INFINITY;
  #changes: Subscription | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #known: ReadonlySet<string> = new Set();
  #isDisposed = false;

  constructor(dependencies: WatcherDependencies) {
    this.#dependencies = dependencies;
    this.#probe = new LandingProbe(dependencies, (taken, conclusion) => this.#write(taken, conclusion));
  }

  /** Checks now, and whenever something changes. */
  start(): void {
    if (this.#isDisposed || this.#changes !== undefined) {
      return;
    }
    this.#changes = this.#dependencies.journal.onDidChange(() => this.#lookIn(AFTER_CHANGE_MS));
    this.#lookIn(0);
  }

  /** Checks all of them once, or joins the check in progress. Never rejects. */
  async look(): Promise<ObservationRound> {
    this.#looking ??= this.#look()
      .catch((error: unknown): ObservationRound => {
        this.#log('warn', `looking for unfinished operations failed: ${errorMessageOf(error)}`);
        return { unfinished: [], dueInMs: undefined };
      })
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Stops checking. The next window continues. */
  dispose(): void {
    this.#isDisposed = true;
    this.#changes?.dispose();
    this.#timer?.dispose();
  }

  /** Schedules a check, unless an earlier one is scheduled. */
  #lookIn(ms: number): void {
    const { clock } = this.#dependencies;
    const dueAtMs = clock.now() + ms;
    if (this.#isDisposed || dueAtMs >= this.#dueAtMs) {
      return;
    }
    this.#timer?.dispose();
    this.#dueAtMs = dueAtMs;
    this.#timer = clock.after(ms, () => {
      this.#dueAtMs = Number.POSITIVE_INFINITY;
      void this.look().then((look) => this.#goOn(look));
    });
  }

  #goOn({ unfinished, dueInMs }: ObservationRound): void {
    if (unfinished.length === 0) {
      this.#known = new Set();
      return;
    }
    const isNew = unfinished.some(({ id }) => !this.#known.has(id));
    this.#known = new Set(unfinished.map(({ id }) => id));
    this.#pauseMs = isNew ? FIRST_PAUSE_MS : Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    const nowMs = this.#dependencies.clock.now();
    const areAllOldAndSent = unfinished.every((record) => wasSubmitted(record) && Math.abs(nowMs - record.updatedAtMs) > YOUNG_MS);
    this.#lookIn(Math.min(dueInMs ?? Number.POSITIVE_INFINITY, areAllOldAndSent ? this.#pauseMs : Math.min(this.#pauseMs, HELD_PAUSE_MS)));
  }

  async #look(): Promise<ObservationRound> {
    const { journal } = this.#dependencies;
    const { records } = await journal.read();
    const unfinished = records.filter(isWatched);
    this.#probe.forgetAllBut(unfinished);
    const open: OperationRecord[] = [];
    const sent: LockedOperation[] = [];
    try {
      for (const record of unfinished) {
        const taken = await this.#take(record);
        if (taken === undefined) {
          open.push(record);
        } else if (wasSubmitted(taken.entry.record)) {
          sent.push(taken);
        } else {
          await this.#abandon(taken, open);
        }
      }
      const dueInMs = await this.#probe.observe(sent);
      open.push(...sent.map(({ entry }) => entry.record).filter(isWatched));
      open.push(...(await this.#closeEnded()));
      return { unfinished: open, dueInMs };
    } finally {
      await Promise.all(sent.map(release));
    }
  }

  /** Rebalances end with their parts, and interrupted operations with what completes them. Those may just have ended. */
  async #closeEnded(): Promise<readonly OperationRecord[]> {
    const { records } = await this.#dependencies.journal.read();
    if (this.#isDisposed) {
      return [];
    }
    await acknowledgeCompleted(records, this.#dependencies);
    return closeRebalances(records, this.#dependencies);
  }

  /** Takes the lock of an operation; `undefined` if another window holds it. */
  async #take(seen: OperationRecord): Promise<LockedOperation | undefined> {
    const { journal, locks } = this.#dependencies;
    const lock = await locks.tryAcquire(operationLock(seen.id));
    if (lock === undefined) {
      return undefined;
    }
    const targets: HeldLock[] = [];
    try {
      const needed = wasSubmitted(seen) ? [] : lockedTargets(seen.created);
      for (const { lock: name } of needed) {
        const target = await locks.tryAcquire(name);
        targets.push(...(target === undefined ? [] : [target]));
      }
      // The locks are held now: read the current state.
      const entry = targets.length < needed.length ? undefined : await journal.resume(seen.id);
      if (entry !== undefined && isWatched(entry.record)) {
        return { entry, lock, targets };
      }
    } catch (error) {
      this.#log('warn', `${seen.id} cannot be taken up: ${errorMessageOf(error)}`);
    }
    await release({ lock, targets });
    return undefined;
  }

  /** Ends an operation that was never sent. */
  async #abandon(taken: LockedOperation, open: OperationRecord[]): Promise<void> {
    try {
      const conclusion = conclude(taken.entry.record, {
        nowMs: this.#dependencies.clock.now(),
        network: undefined,
        showing: 0,
        notShowing: 0,
      });
      if (conclusion === undefined || !(await this.#write(taken, conclusion))) {
        open.push(taken.entry.record);
      }
    } finally {
      await release(taken);
    }
  }

  async #write({ entry, lock }: LockedOperation, conclusion: Conclusion): Promise<boolean> {
    try {
      // A window that is closing releases its locks while a check may be in progress.
      if (this.#isDisposed || lock.lost.aborted || !(await lock.isStillHeld())) {
        return false;
      }
      await entry.append(conclusion);
    } catch (error) {
      this.#log('warn', `what became of ${entry.id} cannot be written: ${errorMessageOf(error)}`);
      return false;
    }
    this.#reportFound(entry.record);
    return true;
  }

  #reportFound(record: OperationRecord): void {
    try {
      if (record.state !== 'landed') {
        this.#dependencies.onFound(record);
      }
    } catch (error) {
      this.#log('warn', `telling what became of ${record.id} failed: ${errorMessageOf(error)}`);
    }
  }

  #log(level: 'info' | 'warn', message: string): void {
    this.#dependencies.log(level, `Watching operations: ${message}`);
  }
}

/** Rebalances are not watched themselves; their parts are. */
function isWatched({ state, created }: OperationRecord): boolean {
  return !isEnd(state) && created.operation !== 'rebalance';
}

async function release({ lock, targets }: Pick<LockedOperation, 'lock' | 'targets'>): Promise<void> {
  await Promise.all(targets.map((target) => target.release()));
  await lock.release();
}

export type RebalanceWatch = Pick<WatcherDependencies, 'journal' | 'locks' | 'log' | 'onFound'>;

/**
 * Ends the rebalances that no window works on and whose parts have decided the outcome. Those that wait for the user's decision stay open.
 * Never rejects.
 * @param records the journal as last read
 * @returns those that could not be ended because of a held lock or a write error: to be checked again
 */
export async function closeRebalances(
  records: readonly OperationRecord[],
  dependencies: RebalanceWatch,
): Promise<readonly OperationRecord[]> {
  const left: OperationRecord[] = [];
  for (const record of records.filter(({ created, state }) => created.operation === 'rebalance' && !isEnd(state))) {
    if (rebalanceStatusOf(record, childOperationsOf(record.id, records)).kind === 'concluded' && !(await close(record, dependencies))) {
      left.push(record);
    }
  }
  return left;
}

/** @returns whether nothing more can be done about it for now */
async function close({ id }: OperationRecord, { journal, locks, log, onFound }: RebalanceWatch): Promise<boolean> {
  try {
    const lock = await locks.tryAcquire(operationLock(id));
    if (lock === undefined) {
      return false;
    }
    try {
      // Read again under the lock: no other window can begin a part of it now.
      const entry = await journal.resume(id);
      const { records, problems } = await journal.read();
      // With an unreadable part its outcome is unknown: the user ends it (declineReentry).
      const isOpen = entry !== undefined && !isEnd(entry.record.state) && unreadableSince(entry.record, problems) === undefined;
      const status = isOpen ? rebalanceStatusOf(entry.record, childOperationsOf(id, records)) : undefined;
      if (entry === undefined || status?.kind !== 'concluded') {
        return true;
      }
      if (!(await lock.isStillHeld())) {
        return false;
      }
      await entry.append(status.event);
      log('info', `Watching operations: ${id}: ${status.event.kind}`);
      onFound(entry.record);
      return true;
    } finally {
      await lock.release();
    }
  } catch (error) {
    log('warn', `Watching operations: how the rebalance ${id} ended cannot be written: ${errorMessageOf(error)}`);
    return false;
  }
}
