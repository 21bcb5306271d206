import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyRing } from '../../../src/ui/wallets/keyRing';
import { parseBaseUrl } from '../../../src/service/baseUrl';
import { createLiquidityService } from '../../../src/service/client';
import { RequestBudget } from '../../../src/service/budget/requestBudget';
import type { LiquidityService } from '../../../src/service/service';
import { planCommands } from '../../../src/ui/zap/zapCommands';
import { BusyPositions } from '../../../src/ui/shell/busyPositions';
import { OperationRunner } from '../../../src/ui/zap/operationRunner';
import { Owners } from '../../../src/ui/wallets/owners';
import { PromptSlot } from '../../../src/ui/shell/prompts/prompts';
import { rebalanceAll } from '../../../src/ui/rebalance/rebalanceAll';
import { RebalanceRunner } from '../../../src/ui/rebalance/rebalanceRunner';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { openJournal } from '../../../src/transactions/journal/journal';
import type { OperationJournal, OperationRecord } from '../../../src/transactions/journal/types';
import { openLocks } from '../../../src/transactions/locks/locks';
import type { OperationLocks } from '../../../src/transactions/locks/types';
import type { ReentryTerms } from '../../../src/transactions/rebalance/types';
import { RefreshCoordinator } from '../../../src/portfolio/coordinator';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { signReviewed } from '../../../src/review/review';
import { createRpc } from '../../../src/rpc/rpc';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { address, type Address } from '../../../src/base/solana/address';
import { ScriptedPrompts, type ScriptedAnswer } from '../editor/scriptedPrompts';
import { MemorySecrets, MemoryState, NO_PROBLEMS } from '../ui/memory';
import type { TestClient } from './client';
import { serviceOf } from './review';
import { IS_REAL_TIME, JumpingClock, LimitedWay } from './limitedService';
import type { RunnerDependencies } from '../../../src/ui/zap/operationDependencies';

/** The smallest plan of the public service. */
export const PER_MINUTE = 5;
export const TERMS: ReentryTerms = { halfWidthBins: 20, strategy: undefined, slippageBps: 300, reserveLamports: 50_000_000n };

/** What the progress says while a question is open. */
const DECISION = /waiting for your decision/;

const fail = (error: unknown): never => {
  throw error;
};

/** A budget that knows how many operations wait for their turn. */
class WatchedBudget extends RequestBudget {
  readonly #waiting = new Set<object>();

  get waiting(): number {
    return this.#waiting.size;
  }

  override begin(onWait: (untilMs: number | undefined) => void, first?: 'probes' | 'waits'): ReturnType<RequestBudget['begin']> {
    const one = {};
    const tell = (untilMs: number | undefined): void => {
      if (untilMs === undefined) {
        this.#waiting.delete(one);
      } else {
        this.#waiting.add(one);
      }
      onWait(untilMs);
    };
    return super.begin(tell, first);
  }
}

/**
 * One window of the editor on a plan of five requests a minute, without VS Code: the commands, the questions, the runners and everything below
 * them are the extension's; a script answers, and the service is a sandbox of its own process.
 */
export class RateLimitedWindow {
  readonly clock = new JumpingClock();
  readonly way = new LimitedWay(this.clock, IS_REAL_TIME ? undefined : PER_MINUTE);
  readonly budget = new WatchedBudget(this.clock);
  /** By which operations wait; polling and panels have the clock itself. */
  readonly waits = this.clock.lane();
  readonly logs: string[] = [];
  readonly slot = new PromptSlot(new ScriptedPrompts());
  readonly busy = new BusyPositions(fail);
  readonly service: LiquidityService;
  readonly portfolio: Portfolio;
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  readonly owners: Owners;
  readonly runner: RunnerDependencies;
  readonly rebalances: RebalanceRunner;
  readonly #coordinator: RefreshCoordinator;
  readonly #panel: { timer: { dispose(): void } };

  readonly #client: TestClient;

  private constructor(
    client: TestClient,
    readonly storage: string,
    hasRpc: boolean,
  ) {
    this.#client = client;

    const { url, apiKey } = client.sandbox;
    const { clock, way, budget, slot, waits } = this;
    const log = (level: string, message: string): void => void this.logs.push(`${level} ${message}`);
    this.service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey, fetch: way.fetch, budget, now: clock.now, log });
    this.portfolio = new Portfolio({ service: () => Promise.resolve(this.service), log, clock: waits });
    this.journal = openJournal({ folder: join(storage, 'journal'), nowMs: clock.now, log });
    this.locks = openLocks({ folder: join(storage, 'locks'), log });
    this.owners = new Owners({
      secrets: new MemorySecrets(),
      state: new MemoryState(),
      clock,
      unlockMinutes: () => 15,
      prompts: slot,
      onError: fail,
      createKeyRing: (dependencies) => Promise.resolve(new KeyRing(dependencies)),
      signReviewed: () => Promise.resolve(signReviewed),
    });
    const rpc = hasRpc ? createRpc({ url: parseRpcUrl(new URL(`/rpc?api-key=${apiKey}`, url).href), fetch: way.rpcFetch }) : undefined;
    const nothing = (): Promise<never> => Promise.reject(new Error('Nothing is shown, copied or saved'));
    this.runner = {
      ...{ portfolio: this.portfolio, prompts: slot, log, clock: waits, nowMs: clock.now },
      actions: {
        copy: nothing,
        openExternal: nothing,
        showDocument: nothing,
        saveText: nothing,
        focusPositions: nothing,
        focusActivity: () => Promise.resolve(),
        showLog: () => undefined,
      },
      service: () => Promise.resolve(this.service),
      serviceInUse: () => SANDBOX,
      rpc: () => Promise.resolve(rpc),
      policy: () => ({}),
      isSimulating: () => true,
      signer: (owner, cancelled) => this.owners.signer(owner, cancelled),
      records: { journal: () => Promise.resolve(this.journal), locks: () => Promise.resolve(this.locks) },
      problems: NO_PROBLEMS,
      began: () => undefined,
      leftOpen: () => undefined,
      budget: () => budget,
    };
    this.rebalances = new RebalanceRunner({ ...this.runner, busy: this.busy, command: nothing, reentryOffered: () => undefined });
    const limit = {
      waitMs: (count?: number) => budget.waitMs('poll', count),
      onDidChange: (listener: () => void) => budget.onDidChange(listener),
    };
    this.#coordinator = new RefreshCoordinator({ portfolio: this.portfolio, clock, random: Math.random, limit }, true);
    this.#panel = { timer: { dispose: () => undefined } };
  }

  /** Opens it, with the lists shown and polled, and a panel that reads its pool every half minute. */
  static async open(client: TestClient, hasRpc: boolean): Promise<RateLimitedWindow> {
    const { pool } = await client.pool('BONQ/SOL', 25);
    const window = new RateLimitedWindow(client, await mkdtemp(join(tmpdir(), 'binsight-plan-')), hasRpc);
    await window.owners.adoptSandbox({ owner: window.owner, secretKey: client.sandbox.secretKey });
    window.portfolio.setOwner(window.owner);
    if (IS_REAL_TIME) {
      await client.control('settings', { rateLimitPerMinute: PER_MINUTE });
    }
    await window.portfolio.refresh('startup', ['positions', 'pools']);
    window.#coordinator.show('positions');
    window.#coordinator.show('pools');
    const read = (): void => {
      void window.service.onchainStats(address(pool)).catch(() => undefined);
      window.#panel.timer = window.clock.after(30_000, read);
    };
    window.#panel.timer = window.clock.after(1_000, read);
    return window;
  }

  get owner(): Address {
    return address(this.#client.sandbox.owner);
  }

  /** Uses the plan up, so that its limit is known. @returns since when nothing may be refused any more */
  async useUp(): Promise<number> {
    while (this.budget.perMinute === undefined) {
      await this.portfolio.refresh('manual', ['positions'], 'user');
    }
    return this.clock.now() + 1;
  }

  /** Does `work` while a script answers; all answers have to be used. */
  async answering(
    answers: readonly ScriptedAnswer[],
    work: () => Promise<unknown>,
    presses: Readonly<Record<string, string>> = {},
  ): Promise<ScriptedPrompts> {
    const prompts = new ScriptedPrompts(answers, presses);
    const before = this.slot.use(prompts);
    // While it reads, reviews, asks and signs, time passes as it does: only waits are skipped. The countdown of a question is no wait.
    const isAsking = (): boolean => DECISION.test(prompts.progressed.at(-1) ?? '');
    try {
      await this.clock.jumpingOnly(() => !isAsking() && (this.budget.waiting > 0 || this.waits.pending > 0), work);
    } finally {
      this.slot.use(before);
    }
    prompts.assertDone();
    return prompts;
  }

  /** Continues a plan of 0.75 SOL around the price of a listed pool, as its panel does. */
  async zapIn(pool: Address): Promise<void> {
    const { slot, owners, portfolio, busy, runner } = this;
    // Not on the way that is limited: the panel has read it before.
    const { activeBin } = await serviceOf(this.#client).poolInfo(pool);
    assert.ok(activeBin !== undefined);
    const { binId: activeBinId } = activeBin;
    const range = { fromBinId: activeBinId - 10, toBinId: activeBinId + 10 };
    const plan = { range, activeBinId, strategy: 'Spot', amountLamports: '750000000', percentX: 0.5, slippageBps: 300 };
    const commands = planCommands({
      ...{ prompts: slot, owners, portfolio, busy, waiting: runner, isInBrowser: false },
      service: () => SANDBOX,
      runner: () => Promise.resolve(new OperationRunner(runner)),
      connect: () => Promise.resolve(this.service),
      slippageBps: () => 300,
      changePlan: () => Promise.reject(new Error('Nothing is changed')),
    });
    await commands['binsight.continuePlan']({ kind: 'plan', pool, plan });
  }

  /** The command Rebalance All Out of Range. */
  async rebalanceAll(): Promise<void> {
    const { slot, portfolio, busy, runner } = this;
    await rebalanceAll(this.owner, {
      ...{ prompts: slot, portfolio, busy, waiting: runner, actions: runner.actions, nowMs: this.clock.now, log: runner.log },
      runner: () => Promise.resolve(this.rebalances),
      terms: () => TERMS,
    });
  }

  async records(): Promise<readonly OperationRecord[]> {
    return (await this.journal.read()).records;
  }

  /** What was heard, a line each; for failures. */
  get transcript(): string {
    return [...this.logs, ...this.way.heard.map(({ line, status, atMs }) => `${atMs} ${line} ${status}`)].join('\n');
  }

  async close(): Promise<void> {
    this.#panel.timer.dispose();
    this.#coordinator.dispose();
    this.portfolio.dispose();
    this.owners.dispose();
    this.journal.dispose();
    await this.locks.dispose();
    this.clock.stop();
    if (IS_REAL_TIME) {
      await this.#client.control('settings', { rateLimitPerMinute: null });
    }
    await rm(this.storage, { recursive: true, force: true });
  }
}
