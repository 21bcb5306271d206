import * as l10n from '@vscode/l10n';
import { operationNoun } from '../../base/operationKinds';
import { lookUpWords } from '../../base/reasons/reasonWords';
import { OperationError } from '../errors';
import type { OperationRecord } from '../journal/types';
import type { OperationHost } from '../types';
import { notShownWords } from '../words';

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
      what: l10n.t`An earlier ${operationNoun(first.created.operation)} may have landed.`,
      advice: lookUpWords(),
    });
  }
  try {
    return await host.repeat(earlier);
  } catch (cause) {
    throw new OperationError({
      kind: 'notAsked',
      what: notShownWords(operationNoun(first.created.operation), cause),
      advice: l10n.t('Try again.'),
      cause,
    });
  }
}
