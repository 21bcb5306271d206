import * as l10n from '@vscode/l10n';
import { errorMessageOf, OperationError } from '../errors';
import type { OperationRecord } from '../journal/types';
import { OPERATIONS } from '../operations';
import type { OperationHost } from '../types';

/**
 * Asks whether to start although earlier operations may have landed: if one did, it would happen twice.
 * @param earlier see `withUnknownOutcome`
 * @returns false if the user does not want to
 * @throws OperationError if nobody can be asked, as in automatic mode
 */
export async function confirmsRepetition(earlier: readonly OperationRecord[], host: Pick<OperationHost, 'repeat'>): Promise<boolean> {
  const [first] = earlier;
  if (first === undefined) {
    return true;
  }
  if (host.repeat === undefined) {
    throw new OperationError({
      kind: 'mayRepeat',
      what: l10n.t`${OPERATIONS[first.created.operation].earlierText()} may have landed, so nothing is started without you.`,
      advice: l10n.t('Look up its signature in Activity, then start the operation yourself if you still want to.'),
    });
  }
  try {
    return await host.repeat(earlier);
  } catch (cause) {
    throw new OperationError({
      kind: 'notAsked',
      what: l10n.t`The question about an earlier operation that may have landed could not be shown. ${errorMessageOf(cause)}`,
      advice: l10n.t('Try again.'),
      cause,
    });
  }
}
