import { ServiceError } from '../api/errors';

// What is said of something that was sent: never the service's word alone, and never twice as long as it has to be.

const MINUTE_MS = 60_000;

/**
 * What came back for what was sent, as the end of a sentence: "the service answered 422 (Slippage exceeded)", "no answer came (…)". Says
 * nothing of what to do: the words of a failed request ("try again later") do not hold for something that may have landed.
 */
export function answerMessage(cause: unknown): string {
  if (!(cause instanceof ServiceError)) {
    return `its answer could not be used (${sayable(cause)})`;
  }
  const { status, serviceMessage, kind } = cause;
  if (status === undefined) {
    return `no answer came (${sayable(cause)})`;
  }
  if (kind === 'malformed') {
    return 'its answer could not be read';
  }
  const said = serviceMessage === undefined ? '' : ` (${serviceMessage})`;
  return status < 300 ? `the service answered that it failed${said}` : `the service answered ${status}${status < 400 ? ', a redirect' : ''}${said}`;
}

/** "2 minutes", "1 minute": rounded up. */
export function minutesText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  return `${minutes} minute${minutes === 1 ? '' : 's'}`;
}

function sayable(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).trim().replace(/[.!?]+$/, '');
}
