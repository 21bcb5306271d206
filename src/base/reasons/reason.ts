import type { Reason } from './reasonSchema';

// Without the schema, which the start of the extension must not load.

export type { Reason, ReentryCost, ServiceAnswer, AmountLeft } from './reasonSchema';

/** The text of a service or an error as a reason. */
export function told(said: string): Extract<Reason, { code: 'told' }> {
  return { code: 'told', text: said, meaning: undefined };
}

/** Whether the service answered the landing with a failure. */
export function isServiceAnswer(reason: Reason): boolean {
  return (
    ((reason.code === 'answered' || reason.code === 'answeredSentAgain') && reason.answer.kind === 'status') ||
    meaningOf(reason) === 'serviceAnswered'
  );
}

/** Whether the window was closed before anything was sent. */
export function isClosedBeforeSending(reason: Reason): boolean {
  return reason.code === 'closedBeforeSending' || meaningOf(reason) === 'closedBeforeSending';
}

/** Whether the user chose not to re-enter. */
export function isDeclinedReentry(reason: Reason | undefined): boolean {
  return reason !== undefined && (reason.code === 'declinedReentry' || meaningOf(reason) === 'declinedReentry');
}

function meaningOf(reason: Reason): Extract<Reason, { code: 'told' }>['meaning'] {
  return reason.code === 'told' ? reason.meaning : undefined;
}
