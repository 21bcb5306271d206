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

/** The lock of whichever window does it. */
export const AUTO_REBALANCE_LOCK = 'automation';

/** How often a window that does not do it looks whether it is to: the one that does may be closed, and nobody tells of a lock that is free. */
const LOOK_EVERY_MS = 15_000;

/** Why it does not go on; `why` is for the user. */
interface Obstacle {
  readonly name: 'noWallet' | 'wallet' | 'service' | 'rules' | 'locks';
  readonly why: string;
}

/**
 * Automation in this window: does what the switch says, as long as everything is as it was when it was turned on. One window has
 * it (lock `automation`), the others stand by. It is stopped at once when it is switched off, here or elsewhere; when another wallet or service is
 * chosen, or the rules in the settings differ from those that were confirmed, it is paused until that is put right or it is started again.
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
  /** Of which obstacle the user was told, and under which grant. */
  #told: string | undefined;
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
    // What is known to be wrong without the disk stops it before anything is waited for.
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
      throw new Error('There is no wallet whose positions could be looked at. Choose one first.');
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

  /** Brings this window to what the switch says. */
  async #look(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    const grant = await this.#dependencies.automation.read();
    const obstacle = grant && this.#obstacleTo(grant);
    if (this.#run !== undefined && (grant === undefined || obstacle !== undefined || !isSameGrant(grant, this.#run.grant))) {
      this.#run.stop();
    }
    if (grant === undefined) {
      this.#told = undefined;
      this.#setState({ kind: 'off' });
    } else if (obstacle !== undefined) {
      this.#pause(grant, obstacle);
    } else {
      this.#told = undefined;
      await this.#goOn(grant);
    }
    if (grant !== undefined && this.#run === undefined) {
      this.#lookIn(LOOK_EVERY_MS);
    }
  }

  /** Does it in this window, where no other one does. */
  async #goOn(grant: AutoRebalanceConsent): Promise<void> {
    if (this.#ending !== undefined) {
      // What was stopped is coming to its end; only then something else may begin.
      this.#showRun(grant);
      return;
    }
    let lock: HeldLock | undefined;
    try {
      lock = await this.#dependencies.locks.tryAcquire(AUTO_REBALANCE_LOCK);
    } catch (error) {
      this.#pause(grant, {
        name: 'locks',
        why: l10n.t`It cannot be made sure that no other window does the same. ${errorMessageOf(error)}`,
      });
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
    log('info', 'Automation: this window does it now');
    this.#ending = run
      .run()
      .catch((error: unknown) => log('error', `Automation: ${errorMessageOf(error)}`))
      .finally(() => {
        this.#run = undefined;
        this.#ending = undefined;
        log('info', 'Automation: this window does it no more');
        this.lookAgain();
      });
  }

  /** Whether what was granted is granted still, by the disk and by everything else. */
  async #isStillGranted(grant: AutoRebalanceConsent): Promise<boolean> {
    const now = await this.#dependencies.automation.read();
    return now !== undefined && isSameGrant(now, grant) && this.#obstacleTo(grant) === undefined;
  }

  #obstacleTo(grant: AutoRebalanceConsent): Obstacle | undefined {
    const { portfolio, serviceId, rules } = this.#dependencies;
    const { owner } = portfolio.snapshot;
    const service = serviceId();
    if (owner === undefined || service === undefined) {
      return { name: 'noWallet', why: l10n.t('No wallet, or no service, is in use in this window.') };
    }
    if (service !== grant.service) {
      return {
        name: 'service',
        why: l10n.t(
          'It was started for another service than the one that is in use now. Go back to that one, or start it again for this one.',
        ),
      };
    }
    if (owner !== grant.owner) {
      return {
        name: 'wallet',
        why: l10n.t(
          'It was started for another wallet than the one that is in use now. Go back to that one, or start it again for this one.',
        ),
      };
    }
    return areSameRules(rules(), grant.rules)
      ? undefined
      : {
          name: 'rules',
          why: l10n.t(
            'The rules in the settings differ from those that you confirmed, or the review goes by other settings or another RPC than then. Start it again to confirm them, or set them back.',
          ),
        };
  }

  #pause(grant: AutoRebalanceConsent, { name, why }: Obstacle): void {
    this.#setState({ kind: 'paused', grant, why });
    const trouble = `${grant.sinceMs} ${name}`;
    if (trouble !== this.#told) {
      this.#told = trouble;
      this.#dependencies.log('info', `Automation: paused. ${why}`);
      if (name !== 'noWallet') {
        this.#tell(l10n.t`Auto-rebalance is paused, and does nothing with your positions. ${why}`);
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
      this.#dependencies.log('warn', `Automation: the user could not be told. ${errorMessageOf(error)}`);
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
