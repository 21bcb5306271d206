import { wordsOf as reasonWordsOf } from '../support/transactions/words';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../../src/transactions/journal/journal';
import type { OperationKind } from '../../src/base/operationKinds';
import type { OperationRecord, OperationState } from '../../src/transactions/journal/types';
import { faultsOf } from './audit';
import { makeTask, type Task } from './jobs';
import { OpenWindows } from './openWindows';
import { nameOfPlan, type TrialPlan } from './plans';
import type { Ending } from './protocol';
import { Troubles } from './troubles';
import { User } from './user';
import type { WindowStock } from './windows';
import type { World } from './world';

/** The result of a trial. */
export interface Trial {
  readonly plan: TrialPlan;
  readonly slotMs: number;
  readonly faults: readonly string[];
  /** The state of the operation in progress when the window was killed; `undefined`: none had begun. */
  readonly killedIn: string | undefined;
  /** How the operations ended, oldest first. */
  readonly ends: readonly { readonly operation: OperationKind; readonly state: OperationState }[];
  readonly ending: Ending | undefined;
  readonly repeated: Ending | undefined;
  readonly answers: readonly Ending[];
  /** Duration of the operation until it was killed or ended. */
  readonly tookMs: number;
  /** Time until all operations had ended. */
  readonly reconciledMs: number;
}

/** Runs one operation, kills its window, lets other windows find the outcome, and audits everything. */
export async function runTrial(plan: TrialPlan, world: World, stock: WindowStock): Promise<Trial> {
  const storage = mkdtempSync(join(tmpdir(), 'binsight-crash-'));
  try {
    return await new Run(plan, world, stock, storage).run();
  } finally {
    await stock.killGiven();
    await world.client.setFaults();
    rmSync(storage, { recursive: true, force: true });
  }
}

class Run {
  readonly #journal;
  readonly #windows: OpenWindows;

  constructor(
    readonly plan: TrialPlan,
    readonly world: World,
    stock: WindowStock,
    readonly storage: string,
  ) {
    this.#journal = openJournal({ folder: join(storage, 'journal'), nowMs: () => Date.now() + world.skippedMs, log: () => undefined });
    this.#windows = new OpenWindows(world, stock, { storage, hasRpc: plan.hasRpc });
  }

  async run(): Promise<Trial> {
    const { plan, world, storage } = this;
    const task = await makeTask(plan.job, plan.pool, world);
    const troubles = new Troubles(plan, task, world, (ms) => this.#windows.advance(ms));
    const before = await world.estate();
    await troubles.begin();
    if (plan.hasBystander) {
      await (await this.#windows.open()).ask('watch');
    }
    const { ending, tookMs } = await this.#operate(task, troubles);
    const begun = await this.#records();
    const killedIn = stateOf(begun);
    await troubles.goOn();
    const from = performance.now();
    const { repeated, answers, isReconciled } = await new User(plan, world, this.#windows, this.#journal, troubles).settle(task.job);
    const reconciledMs = performance.now() - from;
    await this.#windows.close();
    await troubles.calmDown();
    const { records, problems } = await this.#journal.read();
    this.#journal.dispose();
    const oldestFirst = records.toReversed();
    const faults = await faultsOf(
      {
        storage,
        before,
        after: await world.estate(),
        records: oldestFirst,
        problems,
        hasRpc: plan.hasRpc,
        answers,
        firstWindow: { ending, operations: new Set(begun.map(({ id }) => id)) },
      },
      world,
    );
    await troubles.restorePrice();
    const ends = oldestFirst.map(({ created: { operation }, state }) => ({ operation, state }));
    const more = [
      ...(isReconciled ? [] : ['it was not found out what became of it']),
      ...this.#unexpected(oldestFirst),
      ...oddOf(oldestFirst, [ending, repeated, ...answers], repeated),
    ];
    return { plan, slotMs: world.slotMs, killedIn, ends, ending, repeated, answers, tookMs, reconciledMs, faults: [...faults, ...more] };
  }

  #unexpected(records: readonly OperationRecord[]): readonly string[] {
    const { mustEnd, mustBeIn } = this.plan;
    const [first] = records;
    const state = first?.state ?? 'none';
    const isIn = records.some((record) => record.created.operation === 'zapIn' && record.state === 'settled');
    return [
      ...(mustEnd === undefined || mustEnd === state
        ? []
        : [`it ended as ${state} (${reasonWordsOf(first?.reason) || 'no reason'}), not as ${mustEnd}`]),
      ...(mustBeIn === undefined || mustBeIn === isIn ? [] : [mustBeIn ? 'nothing was re-entered' : 'something was re-entered']),
    ];
  }

  async #records(): Promise<readonly OperationRecord[]> {
    return (await this.#journal.read()).records.toReversed();
  }

  /** Runs it in a window that is killed as planned. A window that never reached the point is killed as well, so every trial has a crash. */
  async #operate({ job }: Task, troubles: Troubles): Promise<{ readonly ending: Ending | undefined; readonly tookMs: number }> {
    const window = await this.#windows.open();
    const from = performance.now();
    const ending = await this.#windows.killAmid(
      window,
      this.plan.kill,
      () => window.ask('operate', job),
      (point) => troubles.happen(point),
    );
    return { ending, tookMs: performance.now() - from };
  }
}

/** The state of the operation that was begun last. */
function stateOf(records: readonly OperationRecord[]): string | undefined {
  const last = records.at(-1);
  return last && `${last.created.parent === undefined ? '' : 'rebalance: '}${last.created.operation} ${last.state}`;
}

/**
 * Ends that a live window must not have: an unknown error, or a block by the review. A block is allowed only for a repeated operation while
 * the first one's transactions could still be landed by anybody.
 */
function oddOf(
  records: readonly OperationRecord[],
  endings: readonly (Ending | undefined)[],
  repeated: Ending | undefined,
): readonly string[] {
  const mayBeRefused = records.some(({ state }) => state === 'failed');
  return endings.flatMap((one) => {
    if (one?.kind === 'error' && one.error === 'unknown') {
      return [`it failed without words: ${one.words}`];
    }
    const refusal = one?.kind === 'notReentered' ? one.reason : one?.kind;
    const isRefused = refusal === 'blocked' || refusal === 'declined';
    return isRefused && !(one === repeated && mayBeRefused) ? [`it was ${refusal}`] : [];
  });
}

/** A failed trial as text. */
export function describe({ plan, slotMs, faults, killedIn, ends, ending, repeated, answers }: Trial): string {
  const endingText = (which: string, one: Ending | undefined): string => (one === undefined ? '' : `; ${which}: ${wordsOf(one)}`);
  const ended = ends.map(({ operation, state }) => `${operation} ${state}`).join(', ');
  const answered = answers.map((one) => endingText('answered', one)).join('');
  return `${nameOfPlan(plan)}, ${slotMs} ms per slot: was ${killedIn ?? 'not begun'}, ended as ${ended}${endingText('in its window', ending)}${endingText('repeated', repeated)}${answered}${faults.map((fault) => `\n  ${fault}`).join('')}`;
}

function wordsOf(ending: Ending): string {
  switch (ending.kind) {
    case 'error':
      return `${ending.error} (${ending.words})`;
    case 'notReentered':
      return `not re-entered, ${ending.reason}${ending.isOpen ? ', open' : ''} (${ending.words})`;
    case 'noAction':
      return `nothing to do (${ending.words})`;
    default:
      return ending.findings === undefined ? ending.kind : `${ending.kind} (${ending.findings})`;
  }
}
