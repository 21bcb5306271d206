import { oneLine } from '../../base/text';

/** Why a transaction fails. */
export interface FailureDescription {
  /** The failure does not depend on the instructions: the transaction has landed already, or the node does not know its blockhash. */
  readonly isTransient: boolean;
  /** For a message, without a full stop. */
  readonly text: string;
}

/** Failures of the runtime that another node may not report, or not a moment later. */
const TRANSIENT: ReadonlySet<string> = new Set(['AlreadyProcessed', 'BlockhashNotFound']);

const LONGEST = 300;
/** The line that Anchor logs: "AnchorError … Error Code: ExceededX. Error Number: 6003. Error Message: Exceeded x." */
const ANCHOR = /Error Code: (\w{1,80})\. Error Number: (\d{1,10})\. Error Message: (.*?)\.?$/;

/**
 * Describes the error of a transaction.
 * @param error `err` of a status or a simulation: untrusted JSON
 * @param logs of the programs: untrusted
 * @returns `undefined`: there is no error
 */
export function describeFailure(error: unknown, logs: readonly string[]): FailureDescription | undefined {
  if (error === null || error === undefined) {
    return undefined;
  }
  if (typeof error === 'string') {
    return { isTransient: TRANSIENT.has(error), text: oneLine(error, LONGEST) };
  }
  const [, code, number, message] = logs.map((line) => ANCHOR.exec(line)).findLast((match) => match !== null) ?? [];
  const text = code === undefined ? JSON.stringify(error) : `${code} (${number ?? ''}): ${message ?? ''}`;
  return { isTransient: false, text: oneLine(text, LONGEST) };
}
