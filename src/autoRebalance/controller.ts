import * as l10n from '@vscode/l10n';
import type { Clock, Subscription } from '../base/async/clock';
import { DisposableStore } from '../base/async/disposables';
import { Emitter } from '../base/async/emitter';
import { SingleFlight } from '../base/async/concurrency';
import type { PortfolioControl } from '../portfolio/types';
import { errorMessageOf } from '../transactions/errors';
import type { OperationJournal } from '../transactions/journal/types';
import type { SolanaRpc } from '../rpc/types';
import type { HeldLock, OperationLocks } from '../transactions/locks/types';
import type { BenefitOf } from './benefit';
import type { ConsentStore, StoredConsent } from './consentStore';
import { type Conditions, type Obstacle, obstacleTo, portfolioFor } from './obstacles';
import { AutoRebalanceScheduler, dryRun, type LedgerMemory } from './scheduler';
import {
  type AutoRebalanceConsent,
  type AutoRebalanceHost,
  type AutoRebalancePlan,
  type AutoRebalanceRules,
  type AutoRebalanceState,
  isSameConsent,
} from './types';

/** The lock that the active window holds. */
export const AUTO_REBALANCE_LOCK = 'automation';

/** How often a window that is not active looks again: no event tells it that the active window was closed and its lock is free. */
const LOOK_EVERY_MS = 15_000;

export interface ControllerDependencies extends Conditions {
  readonly store: ConsentStore;
  readonly records: { readonly journal: () => Promise<OperationJournal>; readonly locks: () => Promise<OperationLocks> };
  readonly memory: LedgerMemory;
  /** The RPC in use, if any. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** What re-centering is expected to bring. Default: not known. */
  readonly benefitOf?: BenefitOf | undefined;
  readonly clock: Clock;
  readonly host: AutoRebalanceHost;
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
  readonly onError: (error: unknown) => void;
}

/** What is loaded and opened when auto-rebalance is on, or for a dry run. */
interface Opened {
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
}

/**
 * Auto-rebalance in this window: follows the user's consent, which any window may give or withdraw, and runs a scheduler while it holds. One
 * window is active (it has the lock {@link AUTO_REBALANCE_LOCK}), the others stand by. Turning it off in any window stops it at once. It
 * belongs to the wallet of the consent, whichever is shown, and pauses while another service is in use, or the rules in the settings differ
 * from those that were confirmed.
 */
export class AutoRebalanceController {
  readonly #dependencies: ControllerDependencies;
  readonly #disposables = new DisposableStore();
  readonly #changes: Emitter<void>;
  /** One at a time: a consent that was read earlier must not be applied later. */
  readonly #looks = new SingleFlight(() => this.#look());
  #state: AutoRebalanceState = { kind: 'off' };
  #opening: Promise<Opened> | undefined;
  #scheduler: AutoRebalanceScheduler | undefined;
  /** What the scheduler reads and acts with. */
  #portfolio: PortfolioControl | undefined;
  /** Settles when the scheduler has ended; `undefined` if there is none. */
  #ending: Promise<void> | undefined;
  #timer: Subscription | undefined;
  /** The last check of this window, and the consent it belongs to. */
  #lastCheck: { readonly sinceMs: number; readonly checkedMs: number } | undefined;
  /** The last obstacle that was reported, with the consent it belongs to. */
  #reportedObstacle: string | undefined;
  #hasLookFailed = false;
  #isTurningOff = false;
  /** It was turned off here, but that could not be saved. */
  #isStoppedHere = false;
  /** It was on when this window opened; the user is notified when it continues here. */
  #wasLeftOn = false;

  constructor(dependencies: ControllerDependencies) {
    this.#dependencies = dependencies;
    this.#changes = new Emitter((error) => dependencies.log('warn', `Automation: a listener failed: ${errorMessageOf(error)}`));
    this.#disposables.add(dependencies.store, this.#changes, {
      dispose: () => {
        this.#scheduler?.stop();
        this.#timer?.dispose();
      },
    });
  }

  get state(): AutoRebalanceState {
    return this.#state;
  }

  /** Calls `listener` with every new state. */
  onDidChange(listener: () => void): Subscription {
    return this.#changes.on(listener);
  }

  /** Continues what a restart or another window left on, and follows all changes from then on. Call once. */
  async begin(): Promise<void> {
    const { store, portfolio } = this.#dependencies;
    let { owner } = portfolio.snapshot;
    this.#disposables.add(
      store.onDidChange(() => this.lookAgain()),
      portfolio.onDidChange(({ snapshot }) => {
        if (snapshot.owner !== owner) {
          owner = snapshot.owner;
          this.lookAgain();
        } else if (snapshot.positionsState.kind === 'ready') {
          this.#scheduler?.sawListing();
        }
      }),
    );
    const stored = await store.readStored();
    this.#wasLeftOn = stored !== undefined && (stored.isConfirmed || stored.unknownBecause !== undefined);
    await this.#looks.fresh();
  }

  /** Turns auto-rebalance on for all windows. @throws Error if the consent can't be saved */
  async turnOn(consent: AutoRebalanceConsent): Promise<void> {
    await this.#dependencies.store.turnOn(consent);
    this.#wasLeftOn = false;
    this.#isStoppedHere = false;
    await this.#looks.fresh();
  }

  /** Turns auto-rebalance off for all windows. @throws Error if that can't be saved; it is off in this window even then */
  async turnOff(): Promise<void> {
    this.#wasLeftOn = false;
    // Nothing more starts here, however long the disk takes.
    this.#isTurningOff = true;
    this.#scheduler?.stop();
    try {
      await this.#dependencies.store.turnOff();
    } catch (error) {
      this.#isStoppedHere = true;
      throw error;
    } finally {
      // A look under way may have read the consent before: it ends first, without effect.
      await this.#looks.fresh();
      this.#isTurningOff = false;
      await this.#looks.fresh();
    }
  }

  /** Call when settings, the service or the window changed: checks at once whether it may continue. Changes of the wallet are noticed without it. */
  lookAgain(): void {
    if (this.#disposables.isDisposed) {
      return;
    }
    // An obstacle that is known without reading the disk stops the scheduler before anything is awaited.
    const consent = this.#scheduler?.consent;
    if (consent !== undefined && (this.#hasLost(consent) || this.#obstacleTo({ consent, isConfirmed: true }) !== undefined)) {
      this.#scheduler?.stop();
    }
    void this.#looks.fresh();
  }

  /** Call when the user did what was waited for, for example unlocked the wallet: retries what waits for the user. */
  tryAgain(): void {
    this.#scheduler?.tryAgain();
    this.lookAgain();
  }

  /**
   * Dry run: reads the positions and decides, without acting. It doesn't count as a check.
   * @param asked the rules; defaults to the confirmed ones, or those in the settings while it is off
   * @throws Error with a message for the user if the positions or the journal can't be read; also if no wallet is selected
   */
  async plan(asked?: AutoRebalanceRules): Promise<AutoRebalancePlan> {
    const { portfolio, store, rules, rpc, benefitOf, clock, log } = this.#dependencies;
    const { owner } = portfolio.snapshot;
    if (owner === undefined) {
      throw new Error('No wallet is selected. Choose one first.');
    }
    const { journal } = await this.#open();
    const consent = await store.read();
    const running = this.#scheduler?.consent.owner === owner ? this.#scheduler : undefined;
    const confirmed = asked === undefined ? (running?.consent ?? consent) : undefined;
    return dryRun(owner, asked ?? confirmed?.rules ?? rules(), confirmed?.worths, running?.memory, {
      portfolio,
      journal,
      rpc,
      benefitOf,
      clock,
      log,
    });
  }

  /** Stops acting; cancels what is in progress if that is still possible. The consent stays, for other windows and the next start. */
  dispose(): void {
    this.#disposables.dispose();
  }

  /** Reads the consent and applies it. Never rejects. */
  async #look(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { store, log, onError } = this.#dependencies;
    try {
      const stored = await store.readStored();
      if (this.#disposables.isDisposed || this.#isTurningOff) {
        return;
      }
      await this.#apply(stored);
      this.#hasLookFailed = false;
    } catch (error) {
      log('error', `Automation: ${errorMessageOf(error)}`);
      if (!this.#hasLookFailed) {
        onError(error);
      }
      this.#hasLookFailed = true;
    }
    if (this.#scheduler === undefined && (this.#hasLookFailed || this.#state.kind !== 'off')) {
      this.#lookAfter(LOOK_EVERY_MS);
    }
  }

  async #apply(stored: StoredConsent | undefined): Promise<void> {
    const obstacle = stored && this.#obstacleTo(stored);
    if (stored === undefined) {
      this.#scheduler?.stop();
      this.#reportedObstacle = undefined;
      this.#setState({ kind: 'off' });
    } else if (obstacle !== undefined) {
      this.#scheduler?.stop();
      this.#pause(stored.consent, obstacle);
    } else {
      await this.#goOn(stored.consent);
    }
  }

  /** Becomes active if no other window is. */
  async #goOn(consent: AutoRebalanceConsent): Promise<void> {
    if (this.#scheduler !== undefined && (!isSameConsent(this.#scheduler.consent, consent) || this.#hasLost(consent))) {
      this.#scheduler.stop();
    }
    // A scheduler that was stopped has to end before another one begins.
    if (this.#ending === undefined) {
      const obstacle = await this.#becomeActive(consent);
      if (obstacle !== undefined) {
        this.#pause(consent, obstacle);
        return;
      }
    }
    this.#reportedObstacle = undefined;
    this.#showRunning(consent);
  }

  /** Starts a scheduler if no other window has the lock. @returns what keeps this window from that */
  async #becomeActive(consent: AutoRebalanceConsent): Promise<Obstacle | undefined> {
    let opened: Opened;
    try {
      opened = await this.#open();
    } catch (error) {
      const why = l10n.t`It cannot continue in this window, and does nothing. ${errorMessageOf(error)}`;
      if (this.#reportedObstacle !== reportOf(consent, why)) {
        this.#dependencies.onError(error);
      }
      return { name: why, why, isSilent: true };
    }
    let lock: HeldLock | undefined;
    try {
      lock = await opened.locks.tryAcquire(AUTO_REBALANCE_LOCK);
    } catch (error) {
      return { name: 'locks', why: l10n.t`Could not verify that no other window runs it. ${errorMessageOf(error)}` };
    }
    if (lock === undefined) {
      return undefined;
    }
    if (this.#disposables.isDisposed || this.#isTurningOff) {
      await lock.release();
      return undefined;
    }
    this.#start(consent, lock, opened);
    return undefined;
  }

  /** Whether the portfolio of the scheduler has turned to another wallet: another scheduler then goes on with one of its own. */
  #hasLost({ owner }: AutoRebalanceConsent): boolean {
    return this.#portfolio !== undefined && this.#portfolio.snapshot.owner !== owner;
  }

  #start(consent: AutoRebalanceConsent, lock: HeldLock, { journal }: Opened): void {
    const { memory, rpc, benefitOf, clock, host, log } = this.#dependencies;
    const portfolio = portfolioFor(consent.owner, this.#dependencies);
    this.#portfolio = portfolio;
    const scheduler = new AutoRebalanceScheduler(consent, lock, {
      portfolio,
      journal,
      memory,
      rpc,
      benefitOf,
      clock,
      host,
      log,
      isStillGranted: (granted) => this.#isStillGranted(granted),
      onConsentUncertain: () => this.lookAgain(),
      onChange: () => {
        // One that was stopped may still end an action: that must not show auto-rebalance as on again.
        if (this.#scheduler === scheduler && !scheduler.isStopped) {
          this.#showRunning(consent);
        }
      },
    });
    this.#scheduler = scheduler;
    log('info', 'Automation: this window is active');
    this.#ending = scheduler
      .run()
      .catch((error: unknown) => log('error', `Automation: ${errorMessageOf(error)}`))
      .finally(() => {
        this.#scheduler = undefined;
        this.#portfolio = undefined;
        this.#ending = undefined;
        log('info', 'Automation: this window is no longer active');
        this.lookAgain();
      });
  }

  async #open(): Promise<Opened> {
    const { records } = this.#dependencies;
    this.#opening ??= Promise.all([records.journal(), records.locks()])
      .then(([journal, locks]) => ({ journal, locks }))
      .catch((error: unknown) => {
        this.#opening = undefined;
        throw error;
      });
    return this.#opening;
  }

  /** Whether the consent still holds: on disk, and for the wallet, service and rules in use. */
  async #isStillGranted(consent: AutoRebalanceConsent): Promise<boolean> {
    const stored = await this.#dependencies.store.readStored();
    return (
      stored !== undefined && isSameConsent(stored.consent, consent) && !this.#hasLost(consent) && this.#obstacleTo(stored) === undefined
    );
  }

  #obstacleTo(stored: StoredConsent): Obstacle | undefined {
    return this.#isStoppedHere ? { name: 'window', why: stoppedHereText(), isSilent: true } : obstacleTo(stored, this.#dependencies);
  }

  #pause(consent: AutoRebalanceConsent, { name, why, cause, isSilent = false }: Obstacle): void {
    const { sinceMs, checkedMs } = this.#lastCheck ?? {};
    this.#setState({ kind: 'paused', consent, why, cause, lastCheckMs: sinceMs === consent.sinceMs ? checkedMs : undefined });
    const report = reportOf(consent, name);
    if (report !== this.#reportedObstacle) {
      this.#reportedObstacle = report;
      this.#dependencies.log('info', `Automation: paused. ${why}`);
      if (!isSilent) {
        this.#notify(l10n.t`Auto-rebalance is paused. ${why}`, 'warning');
      }
    }
  }

  #showRunning(consent: AutoRebalanceConsent): void {
    const running = this.#scheduler?.consent.sinceMs === consent.sinceMs ? this.#scheduler : undefined;
    if (running?.lastCheckMs !== undefined) {
      this.#lastCheck = { sinceMs: consent.sinceMs, checkedMs: running.lastCheckMs };
    }
    this.#setState({
      kind: 'on',
      consent,
      role: running === undefined ? 'standby' : 'active',
      lastCheckMs: running?.lastCheckMs,
      acting: running?.acting ?? [],
      planned: running?.planned ?? [],
      doneToday: running?.doneToday ?? 0,
    });
    if (running !== undefined && this.#wasLeftOn) {
      this.#wasLeftOn = false;
      this.#notify(
        consent.rules.mode === 'ask'
          ? l10n.t('Auto-rebalance was left on and continues. It asks you first.')
          : l10n.t('Auto-rebalance was left on and continues. It signs by the rules that you confirmed.'),
        'info',
      );
    }
  }

  #notify(message: string, severity: 'info' | 'warning'): void {
    try {
      this.#dependencies.host.notify(message, severity);
    } catch (error) {
      this.#dependencies.log('warn', `Automation: a message could not be shown. ${errorMessageOf(error)}`);
    }
  }

  #lookAfter(ms: number): void {
    if (!this.#disposables.isDisposed) {
      this.#timer ??= this.#dependencies.clock.after(ms, () => {
        this.#timer = undefined;
        this.lookAgain();
      });
    }
  }

  #setState(state: AutoRebalanceState): void {
    if (this.#disposables.isDisposed || (state.kind === 'off' && this.#state.kind === 'off')) {
      return;
    }
    this.#state = state;
    this.#changes.fire();
  }
}

function reportOf({ sinceMs }: AutoRebalanceConsent, name: string): string {
  return `${sinceMs} ${name}`;
}

function stoppedHereText(): string {
  return l10n.t('It is stopped in this window, but others may continue: stop it again, or close them.');
}
