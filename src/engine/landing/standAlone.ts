import { EngineError } from '../engine';
import type { WireLanded } from '../wire/transactions';

/**
 * Checks the transactions of a claim before any of them is landed.
 * @param operations the operation of each
 * @throws EngineError if there is none, or one is given twice: with its tip and without it, for example
 */
export function requireDistinct(operations: readonly number[]): void {
  if (operations.length === 0) {
    throw new EngineError('invalid', 'There is no transaction to land');
  }
  if (new Set(operations).size < operations.length) {
    throw new EngineError('invalid', 'One of the transactions is given twice');
  }
}

/**
 * The answer to a landing of transactions that each stand alone: the signature of the last one if all have landed.
 * @throws EngineError unless all of them have landed; `partiallyLanded` names those that have
 */
export function answerOfAll(results: readonly PromiseSettledResult<WireLanded>[]): WireLanded {
  const landed = results.flatMap((result, index) => (result.status === 'fulfilled' ? [{ place: index + 1, answer: result.value }] : []));
  const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  const failures = errors.filter((error) => error instanceof EngineError);
  const [first] = failures;
  const last = landed.at(-1);
  if (failures.length < errors.length) {
    throw errors.find((error) => !(error instanceof EngineError));
  }
  if (first === undefined && last !== undefined) {
    return last.answer;
  }
  const unknown = failures.find(({ kind }) => kind === 'unconfirmed');
  if (unknown !== undefined || first === undefined || last === undefined) {
    throw unknown ?? first ?? new EngineError('invalid', 'There is no transaction to land');
  }
  const places = landed.map(({ place }) => place).join(', ');
  throw new EngineError(
    'partiallyLanded',
    `Only ${landed.length} of ${results.length} transactions were executed (numbers ${places}). Each claims for itself, so the others can be built again. ${first.message}`,
  );
}
