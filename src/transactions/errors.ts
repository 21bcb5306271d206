import * as l10n from '@vscode/l10n';
import type { MoneyState } from './types';

/** What kept an operation from its end. */
export type OperationErrorKind =
  /** What was chosen cannot be: nothing was asked of the service. */
  | 'invalidPlan'
  /** Another window, or an earlier operation that may still land, has the position or the pool. */
  | 'underWay'
  /** The journal cannot be written. */
  | 'notRecorded'
  /** This window stood still for so long that another one may have gone on in its place. */
  | 'interrupted'
  /** The service did not build the transactions. */
  | 'notBuilt'
  /** The review could not be run. */
  | 'notReviewed'
  /** It would cost more than it may, by its instructions: it was not even asked about. */
  | 'tooCostly'
  /** The user could not be asked. */
  | 'notAsked'
  /** There is no key, another wallet's key, or the signer refused. */
  | 'notSigned'
  /** Cancelled between signing and sending, or there was no connection to send them over. */
  | 'notSent'
  /** They were sent, and it is proven that none of them landed, and that none can any more. */
  | 'notLanded'
  /** They were sent, and the network took them without carrying any of them out: only its fees were paid. */
  | 'notCarriedOut'
  /** They were sent, and only some of them landed. */
  | 'landedInPart'
  /** They were sent, and what became of them is not known. */
  | 'mayHaveLanded';

/** What is known of a failed operation. */
export interface OperationErrorDetails {
  readonly kind: OperationErrorKind;
  /** What happened: one sentence or more, ending in a full stop. */
  readonly what: string;
  /** What to do next; likewise. */
  readonly advice: string;
  /** The part of the plan that is wrong: "slippageBps". */
  readonly field?: string;
  /** Whether the same again, with a fresh quote, is worth offering. */
  readonly offersFreshQuote?: boolean;
  readonly cause?: unknown;
  /** A first try of the same run was sent, and is proven not to have landed; this failed after that, and sent nothing more. */
  readonly isAfterFirstTry?: boolean;
  /** Its id in the journal, where it has got so far. */
  readonly operation?: string | undefined;
}

/** An operation that failed. The message says what happened, what it means for the money, and what to do next. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly kind: OperationErrorKind;
  readonly money: MoneyState;
  readonly advice: string;
  readonly field: string | undefined;
  /** True where it was sent, and it is proven that it was not carried out and no longer can be: the same operation, as a new one, may well succeed. */
  readonly offersFreshQuote: boolean;
  /** Its id in the journal; `undefined`: it is not in there. */
  readonly operation: string | undefined;

  readonly #details: OperationErrorDetails;

  constructor(details: OperationErrorDetails) {
    const { kind, what, advice, field, offersFreshQuote = false, cause, isAfterFirstTry = false, operation } = details;
    const { words } = meaning()[kind];
    super(
      [what, isAfterFirstTry && (words === nothingSigned() || words === nothingSent()) ? nothingMoreSent() : words, advice]
        .filter((part) => part !== '')
        .join(' '),
      { cause },
    );
    this.#details = details;
    this.kind = kind;
    this.money = meaning()[kind].money;
    this.advice = advice;
    this.field = field;
    this.offersFreshQuote = offersFreshQuote;
    this.operation = operation;
  }

  /** The same, of something that was tried again after a first try had been sent and had not landed: that nothing was sent would not be true then. */
  afterFirstTry(): OperationError {
    return new OperationError({ ...this.#details, isAfterFirstTry: true });
  }

  /** The same, of what the journal knows by this id. */
  of(operation: string): OperationError {
    return new OperationError({ ...this.#details, operation });
  }
}

const nothingSent = () => l10n.t('Nothing was sent: your money is where it was.');
const nothingMoreSent = () => l10n.t('The first try was sent and did not land, and nothing more was sent: your money is where it was.');
const nothingSigned = () => l10n.t('Nothing was signed and nothing was sent: your money is where it was.');

/** What each failure means for the money, and how that is said. */
const meaning = (): Readonly<Record<OperationErrorKind, { readonly money: MoneyState; readonly words: string }>> => ({
  invalidPlan: { money: 'untouched', words: nothingSigned() },
  notBuilt: { money: 'untouched', words: nothingSigned() },
  notReviewed: { money: 'untouched', words: nothingSigned() },
  tooCostly: { money: 'untouched', words: nothingSigned() },
  notAsked: { money: 'untouched', words: nothingSigned() },
  underWay: { money: 'untouched', words: nothingSigned() },
  notRecorded: { money: 'untouched', words: nothingSent() },
  interrupted: { money: 'untouched', words: nothingSent() },
  notSigned: { money: 'untouched', words: nothingSent() },
  notSent: { money: 'untouched', words: nothingSent() },
  notLanded: { money: 'untouched', words: l10n.t('It did not land and no longer can: your money is where it was.') },
  notCarriedOut: { money: 'untouched', words: l10n.t('Only the fees of the network were paid.') },
  landedInPart: { money: 'unknown', words: l10n.t('The part that landed has happened.') },
  mayHaveLanded: { money: 'unknown', words: l10n.t('It may have landed.') },
});

/** The words of whatever was thrown, as a sentence. */
export function errorMessageOf(thrown: unknown): string {
  const words = (thrown instanceof Error ? thrown.message : String(thrown)).trim();
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
