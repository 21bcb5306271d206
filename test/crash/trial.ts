import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { openJournal } from '../../src/operations/journal/journal';
import { isEnd } from '../../src/operations/journal/states';
import type { OperationRecord, OperationState } from '../../src/operations/journal/types';
import { faultsOf } from './audit';
import { nameOfPlan, type JobName, type TrialPlan } from './plans';
import type { Ending, Job, Point, WindowOptions } from './protocol';
import { Gone, type CrashWindow, type WindowStock } from './windows';
import type { World } from './world';

/** What a trial came to. */
export interface Trial {
  readonly plan: TrialPlan;
  /** What is wrong; empty where nothing is. */
  readonly faults: readonly string[];
  /** Where the first operation was when the window was killed; `undefined`: it had not begun. */
  readonly killedIn: OperationState | undefined;
  /** How the operations ended, oldest first. */
  readonly ends: readonly OperationState[];
  readonly ending: Ending | undefined;
  readonly repeated: Ending | undefined;
  /** How long the operation took, until it was killed or at its end. */
  readonly tookMs: number;
  /** Until everything was at its end. */
  readonly reconciledMs: number;
}

const INPUT_SOL = 0.1;
const INPUT_LAMPORTS = 100_000_000n;
const HALF_WIDTH = 10;
/** 121 bins. */
const HALF_WIDTH_WIDE = 60;
const SHARE_BPS = 4_000;

/** Longer than it takes to find out what can be found out at once. */
const STILL_OPEN_AFTER_MS = 1_500;
/** After that it can no longer land: with an RPC, and without. */
const OVER_WITH_RPC_MS = 100_000;
const OVER_WITHOUT_RPC_MS = 310_000;
const LONGEST_MS = 20_000;
const LOOK_EVERY_MS = 40;

const SLOW_MS = 1_000;
const LAG_MS = 2_500;
const EXPIRES_MS = 100_000;
const MOVED_PERCENT = 12;
const LANDING = { zapOut: '/position/landing-decrease-tx', zapIn: '/pools/landing-add-tx' } as const;

/** Runs one operation, kills its window, finds out in others what became of it, and looks at everything there is. */
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
  readonly #windows = new Set<CrashWindow>();
  /** Points that the first window came to: what is begun anew has no trouble any more. */
  readonly #passed = new Set<Point>();
  #moved = 0;

  constructor(
    readonly plan: TrialPlan,
    readonly world: World,
    readonly stock: WindowStock,
    readonly storage: string,
  ) {
    this.#journal = openJournal({ folder: join(storage, 'journal'), nowMs: () => Date.now() + world.skippedMs, log: () => undefined });
  }

  async run(): Promise<Trial> {
    const { plan, world, storage } = this;
    const { job, pool } = await this.#job(plan.job);
    const before = await world.estate();
    await this.#makeTrouble(job);
    if (plan.hasBystander) {
      await (await this.#open(false)).ask('watch');
    }
    const { ending, tookMs } = await this.#operate(job, pool);
    const killedIn = (await this.#records())[0]?.state;
    await world.client.setFaults(...(plan.trouble === 'slow' || plan.trouble === 'expiresMeanwhile' ? [this.#slow(job)] : []));
    const from = performance.now();
    const { repeated, isReconciled } = await this.#reconcile(job);
    const reconciledMs = performance.now() - from;
    await this.#close();
    await this.#calmDown(pool);
    const { records, problems } = await this.#journal.read();
    const oldestFirst = records.toReversed();
    const faults = await faultsOf({ storage, before, after: await world.estate(), records: oldestFirst, problems }, world);
    const ends = oldestFirst.map(({ state }) => state);
    return { ...{ plan, killedIn, ends, ending, repeated, tookMs, reconciledMs }, faults: [...faults, ...(isReconciled ? [] : ['it was not found out what became of it']), ...this.#unexpected(oldestFirst[0]), ...oddOf(oldestFirst, ending, repeated)] };
  }

  #unexpected(first: OperationRecord | undefined): readonly string[] {
    const { mustEnd } = this.plan;
    const state = first?.state ?? 'none';
    return mustEnd === undefined || mustEnd === state ? [] : [`it ended as ${state} (${first?.reason ?? 'no reason'}), not as ${mustEnd}`];
  }

  async #records(): Promise<readonly OperationRecord[]> {
    return (await this.#journal.read()).records.toReversed();
  }

  /** Something to do; what is left has to be there first. */
  async #job(name: JobName): Promise<{ readonly job: Job; readonly pool: string }> {
    const { world } = this;
    const isProduct = name === 'zapOutProduct' || name === 'zapInProduct';
    const halfWidth = isProduct ? undefined : name === 'zapOutWide' || name === 'zapInWide' ? HALF_WIDTH_WIDE : HALF_WIDTH;
    const pools = await world.pools(isProduct ? 'meteora_damm_v2' : 'meteora');
    const chosen = pools[this.plan.pool % pools.length];
    if (chosen === undefined) {
      throw new Error('There is no pool');
    }
    const { pool, pairName } = chosen;
    if (name.startsWith('zapIn')) {
      return { pool, job: { kind: 'zapIn', pool, pairName, inputLamports: INPUT_LAMPORTS, halfWidth } };
    }
    const position = await world.enter(pool, INPUT_SOL, halfWidth);
    return { pool, job: { kind: 'zapOut', position, shareBps: name === 'zapOutShare' ? SHARE_BPS : 10_000, output: 'allBaseToken' } };
  }

  async #makeTrouble(job: Job): Promise<void> {
    const { trouble } = this.plan;
    const { client } = this.world;
    const once = { path: LANDING[job.kind], times: 1 };
    if (trouble === 'cut' || trouble === 'cutAndLag') {
      await client.setFaults({ kind: 'drop', ...once });
    } else if (trouble === 'half') {
      await client.setFaults({ kind: 'truncate', ...once });
    } else if (trouble === 'refused') {
      await client.setFaults({ kind: 'status', status: 502, ...once });
    } else if (trouble === 'slow' || trouble === 'expiresMeanwhile') {
      await client.setFaults(this.#slow(job));
    }
    if (trouble === 'lag' || trouble === 'cutAndLag') {
      await this.world.setLag(LAG_MS);
    }
  }

  #slow(job: Job): Readonly<Record<string, unknown>> {
    return { kind: 'latency', ms: SLOW_MS, path: LANDING[job.kind] };
  }

  async #calmDown(pool: string): Promise<void> {
    const { world, plan } = this;
    await world.client.setFaults();
    if (plan.trouble === 'lag' || plan.trouble === 'cutAndLag') {
      await world.setLag(0);
      await world.advance(LAG_MS);
    }
    if (this.#moved !== 0) {
      await world.client.control('shock', { pool, percent: 100 / (1 + this.#moved / 100) - 100 });
    }
  }

  async #open(isFirst: boolean): Promise<CrashWindow> {
    const { plan, world, storage, stock } = this;
    const options: WindowOptions = { storage, sandbox: world.sandbox, skippedMs: world.skippedMs, hasRpc: plan.hasRpc, answersBadGateway: isFirst && plan.trouble === 'badGateway' };
    const window = await stock.open(options);
    this.#windows.add(window);
    return window;
  }

  async #kill(window: CrashWindow): Promise<void> {
    this.#windows.delete(window);
    await window.kill();
  }

  /** Runs it in a window that is killed as planned. */
  async #operate(job: Job, pool: string): Promise<{ readonly ending: Ending | undefined; readonly tookMs: number }> {
    const { kill } = this.plan;
    const window = await this.#open(true);
    const killIn = (ms: number): void => {
      setTimeout(() => void this.#kill(window), ms);
    };
    let hasCome = false;
    window.onPoint = (point) => {
      const isHere = kill.kind === 'point' && kill.point === point && !hasCome;
      hasCome ||= isHere;
      if (isHere && kill.afterMs === 0) {
        void this.#kill(window);
        return;
      }
      if (isHere) {
        killIn(kill.afterMs);
      }
      void this.#happen(point, pool).then(() => window.go());
    };
    const from = performance.now();
    const running = window.ask('operate', job).catch(unlessGone);
    const timer = kill.kind === 'time' ? setTimeout(() => void this.#kill(window), kill.afterMs) : undefined;
    const ending = await running;
    clearTimeout(timer);
    const tookMs = performance.now() - from;
    // Whoever did not come to the point is killed all the same; only then is it as if the window had crashed.
    await this.#kill(window);
    return { ending, tookMs };
  }

  /** What happens in the world while the window is at a point. */
  async #happen(point: Point, pool: string): Promise<void> {
    const { trouble } = this.plan;
    const isFirst = !this.#passed.has(point);
    this.#passed.add(point);
    if (!isFirst) {
      return;
    }
    if (trouble === 'expiresBefore' && point === 'before submitted') {
      await this.#advance(EXPIRES_MS);
    } else if (trouble === 'expiresMeanwhile' && point === 'before landing') {
      // While it waits there.
      void later(SLOW_MS / 2).then(() => this.#advance(EXPIRES_MS)).catch(() => undefined);
    } else if (trouble === 'moves' && point === 'before landing') {
      this.#moved = MOVED_PERCENT;
      await this.world.client.control('shock', { pool, percent: this.#moved });
    }
  }

  /** The world's clock first: nobody is to think that something is over which is not. */
  async #advance(ms: number): Promise<void> {
    await this.world.advance(ms);
    await Promise.all([...this.#windows].map((window) => window.ask('skip', ms).catch(unlessGone)));
  }

  /** Opens windows until it is known what became of everything. */
  async #reconcile(job: Job): Promise<{ readonly repeated: Ending | undefined; readonly isReconciled: boolean }> {
    const { plan } = this;
    let window = await this.#open(false);
    window.onPoint = () => window.go();
    const repeated = plan.repeats ? await window.ask('operate', job) : undefined;
    await window.ask('watch');
    if (plan.killsFinderAfterMs !== undefined) {
      await later(plan.killsFinderAfterMs);
      await this.#kill(window);
      window = await this.#open(false);
      await window.ask('watch');
    }
    const from = performance.now();
    let advancedAtMs = from;
    while (performance.now() - from < LONGEST_MS) {
      const records = await this.#records();
      if (records.every(({ state }) => isEnd(state))) {
        return { repeated, isReconciled: true };
      }
      const areSent = records.some(({ state }) => state === 'unconfirmed' || state === 'landed');
      if (areSent && performance.now() - advancedAtMs > STILL_OPEN_AFTER_MS) {
        await this.#advance(plan.hasRpc ? OVER_WITH_RPC_MS : OVER_WITHOUT_RPC_MS);
        advancedAtMs = performance.now();
      }
      await later(LOOK_EVERY_MS);
    }
    return { repeated, isReconciled: false };
  }

  /** Closes all windows as they are closed when nothing is wrong. */
  async #close(): Promise<void> {
    await Promise.all([...this.#windows].map((window) => window.close()));
    this.#windows.clear();
    this.#journal.dispose();
  }
}

/**
 * How operations must not end in a window that lives: with an error that is none of theirs, or refused by the review. That may refuse only
 * what is repeated while the first one's transactions, though the service did not land them, could still be landed by somebody.
 */
function oddOf(records: readonly OperationRecord[], ending: Ending | undefined, repeated: Ending | undefined): readonly string[] {
  const mayBeRefused = records.some(({ state }) => state === 'failed');
  return [ending, repeated].flatMap((one) => {
    if (one?.kind === 'error' && one.error === 'unknown') {
      return [`it failed without words: ${one.words}`];
    }
    const isRefused = one?.kind === 'blocked' || one?.kind === 'declined';
    return isRefused && !(one === repeated && mayBeRefused) ? [`it was ${one.kind}`] : [];
  });
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof Gone)) {
    throw error;
  }
}

/** A trial that went wrong, in words. */
export function describe({ plan, faults, killedIn, ends, ending, repeated }: Trial): string {
  const told = (which: string, one: Ending | undefined): string => (one === undefined ? '' : `; ${which}: ${one.kind === 'error' ? `${one.error} (${one.words})` : one.kind}`);
  return `${nameOfPlan(plan)}: was ${killedIn ?? 'not begun'}, ended as ${ends.join(', ')}${told('in its window', ending)}${told('repeated', repeated)}${faults.map((fault) => `\n  ${fault}`).join('')}`;
}
