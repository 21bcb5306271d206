import * as l10n from '@vscode/l10n';
import type { RefreshReason } from '../portfolio/types';
import { errorMessageOf } from '../transactions/errors';
import type { HeldLock } from '../transactions/locks/types';
import { Cooldowns, LONGEST_COOLDOWN_MS, cooldownAfter } from './cooldowns';
import { sentInDay, type SentRebalance } from './history';
import { DataUnavailableError, doneInDay, readInputs, planOf, type RuleInputs, type CheckMemory } from './inputs';
import { observe, type ObservationHistory } from './observations';
import type { ActionOutcome, AutoRebalanceAction, AutoRebalanceConsent, SchedulerDependencies, PlannedPosition } from './types';
import { pairOf, span } from './messages';
import type { Clock } from '../base/async/clock';

export interface CheckRunDependencies extends Pick<SchedulerDependencies, 'portfolio' | 'journal' | 'clock' | 'host' | 'log'> {
  /** Checks the consent file, the wallet, the service and the settings: whether the consent still holds. */
  readonly isStillGranted: (grant: AutoRebalanceConsent) => Promise<boolean>;
  /** Called when the consent may no longer hold, or the lock was lost. */
  readonly onDoubt: () => void;
  readonly onChange: () => void;
}

/** The user is told after this many failed checks in a row. */
const REPORT_AFTER_CHECKS = 3;

/**
 * One run of the active window, from taking the lock until it is stopped. Checks the positions at the interval of the rules and acts
 * on the decisions one after the other. It reads everything again before each action, since the one before may have taken an hour.
 */
export class CheckRun {
  readonly grant: AutoRebalanceConsent;
  readonly #lock: HeldLock;
  readonly #dependencies: CheckRunDependencies;
  readonly #abort = new AbortController();
  readonly #holds = new Cooldowns();
  readonly #sleeper: Sleeper;
  /** Keys of the positions for which the user was already called. */
  readonly #reportedToUser = new Set<string>();
  #sightings: ReadonlyMap<string, ObservationHistory> = new Map();
  #blindChecks = 0;
  #isServiceDown = false;
  #acting: readonly string[] = [];
  #planned: readonly PlannedPosition[] = [];
  #lastCheckMs: number | undefined;
  #doneToday = 0;
  /** The rebalances of the last 24 hours when the journal was last read. */
  #sent: readonly SentRebalance[] = [];

  constructor(grant: AutoRebalanceConsent, lock: HeldLock, dependencies: CheckRunDependencies) {
    this.grant = grant;
    this.#lock = lock;
    this.#dependencies = dependencies;
    this.#sleeper = new Sleeper(dependencies.clock);
    lock.lost.addEventListener('abort', () => {
      this.stop();
      dependencies.onDoubt();
    });
  }

  get acting(): readonly string[] {
    return this.#acting;
  }

  get planned(): readonly PlannedPosition[] {
    return this.#planned;
  }

  get lastCheckMs(): number | undefined {
    return this.#lastCheckMs;
  }

  get doneToday(): number {
    return this.#doneToday;
  }

  get memory(): CheckMemory {
    return { sightings: this.#sightings, holds: this.#holds };
  }

  /** Runs until it is stopped. Resolves when nothing is in progress any more and the lock is released. */
  async run(): Promise<void> {
    try {
      while (!this.#isStopped()) {
        const { clock } = this.#dependencies;
        const startMs = clock.now();
        const everyMs = await this.#checkSafely();
        await this.#sleeper.sleep(Math.max(0, startMs + everyMs - clock.now()));
      }
    } finally {
      await this.#lock.release();
    }
  }

  /** Starts nothing more, and cancels what is in progress where that is still possible. */
  stop(): void {
    this.#abort.abort();
    this.#sleeper.wake();
  }

  /** Retries what waited for the user. */
  tryAgain(): void {
    this.#holds.userIsBack();
    this.#sleeper.wake();
  }

  /** The positions were read elsewhere: if the service was down, it is back, and the next check need not wait. */
  sawListing(): void {
    if (this.#isServiceDown) {
      this.#sleeper.wakeUp();
    }
  }

  /** @returns milliseconds from the start of this check to the next one */
  async #checkSafely(): Promise<number> {
    const { checkEveryMs } = this.grant.rules;
    try {
      if (!(await this.#mayAct())) {
        await this.#doubt();
        return checkEveryMs;
      }
      await this.#check();
      this.#blindChecks = 0;
      this.#isServiceDown = false;
      return checkEveryMs;
    } catch (error) {
      return this.#isStopped() ? checkEveryMs : this.#blind(error);
    }
  }

  /** A condition for acting no longer holds. A lost lock ends the run; the scheduler handles everything else. */
  async #doubt(): Promise<void> {
    if (!(await this.#lock.isStillHeld())) {
      this.stop();
    }
    this.#dependencies.onDoubt();
  }

  async #check(): Promise<void> {
    const { clock } = this.#dependencies;
    let look = await this.#look('interval');
    this.#sightings = observe(this.#sightings, look.positions, this.grant.rules, look.asOfMs);
    this.#lastCheckMs = clock.now();
    this.#show(look);
    const tried = new Set<string>();
    for (let next = this.#next(tried); next !== undefined && !this.#isStopped(); next = this.#next(tried)) {
      tried.add(next.position.key);
      await this.#act(next);
      if (this.#isStopped()) {
        return;
      }
      // The action took time and changed the positions: decide again from fresh data.
      look = await this.#look('afterOperation');
      this.#show(look);
    }
  }

  /**
   * Reads positions and journal. Journal files are kept for two days at least; if rebalances of the last day are missing, someone
   * deleted them, and the daily limits can't be enforced.
   * @throws DataUnavailableError
   */
  async #look(reason: RefreshReason): Promise<RuleInputs> {
    const look = await readInputs(this.grant.owner, reason, this.#dependencies);
    const nowMs = this.#dependencies.clock.now();
    const sent = sentInDay(look.history, nowMs).filter(({ position }) => position !== undefined);
    if (sent.length < sentInDay({ sent: this.#sent }, nowMs).length) {
      throw new DataUnavailableError(
        l10n.t(
          "Rebalances of the last 24 hours are missing from the operation journal, so the daily limits can't be enforced. It continues once they are a day old, or after you stop and start it again.",
        ),
      );
    }
    this.#sent = sent;
    return look;
  }

  /** The next action; closing (stop-loss, take-profit) comes first. */
  #next(tried: ReadonlySet<string>): Due | undefined {
    const due = this.#planned.flatMap(({ position, decision }) =>
      decision.kind === 'act' && !tried.has(position.key) ? [{ position, ...decision }] : [],
    );
    return due.find(({ action }) => action === 'close') ?? due[0];
  }

  async #act({ position, action, why }: Due): Promise<void> {
    const { clock, log } = this.#dependencies;
    const { rules } = this.grant;
    log('info', `Automation: ${GERUNDS[action]} ${position.key}. ${why}`);
    this.#acting = [position.key];
    this.#dependencies.onChange();
    let outcome: ActionOutcome;
    try {
      outcome = (await this.#mayAct())
        ? await this.#dependencies.host.act(position, action, why, rules, this.#abort.signal, () => this.#mayAct())
        : { kind: 'notNow' };
    } catch (error) {
      outcome = { kind: 'failed', words: errorMessageOf(error) };
    }
    this.#acting = [];
    log(
      outcome.kind === 'failed' ? 'warn' : 'info',
      `Automation: ${GERUNDS[action]} ${position.key}: ${outcome.kind}${'words' in outcome ? `. ${outcome.words}` : ''}`,
    );
    if (outcome.kind === 'failed' && !(await this.#mayAct())) {
      // It failed because it was stopped. That needs no cooldown, but the user has to know what it means for the money.
      const pair = pairOf(position);
      this.#tell(
        action === 'rebalance'
          ? l10n.t`Auto-rebalance was stopped while rebalancing ${pair}. ${outcome.words}`
          : l10n.t`Auto-rebalance was stopped while closing ${pair}. ${outcome.words}`,
        'info',
      );
      await this.#doubt();
    } else {
      this.#tell(this.#holds.ended(position.key, action, outcome, pairOf(position), rules.cooldownMs, clock.now()), 'warning');
    }
    if (outcome.kind === 'needsUser') {
      // The host has already told them.
      this.#reportedToUser.add(position.key);
    }
    this.#dependencies.onChange();
  }

  /** Asked right before anything irreversible: whether this window is still active and the consent still holds. */
  async #mayAct(): Promise<boolean> {
    const isHeld = !this.#isStopped() && (await this.#lock.isStillHeld());
    const isGranted = isHeld && (await this.#dependencies.isStillGranted(this.grant));
    return isGranted && !this.#isStopped();
  }

  #show(look: RuleInputs): void {
    const nowMs = this.#dependencies.clock.now();
    this.#planned = planOf(look, this.memory, this.grant.rules, nowMs);
    this.#doneToday = doneInDay(look, nowMs);
    for (const { position, decision } of this.#planned) {
      if (decision.kind === 'user' && !this.#reportedToUser.has(position.key)) {
        this.#reportedToUser.add(position.key);
        this.#tell(l10n.t`Auto-rebalance needs you for ${pairOf(position)}. ${decision.why}`, 'warning');
      } else if (decision.kind === 'fine') {
        this.#reportedToUser.delete(position.key);
        this.#holds.settled(position.key);
      }
    }
    this.#dependencies.onChange();
  }

  #blind(error: unknown): number {
    const { checkEveryMs } = this.grant.rules;
    const askedForMs = error instanceof DataUnavailableError ? error.restMs : undefined;
    if (askedForMs !== undefined && askedForMs > 0) {
      // The request limit is used up, for example by an operation: nothing that the user has to know.
      this.#isServiceDown = true;
      const waitMs = Math.max(checkEveryMs, Math.min(askedForMs, LONGEST_COOLDOWN_MS));
      this.#dependencies.log('info', `Automation: a check waits for the service's request limit, the next one is in ${span(waitMs)}.`);
      return waitMs;
    }
    this.#blindChecks += 1;
    this.#isServiceDown = askedForMs !== undefined;
    const restMs = cooldownAfter(this.#blindChecks, checkEveryMs);
    this.#dependencies.log('warn', `Automation: a check failed, the next one is in ${span(restMs)}. ${errorMessageOf(error)}`);
    if (this.#blindChecks === REPORT_AFTER_CHECKS) {
      this.#tell(
        l10n.t`Auto-rebalance: ${REPORT_AFTER_CHECKS} checks in a row failed. ${errorMessageOf(error)} It leaves your positions alone and keeps retrying, less often and without further messages.`,
        'warning',
      );
    }
    return restMs;
  }

  #tell(words: string | undefined, severity: 'info' | 'warning'): void {
    if (words === undefined) {
      return;
    }
    try {
      this.#dependencies.host.tell(words, severity);
    } catch (error) {
      this.#dependencies.log('warn', `Automation: a message could not be shown. ${errorMessageOf(error)}`);
    }
  }

  #isStopped(): boolean {
    return this.#abort.signal.aborted || this.#lock.lost.aborted;
  }
}

type Due = { readonly position: PlannedPosition['position']; readonly action: AutoRebalanceAction; readonly why: string };

/** For the log. */
const GERUNDS: Readonly<Record<AutoRebalanceAction, string>> = { rebalance: 'rebalancing', close: 'closing' };

/** A sleep that can be interrupted. */
class Sleeper {
  readonly #clock: Clock;
  #wake: (() => void) | undefined;
  #isWoken = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = this.#clock.after(ms, resolve);
        this.#wake = () => {
          timer.dispose();
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#isWoken = false;
  }

  /** Ends the current sleep; while awake, skips the next one. */
  wake(): void {
    this.#isWoken = true;
    this.wakeUp();
  }

  /** Ends the current sleep; does nothing while awake. */
  wakeUp(): void {
    this.#wake?.();
  }
}
