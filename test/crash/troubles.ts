import { setTimeout as later } from 'node:timers/promises';
import type { Task } from './jobs';
import type { Leg, TrialPlan } from './plans';
import type { Point } from './protocol';
import type { World } from './world';

const SLOW_MS = 1_000;
const LAG_MS = 2_500;
/** Longer than the search for what became of something. */
const LONG_LAG_MS = 900_000;
const MOVED_PERCENT = 12;
const LANDING: Readonly<Record<Leg, string>> = {
  zapOut: '/position/landing-decrease-tx',
  zapIn: '/pools/landing-add-tx',
  claim: '/position/landing-claim-tx',
  addLiquidity: '/pools/landing-add-tx',
  swap: '/token/landing-swap-tx',
};

/** The planned fault around an operation, at most once. */
export class Troubles {
  readonly #passed = new Set<Point>();
  readonly #leg: Leg;
  #moved = 0;

  readonly #plan: TrialPlan;
  readonly #task: Task;
  readonly #world: World;
  readonly #advance: (ms: number) => Promise<void>;

  /** @param advance advances all clocks */
  constructor(plan: TrialPlan, task: Task, world: World, advance: (ms: number) => Promise<void>) {
    this.#plan = plan;
    this.#task = task;
    this.#world = world;
    this.#advance = advance;

    this.#leg = task.job.kind === 'rebalance' ? plan.leg : task.job.kind;
  }

  /** Arms the fault. */
  async begin(): Promise<void> {
    await this.#world.client.setFaults(...this.#faults());
    if (this.#isLagging) {
      await this.#world.setLag(this.#lagMs);
    }
  }

  /** The window is gone. A fault of landings waits for the next one if a rebalance had not got that far; slow landings stay slow. */
  async goOn(): Promise<void> {
    const { trouble } = this.#plan;
    if (trouble !== 'slow' && trouble !== 'expiresMeanwhile' && !this.lasts) {
      await this.#world.client.setFaults();
    }
  }

  /** Whether later windows have the fault, too: a re-entry can fail like the first attempt. */
  get lasts(): boolean {
    return this.#task.job.kind === 'rebalance' && this.#leg === 'zapIn';
  }

  /** Called when a window is at a point. */
  async happen(point: Point): Promise<void> {
    const { trouble } = this.#plan;
    const isFirst = !this.#passed.has(point);
    this.#passed.add(point);
    if (!isFirst) {
      return;
    }
    if (trouble === 'expiresBefore' && point === `before submitted of ${this.#leg}`) {
      await this.#advance(this.#world.expiryMs);
    } else if (trouble === 'expiresMeanwhile' && point === `before landing of ${this.#leg}`) {
      // While it waits there.
      void later(SLOW_MS / 2)
        .then(() => this.#advance(this.#world.expiryMs))
        .catch(() => undefined);
    } else if (trouble === 'moves' && point === `before landing of ${this.#leg}`) {
      this.#moved = MOVED_PERCENT;
      await this.#world.shock(this.#task.pool, this.#moved);
    }
  }

  /** Ends all faults and listing delays. */
  async calmDown(): Promise<void> {
    await this.#world.client.setFaults();
    if (this.#isLagging) {
      await this.#world.setLag(0);
      await this.#world.advance(this.#lagMs);
    }
  }

  /** Moves the price back, so later trials can use the pool. */
  async restorePrice(): Promise<void> {
    for (const moved of [this.#moved, this.#task.movedPercent]) {
      if (moved !== 0) {
        await this.#world.shock(this.#task.pool, 100 / (1 + moved / 100) - 100);
      }
    }
  }

  get #isLagging(): boolean {
    return ['lag', 'cutAndLag', 'cutAndLongLag', 'partialAndLag'].includes(this.#plan.trouble);
  }

  get #lagMs(): number {
    return this.#plan.trouble === 'cutAndLongLag' ? LONG_LAG_MS : LAG_MS;
  }

  #faults(): readonly Readonly<Record<string, unknown>>[] {
    const path = LANDING[this.#leg];
    switch (this.#plan.trouble) {
      case 'cut':
      case 'cutAndLag':
        return [{ kind: 'drop', path, times: 1 }];
      case 'cutAndLongLag':
        return [{ kind: 'landed', status: 504, path, times: 1 }];
      case 'half':
        return [{ kind: 'truncate', path, times: 1 }];
      case 'badGateway':
        return [{ kind: 'landed', status: 502, path, times: 1 }];
      case 'refused':
        return [{ kind: 'status', status: 502, path, times: 1 }];
      case 'lies400':
      case 'lies401':
      case 'lies403':
      case 'lies404':
      case 'lies409':
      case 'lies422':
        return [{ kind: 'landed', status: Number(this.#plan.trouble.slice('lies'.length)), path, times: 1 }];
      case 'lies429':
        return [{ kind: 'landed', status: 429, retryAfterSeconds: 1, path, times: 1 }];
      case 'liesRedirect':
        return [{ kind: 'landed', status: 307, path, times: 1 }];
      case 'liesExpired':
        return [{ kind: 'landed', status: 400, message: 'Blockhash not found', path, times: 1 }];
      case 'liesSlippage':
        return [{ kind: 'landed', status: 422, message: 'Slippage exceeded', path, times: 1 }];
      case 'liesPartial':
        return [
          { kind: 'landed', status: 400, message: 'Blockhash not found', path, times: 1 },
          { kind: 'partial', transactions: this.#plan.landing, path, times: 1 },
        ];
      case 'busy':
        return [{ kind: 'status', status: 429, retryAfterSeconds: 1, path, times: 1 }];
      case 'partial':
      case 'partialAndLag':
        return [{ kind: 'partial', transactions: this.#plan.landing, path, times: 1 }];
      case 'slow':
      case 'expiresMeanwhile':
        return [{ kind: 'latency', ms: SLOW_MS, path }];
      case 'none':
      case 'lag':
      case 'expiresBefore':
      case 'moves':
        return [];
    }
  }
}
