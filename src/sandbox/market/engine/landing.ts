import bs58 from 'bs58';
import { EngineError, type LandParameters, type EngineOperationKind } from '../../../engine/engine';
import { readGiven } from '../../../engine/landing/given';
import { answerOfAll, requireDistinct } from '../../../engine/landing/standAlone';
import type { WireLanded } from '../../../engine/wire/transactions';
import { readEffects } from '../../build/readEffects';
import type { BuildEffect } from '../../build/types';
import { LandingError, parseVerified } from '../../chain/preflight';
import type { ApplyEffects, Chain, LoadedTransaction } from '../../chain/types';
import type { UnitOfWork } from '../../store/unitOfWork';
import { applyEffect, type EffectTarget } from './effects';
import type { IndexingLag } from './indexingLag';
import { messageHashOf, type Operation, type OperationTerms, type PendingBuilds } from './pendingBuilds';

/** Somebody else on the chain, who sees bundles before they land. Simulations have none. */
export interface Outsider {
  /** Runs before a bundle is executed; the transactions are well-formed, and were built here. */
  beforeBundle(transactions: readonly Uint8Array[]): void;
  /** Runs for each effect of a bundle in order; `apply` applies it. */
  aroundEffect(effect: BuildEffect, apply: () => void): void;
}

/** Dependencies of {@link Landing}. */
export interface LandingOptions {
  readonly target: EffectTarget;
  readonly chain: Chain;
  readonly unit: UnitOfWork;
  readonly issued: PendingBuilds;
  readonly lag: IndexingLag;
  readonly outsider?: Outsider | undefined;
}

/** A transaction of a client. */
interface GivenBuild {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** Lands operations that were built here, whole and once each. Synchronous, so no two landings overlap. */
export class Landing {
  readonly #options: LandingOptions;

  constructor(options: LandingOptions) {
    this.#options = options;
  }

  /**
   * Lands an operation and commits. If it has landed before, in either variant, answers with the same signature.
   * @throws EngineError if it was not built here, or did not land and nothing of it was executed; `partiallyLanded` if only its first
   * transactions were executed on purpose, now or before.
   */
  land(kind: EngineOperationKind, { first, second, onlyFirst }: LandParameters): WireLanded {
    const given = readGiven([...first, ...second], (bytes) => ({ bytes, hash: messageHashOf(bytes) }));
    if (kind !== 'claim') {
      return this.#landOne(this.#find(kind, given), given, onlyFirst);
    }
    const alone = given.map((one) => ({ operation: this.#find(kind, [one]), given: [one] }));
    requireDistinct(alone.map(({ operation }) => operation.number));
    return answerOfAll(
      alone.map((one, index) => {
        const isDropped = onlyFirst !== undefined && index >= onlyFirst;
        return settled(() => this.#landOne(one.operation, one.given, isDropped ? 0 : undefined));
      }),
    );
  }

  #find(kind: EngineOperationKind, given: readonly GivenBuild[]): Operation {
    return this.#options.issued.find(
      kind,
      given.map(({ hash }) => hash),
    );
  }

  #landOne(operation: Operation, given: readonly GivenBuild[], onlyFirst: number | undefined): WireLanded {
    const transactions = given.map(({ bytes }) => bytes);
    const signatures = this.#signaturesOf(operation, transactions, onlyFirst);
    if (signatures.length < transactions.length) {
      throw new EngineError(
        'partiallyLanded',
        `Only the first ${signatures.length} of ${transactions.length} transactions were executed; the others were dropped, and never will be`,
      );
    }
    return { method: 'JITO', signature: signatures.at(-1) ?? '' };
  }

  /** Effects of transactions on the market for simulations; transactions that were built here come with their promises. */
  effectsOf(transactions: readonly Uint8Array[]): ApplyEffects {
    const { issued } = this.#options;
    return (transaction, index) => {
      const given = transactions[index];
      this.#apply(given === undefined ? undefined : issued.promisedOf(given), transaction);
    };
  }

  /** Applies a transaction to the market. `promised`: of its operation; `undefined` if it has none. */
  #apply(promised: OperationTerms | undefined, transaction: LoadedTransaction, outsider?: Outsider): void {
    const { target } = this.#options;
    const signature = bs58.encode(transaction.signatures[0] ?? new Uint8Array());
    for (const effect of readEffects(transaction)) {
      const apply = (): void => target.market.books.during(signature, () => applyEffect(target, promised, effect));
      if (outsider === undefined) {
        apply();
      } else {
        outsider.aroundEffect(effect, apply);
      }
    }
    target.market.settleVaults();
  }

  #signaturesOf(operation: Operation, transactions: readonly Uint8Array[], onlyFirst: number | undefined): readonly string[] {
    if (operation.landedSignatures === undefined) {
      return this.#execute(operation, transactions, onlyFirst);
    }
    // Signatures are returned only for validly signed transactions.
    withEngineErrors(() => transactions.forEach(parseVerified));
    return operation.landedSignatures;
  }

  #execute(operation: Operation, transactions: readonly Uint8Array[], onlyFirst: number | undefined): readonly string[] {
    const { target, unit, issued, lag } = this.#options;
    const listed = operation.promised.positions.map((position) => lag.snapshot(position, operation.owner));
    const signatures = this.#executeOnChain(operation, transactions, onlyFirst);
    issued.markLanded(operation, signatures);
    listed.forEach((of) => lag.hide(of, target.market.now));
    unit.commit();
    return signatures;
  }

  /** Executes the first transactions, or all, on the chain. @throws EngineError if they fail; nothing has happened then */
  #executeOnChain({ promised }: Operation, transactions: readonly Uint8Array[], onlyFirst: number | undefined): readonly string[] {
    if (onlyFirst !== undefined) {
      // Dropped transactions have to be valid as well.
      withEngineErrors(() => transactions.forEach(parseVerified));
    }
    const { chain, outsider } = this.#options;
    outsider?.beforeBundle(transactions);
    const carriedOut = transactions.slice(0, onlyFirst);
    if (carriedOut.length === 0) {
      return [];
    }
    const result = chain.land(carriedOut, (transaction) => this.#apply(promised, transaction, outsider));
    if (result.kind === 'failed') {
      throw notLanded(result.reason);
    }
    return result.signatures;
  }
}

function settled(land: () => WireLanded): PromiseSettledResult<WireLanded> {
  try {
    return { status: 'fulfilled', value: land() };
  } catch (error) {
    return { status: 'rejected', reason: error };
  }
}

function withEngineErrors(run: () => void): void {
  try {
    run();
  } catch (error) {
    throw error instanceof LandingError ? notLanded(error.message) : error;
  }
}

function notLanded(reason: string): EngineError {
  return new EngineError('notLanded', `The bundle did not land, and nothing of it was executed. ${reason}`);
}
