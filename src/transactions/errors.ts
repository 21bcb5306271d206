import * as l10n from '@vscode/l10n';
import { errorText } from '../base/thrown';
import type { MoneyState } from './types';

/** Why an operation failed. */
export type OperationErrorKind =
  /** The plan is not valid: the service was not asked. */
  | 'invalidPlan'
  /** Another window, or an earlier operation that may still land, has the position or the pool. */
  | 'underWay'
  /** An earlier operation on the same position or pool may have landed, and nobody can be asked whether to repeat it. */
  | 'mayRepeat'
  /** The journal cannot be written. */
  | 'notRecorded'
  /** This window was suspended, and another one may have taken over. */
  | 'interrupted'
  /** The service did not build the transactions. */
  | 'notBuilt'
  /** The review could not be run. */
  | 'notReviewed'
  /** Its instructions cost more than allowed; the user was not asked. */
  | 'tooCostly'
  /** The user could not be asked. */
  | 'notAsked'
  /** One quote after the other expired before it could be signed. */
  | 'tooSlow'
  /** There is no key, another wallet's key, or the signer refused. */
  | 'notSigned'
  /** Cancelled between signing and sending, or there was no connection to send them over. */
  | 'notSent'
  /** They were sent, and it is proven that none of them landed or can. */
  | 'notLanded'
  /** They were sent, and failed on chain: only the network fees were paid. */
  | 'notCarriedOut'
  /** They were sent, and only some of them landed. */
  | 'landedInPart'
  /** They were sent, and the outcome is unknown. */
  | 'mayHaveLanded';

export interface OperationErrorDetails {
  readonly kind: OperationErrorKind;
  /** What happened, in complete sentences. */
  readonly what: string;
  /** What to do next, in complete sentences. */
  readonly advice: string;
  /** The invalid field of the plan: "slippageBps". */
  readonly field?: string;
  /** Whether to offer a retry with a fresh quote. */
  readonly offersFreshQuote?: boolean;
  readonly cause?: unknown;
  /** A signature to look up what may have landed, and whether public explorers list it. */
  readonly lookUp?: { readonly signature: string; readonly hasExplorer: boolean } | undefined;
  /** A first attempt of the same run was sent and is proven not to have landed; the retry failed and sent nothing more. */
  readonly isAfterFirstTry?: boolean;
  /** Its id in the journal, if it has one. */
  readonly operation?: string | undefined;
}

/** An operation that failed. The message says what happened, what it means for the money, and what to do next. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly kind: OperationErrorKind;
  readonly money: MoneyState;
  readonly advice: string;
  readonly field: string | undefined;
  /** True if it was sent and is proven not to have been executed: a new attempt may well succeed. */
  readonly offersFreshQuote: boolean;
  /** Its id in the journal; `undefined`: it is not in the journal. */
  readonly operation: string | undefined;
  /** See {@link OperationErrorDetails.lookUp}. */
  readonly lookUp: OperationErrorDetails['lookUp'];

  readonly #details: OperationErrorDetails;

  constructor(details: OperationErrorDetails) {
    const { kind, what, advice, field, offersFreshQuote = false, cause, isAfterFirstTry = false, operation } = details;
    super([what, meaningOf(kind, isAfterFirstTry), advice].filter((part) => part !== '').join(' '), { cause });
    this.#details = details;
    this.kind = kind;
    this.money = MONEY[kind];
    this.advice = advice;
    this.field = field;
    this.offersFreshQuote = offersFreshQuote;
    this.operation = operation;
    this.lookUp = details.lookUp;
  }

  /** The same error of a retry after a first attempt was sent and did not land: "nothing was sent" would be false then. */
  afterFirstTry(): OperationError {
    return new OperationError({ ...this.#details, isAfterFirstTry: true });
  }

  /** The same error with the operation's id in the journal. */
  of(operation: string): OperationError {
    return new OperationError({ ...this.#details, operation });
  }
}

const MONEY: Readonly<Record<OperationErrorKind, MoneyState>> = {
  invalidPlan: 'untouched',
  notBuilt: 'untouched',
  notReviewed: 'untouched',
  tooCostly: 'untouched',
  notAsked: 'untouched',
  tooSlow: 'untouched',
  underWay: 'untouched',
  mayRepeat: 'untouched',
  notRecorded: 'untouched',
  interrupted: 'untouched',
  notSigned: 'untouched',
  notSent: 'untouched',
  notLanded: 'untouched',
  notCarriedOut: 'untouched',
  landedInPart: 'unknown',
  mayHaveLanded: 'unknown',
};

/** The sentence that says what a failure means for the money. */
function meaningOf(kind: OperationErrorKind, isAfterFirstTry: boolean): string {
  switch (kind) {
    case 'invalidPlan':
    case 'notBuilt':
    case 'notReviewed':
    case 'tooCostly':
    case 'notAsked':
    case 'tooSlow':
    case 'underWay':
    case 'mayRepeat':
      return isAfterFirstTry ? nothingMoreSent() : l10n.t('Nothing was signed or sent. Your money has not moved.');
    case 'notRecorded':
    case 'interrupted':
    case 'notSigned':
    case 'notSent':
      return isAfterFirstTry ? nothingMoreSent() : l10n.t('Nothing was sent. Your money has not moved.');
    case 'notLanded':
      return l10n.t('It did not land and no longer can. Your money has not moved.');
    case 'notCarriedOut':
      return l10n.t('Only the network fees were paid.');
    case 'landedInPart':
      return l10n.t('What landed has taken effect.');
    case 'mayHaveLanded':
      return l10n.t('It may have landed.');
  }
}

const nothingMoreSent = () => l10n.t('The first attempt did not land, and nothing more was sent. Your money has not moved.');

/** The message of a thrown value, as a sentence. */
export function errorMessageOf(thrown: unknown): string {
  const words = errorText(thrown).trim();
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
