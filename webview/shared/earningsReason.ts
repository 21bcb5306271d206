import * as l10n from '@vscode/l10n';
import type { EarningsNotKnown } from '../../src/protocol/earnings';
import type { Figures } from './figures';

/** Why it is not known what a position really earned, as a sentence. */
export function earningsReason({ why, count, of, symbol }: EarningsNotKnown, text: Pick<Figures['text'], 'count'>): string {
  switch (why) {
    case 'noAddress':
    case 'noAmounts':
      return l10n.t('Unknown: the service does not report the position completely.');
    case 'notAnswered':
      return l10n.t('Unknown: the service or the RPC did not answer. It is asked again later.');
    case 'noRpc':
      return l10n.t('Only the chain knows the transactions. Connect to a Solana RPC.');
    case 'noTransactions':
      return l10n.t('Unknown: the service does not name the transactions of the position.');
    case 'underWay':
      return l10n.t('Unknown while an operation is in progress.');
    case 'unclear':
      return l10n.t('Unknown: an operation may or may not have landed. See Activity.');
    case 'eventsNotKnown':
      return l10n.t('Unknown: the service does not report all events of the position.');
    case 'historyIncomplete':
      return l10n.t('Unknown: the history of the position is incomplete.');
    case 'rewards':
      return l10n.t('Unknown: rewards of unknown value were claimed.');
    case 'notUnderstood':
      return l10n.t('Unknown: a transaction did more than these lines can say.');
    case 'incomplete':
      return l10n.t('Unknown: the transactions do not match the reported events.');
    case 'doesNotAddUp':
      return l10n.t('Unknown: the lines do not add up to the change of the wallet.');
    case 'notRead':
      return l10n.t`Unknown: ${text.count(count)} of ${text.count(of)} transactions could not be read.`;
    case 'many':
      return l10n.t`Unknown: ${text.count(count)} transactions are read only on request.`;
    case 'tooMany':
      return l10n.t('Unknown: the position has too many transactions.');
    case 'priceNotKnown':
      return l10n.t`Unknown: a price of ${symbol ?? ''} is missing.`;
  }
}
