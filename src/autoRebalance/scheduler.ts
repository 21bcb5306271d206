import * as l10n from '@vscode/l10n';
import type { Clock } from '../base/async/clock';
import { oneLine } from '../base/text';
import type { RefreshReason } from '../portfolio/types';
import type { OpenPosition } from '../service/positions';
import type { Address } from '../base/solana/address';
import { errorMessageOf } from '../transactions/errors';
import type { HeldLock } from '../transactions/locks/types';
import { withBenefits } from './benefit';
import { Cooldowns, LONGEST_COOLDOWN_MS, cooldownAfter, span } from './cooldowns';
import { actionsOf, sentInDay, type SentRebalance } from './history';
import {
  type CheckMemory,
  DataUnavailableError,
  doneInDay,
  type InputSources,
  planOf,
  readInputs,
  type RuleInputs,
  seenOf,
} from './inputs';
import { isSettled, type Ledgers, readLedgers, withLedgers, writtenLedgers } from './ledger';
import { AskedActions, worthsOf } from './limits';
import { observe, type ObservationHistory } from './observations';
import type {
  ActionOutcome,
  AutoRebalanceAction,
  AutoRebalanceConsent,
  AutoRebalanceHost,
  AutoRebalancePlan,
  AutoRebalanceRules,
  ConfirmedWorth,
  DueAction,
  PlannedPosition,
} from './types';

export interface SchedulerDependencies extends InputSources {
  readonly host: AutoRebalanceHost;
  readonly memory: LedgerMemory;
  /** Whether the consent still holds: on disk, and for the wallet, service and rules in use. */
  readonly isStillGranted: (consent: AutoRebalanceConsent) => Promise<boolean>;
  /** Called when the consent may no longer hold, or the lock was lost. */
  readonly onConsentUncertain: () => void;
  readonly onChange: () => void;
}

/** Keeps what the checks saw of deposits over a restart; any JSON value. */
export interface LedgerMemory {
  read(): unknown;
  write(value: unknown): PromiseLike<void>;
}

/** The user is notified after this many failed checks in a row. */
const REPORT_AFTER_CHECKS = 3;

/**
 * Runs auto-rebalance by one consent, from when this window has the lock until it is stopped. Checks the positions at the interval of the
 * rules and acts on what is due, one after the other. It reads everything again before each action, since the one before may have taken
 * an hour.
 */
export class AutoRebalanceScheduler {
  readonly consent: AutoRebalanceConsent;
  readonly #lock: HeldLock;
  readonly #dependencies: SchedulerDependencies;
  readonly #abort = new AbortController();
  readonly #cooldowns = new Cooldowns();
  readonly #asked = new AskedActions();
  readonly #sleeper: Sleeper;
  /** Keys of the positions for which the user was already called. */
  readonly #reportedToUser = new Set<string>();
  #observations: ReadonlyMap<string, ObservationHistory> = new Map();
  #ledgers: Ledgers;
  #failedChecks = 0;
  #isServiceDown = false;
  #acting: readonly string[] = [];
  #planned: readonly PlannedPosition[] = [];
  #lastCheckMs: number | undefined;
  #doneToday = 0;
  /** The rebalances and closings of the last 24 hours when the journal was last read. */
  #sent: readonly SentRebalance[] = [];

  constructor(consent: AutoRebalanceConsent, lock: HeldLock, dependencies: SchedulerDependencies) {
    this.consent = consent;
    this.#lock = lock;
    this.#dependencies = dependencies;
    this.#sleeper = new Sleeper(dependencies.clock);
    this.#ledgers = readLedgers(dependencies.memory.read(), consent.sinceMs);
    lock.lost.addEventListener('abort', () => {
      this.stop();
      dependencies.onConsentUncertain();
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

  /** It starts nothing more, but what is in progress may still end. */
  get isStopped(): boolean {
    return this.#hasStopped();
  }

  get memory(): CheckMemory {
    return { observations: this.#observations, ledgers: this.#ledgers, cooldowns: this.#cooldowns };
  }

  /** Runs until it is stopped. Resolves when nothing is in progress any more and the lock is released. */
  async run(): Promise<void> {
    try {
      while (!this.#hasStopped()) {
        const { clock } = this.#dependencies;
        const startMs = clock.now();
        const everyMs = await this.#checkSafely();
        // The clock may have been set back during the check.
        await this.#sleeper.sleep(Math.min(everyMs, Math.max(0, startMs + everyMs - clock.now())));
      }
    } finally {
      await this.#lock.release();
    }
  }

  /** Starts nothing more, and cancels what is in progress if that is still possible. */
  stop(): void {
    this.#abort.abort();
    this.#sleeper.wake();
  }

  /** Retries what waited for the user. */
  tryAgain(): void {
    this.#cooldowns.userIsBack();
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
    const { checkEveryMs } = this.consent.rules;
    try {
      if (!(await this.#mayAct())) {
        await this.#consentUncertain();
        return checkEveryMs;
      }
      await this.#check();
      this.#failedChecks = 0;
      this.#isServiceDown = false;
      return checkEveryMs;
    } catch (error) {
      return this.#hasStopped() ? checkEveryMs : this.#restAfter(error);
    }
  }

  /** A condition for acting no longer holds. A lost lock ends the run; the scheduler handles everything else. */
  async #consentUncertain(): Promise<void> {
    if (!(await this.#lock.isStillHeld())) {
      this.stop();
    }
    this.#dependencies.onConsentUncertain();
  }

  async #check(): Promise<void> {
    const { clock } = this.#dependencies;
    let inputs = await this.#readInputs('interval');
    const { rules } = this.consent;
    this.#observations = observe(this.#observations, seenOf(inputs, this.#ledgers, rules), rules, inputs.asOfMs);
    this.#keepLedgers(withLedgers(this.#ledgers, inputs.positions, inputs.history, inputs.asOfMs));
    this.#lastCheckMs = clock.now();
    await this.#decide(inputs);
    const tried = new Set<string>();
    for (let next = this.#next(tried); next !== undefined && !this.#hasStopped(); next = this.#next(tried)) {
      tried.add(next.position.key);
      await this.#act(next);
      if (this.#hasStopped()) {
        return;
      }
      // The action took time and changed the positions: decide again from fresh data.
      inputs = await this.#readInputs('afterOperation');
      await this.#decide(inputs);
    }
  }

  /** Stores ledgers where a restart would lose something. Nothing waits for the storage. */
  #keepLedgers(ledgers: Ledgers): void {
    const before = this.#ledgers;
    const isNews = [...ledgers].some(([key, entry]) => {
      const known = before.get(key);
      return known?.sinceMs !== entry.sinceMs || isSettled(known) !== isSettled(entry);
    });
    this.#ledgers = ledgers;
    if (isNews) {
      const { memory, log } = this.#dependencies;
      Promise.resolve(memory.write(writtenLedgers(ledgers, this.consent.sinceMs))).catch((error: unknown) =>
        log('warn', `Automation: what was deposited could not be stored. ${errorMessageOf(error)}`),
      );
    }
  }

  /**
   * Reads positions and journal. Journal files are kept for two days at least; if rebalances of the last day are missing, someone
   * deleted them, and the daily limits can't be enforced.
   * @throws DataUnavailableError
   */
  async #readInputs(reason: RefreshReason): Promise<RuleInputs> {
    const inputs = await readInputs(this.consent.owner, reason, this.#dependencies);
    const nowMs = this.#dependencies.clock.now();
    const sent = sentInDay({ sent: actionsOf(inputs.history) }, nowMs).filter(({ position }) => position !== undefined);
    if (sent.length < sentInDay({ sent: this.#sent }, nowMs).length) {
      throw new DataUnavailableError(
        l10n.t(
          'Operations of the last 24 hours are missing from the journal, so daily limits cannot be enforced. Stop and start it again, or wait a day.',
        ),
      );
    }
    this.#sent = sent;
    return inputs;
  }

  /** The next action; closing (stop-loss, take-profit) comes first. */
  #next(tried: ReadonlySet<string>): DueAction | undefined {
    const due = this.#planned.flatMap(({ position, decision }) =>
      decision.kind === 'act' && !tried.has(position.key) ? [{ position, owner: this.consent.owner, ...decision }] : [],
    );
    return due.find(({ action }) => action === 'close') ?? due[0];
  }

  async #act(due: DueAction): Promise<void> {
    const { position, action, why, asks } = due;
    const { clock, log } = this.#dependencies;
    const { rules } = this.consent;
    log('info', `Automation: ${GERUNDS[action]} ${position.key}. ${why}${asks === undefined ? '' : ` ${asks}`}`);
    this.#acting = [position.key];
    this.#dependencies.onChange();
    let outcome: ActionOutcome;
    try {
      outcome = (await this.#mayAct())
        ? await this.#dependencies.host.act(due, rules, this.#abort.signal, () => this.#mayAct())
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
      this.#notify(l10n.t`Auto-rebalance was stopped while it worked on ${pair}. ${outcome.words}`, 'info');
      await this.#consentUncertain();
    } else {
      this.#notify(this.#cooldowns.ended(position.key, action, outcome, pairOf(position), rules.cooldownMs, clock.now()), 'warning');
    }
    if (outcome.kind === 'needsUser') {
      // The host has already notified them.
      this.#reportedToUser.add(position.key);
    }
    this.#dependencies.onChange();
  }

  /** Asked right before anything irreversible: whether this window is still active and the consent still holds. */
  async #mayAct(): Promise<boolean> {
    const isHeld = !this.#hasStopped() && (await this.#lock.isStillHeld());
    const isGranted = isHeld && (await this.#dependencies.isStillGranted(this.consent));
    return isGranted && !this.#hasStopped();
  }

  /** Decides about each position, and calls the user if one needs them. */
  async #decide(inputs: RuleInputs): Promise<void> {
    const { clock, benefitOf } = this.#dependencies;
    const nowMs = clock.now();
    const { rules, worths = [] } = this.consent;
    const planned = this.#asked.applied(planOf(inputs, this.memory, rules, worths, nowMs));
    this.#planned = await withBenefits(planned, rules.terms, benefitOf, this.#abort.signal);
    if (this.#hasStopped()) {
      return;
    }
    this.#doneToday = doneInDay(inputs, nowMs);
    for (const { position, decision } of this.#planned) {
      if (decision.kind === 'user' && !this.#reportedToUser.has(position.key)) {
        this.#reportedToUser.add(position.key);
        this.#notify(l10n.t`Auto-rebalance needs you for ${pairOf(position)}. ${decision.why}`, 'warning');
      } else if (decision.kind === 'fine') {
        this.#reportedToUser.delete(position.key);
        this.#cooldowns.settled(position.key);
      }
    }
    this.#dependencies.onChange();
  }

  /** Reports a failed check if that is due. @returns milliseconds from the start of this check to the next one */
  #restAfter(error: unknown): number {
    const { checkEveryMs } = this.consent.rules;
    const askedForMs = error instanceof DataUnavailableError ? error.restMs : undefined;
    if (askedForMs !== undefined && askedForMs > 0) {
      // The request limit is used up, for example by an operation: nothing that the user has to know.
      this.#isServiceDown = true;
      const waitMs = Math.max(checkEveryMs, Math.min(askedForMs, LONGEST_COOLDOWN_MS));
      this.#dependencies.log('info', `Automation: a check waits for the service's request limit, the next one is in ${span(waitMs)}.`);
      return waitMs;
    }
    this.#failedChecks += 1;
    this.#isServiceDown = askedForMs !== undefined;
    const restMs = cooldownAfter(this.#failedChecks, checkEveryMs);
    this.#dependencies.log('warn', `Automation: a check failed, the next one is in ${span(restMs)}. ${errorMessageOf(error)}`);
    if (this.#failedChecks === REPORT_AFTER_CHECKS) {
      this.#notify(
        l10n.t`Auto-rebalance: ${REPORT_AFTER_CHECKS} checks in a row failed. ${errorMessageOf(error)} It keeps retrying without further messages.`,
        'warning',
      );
    }
    return restMs;
  }

  #notify(words: string | undefined, severity: 'info' | 'warning'): void {
    if (words === undefined) {
      return;
    }
    try {
      this.#dependencies.host.notify(words, severity);
    } catch (error) {
      this.#dependencies.log('warn', `Automation: a message could not be shown. ${errorMessageOf(error)}`);
    }
  }

  #hasStopped(): boolean {
    return this.#abort.signal.aborted || this.#lock.lost.aborted;
  }
}

/**
 * Dry run: reads the positions and decides, without acting. It doesn't count as a check.
 * @param confirmed worths of the positions when the rules were confirmed; `undefined`: they would be confirmed now
 * @param memory of the scheduler that runs for this wallet, if one does
 * @throws DataUnavailableError
 */
export async function dryRun(
  owner: Address,
  rules: AutoRebalanceRules,
  confirmed: readonly ConfirmedWorth[] | undefined,
  memory: CheckMemory | undefined,
  sources: InputSources,
): Promise<AutoRebalancePlan> {
  const inputs = await readInputs(owner, 'manual', sources);
  const nowMs = sources.clock.now();
  const worths = confirmed ?? worthsOf(inputs.positions, rules);
  const planned = planOf(inputs, memory ?? { observations: new Map(), ledgers: new Map(), cooldowns: undefined }, rules, worths, nowMs);
  return {
    rules,
    worths,
    asOfMs: inputs.asOfMs,
    planned: await withBenefits(planned, rules.terms, sources.benefitOf, new AbortController().signal),
    doneToday: doneInDay(inputs, nowMs),
  };
}

/** Longest pair name in characters: the name comes from the service. */
const LONGEST_NAME = 40;

/** "BONK/SOL", made safe for a sentence. */
function pairOf({ pairName }: OpenPosition): string {
  return oneLine(pairName, LONGEST_NAME);
}

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
