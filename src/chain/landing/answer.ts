import { EngineError } from '../../engine/engine';
import type { WireLanded } from '../../engine/wire/transactions';
import type { AttemptResult } from './attempt';
import type { LandingTransaction } from './store';

/** A result, with the transactions as they were sent. */
export interface LandedOperation {
  readonly transactions: readonly LandingTransaction[];
  readonly result: AttemptResult;
}

/** The answer to the client. @throws EngineError for every result but a complete landing */
export function answerOf({ transactions, result }: LandedOperation): WireLanded {
  switch (result.kind) {
    case 'landed':
      return { method: 'JITO', signature: transactions.at(-1)?.signature ?? '' };
    case 'notLanded':
    case 'refused':
      throw notLanded(result.reason);
    case 'partial':
      throw new EngineError('partiallyLanded', `${partialText(result.landed, transactions.length)} ${result.reason}`);
    case 'notKnown':
      throw unconfirmed(result.reason);
  }
}

export function logTextOf({ transactions, result }: LandedOperation): string {
  switch (result.kind) {
    case 'landed':
      return 'it landed.';
    case 'notLanded':
    case 'refused':
      return `it did not land. ${result.reason}`;
    case 'partial':
      return `it landed in part. ${partialText(result.landed, transactions.length)} ${result.reason}`;
    case 'notKnown':
      return `the outcome is unknown. ${result.reason}`;
  }
}

/** Nothing of the operation took effect, and nothing will. */
export function notLanded(reason: string): EngineError {
  return new EngineError('notLanded', `The bundle did not land, and nothing of it was executed. ${reason}`);
}

/** The outcome is not known yet. The extension shows this text: it must not advise to repeat anything. */
export function unconfirmed(reason: string): EngineError {
  return new EngineError(
    'unconfirmed',
    `The transactions were sent and may have landed. ${reason} The same request will get the result later.`,
  );
}

/** @param landed places, increasing */
function partialText(landed: readonly number[], count: number): string {
  const isStart = landed.every((place, index) => place === index);
  const which = isStart
    ? `Only the first ${landed.length} of ${count} transactions were executed`
    : `Only ${landed.length} of ${count} transactions were executed (numbers ${landed.map((place) => place + 1).join(', ')})`;
  return `${which}; the others were not, and will not be.`;
}
