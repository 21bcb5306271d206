import { bytesFromBase64, parseBase64Transaction } from '../../../base/solana/base64Transaction';
import { readEffects } from '../../build/readEffects';
import type { Effect } from '../../build/types';
import { LandingError, readSigned } from '../../chain/preflight';
import type { ApplyEffects, Chain, LoadedTransaction } from '../../chain/types';
import { EngineError, type LandParameters } from '../../../server/engine';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { WireLanded } from '../../../server/wire/transactions';
import { applyEffect } from './effects';
import type { IndexingLag } from './indexingLag';
import type { PendingBuilds, Operation, OperationKind, Promised } from './pendingBuilds';
import type { EffectTarget } from './effectTarget';

/** Somebody else on the chain, who sees bundles before they land. Simulations have none. */
export interface Outsider {
  /** Runs before a bundle is executed; the transactions are well-formed, and were built here. */
  beforeBundle(transactions: readonly Uint8Array[]): void;
  /** Runs for each effect of a bundle in order; `apply` applies it. */
  aroundEffect(effect: Effect, apply: () => void): void;
}

/** What landing needs. */
export interface LandingOptions {
  readonly target: EffectTarget;
  readonly chain: Chain;
  readonly unit: UnitOfWork;
  readonly issued: PendingBuilds;
  readonly lag: IndexingLag;
  readonly outsider?: Outsider | undefined;
}

/** Lands what was built here, whole operations, each once. Nothing of it waits, so that no two landings run at once. */
export class Landing {
  constructor(private readonly options: LandingOptions) {}

  /**
   * Lands an operation and commits; answers with the same signature where it has landed before, in either variant.
   * @throws EngineError where it is none that was built here, or did not land: nothing of it has happened then; or
   * (`halfLanded`) where only the first of its transactions were carried out, on purpose, now or before.
   */
  land(kind: OperationKind, { first, second, onlyFirst }: LandParameters): WireLanded {
    const transactions = [...first, ...second].map(bytesOf);
    const operation = this.options.issued.find(kind, transactions);
    const signatures = this.signaturesOf(operation, transactions, onlyFirst);
    if (signatures.length < transactions.length) {
      throw new EngineError(
        'halfLanded',
        `Only the first ${signatures.length} of ${transactions.length} transactions were executed; the others were dropped, and never will be`,
      );
    }
    return { method: 'JITO', signature: signatures.at(-1) ?? '' };
  }

  /** What transactions would do to the market, for trying; those that were built here with what was promised of them. */
  effectsOf(transactions: readonly Uint8Array[]): ApplyEffects {
    const { issued } = this.options;
    return (transaction, index) => {
      const given = transactions[index];
      this.carryOut(given === undefined ? undefined : issued.promisedOf(given), transaction);
    };
  }

  /** What a transaction does to the market. `promised`: of its operation; `undefined` where it is tried without one. */
  private carryOut(promised: Promised | undefined, transaction: LoadedTransaction, outsider?: Outsider): void {
    const { target } = this.options;
    for (const effect of readEffects(transaction)) {
      const apply = (): void => applyEffect(target, promised, effect);
      if (outsider === undefined) {
        apply();
      } else {
        outsider.aroundEffect(effect, apply);
      }
    }
    target.market.settleVaults();
  }

  private signaturesOf(operation: Operation, transactions: readonly Uint8Array[], onlyFirst: number | undefined): readonly string[] {
    if (operation.landedSignatures === undefined) {
      return this.execute(operation, transactions, onlyFirst);
    }
    // What landed before is answered to those alone who could have landed it themselves.
    unlessRefused(() => transactions.forEach(readSigned));
    return operation.landedSignatures;
  }

  private execute(operation: Operation, transactions: readonly Uint8Array[], onlyFirst: number | undefined): readonly string[] {
    const { target, unit, issued, lag } = this.options;
    const listed = lag.snapshot(operation.promised.position, operation.owner);
    const signatures = this.executed(operation, transactions, onlyFirst);
    issued.markLanded(operation, signatures);
    lag.hide(listed, target.market.now);
    unit.commit();
    return signatures;
  }

  /** The first ones, or all, on the chain; @throws EngineError where they fail there: nothing of it has happened then. */
  private executed({ promised }: Operation, transactions: readonly Uint8Array[], onlyFirst: number | undefined): readonly string[] {
    if (onlyFirst !== undefined) {
      // What is dropped was handed over, too.
      unlessRefused(() => transactions.forEach(readSigned));
    }
    const { chain, outsider } = this.options;
    outsider?.beforeBundle(transactions);
    const carriedOut = transactions.slice(0, onlyFirst);
    if (carriedOut.length === 0) {
      return [];
    }
    const result = chain.land(carriedOut, (transaction) => this.carryOut(promised, transaction, outsider));
    if (result.kind === 'failed') {
      throw notLanded(result.reason);
    }
    return result.signatures;
  }
}

function unlessRefused(run: () => void): void {
  try {
    run();
  } catch (error) {
    throw error instanceof LandingError ? notLanded(error.message) : error;
  }
}

function notLanded(reason: string): EngineError {
  return new EngineError('notLanded', `The bundle did not land, and nothing of it was executed. ${reason}`);
}

function bytesOf(text: string, index: number): Uint8Array {
  const base64 = parseBase64Transaction(text);
  if (base64 === undefined) {
    throw new EngineError('invalid', `Transaction ${index + 1} is not base64`);
  }
  return bytesFromBase64(base64);
}
