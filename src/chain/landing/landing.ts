import { pause, startTimer } from '../../base/async/clock';
import { errorText } from '../../base/thrown';
import { EngineError, type LandParameters, type EngineOperationKind } from '../../engine/engine';
import { answerOfAll, requireDistinct } from '../../engine/landing/standAlone';
import type { WireLanded } from '../../engine/wire/transactions';
import { ChainRpcError } from '../rpc/errors';
import { answerOf, type LandedOperation, logTextOf, notLanded, unconfirmed } from './answer';
import { type AttemptOptions, LandingAttempt } from './attempt';
import { checkBeforeSending } from './check';
import type { FoundOperation, StoredIssuedOperations } from './issued';
import { type GivenTransaction, readTransactions, signatureProblem } from './signedTransactions';
import type { LandingStore, StoredLanding } from './store';

/** Dependencies of {@link ChainLanding}. */
export interface LandingDependencies extends AttemptOptions {
  readonly store: LandingStore;
  readonly issued: StoredIssuedOperations;
  /** Makes sure that the RPC is of the chain of the store. @throws ChainRpcError if it does not answer, EngineError if it is of another one */
  readonly checkChain: () => Promise<void>;
}

/** Progress of an operation that is being landed. */
export interface LandingProgress {
  readonly operation: number;
  readonly kind: EngineOperationKind;
  readonly transactions: number;
  /** Confirmed so far. */
  readonly landed: number;
}

/** A client that gets no answer in time learns nothing; the extension waits 30 s. After this time it gets the progress instead. */
const ANSWER_MS = 25_000;
/** Longer than blockhashes are valid and finalization takes. A landing that takes longer waits for the RPC. */
const SENDING_MS = 180_000;
const RETRY_MS = 2_000;

/** A landing that this process works on. */
interface RunningLanding {
  readonly kind: EngineOperationKind;
  readonly transactions: number;
  readonly startedAtMs: number;
  readonly finished: Promise<LandedOperation>;
  /** `undefined`: nothing has been sent by this process. */
  attempt?: LandingAttempt;
}

/** Lands the operations that were built here, each as a whole and once. */
export class ChainLanding {
  readonly #options: LandingDependencies;
  /** By the number of the operation. */
  readonly #running = new Map<number, RunningLanding>();

  constructor(options: LandingDependencies) {
    this.#options = options;
  }

  /** The operations whose outcome this process is finding out. */
  get progress(): readonly LandingProgress[] {
    return [...this.#running].map(([operation, { kind, transactions, attempt }]) => ({
      operation,
      kind,
      transactions,
      landed: attempt?.landed.length ?? 0,
    }));
  }

  /** Whether transactions are being sent that could land only in part if the process ended now. */
  get isSending(): boolean {
    const now = this.#options.clock.now();
    return [...this.#running.values()].some(({ startedAtMs }) => now - startedAtMs < SENDING_MS);
  }

  /**
   * Lands an operation, or the transactions of a claim, each for itself. If it was submitted before, in either variant, joins that landing or answers its outcome.
   * @throws EngineError if it was not built here or is not signed, did not land, landed in part, or the outcome is not known yet
   */
  async land(kind: EngineOperationKind, { first, second }: Pick<LandParameters, 'first' | 'second'>): Promise<WireLanded> {
    const { issued } = this.#options;
    const given = readTransactions([...first, ...second]);
    if (kind !== 'claim') {
      return this.#landOne(issued.find(kind, given), given);
    }
    const alone = given.map((one) => ({ found: issued.find(kind, [one]), given: [one] }));
    requireDistinct(alone.map(({ found }) => found.operation.number));
    return answerOfAll(await Promise.allSettled(alone.map((one) => this.#landOne(one.found, one.given))));
  }

  async #landOne(found: FoundOperation, given: readonly GivenTransaction[]): Promise<WireLanded> {
    const { store } = this.#options;
    const unsigned = given.map(signatureProblem).find((problem) => problem !== undefined);
    if (unsigned !== undefined) {
      throw notLanded(`${unsigned}.`);
    }
    const { number } = found.operation;
    const stored = store.landing(number);
    if (stored?.outcome !== undefined) {
      return answerOf({ transactions: stored.transactions, result: stored.outcome });
    }
    const running =
      this.#running.get(number) ??
      this.#start(found.operation, given.length, (landing) =>
        stored === undefined ? this.#begin(landing, found, given) : this.#attempt(landing, stored, true),
      );
    return answerOf(await this.#answered(number, running));
  }

  /** Continues the landings that an earlier process did not finish, in the background. */
  recover(): void {
    const { store } = this.#options;
    for (const stored of store.openLandings()) {
      const { number } = stored.operation;
      if (!this.#running.has(number)) {
        const running = this.#start(stored.operation, stored.transactions.length, async (landing) => {
          await this.#rightChain();
          return this.#attempt(landing, stored, true);
        });
        this.#logOutcome(number, running, 'was not finished when the service ended');
      }
    }
  }

  /** Resolves when no landing is running. Abort the signal of the options before. */
  async stopped(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ finished }) => finished));
  }

  #start(
    { number, kind }: FoundOperation['operation'],
    transactions: number,
    run: (landing: Pick<RunningLanding, 'attempt'>) => Promise<LandedOperation>,
  ): RunningLanding {
    const own: Pick<RunningLanding, 'attempt'> = {};
    const finished = run(own).finally(() => this.#running.delete(number));
    const running: RunningLanding = Object.assign(own, { kind, transactions, startedAtMs: this.#options.clock.now(), finished });
    this.#running.set(number, running);
    return running;
  }

  /** Checks what can be checked before anything is sent, stores the landing and submits it. */
  async #begin(
    running: Pick<RunningLanding, 'attempt'>,
    found: FoundOperation,
    given: readonly GivenTransaction[],
  ): Promise<LandedOperation> {
    const transactions = given.map(({ bytes, signature }, place) => ({
      place,
      bytes,
      signature,
      groupNumber: found.groupNumbers[place] ?? place,
    }));
    const { beganSlot, isExpired } = await checkBeforeSending(found, transactions, this.#options);
    const landing = { operation: found.operation, variant: found.variant, beganSlot, transactions };
    this.#options.store.begin(landing);
    // The client may have sent expired transactions itself, so they are looked for as after a restart.
    return this.#attempt(running, { ...landing, outcome: undefined }, isExpired);
  }

  async #attempt(running: Pick<RunningLanding, 'attempt'>, landing: StoredLanding, isResumed: boolean): Promise<LandedOperation> {
    const { store } = this.#options;
    const { number } = landing.operation;
    running.attempt = new LandingAttempt(this.#options, landing, isResumed);
    const result = await running.attempt.run();
    if (result.kind === 'refused') {
      store.removeLanding(number);
    } else if (result.kind !== 'notKnown') {
      store.setOutcome(number, result);
    }
    return { transactions: landing.transactions, result };
  }

  /** Waits for a landing, but not longer than clients do. The landing continues in the background. */
  async #answered(number: number, running: RunningLanding): Promise<LandedOperation> {
    let timer: { dispose(): void } | undefined;
    const late = new Promise<never>((_, reject) => {
      const answer = (): void => {
        this.#logOutcome(number, running, 'took longer than a request may take');
        const landed = running.attempt?.landed.length ?? 0;
        reject(unconfirmed(`${landed} of ${running.transactions} are confirmed so far, and the service continues.`));
      };
      timer = startTimer(ANSWER_MS, answer, this.#options.clock);
    });
    try {
      return await Promise.race([running.finished, late]);
    } catch (error) {
      throw error instanceof EngineError || !this.#options.signal.aborted ? error : unconfirmed('The service is ending.');
    } finally {
      timer?.dispose();
    }
  }

  /** Waits until the RPC answers, and makes sure that it is of the right chain. On another one everything would look expired. */
  async #rightChain(): Promise<void> {
    const { checkChain, signal, clock } = this.#options;
    for (;;) {
      try {
        await checkChain();
        return;
      } catch (error) {
        if (!(error instanceof ChainRpcError) || signal.aborted) {
          throw error;
        }
      }
      await pause(RETRY_MS, signal, clock);
    }
  }

  #logOutcome(number: number, { finished }: RunningLanding, what: string): void {
    const { log, signal } = this.#options;
    finished.then(
      (operation) => log(`Landing of operation ${number} ${what}: ${logTextOf(operation)}`),
      (error: unknown) => {
        if (!signal.aborted) {
          log(`Landing of operation ${number} ${what}, and is not finished: ${errorText(error)}`);
        }
      },
    );
  }
}
