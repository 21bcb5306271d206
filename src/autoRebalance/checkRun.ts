import * as l10n from '@vscode/l10n';
import type { RefreshReason } from '../portfolio/types';
import { errorMessageOf } from '../transactions/errors';
import type { HeldLock } from '../transactions/locks/types';
import { Cooldowns, LONGEST_COOLDOWN_MS, cooldownAfter } from './cooldowns';
import { sentInDay, type SentRebalance } from './history';
import { DataUnavailableError, doneInDay, readInputs, planOf, type RuleInputs, type CheckMemory } from './inputs';
import { observe, type ObservationHistory } from './observations';
import type { ActionOutcome, AutoRebalanceAction, AutoRebalanceConsent, SchedulerDependencies, PlannedPosition } from './types';
import { counted, pairOf, span } from './messages';
import type { Clock } from '../base/async/clock';

/** What a run works with, besides what the loop has. */
export interface CheckRunDependencies extends Pick<SchedulerDependencies, 'portfolio' | 'journal' | 'clock' | 'host' | 'log'> {
  /** Looks at the disk, the wallet, the service and the settings: whether what was granted holds still. */
  readonly isStillGranted: (grant: AutoRebalanceConsent) => Promise<boolean>;
  /** Something does not hold any more, or the lock was lost. */
  readonly onDoubt: () => void;
  readonly onChange: () => void;
}

/** After so many checks in a row that saw nothing, the user is told. */
const TELL_AFTER_CHECKS = 3;

/**
 * Automation while this window has it: from when it got the lock until it is stopped. Checks positions every so often, and does what
 * is decided, one thing at a time; before each it looks anew, for an hour may have passed since the check. Never rejects.
 */
export class CheckRun {
  readonly grant: AutoRebalanceConsent;
  readonly #lock: HeldLock;
  readonly #dependencies: CheckRunDependencies;
  readonly #abort = new AbortController();
  readonly #holds = new Cooldowns();
  readonly #sleeper: Sleeper;
  /** Positions of which the user was told that they are needed. */
  readonly #toldUser = new Set<string>();
  #sightings: ReadonlyMap<string, ObservationHistory> = new Map();
  #blindChecks = 0;
  #isServiceDown = false;
  #acting: readonly string[] = [];
  #planned: readonly PlannedPosition[] = [];
  #lastCheckMs: number | undefined;
  #doneToday = 0;
  /** The rebalances of the last day, as the journal had them last. */
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

  /** Runs until it is stopped; resolves once nothing is under way any more and the lock was given back. */
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

  /** Begins nothing more, and cancels what is under way where that is possible. */
  stop(): void {
    this.#abort.abort();
    this.#sleeper.wake();
  }

  /** The user put something right. */
  tryAgain(): void {
    this.#holds.userIsBack();
    this.#sleeper.wake();
  }

  /** Somebody read the positions: where the service did not answer before, it does now, and nothing is to be waited for. */
  sawListing(): void {
    if (this.#isServiceDown) {
      this.#sleeper.wakeUp();
    }
  }

  /** @returns after how long, from its beginning, the next one is due */
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

  /** Not all holds that has to. What is taken from this window ends the run; of the rest the loop decides. */
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
      // What it has just done changed what is there, and took its time: nothing goes on by what was seen before.
      look = await this.#look('afterOperation');
      this.#show(look);
    }
  }

  /**
   * What there is now. What the limits count does not go from the journal for two days: where it has gone, somebody took it away.
   * @throws DataUnavailableError
   */
  async #look(reason: RefreshReason): Promise<RuleInputs> {
    const look = await readInputs(this.grant.owner, reason, this.#dependencies);
    const nowMs = this.#dependencies.clock.now();
    const sent = sentInDay(look.history, nowMs).filter(({ position }) => position !== undefined);
    if (sent.length < sentInDay({ sent: this.#sent }, nowMs).length) {
      throw new DataUnavailableError(
        l10n.t(
          'Rebalances of the last 24 hours are gone from the journal of operations, so that the limits cannot be kept. It goes on once they are a day old, or when auto-rebalance is stopped and started again.',
        ),
      );
    }
    this.#sent = sent;
    return look;
  }

  /** What is to be done next: what ends losses first. */
  #next(tried: ReadonlySet<string>): Due | undefined {
    const due = this.#planned.flatMap(({ position, decision }) =>
      decision.kind === 'act' && !tried.has(position.key) ? [{ position, ...decision }] : [],
    );
    return due.find(({ action }) => action === 'close') ?? due[0];
  }

  async #act({ position, action, why }: Due): Promise<void> {
    const { clock, log } = this.#dependencies;
    const { rules } = this.grant;
    log('info', `Automation: ${NOUNS[action]} ${position.key}. ${why}`);
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
      `Automation: ${NOUNS[action]} ${position.key}: ${outcome.kind}${'words' in outcome ? `. ${outcome.words}` : ''}`,
    );
    if (outcome.kind === 'failed' && !(await this.#mayAct())) {
      // It failed because it was stopped: that is no reason to be careful, but they are to know what it means for the money.
      this.#tell(l10n.t`Auto-rebalance was stopped while it was ${NOUNS[action]} ${pairOf(position)}. ${outcome.words}`, 'info');
      await this.#doubt();
    } else {
      this.#tell(this.#holds.ended(position.key, action, outcome, pairOf(position), rules.cooldownMs, clock.now()), 'warning');
    }
    if (outcome.kind === 'needsUser') {
      // They were told by whoever needs them.
      this.#toldUser.add(position.key);
    }
    this.#dependencies.onChange();
  }

  /** Right before anything that cannot be undone: whether this window still has it, and everything that was granted holds. */
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
      if (decision.kind === 'user' && !this.#toldUser.has(position.key)) {
        this.#toldUser.add(position.key);
        this.#tell(l10n.t`Auto-rebalance leaves ${pairOf(position)} to you. ${decision.why}`, 'warning');
      } else if (decision.kind === 'fine') {
        this.#toldUser.delete(position.key);
        this.#holds.settled(position.key);
      }
    }
    this.#dependencies.onChange();
  }

  #blind(error: unknown): number {
    const { checkEveryMs } = this.grant.rules;
    const askedForMs = error instanceof DataUnavailableError ? error.restMs : undefined;
    if (askedForMs !== undefined && askedForMs > 0) {
      // The request limit is used up, as by an operation: that is no trouble that the user has to know of.
      this.#isServiceDown = true;
      const waitMs = Math.max(checkEveryMs, Math.min(askedForMs, LONGEST_COOLDOWN_MS));
      this.#dependencies.log('info', `Automation: a check waits for the service's request limit, the next one is in ${span(waitMs)}.`);
      return waitMs;
    }
    this.#blindChecks += 1;
    this.#isServiceDown = askedForMs !== undefined;
    const restMs = cooldownAfter(this.#blindChecks, checkEveryMs);
    this.#dependencies.log('warn', `Automation: a check came to nothing, the next one is in ${span(restMs)}. ${errorMessageOf(error)}`);
    if (this.#blindChecks === TELL_AFTER_CHECKS) {
      this.#tell(
        l10n.t`Auto-rebalance cannot see what to do: ${counted(TELL_AFTER_CHECKS, 'check')} in a row came to nothing. ${errorMessageOf(error)} It does nothing with your positions, and goes on trying, less and less often; you are not told again until it has worked.`,
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
      this.#dependencies.log('warn', `Automation: the user could not be told. ${errorMessageOf(error)}`);
    }
  }

  #isStopped(): boolean {
    return this.#abort.signal.aborted || this.#lock.lost.aborted;
  }
}

type Due = { readonly position: PlannedPosition['position']; readonly action: AutoRebalanceAction; readonly why: string };

const NOUNS: Readonly<Record<AutoRebalanceAction, string>> = { rebalance: 'rebalancing', close: 'closing' };

/** Sleeps, and is woken. Who is woken while awake does not sleep the next time. */
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

  wake(): void {
    this.#isWoken = true;
    this.wakeUp();
  }

  /** Only who sleeps now. */
  wakeUp(): void {
    this.#wake?.();
  }
}
