import * as l10n from '@vscode/l10n';
import type { OperationRule } from '../context';
import { exchanges } from '../intents';

/** SWP-10: a swap swaps, and an unwrapping closes the wallet's own account for wrapped SOL. A tip that is paid for nothing is a question. */
export const reviewExchange: OperationRule = ({ intent, owned }, notes) => {
  if (!exchanges(intent)) {
    return;
  }
  const isDone = notes.effects.some(
    (effect) => effect.kind === intent.kind && !(effect.kind === 'unwrap' && !owned.isWrappedSol(effect.account)),
  );
  if (!isDone) {
    notes.operation('SWP-10', 'confirm', l10n.t('No transaction does what you asked for.'));
  }
};
