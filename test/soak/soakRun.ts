import { wordsOf } from '../support/transactions/words';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import type { AutoRebalanceRules } from '../../src/autoRebalance/types';
import { openJournal } from '../../src/transactions/journal/journal';
import { isEnd } from '../../src/transactions/journal/states';
import type { OperationRecord } from '../../src/transactions/journal/types';
import { residentMegabytes } from '../bench/sandboxLoad';
import { faultsOf } from '../crash/audit';
import { OpenWindows } from '../crash/openWindows';
import { calmPlan } from '../crash/plans';
import type { AutomatedAction, Ending, Held, Job } from '../crash/protocol';
import { Troubles } from '../crash/troubles';
import { User } from '../crash/user';
import type { CrashWindow, WindowStock } from '../crash/windows';
import type { Estate, World } from '../crash/world';
import { Random } from '../fuzz/random';
import { heldBy, type Held as SandboxHeld } from '../support/sandbox/heapProbe';
import { FAULT_PHASES, type FaultPhase } from './faultPhases';
import { beyondRange, nextJob, type SoakPools } from './nextJob';

const MINUTE_MS = 60_000;
const PHASE_MS = 5_000;
/** At most one operation begins in this time. The journal keeps every operation, so that more of them, on a fast machine, would look like a leak. */
const JOB_EVERY_MS = 2_000;
/** Between two samples: each collects garbage several times in both processes. Besides the work, so that a slow machine gives as many. */
const SAMPLE_EVERY_MS = 5_000;
/** An operation with all its waits takes seconds here, because waits are skipped. */
const WHOLE_BPS = 10_000;
const LONGEST_JOB_MS = 120_000;
/** Restores a price that was raised by so many percent. */
const loweredBy = (percent: number): number => 100 / (1 + percent / 100) - 100;

const RULES: AutoRebalanceRules = {
  ...{ mode: 'automatic', checkEveryMs: MINUTE_MS, outOfRangeChecks: 2, leastValueUsd: 1, cooldownMs: 5 * MINUTE_MS },
  ...{ mostPerPositionAndDay: 1_000, mostPerDay: 10_000, mostClosingsPerDay: 100, mostCostPercentPerDay: 100 },
  terms: { halfWidthBins: 10, strategy: undefined, slippageBps: 500, reserveLamports: 50_000_000n },
  ...{ stopLossPercent: undefined, takeProfitPercent: undefined, pnlIn: 'usd', poolsLeftAlone: [] },
};

/** What both processes hold at one time. */
export interface SoakSample {
  /** Since the begin. */
  readonly minutes: number;
  readonly extension: Held;
  readonly sandbox: SandboxHeld & { readonly residentBytes: number; readonly descriptors: number | undefined };
}

/** What a minute or a whole run has done so far. */
export interface SoakProgress {
  readonly minutes: number;
  readonly operations: number;
  readonly phase: string;
  readonly sample: SoakSample | undefined;
}

/** The results of a run. */
export interface SoakReport {
  readonly samples: readonly SoakSample[];
  readonly records: readonly OperationRecord[];
  /** How the operations that the user began ended in their window. */
  readonly endings: ReadonlyMap<string, number>;
  readonly automated: readonly AutomatedAction[];
  readonly panelReads: { readonly answered: number; readonly failed: number };
  readonly phases: number;
  /** What is not as it must be, as text. */
  readonly faults: readonly string[];
}

/** One window of Binsight that works on one sandbox for minutes while the service has faults. */
export class SoakRun {
  readonly #world: World;
  readonly #windows: OpenWindows;
  readonly #probeFolder: string;
  readonly #storage: string;
  readonly #random: Random;
  readonly #stopped: AbortSignal;
  readonly #onMinute: (progress: SoakProgress) => void;
  readonly #startMs = performance.now();
  readonly #samples: SoakSample[] = [];
  readonly #endings = new Map<string, number>();
  readonly #faults: string[] = [];
  readonly #raised = new Map<string, number>();
  #panelReads = { answered: 0, failed: 0 };
  #operations = 0;
  #nextJobMs = 0;
  #phases = 0;

  /** @param probeFolder where the sandbox answers (heapProbe). @param stopped aborted: ends early, without the audit */
  constructor(options: {
    readonly world: World;
    readonly stock: WindowStock;
    readonly storage: string;
    readonly probeFolder: string;
    readonly seed: number;
    readonly stopped: AbortSignal;
    readonly onMinute: (progress: SoakProgress) => void;
  }) {
    const { world, stock, storage, probeFolder, seed, stopped, onMinute } = options;
    this.#world = world;
    this.#storage = storage;
    this.#windows = new OpenWindows(world, stock, { storage, hasRpc: true });
    this.#probeFolder = probeFolder;
    this.#random = new Random(seed);
    this.#stopped = stopped;
    this.#onMinute = onMinute;
  }

  /** Works for so long, settles what is open, and audits everything. */
  async run(minutes: number): Promise<SoakReport> {
    const world = this.#world;
    const pools: SoakPools = { withBins: await world.pools('meteora'), withoutBins: await world.pools('meteora_damm_v2') };
    const before = await world.estate();
    const window = await this.#windows.open();
    await window.ask('watch');
    await window.ask('beginLongRun', RULES);
    const over = new AbortController();
    const sampling = this.#sampleUntil(over.signal, window);
    try {
      await Promise.race([this.#workFor(minutes, window, pools), sampling]);
    } finally {
      over.abort();
    }
    await sampling;
    if (this.#isStopped()) {
      return this.#report([], []);
    }
    await world.client.setFaults();
    await world.setLag(0);
    const automated = await window.ask('endLongRun');
    await this.#settle(window);
    await this.#windows.close();
    const records = await this.#audit(before);
    return this.#report(records, automated);
  }

  async #workFor(minutes: number, window: CrashWindow, pools: SoakPools): Promise<void> {
    let minute = 0;
    while (this.#minutes < minutes && !this.#isStopped()) {
      const phase = FAULT_PHASES[this.#phases % FAULT_PHASES.length] ?? { name: 'calm', faults: [] };
      await this.#phase(phase, window, pools);
      if (Math.floor(this.#minutes) > minute && !this.#isStopped()) {
        minute = Math.floor(this.#minutes);
        await this.#settle(window);
        this.#onMinute({ minutes: minute, operations: this.#operations, phase: phase.name, sample: this.#samples.at(-1) });
      }
    }
  }

  #isStopped(): boolean {
    return this.#stopped.aborted;
  }

  get #minutes(): number {
    return (performance.now() - this.#startMs) / MINUTE_MS;
  }

  #report(records: readonly OperationRecord[], automated: readonly AutomatedAction[]): SoakReport {
    return {
      ...{ samples: this.#samples, records, automated, endings: this.#endings },
      ...{ panelReads: this.#panelReads, phases: this.#phases, faults: this.#faults },
    };
  }

  /** The user works while something goes wrong; then the market moves and a minute passes. */
  async #phase({ faults, lagMs = 0 }: FaultPhase, window: CrashWindow, pools: SoakPools): Promise<void> {
    const world = this.#world;
    await world.client.setFaults(...faults);
    await world.setLag(lagMs);
    const endMs = performance.now() + PHASE_MS;
    while (performance.now() < endMs && !this.#isStopped()) {
      if (performance.now() >= this.#nextJobMs) {
        this.#nextJobMs = performance.now() + JOB_EVERY_MS;
        await this.#operate(window, nextJob(this.#random, await window.ask('listed'), pools));
      }
      const { pool } = this.#random.of(pools.withBins);
      const { answered, failed } = await window.ask('readPanels', pool);
      this.#panelReads = { answered: this.#panelReads.answered + answered, failed: this.#panelReads.failed + failed };
    }
    if (this.#isStopped()) {
      return;
    }
    this.#phases += 1;
    await this.#movePrice(pools);
    await this.#windows.advance(MINUTE_MS);
    await window.ask('checkRules');
  }

  /** Measures until it is aborted. */
  async #sampleUntil(over: AbortSignal, window: CrashWindow): Promise<void> {
    for (;;) {
      await later(SAMPLE_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
      if (over.aborted) {
        return;
      }
      this.#samples.push(await this.#sample(window));
    }
  }

  async #operate(window: CrashWindow, job: Job): Promise<void> {
    const overdue = new AbortController();
    const ending = await Promise.race([
      window.ask('operate', job),
      later(LONGEST_JOB_MS, undefined, { signal: overdue.signal, ref: false }).catch(() => undefined),
    ]);
    overdue.abort();
    this.#operations += 1;
    this.#note(job, ending);
  }

  #note(job: Job, ending: Ending | undefined): void {
    if (ending === undefined) {
      throw new Error(`A ${job.kind} did not end within ${LONGEST_JOB_MS / 1_000} s`);
    }
    const name = ending.kind === 'error' ? `error ${ending.error}` : ending.kind;
    this.#endings.set(name, (this.#endings.get(name) ?? 0) + 1);
    if (ending.kind === 'error' && ending.error === 'unknown') {
      this.#faults.push(`a ${job.kind} failed without words: ${ending.words}`);
    }
  }

  /** Moves the price of a pool beyond the ranges around it, and back the next time. */
  async #movePrice({ withBins }: SoakPools): Promise<void> {
    const pool = this.#random.of(withBins);
    const raised = this.#raised.get(pool.pool) ?? 0;
    const percent = raised === 0 ? beyondRange(pool) : loweredBy(raised);
    await this.#world.shock(pool.pool, percent);
    this.#raised.set(pool.pool, raised === 0 ? percent : 0);
  }

  /** Without faults, a user in a second window decides what is open, until all operations have ended. */
  async #settle(main: CrashWindow): Promise<void> {
    const world = this.#world;
    await world.client.setFaults();
    await world.setLag(0);
    const plan = calmPlan('zapOut');
    // The plan neither repeats a job nor has troubles: this one is not run.
    const job: Job = { kind: 'zapOut', position: '', shareBps: WHOLE_BPS, output: 'allBaseToken' };
    const troubles = new Troubles(plan, { job, pool: '', movedPercent: 0 }, world, (ms) => this.#windows.advance(ms));
    const journal = this.#openJournal();
    try {
      const { isReconciled } = await new User(plan, world, this.#windows, journal, troubles).settle(job);
      if (!isReconciled && !this.#isStopped()) {
        const { records } = await journal.read();
        const open = records.filter(({ state }) => !isEnd(state));
        this.#faults.push(
          `it was not found out what became of ${open.map(({ created, state, reason }) => `a ${created.operation} (${state}, ${wordsOf(reason) || 'no reason'})`).join(', ')}`,
        );
      }
    } finally {
      journal.dispose();
      await this.#windows.close(main);
    }
  }

  async #audit(before: Estate): Promise<readonly OperationRecord[]> {
    const journal = this.#openJournal();
    try {
      const { records, problems } = await journal.read();
      const oldestFirst = records.toReversed();
      const after = await this.#world.estate();
      const outcome = {
        ...{ storage: this.#storage, before, after, records: oldestFirst, problems, hasRpc: true },
        // Both are about one operation alone: `test/crash` audits them.
        ...{ answers: [], firstWindow: { ending: undefined, operations: new Set<string>() } },
      };
      this.#faults.push(...(await faultsOf(outcome, this.#world)));
      return oldestFirst;
    } finally {
      journal.dispose();
    }
  }

  #openJournal(): ReturnType<typeof openJournal> {
    return openJournal({ folder: join(this.#storage, 'journal'), nowMs: () => Date.now() + this.#world.skippedMs, log: () => undefined });
  }

  async #sample(window: CrashWindow): Promise<SoakSample> {
    const { pid } = this.#world.sandbox;
    const extension = await window.ask('held');
    const sandbox = await heldBy(pid, this.#probeFolder);
    const residentBytes = residentMegabytes(pid) * 1_048_576;
    return { minutes: this.#minutes, extension, sandbox: { ...sandbox, residentBytes, descriptors: descriptorsOf(pid) } };
  }
}

/** Open files and sockets of a process; `undefined` where the system does not tell. */
function descriptorsOf(pid: number): number | undefined {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : undefined;
}

/** A folder for what windows share. */
export function soakFolder(): string {
  return mkdtempSync(join(tmpdir(), 'binsight-soak-'));
}
