import * as l10n from '@vscode/l10n';
import type { Subscription } from '../base/async/clock';
import { errorMessageOf } from '../transactions/errors';
import type { HeldLock } from '../transactions/locks/types';
import { CheckRun } from './checkRun';
import { doneInDay, planOf, readInputs } from './inputs';
import {
  areSameRules,
  type AutoRebalanceConsent,
  type AutoRebalanceControl,
  type AutoRebalancePlan,
  type AutoRebalanceRules,
  type AutoRebalanceState,
  type SchedulerDependencies,
} from './types';

/** The lock that the active window holds. */
export const AUTO_REBALANCE_LOCK = 'automation';

/** How often a standby window tries to take over: no event tells it that the active window was closed and its lock is free. */
const LOOK_EVERY_MS = 15_000;

/** Why auto-rebalance is paused; `why` is for the user, in sentences. */
interface Obstacle {
  readonly name: 'noWallet' | 'wallet' | 'service' | 'rules' | 'locks';
  readonly why: string;
}

/**
 * Runs auto-rebalance in this window while the user's consent holds. One window is active (it has the lock {@link AUTO_REBALANCE_LOCK}),
 * the others stand by. Turning it off in any window stops it at once. It pauses while another wallet or service is in use, or the rules
 * in the settings differ from those that were confirmed.
 */
export class AutoRebalanceScheduler implements AutoRebalanceControl {
  readonly #dependencies: SchedulerDependencies;
  readonly #listeners = new Set<() => void>();
  #subscriptions: readonly Subscription[] = [];
  #state: AutoRebalanceState = { kind: 'off' };
  #run: CheckRun | undefined;
  #ending: Promise<void> | undefined;
  #timer: Subscription | undefined;
  #looking: Promise<void> | undefined;
  #isLookDue = false;
  /** The last obstacle that was reported, with the consent it belongs to: each is reported once. */
  #reportedObstacle: string | undefined;
  #isStarted = false;
  #isDisposed = false;

  constructor(dependencies: SchedulerDependencies) {
    this.#dependencies = dependencies;
  }

  get state(): AutoRebalanceState {
    return this.#state;
  }

  onDidChange(listener: () => void): Subscription {
    const own = (): void => listener();
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  }

  start(): void {
    if (this.#isStarted || this.#isDisposed) {
      return;
    }
    this.#isStarted = true;
    const { automation, portfolio } = this.#dependencies;
    let { owner } = portfolio.snapshot;
    this.#subscriptions = [
      automation.onDidChange(() => this.lookAgain()),
      portfolio.onDidChange(({ snapshot }) => {
        if (snapshot.owner !== owner) {
          owner = snapshot.owner;
          this.lookAgain();
        } else if (snapshot.positionsState.kind === 'ready') {
          this.#run?.sawListing();
        }
      }),
    ];
    this.lookAgain();
  }

  lookAgain(): void {
    if (!this.#isStarted || this.#isDisposed) {
      return;
    }
    // An obstacle that is known without reading the disk stops the run before anything is awaited.
    if (this.#run !== undefined && this.#obstacleTo(this.#run.grant) !== undefined) {
      this.#run.stop();
    }
    this.#isLookDue = true;
    this.#looking ??= this.#lookWhileDue().finally(() => {
      this.#looking = undefined;
    });
  }

  tryAgain(): void {
    this.#run?.tryAgain();
    this.lookAgain();
  }

  async plan(asked?: AutoRebalanceRules): Promise<AutoRebalancePlan> {
    const { portfolio, automation, rules, clock } = this.#dependencies;
    const { owner } = portfolio.snapshot;
    if (owner === undefined) {
      throw new Error('No wallet is selected. Choose one first.');
    }
    const grant = await automation.read();
    const run = this.#run?.grant.owner === owner ? this.#run : undefined;
    const look = await readInputs(owner, 'manual', this.#dependencies);
    const by = asked ?? run?.grant.rules ?? grant?.rules ?? rules();
    const nowMs = clock.now();
    return {
      rules: by,
      asOfMs: look.asOfMs,
      planned: planOf(look, run?.memory ?? { sightings: new Map(), holds: undefined }, by, nowMs),
      doneToday: doneInDay(look, nowMs),
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#run?.stop();
    this.#timer?.dispose();
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    this.#listeners.clear();
  }

  async #lookWhileDue(): Promise<void> {
    while (this.#isLookDue && !this.#isDisposed) {
      this.#isLookDue = false;
      try {
        await this.#look();
      } catch (error) {
        this.#dependencies.log('error', `Automation: ${errorMessageOf(error)}`);
        this.#lookIn(LOOK_EVERY_MS);
      }
    }
  }

  /** Reads the consent, and starts, stops or pauses accordingly. */
  async #look(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    const grant = await this.#dependencies.automation.read();
    const obstacle = grant && this.#obstacleTo(grant);
    if (this.#run !== undefined && (grant === undefined || obstacle !== undefined || !isSameGrant(grant, this.#run.grant))) {
      this.#run.stop();
    }
    if (grant === undefined) {
      this.#reportedObstacle = undefined;
      this.#setState({ kind: 'off' });
    } else if (obstacle !== undefined) {
      this.#pause(grant, obstacle);
    } else {
      this.#reportedObstacle = undefined;
      await this.#goOn(grant);
    }
    if (grant !== undefined && this.#run === undefined) {
      this.#lookIn(LOOK_EVERY_MS);
    }
  }

  /** Becomes active if no other window is. */
  async #goOn(grant: AutoRebalanceConsent): Promise<void> {
    if (this.#ending !== undefined) {
      // The stopped run has to end before another one begins.
      this.#showRun(grant);
      return;
    }
    let lock: HeldLock | undefined;
    try {
      lock = await this.#dependencies.locks.tryAcquire(AUTO_REBALANCE_LOCK);
    } catch (error) {
      this.#pause(grant, { name: 'locks', why: l10n.t`Couldn't verify that no other window runs it. ${errorMessageOf(error)}` });
      return;
    }
    if (lock !== undefined) {
      this.#begin(grant, lock);
    }
    this.#showRun(grant);
  }

  #begin(grant: AutoRebalanceConsent, lock: HeldLock): void {
    if (this.#isDisposed) {
      void lock.release();
      return;
    }
    const { portfolio, journal, clock, host, log } = this.#dependencies;
    const run = new CheckRun(grant, lock, {
      ...{ portfolio, journal, clock, host, log },
      isStillGranted: (granted) => this.#isStillGranted(granted),
      onDoubt: () => this.lookAgain(),
      onChange: () => {
        if (this.#run === run) {
          this.#showRun(grant);
        }
      },
    });
    this.#run = run;
    log('info', 'Automation: this window is active');
    this.#ending = run
      .run()
      .catch((error: unknown) => log('error', `Automation: ${errorMessageOf(error)}`))
      .finally(() => {
        this.#run = undefined;
        this.#ending = undefined;
        log('info', 'Automation: this window is no longer active');
        this.lookAgain();
      });
  }

  /** Whether the consent still holds: on disk, and for the wallet, service and rules in use. */
  async #isStillGranted(grant: AutoRebalanceConsent): Promise<boolean> {
    const now = await this.#dependencies.automation.read();
    return now !== undefined && isSameGrant(now, grant) && this.#obstacleTo(grant) === undefined;
  }

  #obstacleTo(grant: AutoRebalanceConsent): Obstacle | undefined {
    const { portfolio, serviceId, rules } = this.#dependencies;
    const { owner } = portfolio.snapshot;
    const service = serviceId();
    if (owner === undefined || service === undefined) {
      return { name: 'noWallet', why: l10n.t('No wallet or no service is selected in this window.') };
    }
    if (service !== grant.service) {
      return {
        name: 'service',
        why: l10n.t('It was started for another service. Switch back to that service, or start it again for this one.'),
      };
    }
    if (owner !== grant.owner) {
      return {
        name: 'wallet',
        why: l10n.t('It was started for another wallet. Switch back to that wallet, or start it again for this one.'),
      };
    }
    return areSameRules(rules(), grant.rules)
      ? undefined
      : {
          name: 'rules',
          why: l10n.t(
            'The rules in the settings differ from those you confirmed, or the review settings or the RPC have changed. Start it again to confirm, or undo the change.',
          ),
        };
  }

  #pause(grant: AutoRebalanceConsent, { name, why }: Obstacle): void {
    this.#setState({ kind: 'paused', grant, why });
    const trouble = `${grant.sinceMs} ${name}`;
    if (trouble !== this.#reportedObstacle) {
      this.#reportedObstacle = trouble;
      this.#dependencies.log('info', `Automation: paused. ${why}`);
      if (name !== 'noWallet') {
        this.#tell(l10n.t`Auto-rebalance is paused and leaves your positions alone. ${why}`);
      }
    }
  }

  #showRun(grant: AutoRebalanceConsent): void {
    const run = this.#ending === undefined || this.#run?.grant.sinceMs !== grant.sinceMs ? undefined : this.#run;
    this.#setState({
      ...{ kind: 'on', grant },
      role: run === undefined ? 'standby' : 'active',
      lastCheckMs: run?.lastCheckMs,
      acting: run?.acting ?? [],
      planned: run?.planned ?? [],
      doneToday: run?.doneToday ?? 0,
    });
  }

  #tell(message: string): void {
    try {
      this.#dependencies.host.tell(message, 'warning');
    } catch (error) {
      this.#dependencies.log('warn', `Automation: a message could not be shown. ${errorMessageOf(error)}`);
    }
  }

  #lookIn(ms: number): void {
    if (!this.#isDisposed && this.#timer === undefined) {
      this.#timer = this.#dependencies.clock.after(ms, () => {
        this.#timer = undefined;
        this.lookAgain();
      });
    }
  }

  #setState(state: AutoRebalanceState): void {
    if (this.#isDisposed || (state.kind === 'off' && this.#state.kind === 'off')) {
      return;
    }
    this.#state = state;
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        this.#dependencies.log('warn', `Automation: a listener failed: ${errorMessageOf(error)}`);
      }
    }
  }
}

function isSameGrant(a: AutoRebalanceConsent, b: AutoRebalanceConsent): boolean {
  return a.sinceMs === b.sinceMs && a.service === b.service && a.owner === b.owner && areSameRules(a.rules, b.rules);
}
