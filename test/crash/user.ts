import { setTimeout as later } from 'node:timers/promises';
import { isEnd } from '../../src/transactions/journal/states';
import type { OperationJournal, OperationRecord } from '../../src/transactions/journal/types';
import { childOperationsOf, rebalanceStatusOf } from '../../src/transactions/rebalance/rebalanceStatus';
import { isPartiallyExecuted, mayBePartiallyExecuted } from '../../src/transactions/outcome/partialExecution';
import { unlessGone, type OpenWindows } from './openWindows';
import type { Answer, TrialPlan } from './plans';
import type { Ending, Job } from './protocol';
import type { Troubles } from './troubles';
import type { CrashWindow } from './windows';
import type { World } from './world';

/** The result of everything after the crash. */
export interface Aftermath {
  readonly repeated: Ending | undefined;
  /** How re-entries, declines and completions ended, in the order of the requests. */
  readonly answers: readonly Ending[];
  /** Whether all operations have ended. */
  readonly isReconciled: boolean;
}

/** Longer than it takes to find an outcome that is available at once. */
const STILL_OPEN_AFTER_MS = 1_500;
/** After this time it can no longer land, without an RPC. */
const OVER_WITHOUT_RPC_MS = 310_000;
const LONGEST_MS = 45_000;
const LOOK_EVERY_MS = 40;
/** Maximum attempts; after them the proceeds stay in the wallet. */
const MOST_TRIES = 3;

/** An operation that waits for the user. */
type Waiting = { readonly kind: 'rebalance' | 'partialExecution'; readonly id: string };

/** A user who opens Binsight again after a crash and decides what it asks. */
export class User {
  readonly #answers: Ending[] = [];
  readonly #tries = new Map<string, number>();
  #window: CrashWindow | undefined;
  #hasBeenKilled = false;

  readonly #plan: TrialPlan;
  readonly #windows: OpenWindows;
  readonly #journal: OperationJournal;
  readonly #troubles: Troubles;
  readonly #world: World;

  constructor(plan: TrialPlan, world: World, windows: OpenWindows, journal: OperationJournal, troubles: Troubles) {
    this.#plan = plan;
    this.#world = world;
    this.#windows = windows;
    this.#journal = journal;
    this.#troubles = troubles;
  }

  /** Opens windows and decides until all operations have ended. */
  async settle(job: Job): Promise<Aftermath> {
    const plan = this.#plan;
    const first = await this.#open();
    const repeated = plan.repeats ? await first.ask('operate', job) : undefined;
    await first.ask('watch');
    if (plan.killsFinderAfterMs !== undefined) {
      await later(plan.killsFinderAfterMs);
      await this.#kill(first);
    }
    const isReconciled = await this.#settle();
    return { repeated, answers: this.#answers, isReconciled };
  }

  async #settle(): Promise<boolean> {
    const from = performance.now();
    let advancedAtMs = from;
    while (performance.now() - from < LONGEST_MS) {
      // Starts a new watcher if the last one was killed.
      await this.#finder();
      const { records } = await this.#journal.read();
      const waiting = this.#waitingOf(records);
      if (waiting !== undefined) {
        await this.#decide(waiting);
        advancedAtMs = performance.now();
        continue;
      }
      if (records.every(({ state }) => isEnd(state))) {
        return true;
      }
      const areSent = records.some(({ state }) => state === 'unconfirmed' || state === 'landed');
      if (areSent && performance.now() - advancedAtMs > STILL_OPEN_AFTER_MS) {
        await this.#windows.advance(this.#plan.hasRpc ? this.#world.expiryMs : OVER_WITHOUT_RPC_MS);
        advancedAtMs = performance.now();
      }
      await later(LOOK_EVERY_MS);
    }
    return false;
  }

  #waitingOf(records: readonly OperationRecord[]): Waiting | undefined {
    const partial =
      this.#plan.finishes === 'no'
        ? undefined
        : records.find(
            (record) => (isPartiallyExecuted(record, records) || mayBePartiallyExecuted(record, records)) && this.#triesOf(record.id) === 0,
          );
    if (partial !== undefined) {
      return { kind: 'partialExecution', id: partial.id };
    }
    const rebalance = records.find(
      (record) =>
        record.created.operation === 'rebalance' &&
        rebalanceStatusOf(record, childOperationsOf(record.id, records)).kind === 'awaitsReentry',
    );
    return rebalance && { kind: 'rebalance', id: rebalance.id };
  }

  async #decide({ kind, id }: Waiting): Promise<void> {
    const plan = this.#plan;
    const tries = this.#triesOf(id);
    this.#tries.set(id, tries + 1);
    if (kind === 'partialExecution') {
      await this.#ask(
        (window) => window.ask('complete', id),
        plan.finishes === 'twice' ? (window) => window.ask('complete', id) : undefined,
      );
      return;
    }
    const answer: Answer = tries < MOST_TRIES ? plan.answer : 'declineReentry';
    const { otherAnswer } = plan;
    await this.#ask(
      (window) => window.ask(answer, id),
      tries === 0 && otherAnswer !== undefined ? (window) => window.ask(otherAnswer, id) : undefined,
    );
    if (tries > 0) {
      await later(LOOK_EVERY_MS * tries);
    }
  }

  /** Asks one window, or two at the same moment. */
  async #ask(run: (window: CrashWindow) => Promise<Ending>, other: ((window: CrashWindow) => Promise<Ending>) | undefined): Promise<void> {
    const plan = this.#plan;
    const windows = this.#windows;
    const window = await this.#finder();
    const isKilled = plan.killsAnswer.kind !== 'never' && !this.#hasBeenKilled;
    this.#hasBeenKilled = true;
    const mine = isKilled
      ? windows.killAmid(
          window,
          plan.killsAnswer,
          () => run(window),
          (point) => this.#happen(point),
        )
      : run(window).catch(unlessGone);
    const others = other === undefined ? undefined : this.#askInAnother(other);
    const endings = await Promise.all([mine, others]);
    this.#answers.push(...endings.filter((ending) => ending !== undefined));
    if (isKilled) {
      this.#window = undefined;
    }
  }

  async #askInAnother(run: (window: CrashWindow) => Promise<Ending>): Promise<Ending | undefined> {
    const window = await this.#windows.open();
    return run(window).catch(unlessGone);
  }

  /** The window that looks for outcomes. */
  async #finder(): Promise<CrashWindow> {
    if (this.#window === undefined) {
      await (await this.#open()).ask('watch');
    }
    return this.#window ?? this.#open();
  }

  async #open(): Promise<CrashWindow> {
    const window = await this.#windows.open();
    window.onPoint = (point) => void this.#happen(point).then(() => window.go());
    this.#window = window;
    return window;
  }

  async #kill(window: CrashWindow): Promise<void> {
    await this.#windows.kill(window);
    this.#window = undefined;
  }

  async #happen(point: Parameters<Troubles['happen']>[0]): Promise<void> {
    if (this.#troubles.lasts) {
      await this.#troubles.happen(point);
    }
  }

  #triesOf(id: string): number {
    return this.#tries.get(id) ?? 0;
  }
}
