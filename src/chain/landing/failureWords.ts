import { oneLine } from '../../base/text';

/** Why a transaction fails. */
export interface FailureWords {
  /** The failure says nothing about what the transaction does: it has landed already, or the node does not know its blockhash. */
  readonly passing: boolean;
  /** For a message, without a full stop. */
  readonly words: string;
}

/** Failures of the runtime that another node or moment may not see. */
const PASSING: ReadonlySet<string> = new Set(['AlreadyProcessed', 'BlockhashNotFound']);

const LONGEST = 300;
/** The line that Anchor writes: "AnchorError … Error Code: ExceededX. Error Number: 6003. Error Message: Exceeded x." */
const ANCHOR = /Error Code: (\w{1,80})\. Error Number: (\d{1,10})\. Error Message: (.*?)\.?$/;

/**
 * Puts the error of a transaction into words.
 * @param error `err` of a status or a simulation: untrusted JSON
 * @param logs of the programs: untrusted
 * @returns `undefined`: there is no error
 */
export function wordsOfFailure(error: unknown, logs: readonly string[]): FailureWords | undefined {
  if (error === null || error === undefined) {
    return undefined;
  }
  if (typeof error === 'string') {
    return { passing: PASSING.has(error), words: oneLine(error, LONGEST) };
  }
  const [, code, number, message] = logs.map((line) => ANCHOR.exec(line)).findLast((match) => match !== null) ?? [];
  const words = code === undefined ? JSON.stringify(error) : `${code} (${number ?? ''}): ${message ?? ''}`;
  return { passing: false, words: oneLine(words, LONGEST) };
}
