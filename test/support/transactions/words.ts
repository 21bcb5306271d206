import type { Reason } from '../../../src/base/reasons/reason';
import { reasonWords } from '../../../src/base/reasons/reasonWords';

/** The words of a reason; empty for none. */
export function wordsOf(reason: Reason | undefined): string {
  return reason === undefined ? '' : reasonWords(reason);
}
