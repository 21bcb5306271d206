import type { Subscription } from '../portfolio/types';
import type { SolanaRpc } from '../rpc/types';
import { wordsOf } from './errors';
import { isEnd } from './journal/states';
import type { JournalEntry, OperationRecord } from './journal/types';
import { lamportsBack } from './lamportsBack';
import type { HeldLock } from './locks/types';
import { observeNetwork, readListing } from './observations';
import { canLand, concluded, type Conclusion, type NetworkObservation } from './reconcile';
import { wasSubmitted } from './signedAttempts';
import { operationLock, targetOf } from './target';
import type { WatcherDependencies } from './types';

/** After something changed in the journal: whoever wrote it is likely to write more in a moment. */
const AFTER_CHANGE_MS = 5_000;
/** How long until it is looked again for what does not show: longer each time. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** How long until it is looked again whether whoever writes an operation is still there. */
const HELD_PAUSE_MS = 30_000;

/** What was seen of an operation so far, while this window looked. */
interface Count {
  readonly showing: number;
  readonly notShowing: number;
}

/** An operation that nobody else writes, while this window looks what became of it. */
interface Taken {
  readonly entry: JournalEntry;
  readonly lock: HeldLock;
  /** Of what was never sent, also the lock of its position or pool: whoever has just begun it still holds that one. */
  readonly target: HeldLock | undefined;
}

/** What one look found. */
export interface Look {
  /** Operations that are not at their end, whoever has them. */
  readonly unfinished: readonly OperationRecord[];
  /** Whether another listing, soon, can settle one of them. */
  readonly isClose: boolean;
}

/**
 * Finds out what became of operations that nobody is working on any more: after a crash, a closed window, a lost connection, or
 * because the user stopped waiting. Never submits anything. What it finds is written to the journal and told (`onFound`); what
 * does not show goes on being looked for, less and less often, for as long as this lives.
 */
export class OperationWatcher {
  readonly #dependencies: WatcherDependencies;
  readonly #counts = new Map<string, Count>();
  #looking: Promise<Look> | undefined;
  #timer: Subscription | undefined;
  #dueAtMs = Number.POSITIVE_INFINITY;
  #changes: Subscription | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #known: ReadonlySet<string> = new Set();
  #isDisposed = false;

  constructor(dependencies: WatcherDependencies) {
    this.#dependencies = dependencies;
  }

  /** Looks now, and whenever there is reason to. */
  start(): void {
    if (this.#isDisposed || this.#changes !== undefined) {
      return;
    }
    this.#changes = this.#dependencies.journal.onDidChange(() => this.#lookIn(AFTER_CHANGE_MS));
    this.#lookIn(0);
  }

  /** Looks once, at all of them; joins a look that is under way. Never rejects. */
  async look(): Promise<Look> {
    this.#looking ??= this.#look()
      .catch((error: unknown): Look => {
        this.#log('warn', `looking for unfinished operations failed: ${wordsOf(error)}`);
        return { unfinished: [], isClose: false };
      })
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Looks no more. What is unfinished is found by the next window. */
  dispose(): void {
    this.#isDisposed = true;
    this.#changes?.dispose();
    this.#timer?.dispose();
  }

  /** Looks so much later, unless it does sooner anyway. */
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

  #goOn({ unfinished, isClose }: Look): void {
    const { settleEveryMs } = this.#dependencies;
    if (unfinished.length === 0) {
      this.#known = new Set();
      return;
    }
    const isNew = unfinished.some(({ id }) => !this.#known.has(id));
    this.#known = new Set(unfinished.map(({ id }) => id));
    this.#pauseMs = isNew ? FIRST_PAUSE_MS : Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    const areAllWaitedFor = unfinished.every((record) => wasSubmitted(record));
    this.#lookIn(isClose ? settleEveryMs : areAllWaitedFor ? this.#pauseMs : Math.min(this.#pauseMs, HELD_PAUSE_MS));
  }

  async #look(): Promise<Look> {
    const { journal } = this.#dependencies;
    const { records } = await journal.read();
    const unfinished = records.filter(isWatched);
    this.#forgetAllBut(unfinished);
    const open: OperationRecord[] = [];
    const sent: Taken[] = [];
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
      const isClose = await this.#lookFor(sent);
      open.push(...sent.map(({ entry }) => entry.record).filter(isWatched));
      return { unfinished: open, isClose };
    } finally {
      await Promise.all(sent.map(release));
    }
  }

  /** Takes an operation that nobody writes; `undefined` where somebody does. */
  async #take(seen: OperationRecord): Promise<Taken | undefined> {
    const { journal, locks } = this.#dependencies;
    const lock = await locks.tryAcquire(operationLock(seen.id));
    if (lock === undefined) {
      return undefined;
    }
    let target: HeldLock | undefined;
    try {
      const name = wasSubmitted(seen) ? undefined : targetOf(seen.created)?.lock;
      target = name === undefined ? undefined : await locks.tryAcquire(name);
      // As it is now that nobody else writes to it: it may have come further since it was read.
      const entry = name !== undefined && target === undefined ? undefined : await journal.resume(seen.id);
      if (entry !== undefined && isWatched(entry.record)) {
        return { entry, lock, target };
      }
    } catch (error) {
      this.#log('warn', `${seen.id} cannot be taken up: ${wordsOf(error)}`);
    }
    await release({ lock, target });
    return undefined;
  }

  /** Of what was never sent nothing can come. */
  async #abandon(taken: Taken, open: OperationRecord[]): Promise<void> {
    try {
      const conclusion = concluded(taken.entry.record, { nowMs: this.#dependencies.clock.now(), network: undefined, showing: 0, notShowing: 0 });
      if (conclusion === undefined || !(await this.#write(taken, conclusion))) {
        open.push(taken.entry.record);
      }
    } finally {
      await release(taken);
    }
  }

  /** Looks what became of what was sent: at the network first, so that the listing is younger than what is known of it. */
  async #lookFor(taken: readonly Taken[]): Promise<boolean> {
    const { portfolio, clock, serviceId, rpc } = this.#dependencies;
    const { owner } = portfolio.snapshot;
    const service = serviceId();
    const ours = taken.filter(({ entry: { record } }) => record.created.owner === owner && record.created.service === service);
    if (owner === undefined || service === undefined || ours.length === 0) {
      return false;
    }
    const node = await this.#rpc(rpc);
    const seen = await Promise.all(
      ours.map(async (one) => {
        const network = await observeNetwork(one.entry.record, node, (message) => this.#log('warn', message));
        return { one, network, mayLand: canLand(one.entry.record, { nowMs: clock.now(), network }) };
      }),
    );
    const listing = await readListing(portfolio, owner, () => serviceId() === service);
    let isClose = false;
    for (const { one, network, mayLand } of seen) {
      const count = this.#counted(one.entry.record, listing?.evidence(one.entry.record), mayLand);
      const isOver = await this.#conclude(one, network, mayLand, count, node);
      isClose ||= !isOver && listing !== undefined && count.showing + count.notShowing > 0;
    }
    return isClose;
  }

  #counted({ id }: OperationRecord, evidence: 'shows' | 'doesNotShow' | 'unclear' | undefined, mayLand: boolean): Count {
    const { showing, notShowing } = this.#counts.get(id) ?? NOTHING_SEEN;
    // A listing that could not be read says nothing, and breaks no row either.
    const count: Count =
      evidence === undefined
        ? { showing, notShowing }
        : { showing: evidence === 'shows' ? showing + 1 : 0, notShowing: evidence === 'doesNotShow' && !mayLand ? notShowing + 1 : 0 };
    this.#counts.set(id, count);
    return count;
  }

  /** Writes what can be concluded; true where that is the operation's end. */
  async #conclude(
    taken: Taken,
    network: NetworkObservation | undefined,
    mayLand: boolean,
    count: Count,
    rpc: SolanaRpc | undefined,
  ): Promise<boolean> {
    const { clock, journal } = this.#dependencies;
    const { record } = taken.entry;
    const conclusion = concluded(record, { nowMs: clock.now(), network, ...count });
    if (conclusion === undefined) {
      return false;
    }
    // Time goes on while it is looked: an end needs listings that were read after it could not land any more.
    if (mayLand && (conclusion.kind === 'expired' || conclusion.kind === 'failed')) {
      return false;
    }
    const measured = conclusion.kind === 'settled' ? { ...conclusion, lamportsBack: await lamportsBack(record, journal, rpc, clock.now()) } : conclusion;
    this.#log('info', `${record.id}: ${measured.kind}`);
    return (await this.#write(taken, measured)) && isEnd(measured.kind);
  }

  async #write({ entry, lock }: Taken, conclusion: Conclusion): Promise<boolean> {
    try {
      // A window that is being closed gives its locks back while a look may be under way.
      if (this.#isDisposed || lock.lost.aborted || !(await lock.isStillHeld())) {
        return false;
      }
      await entry.append(conclusion);
    } catch (error) {
      this.#log('warn', `what became of ${entry.id} cannot be written: ${wordsOf(error)}`);
      return false;
    }
    this.#tell(entry.record);
    return true;
  }

  #tell(record: OperationRecord): void {
    try {
      if (record.state !== 'landed') {
        this.#dependencies.onFound(record);
      }
    } catch (error) {
      this.#log('warn', `telling what became of ${record.id} failed: ${wordsOf(error)}`);
    }
  }

  async #rpc(rpc: WatcherDependencies['rpc']): Promise<SolanaRpc | undefined> {
    try {
      return await rpc();
    } catch (error) {
      this.#log('warn', `the RPC is not at hand: ${wordsOf(error)}`);
      return undefined;
    }
  }

  #forgetAllBut(unfinished: readonly OperationRecord[]): void {
    const ids = new Set(unfinished.map(({ id }) => id));
    for (const id of this.#counts.keys()) {
      if (!ids.has(id)) {
        this.#counts.delete(id);
      }
    }
  }

  #log(level: 'info' | 'warn', message: string): void {
    this.#dependencies.log(level, `Watching operations: ${message}`);
  }
}

const NOTHING_SEEN: Count = { showing: 0, notShowing: 0 };

/** A rebalance has parts, which are watched; it itself is not. */
function isWatched({ state, created }: OperationRecord): boolean {
  return !isEnd(state) && created.operation !== 'rebalance';
}

async function release({ lock, target }: Pick<Taken, 'lock' | 'target'>): Promise<void> {
  await target?.release();
  await lock.release();
}
