import { startTimer } from '../../base/async/clock';
import { EngineError, type LandParameters } from '../../server/engine';
import type { WireLanded } from '../../server/wire/transactions';
import { ChainRpcError } from '../rpc/errors';
import { type Delivered, Delivery, type DeliveryOptions } from './delivery';
import type { FoundOperation, StoredIssuedOperations } from './issued';
import { type GivenTransaction, readTransactions, signatureProblem } from './signedTransactions';
import type { LandingStore, LandingTransaction, StoredLanding } from './store';
import type { BuiltOperationKind } from './types';

/** Dependencies of {@link ChainLanding}. */
export interface LandingDependencies extends DeliveryOptions {
  readonly store: LandingStore;
  readonly issued: StoredIssuedOperations;
}

/** A blockhash is good for a minute at most; finalization takes some seconds. Behind this, the RPC does not answer. */
const ANSWER_MS = 120_000;

/** A result, with the transactions as they were sent. */
interface Result {
  readonly transactions: readonly LandingTransaction[];
  readonly outcome: Delivered;
}

/** Lands operations that were built here, whole and once each. */
export class ChainLanding {
  readonly #options: LandingDependencies;
  /** Landings that this process works on, by the number of the operation. */
  readonly #running = new Map<number, Promise<Result>>();

  constructor(options: LandingDependencies) {
    this.#options = options;
  }

  /** Operations that were sent and whose outcome is not known. */
  get open(): number {
    return this.#running.size;
  }

  /**
   * Lands an operation. If somebody did so before, in either variant, joins that landing or answers what became of it.
   * @throws EngineError if it was not built here or is not signed, did not land, landed partially, or nobody knows yet
   */
  async land(kind: BuiltOperationKind, { first, second }: Pick<LandParameters, 'first' | 'second'>): Promise<WireLanded> {
    const { store, issued } = this.#options;
    const given = readTransactions([...first, ...second]);
    const found = issued.find(kind, given);
    const unsigned = given.map(signatureProblem).find((problem) => problem !== undefined);
    if (unsigned !== undefined) {
      throw notLanded(`${unsigned}.`);
    }
    const { number } = found.operation;
    const stored = store.landing(number);
    if (stored?.outcome !== undefined) {
      return answerOf({ transactions: stored.transactions, outcome: stored.outcome });
    }
    return answerOf(await this.#within(this.#running.get(number) ?? this.#start(number, () => this.#begin(found, given, stored))));
  }

  /** Goes on with the landings that the last process did not finish, in the background. */
  recover(): void {
    const { store, log } = this.#options;
    for (const landing of store.unsettled()) {
      const { number } = landing.operation;
      this.#start(number, () => this.#deliver(landing, true)).then(
        ({ outcome }) => log(`Operation ${number} was being landed when the service ended: ${wordsOf(outcome)}`),
        (error: unknown) => log(`Operation ${number} is not settled: ${error instanceof Error ? error.message : String(error)}`),
      );
    }
  }

  /** Resolves when no landing runs any more. The signal of the options has to be aborted before. */
  async stopped(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  #start(number: number, run: () => Promise<Result>): Promise<Result> {
    const running = run().finally(() => this.#running.delete(number));
    this.#running.set(number, running);
    return running;
  }

  /** Checks what can be checked before anything is sent, writes the landing down and delivers it. */
  async #begin(found: FoundOperation, given: readonly GivenTransaction[], stored: StoredLanding | undefined): Promise<Result> {
    if (stored !== undefined) {
      return this.#deliver(stored, true);
    }
    const { store, clock } = this.#options;
    const transactions = given.map(({ bytes, signature }, place) => ({ place, part: found.parts[place] ?? place, signature, bytes }));
    const beganSlot = await this.#check(found, transactions);
    const landing = { operation: found.operation, variant: found.variant, beganAtMs: clock.now(), beganSlot, transactions };
    store.begin(landing);
    return this.#deliver({ ...landing, outcome: undefined }, false);
  }

  /**
   * Simulates what is sent first.
   * @returns a slot before it is sent
   * @throws EngineError if it would fail, or the chain cannot be asked: nothing was sent, and it may be landed again
   */
  async #check({ operation, variant }: FoundOperation, transactions: readonly LandingTransaction[]): Promise<number> {
    const { network } = this.#options;
    try {
      const { slot, blockHeight } = await network.finalized();
      if (blockHeight > operation.lastValidBlockHeight) {
        return slot; // somebody else may have sent it: the chain says what became of it
      }
      // Each of a bundle but the first needs the ones before it.
      const independent = transactions.filter(({ part, place }) => (variant === 'plain' ? part === 0 : place === 0));
      for (const { bytes, place } of independent) {
        const failure = await network.simulate(bytes, undefined);
        if (failure !== undefined && !failure.passing) {
          throw notLanded(`Transaction ${place + 1} would fail: ${failure.words}.`);
        }
      }
      return slot;
    } catch (error) {
      if (error instanceof ChainRpcError) {
        throw new EngineError('unavailable', `Nothing was sent: the chain cannot be asked. ${error.message}`, { cause: error });
      }
      throw error;
    }
  }

  async #deliver(landing: StoredLanding, isResumed: boolean): Promise<Result> {
    const { store } = this.#options;
    const { number } = landing.operation;
    const outcome = await new Delivery(this.#options, landing, isResumed).run();
    if (outcome.kind === 'refused') {
      store.forget(number);
    } else if (outcome.kind !== 'notKnown') {
      store.settle(number, outcome);
    }
    return { transactions: landing.transactions, outcome };
  }

  /** Waits for a landing, but not forever: it goes on in the background. */
  async #within(running: Promise<Result>): Promise<Result> {
    let timer: { dispose(): void } | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = startTimer(ANSWER_MS, () => reject(unconfirmed('The chain does not say yet what became of it.')), this.#options.clock);
    });
    try {
      return await Promise.race([running, late]);
    } catch (error) {
      throw error instanceof ChainRpcError && error.kind === 'cancelled' ? unconfirmed('The service is ending.') : error;
    } finally {
      timer?.dispose();
    }
  }
}

function answerOf({ transactions, outcome }: Result): WireLanded {
  switch (outcome.kind) {
    case 'landed':
      return { method: 'JITO', signature: transactions.at(-1)?.signature ?? '' };
    case 'notLanded':
    case 'refused':
      throw notLanded(outcome.reason);
    case 'partial':
      throw new EngineError('partiallyLanded', `${partialWords(outcome.landed, transactions.length)}. ${outcome.reason}`);
    case 'notKnown':
      throw unconfirmed(outcome.reason);
  }
}

/** @param landed indexes, increasing */
function partialWords(landed: readonly number[], count: number): string {
  const isStart = landed.every((place, index) => place === index);
  const which = isStart
    ? `Only the first ${landed.length} of ${count} transactions were executed`
    : `Only ${landed.length} of ${count} transactions were executed (numbers ${landed.map((place) => place + 1).join(', ')})`;
  return `${which}; the others were not, and are not sent any more`;
}

function wordsOf(outcome: Delivered): string {
  return outcome.kind === 'landed' ? 'it has landed.' : `${outcome.kind}. ${outcome.reason}`;
}

function notLanded(reason: string): EngineError {
  return new EngineError('notLanded', `The bundle did not land, and nothing of it was executed. ${reason}`);
}

function unconfirmed(reason: string): EngineError {
  return new EngineError(
    'unconfirmed',
    `The transactions were sent and may have landed. ${reason} Land the same transactions again to ask.`,
  );
}
