import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConsentStore } from '../../src/autoRebalance/consentStore';
import { AUTO_REBALANCE_LOCK, AutoRebalanceController } from '../../src/autoRebalance/controller';
import type { ActionOutcome, AutoRebalanceHost, AutoRebalanceRules } from '../../src/autoRebalance/types';
import type { Address } from '../../src/base/solana/address';
import { RefreshCoordinator } from '../../src/portfolio/coordinator';
import type { Review } from '../../src/review/types';
import { errorMessageOf, OperationError } from '../../src/transactions/errors';
import { runRebalance } from '../../src/transactions/rebalance/rebalance';
import { runZapOut } from '../../src/transactions/run/zapOut';
import type { OperationDependencies } from '../../src/transactions/types';
import type { Signer } from '../../src/wallet/signer';
import type { Opened } from '../crash/opened';
import type { AutomatedAction, Held, ListedPosition, PanelReads } from '../crash/protocol';
import { ledgersInMemory } from '../support/autoRebalance/listed';
import { MemorySecrets } from '../support/ui/memory';

/** Much more often than in a window, so that minutes have the reads of hours. */
const INTERVALS = { positions: 2_000, pools: 5_000 } as const;
const WHOLE_BPS = 10_000;
/** Collections, with turns of the event loop between them: what is given back only after an object has gone takes a second one. */
const COLLECTIONS = 4;
const TURN_MS = 20;
const PROGRESS_EVERY_MS = 20;
const DESCRIPTORS = '/proc/self/fd';

/** What an open window does all day besides the user's operations: polls, reads panels, rebalances by rules. */
export class LongRun {
  readonly #opened: Opened;
  readonly #dependencies: OperationDependencies;
  readonly #rules: AutoRebalanceRules;
  readonly #approve: (review: Review) => Promise<boolean>;
  readonly #coordinator: RefreshCoordinator;
  readonly #controller: AutoRebalanceController;
  readonly #actions: AutomatedAction[] = [];
  readonly #collect = garbageCollector();

  constructor(
    opened: Opened,
    dependencies: OperationDependencies,
    rules: AutoRebalanceRules,
    approve: (review: Review) => Promise<boolean>,
  ) {
    const { portfolio, clock, storage, journal, locks, serviceId } = opened;
    const log = (): void => undefined;
    this.#opened = opened;
    this.#dependencies = dependencies;
    this.#rules = rules;
    this.#approve = approve;
    this.#coordinator = new RefreshCoordinator({ portfolio, clock, random: Math.random }, true, INTERVALS);
    this.#controller = new AutoRebalanceController({
      ...{ portfolio, clock, log },
      store: new ConsentStore({ folder: join(storage, 'automation'), secrets: new MemorySecrets(), log }),
      records: { journal: () => Promise.resolve(journal), locks: () => Promise.resolve(locks) },
      onError: log,
      whyNotHere: () => undefined,
      serviceId: () => serviceId,
      rules: () => rules,
      memory: ledgersInMemory(),
      rpc: () => Promise.resolve(dependencies.rpc),
      host: { act: (...args) => this.#act(...args), notify: log },
    });
  }

  async begin(): Promise<void> {
    loadSourceMap();
    const { serviceId, owner, clock } = this.#opened;
    this.#coordinator.show('positions');
    this.#coordinator.show('pools');
    await this.#controller.begin();
    await this.#controller.turnOn({ service: serviceId, owner, rules: this.#rules, sinceMs: clock.now(), worths: [] });
  }

  /** What the overview, the pool panel and a zap-in read. The service's failures are part of the run. */
  async readPanels(pool: Address): Promise<PanelReads> {
    const { service, owner } = this.#opened;
    const reads = await Promise.allSettled([
      service.overview({ owner }),
      service.closedPositions({ owner }),
      service.positionLogs({ owner }),
      service.poolInfo(pool),
      service.poolPositions({ pool }),
      service.topLpers({ pool }),
      service.tokenBalances({ owner }),
    ]);
    const answered = reads.filter(({ status }) => status === 'fulfilled').length;
    return { answered, failed: reads.length - answered };
  }

  listed(): readonly ListedPosition[] {
    return this.#opened.portfolio.snapshot.positions.flatMap(({ address, pool, poolType, inRange }) =>
      address === undefined ? [] : [{ address, pool, hasBins: poolType === 'dlmm', inRange }],
    );
  }

  checkRules(): void {
    this.#controller.tryAgain();
  }

  async held(): Promise<Held> {
    for (let count = 0; count < COLLECTIONS; count += 1) {
      this.#collect();
      await later(TURN_MS);
    }
    const { heapUsed, external, rss } = process.memoryUsage();
    return {
      ...{ heapBytes: heapUsed, externalBytes: external, residentBytes: rss },
      handles: process.getActiveResourcesInfo().length,
      // Reading the folder opens it.
      descriptors: process.platform === 'linux' ? readdirSync(DESCRIPTORS).length - 1 : undefined,
    };
  }

  async end(): Promise<readonly AutomatedAction[]> {
    await this.#controller.turnOff();
    // Off: the scheduler has ended, and with it the action in progress.
    while (!(await this.#isAutomationFree())) {
      await later(PROGRESS_EVERY_MS);
    }
    this.#controller.dispose();
    this.#coordinator.dispose();
    return this.#actions;
  }

  /** Whether nothing holds the lock of the active window any more. */
  async #isAutomationFree(): Promise<boolean> {
    const lock = await this.#opened.locks.tryAcquire(AUTO_REBALANCE_LOCK);
    await lock?.release();
    return lock !== undefined;
  }

  readonly #act: AutoRebalanceHost['act'] = async ({ position, action }, { terms }, cancelled, mayStillAct) => {
    const { owner, signer: own } = this.#opened;
    const signer = async (): Promise<Signer> => {
      if (!(await mayStillAct())) {
        throw new Error('Auto-rebalance was turned off');
      }
      return own;
    };
    const host = { report: () => undefined, signer, approver: 'automation' } as const;
    const run = async (): Promise<ActionOutcome> => {
      const { kind } = await (action === 'close'
        ? runZapOut(
            { position, owner, shareBps: WHOLE_BPS, output: 'allBaseToken', slippageBps: terms.slippageBps },
            this.#dependencies,
            { ...host, approve: (review) => this.#approve(review) },
            cancelled,
          )
        : runRebalance(
            { position, owner, terms },
            this.#dependencies,
            { ...host, approve: ({ review }) => this.#approve(review) },
            cancelled,
          ));
      return kind === 'settled' ? { kind: 'done' } : { kind: 'needsUser', words: kind };
    };
    const outcome = await run().catch((error: unknown): ActionOutcome =>
      cancelled.aborted || (error instanceof OperationError && error.kind === 'underWay')
        ? { kind: 'notNow' }
        : { kind: 'failed', words: errorMessageOf(error) },
    );
    this.#actions.push({ action, outcome: outcome.kind });
    return outcome;
  };
}

/** Node loads the source map of this program, tens of megabytes, for the first stack that is read. In the middle of a run it would look like growth. */
function loadSourceMap(): void {
  if (new Error('any').stack === undefined) {
    throw new Error('Errors have no stacks');
  }
}

/** V8's own collector: without it, memory has everything that is not collected yet. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
